/** Aspect figures for a publication: counts of praise and blame, typical phrases, and example reviews. */
import type { Aspect, AspectMention } from "../../insights-document.ts";
import type { Taxonomy } from "../taxonomy/taxonomy.ts";
import type { Analysed } from "./analysed.ts";
import { clearest } from "./examples.ts";
import { mean, percentage } from "./figures.ts";
import type { MentionClarity } from "./mention-clarity.ts";
import { topPhrases } from "./phrases.ts";

const SIGNS = { positive: 1, neutral: 0, negative: -1 } as const;

/** Figures for every aspect in the taxonomy, most mentioned first. `analysed` and `clear` are sorted newest first. */
export function aspectFigures(
  analysed: readonly Analysed[],
  clear: ReadonlyMap<string, readonly MentionClarity[]>,
  taxonomy: Taxonomy,
): Aspect[] {
  const figures = taxonomy.aspects.map(({ id, label }, index) => {
    const mentions = analysed.flatMap(({ analysis }) => analysis.aspects.find((aspect) => aspect.id === id) ?? []);
    const count = (sentiment: AspectMention["sentiment"]) =>
      mentions.filter((mention) => mention.sentiment === sentiment).length;
    const [positive, neutral, negative] = [count("positive"), count("neutral"), count("negative")];
    const shown = clear.get(id) ?? [];
    return {
      id,
      label,
      mention_count: mentions.length,
      positive_count: positive,
      neutral_count: neutral,
      negative_count: negative,
      positive_pct: mentions.length === 0 ? null : percentage(positive, mentions.length),
      score: mean(mentions.map(({ sentiment }) => SIGNS[sentiment])),
      top_phrases: topPhrases(shown, index, taxonomy),
      example_review_ids: clearest(shown),
    };
  });
  return figures.sort((a, b) => b.mention_count - a.mention_count);
}
