/** Statistics of aspects: counts of praise and blame, typical phrases, and example reviews. */
import type { Aspect, Sentiment } from "../../insights-document.ts";
import type { Taxonomy } from "../taxonomy/taxonomy.ts";
import { type AnalysedReviews, positionsOf } from "./analysed-reviews.ts";
import { percentage, rounded } from "./arithmetic.ts";
import { clearest } from "./examples.ts";
import type { MentionClarity } from "./mention-clarity.ts";
import { topPhrases } from "./phrases.ts";

/** Statistics for every aspect in the taxonomy, most mentioned first. `clear` is sorted newest first. */
export function aspectStatistics(
  analysed: AnalysedReviews,
  clear: ReadonlyMap<string, readonly MentionClarity[]>,
  taxonomy: Taxonomy,
): Aspect[] {
  const statistics = taxonomy.aspects.map(({ id, label }, index) => {
    const { positive, neutral, negative } = aspectCounts(analysed, id);
    const mentions = positive + neutral + negative;
    const shown = clear.get(id) ?? [];
    return {
      id,
      label,
      mention_count: mentions,
      positive_count: positive,
      neutral_count: neutral,
      negative_count: negative,
      positive_pct: mentions === 0 ? null : percentage(positive, mentions),
      score: mentions === 0 ? null : rounded((positive - negative) / mentions, 2),
      top_phrases: topPhrases(shown, index, taxonomy),
      example_review_ids: clearest(analysed, shown),
    };
  });
  return statistics.sort((a, b) => b.mention_count - a.mention_count);
}

/** The number of reviews per sentiment of their first mention of the aspect. */
function aspectCounts(analysed: AnalysedReviews, id: string): Record<Sentiment, number> {
  const count = (sentiment: Sentiment) => positionsOf(analysed, sentiment, id).length;
  return { positive: count("positive"), neutral: count("neutral"), negative: count("negative") };
}
