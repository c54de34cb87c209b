/** Builds the insights document from all reviews and their analyses: counts, and the sentences that tell of them. */
import type { BusinessFile } from "../business.ts";
import type { Aspect, Insights, Sentiment } from "../insights-document.ts";
import { faq } from "./prose/faq.ts";
import { pullQuote } from "./prose/pull-quote.ts";
import { summary } from "./prose/summary.ts";
import { type AnalysedReviews, countUnread, positionsOf, SENTIMENTS } from "./statistics/analysed-reviews.ts";
import { mean, percentage, percentages, rounded } from "./statistics/arithmetic.ts";
import { entityStatistics, topicStatistics } from "./statistics/entity-statistics.ts";
import { clearest } from "./statistics/examples.ts";
import { languageStatistics } from "./statistics/language-statistics.ts";
import { type MentionClarity, mentionClarity } from "./statistics/mention-clarity.ts";
import { topPhrases } from "./statistics/phrases.ts";
import { monthly, trend } from "./statistics/trend.ts";
import type { Taxonomy } from "./taxonomy/taxonomy.ts";

/** Input for the insights. */
export interface InsightsInput {
  readonly business: BusinessFile;
  readonly taxonomy: Taxonomy;
  readonly analysed: AnalysedReviews;
  readonly generatedAt: Date;
  readonly model: string;
}

/** Insights without the entries of single reviews. */
export type InsightsHead = Omit<Insights, "per_review">;

/** Builds a publication's insights, without the entries of single reviews. */
export function buildInsights({ analysed, business, taxonomy, generatedAt, model }: InsightsInput): InsightsHead {
  const clear = mentionClarity(analysed, taxonomy);
  const dateAt = (position: number) => (analysed.count === 0 ? null : analysed.review(position).date);
  const statistics = {
    review_count: analysed.count,
    languages: languageStatistics(analysed),
    unread_count: countUnread(analysed),
    date_range: { earliest: dateAt(analysed.count - 1), latest: dateAt(0) },
    overall_sentiment: overall(analysed),
    aspects: aspectStatistics(analysed, clear, taxonomy),
    entities: entityStatistics(analysed, business, taxonomy),
    topics: topicStatistics(analysed),
    temporal: { monthly: monthly(analysed), ...trend(analysed) },
  };
  return {
    version: taxonomy.version,
    generated_at: generatedAt.toISOString(),
    model,
    ...statistics,
    faq: faq(analysed, statistics, { clear, taxonomy }),
    summary: business.summary ?? summary(analysed, statistics, { business, taxonomy }),
    pull_quote: pullQuote(analysed, clear),
  };
}

/** Statistics for every aspect in the taxonomy, most mentioned first. `clear` is sorted newest first. */
function aspectStatistics(
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

function overall({ sentiments, scores }: AnalysedReviews): Insights["overall_sentiment"] {
  const counts = [...SENTIMENTS, "unread"].map(() => 0);
  for (let at = 0; at < sentiments.length; at++) (counts[sentiments[at] as number] as number)++;
  const [positive = 0, neutral = 0, negative = 0] = percentages(counts.slice(0, SENTIMENTS.length));
  return { score: mean(scores), positive_pct: positive, neutral_pct: neutral, negative_pct: negative };
}
