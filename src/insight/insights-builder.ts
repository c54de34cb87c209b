/** Builds the insights document from all reviews and their analyses. */
import type { BusinessFile } from "../business.ts";
import type { Insights } from "../insights-document.ts";
import { type AnalysedReviews, SENTIMENTS } from "./figures/analysed-reviews.ts";
import { aspectFigures } from "./figures/aspect-figures.ts";
import { entityFigures, topicFigures } from "./figures/entity-figures.ts";
import { mean, percentages } from "./figures/figures.ts";
import {
  judgementsOf,
  type KnownMentions,
  knownMentions,
  type MentionsBefore,
  mentionClarity,
  recallJudgements,
} from "./figures/mention-clarity.ts";
import { monthly, trend } from "./figures/trend.ts";
import { faq } from "./prose/faq.ts";
import { pullQuote } from "./prose/pull-quote.ts";
import { summary } from "./prose/summary.ts";
import type { Taxonomy } from "./taxonomy/taxonomy.ts";

/** Input for the insights. */
export interface InsightsInput {
  readonly business: BusinessFile;
  readonly taxonomy: Taxonomy;
  readonly analysed: AnalysedReviews;
  readonly generatedAt: Date;
  readonly model: string;
  /** What is known of mentions in the insights before. */
  readonly before?: MentionsBefore | undefined;
}

/** Insights without the entries of single reviews. */
export type InsightsHead = Omit<Insights, "per_review">;

/** Insights, and what is known of the mentions that they show: for the next ones, and as text for `recallMentions`. */
export interface BuiltInsights {
  readonly insights: InsightsHead;
  readonly known: KnownMentions;
  readonly judgements: string;
}

/** Builds a publication's insights, without the entries of single reviews. */
export function buildInsights(input: InsightsInput): BuiltInsights {
  const { analysed, business, taxonomy } = input;
  const clear = mentionClarity(analysed, taxonomy, input.before);
  const aspects = aspectFigures(analysed, clear, taxonomy);
  const entities = entityFigures(analysed, business, taxonomy);
  const dateAt = (position: number) => (analysed.count === 0 ? null : analysed.at(position).review.date);
  const figures = {
    review_count: analysed.count,
    date_range: { earliest: dateAt(analysed.count - 1), latest: dateAt(0) },
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
  return { insights, known: knownMentions(clear), judgements: judgementsOf(clear) };
}

/** What was known of the mentions when the insights of the same reviews were built, in another process. */
export function recallMentions(
  { analysed, taxonomy }: Pick<InsightsInput, "analysed" | "taxonomy">,
  { judgements }: Pick<BuiltInsights, "judgements">,
): KnownMentions {
  return recallJudgements(analysed, taxonomy, judgements);
}

function overall({ sentiments, scores }: AnalysedReviews): Insights["overall_sentiment"] {
  const counts = SENTIMENTS.map(() => 0);
  for (let at = 0; at < sentiments.length; at++) (counts[sentiments[at] as number] as number)++;
  const [positive = 0, neutral = 0, negative = 0] = percentages(counts);
  return { score: mean(scores), positive_pct: positive, neutral_pct: neutral, negative_pct: negative };
}
