/** Builds the insights document from all reviews and their analyses. */
import type { BusinessFile } from "../business.ts";
import type { Analysis, Insights } from "../insights-document.ts";
import { compareReviews, hasWords, type Review } from "../review.ts";
import type { Analysed } from "./figures/analysed.ts";
import { aspectFigures } from "./figures/aspect-figures.ts";
import { columnsOf, SENTIMENTS } from "./figures/columns.ts";
import { entityFigures, topicFigures } from "./figures/entity-figures.ts";
import { mean, percentages } from "./figures/figures.ts";
import { judgementsOf, mentionClarity, recallJudgements } from "./figures/mention-clarity.ts";
import { monthly, trend } from "./figures/trend.ts";
import { faq } from "./prose/faq.ts";
import { pullQuote } from "./prose/pull-quote.ts";
import { summary } from "./prose/summary.ts";
import type { Taxonomy } from "./taxonomy/taxonomy.ts";

/** Input for the insights. `analyses` are in the order of `reviews`. */
export interface InsightsInput {
  readonly business: BusinessFile;
  readonly taxonomy: Taxonomy;
  readonly reviews: readonly Review[];
  readonly analyses: readonly Analysis[];
  readonly generatedAt: Date;
  readonly model: string;
}

/** Insights without the entries of single reviews. */
export type InsightsHead = Omit<Insights, "per_review">;

/** Insights, and what is known of the mentions that they show, for `recallInsights`. */
export interface BuiltInsights {
  readonly insights: InsightsHead;
  readonly judgements: string;
}

/** Builds a publication's insights, without the entries of single reviews. The order of the reviews does not matter. */
export function buildInsights(input: InsightsInput): BuiltInsights {
  const analysed = inOrder(input);
  const { business, taxonomy } = input;
  const clear = mentionClarity(analysed, taxonomy);
  const aspects = aspectFigures(analysed, clear, taxonomy);
  const entities = entityFigures(analysed, business, taxonomy);
  const figures = {
    review_count: analysed.length,
    date_range: { earliest: analysed.at(-1)?.review.date ?? null, latest: analysed[0]?.review.date ?? null },
    overall_sentiment: overall(analysed),
    aspects,
    entities,
    topics: topicFigures(analysed, taxonomy),
    temporal: { monthly: monthly(analysed), trend: trend(analysed) },
  };
  const insights = {
    version: taxonomy.version,
    generated_at: input.generatedAt.toISOString(),
    model: input.model,
    ...figures,
    faq: faq(analysed, figures, { clear, taxonomy }),
    summary: business.summary ?? summary(analysed, figures, { business, taxonomy }),
    pull_quote: pullQuote(analysed, clear),
  };
  return { insights, judgements: judgementsOf(clear) };
}

/** Has the next insights take over what was known when those of the same reviews were built, in another process. */
export function recallInsights(
  input: Pick<InsightsInput, "reviews" | "analyses" | "taxonomy">,
  { judgements }: Pick<BuiltInsights, "judgements">,
): void {
  recallJudgements(inOrder(input), input.taxonomy, judgements);
}

/** The reviews with their analyses, in the order of publication. */
function inOrder({ reviews, analyses }: Pick<InsightsInput, "reviews" | "analyses">): Analysed[] {
  let [before, isOrdered] = [reviews[0], true];
  const analysed = reviews.map((review, index) => {
    const analysis = analyses[index];
    if (analysis === undefined) throw new Error(`Cannot compose insights: review ${review.id} has no analysis`);
    if (before !== undefined && compareReviews(before, review) > 0) isOrdered = false;
    before = review;
    return { review, analysis, hasWords: hasWords(review) };
  });
  return isOrdered ? analysed : analysed.sort((a, b) => compareReviews(a.review, b.review));
}

function overall(analysed: readonly Analysed[]): Insights["overall_sentiment"] {
  const { sentiments, scores } = columnsOf(analysed);
  const counts = SENTIMENTS.map(() => 0);
  for (const sentiment of sentiments) counts[sentiment] = (counts[sentiment] ?? 0) + 1;
  const [positive = 0, neutral = 0, negative = 0] = percentages(counts);
  return { score: mean(scores), positive_pct: positive, neutral_pct: neutral, negative_pct: negative };
}
