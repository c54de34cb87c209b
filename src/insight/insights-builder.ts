/** Builds the insights document from all reviews and their analyses. */
import type { BusinessFile } from "../business.ts";
import type { Analysis, Insights, Sentiment } from "../insights-document.ts";
import { compareReviews, type Review } from "../review.ts";
import type { Analysed } from "./figures/analysed.ts";
import { aspectFigures } from "./figures/aspect-figures.ts";
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
function inOrder(input: Pick<InsightsInput, "reviews" | "analyses">): Analysed[] {
  const analysed = pairs(input);
  const isOrdered = ({ review }: Analysed, index: number) =>
    index === 0 || compareReviews(analysed[index - 1]?.review ?? review, review) <= 0;
  return analysed.every(isOrdered) ? analysed : analysed.sort((a, b) => compareReviews(a.review, b.review));
}

function pairs({ reviews, analyses }: Pick<InsightsInput, "reviews" | "analyses">): Analysed[] {
  return reviews.map((review, index) => {
    const analysis = analyses[index];
    if (analysis === undefined) throw new Error(`Cannot compose insights: review ${review.id} has no analysis`);
    return { review, analysis, hasWords: review.text !== null && review.text.trim() !== "" };
  });
}

function overall(analysed: readonly Analysed[]): Insights["overall_sentiment"] {
  const counts: Record<Sentiment, number> = { positive: 0, neutral: 0, negative: 0 };
  for (const { analysis } of analysed) counts[analysis.sentiment]++;
  const shares = percentages([counts.positive, counts.neutral, counts.negative]);
  const [positive = 0, neutral = 0, negative = 0] = shares;
  const score = mean(analysed.map(({ analysis }) => analysis.score));
  return { score, positive_pct: positive, neutral_pct: neutral, negative_pct: negative };
}
