/** Aspect figures for a publication: counts of praise and blame, typical phrases, and example reviews. */
import type { Aspect } from "../../insights-document.ts";
import type { Taxonomy } from "../taxonomy/taxonomy.ts";
import type { Analysed } from "./analysed.ts";
import { aspectGroup } from "./aspect-groups.ts";
import { clearest } from "./examples.ts";
import { percentage, rounded } from "./figures.ts";
import type { MentionClarity } from "./mention-clarity.ts";
import { topPhrases } from "./phrases.ts";

/** Figures for every aspect in the taxonomy, most mentioned first. `analysed` and `clear` are sorted newest first. */
export function aspectFigures(
  analysed: readonly Analysed[],
  clear: ReadonlyMap<string, readonly MentionClarity[]>,
  taxonomy: Taxonomy,
): Aspect[] {
  const figures = taxonomy.aspects.map(({ id, label }, index) => {
    const { mentions } = aspectGroup(analysed, id);
    const counts = { positive: 0, neutral: 0, negative: 0 };
    for (const { sentiment } of mentions) counts[sentiment]++;
    const { positive, neutral, negative } = counts;
    const shown = clear.get(id) ?? [];
    return {
      id,
      label,
      mention_count: mentions.length,
      positive_count: positive,
      neutral_count: neutral,
      negative_count: negative,
      positive_pct: mentions.length === 0 ? null : percentage(positive, mentions.length),
      score: mentions.length === 0 ? null : rounded((positive - negative) / mentions.length, 2),
      top_phrases: topPhrases(shown, index, taxonomy),
      example_review_ids: clearest(shown),
    };
  });
  return figures.sort((a, b) => b.mention_count - a.mention_count);
}
