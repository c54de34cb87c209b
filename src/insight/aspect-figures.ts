/** The aspects of a publication: how often each is praised and blamed, in which words, and in which reviews. */
import type { Aspect, AspectMention } from "../insights.ts";
import { examples } from "./examples.ts";
import { mean, percentage } from "./figures.ts";
import { topPhrases } from "./phrases.ts";
import type { Taxonomy } from "./taxonomy.ts";
import type { Analysed } from "./trend.ts";

const SIGNS = { positive: 1, neutral: 0, negative: -1 } as const;

/** Every aspect of the taxonomy, the most mentioned first. `analysed` stands newest first. */
export function aspectFigures(analysed: readonly Analysed[], taxonomy: Taxonomy): Aspect[] {
  const figures = taxonomy.aspects.map(({ id, label }, index) => {
    const mentions: { entry: Analysed; mention: AspectMention }[] = [];
    for (const entry of analysed) {
      const mention = entry.analysis.aspects.find((aspect) => aspect.id === id);
      if (mention !== undefined) mentions.push({ entry, mention });
    }
    const of = (sentiment: AspectMention["sentiment"]) =>
      mentions.filter(({ mention }) => mention.sentiment === sentiment);
    const [positive, neutral, negative] = [of("positive"), of("neutral"), of("negative")];
    const [major, minor] = positive.length >= negative.length ? [positive, negative] : [negative, positive];
    const others = minor.length * 4 >= mentions.length ? 1 : 0;
    const ids = [
      ...examples(entriesOf(major.length > 0 ? major : neutral), 3 - others),
      ...examples(entriesOf(minor), others),
    ];
    return {
      id,
      label,
      mention_count: mentions.length,
      positive_count: positive.length,
      neutral_count: neutral.length,
      negative_count: negative.length,
      positive_pct: mentions.length === 0 ? null : percentage(positive.length, mentions.length),
      score: mean(mentions.map(({ mention }) => SIGNS[mention.sentiment])),
      top_phrases: topPhrases(
        [...major, ...minor].map(({ mention }) => mention),
        index,
        taxonomy,
      ),
      example_review_ids: ids,
    };
  });
  return figures.sort((a, b) => b.mention_count - a.mention_count);
}

function entriesOf(mentions: readonly { entry: Analysed }[]): Analysed[] {
  return mentions.map(({ entry }) => entry);
}
