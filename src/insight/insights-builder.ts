/** Builds the insights document from all reviews and their analyses. */
import type { BusinessFile } from "../business.ts";
import type { Insights } from "../insights-document.ts";
import { type AnalysedReviews, SENTIMENTS } from "./figures/analysed-reviews.ts";
import { aspectFigures } from "./figures/aspect-figures.ts";
import { entityFigures, topicFigures } from "./figures/entity-figures.ts";
import { mean, percentages } from "./figures/figures.ts";
import {
  type Judgements,
  judgementsOf,
  type KnownMentions,
  knownMentions,
  mentionClarity,
  recallJudgements,
} from "./figures/mention-clarity.ts";
import { monthly, trend } from "./figures/trend.ts";
import { faq } from "./prose/faq.ts";
import { type KnownQuotes, pullQuote } from "./prose/pull-quote.ts";
import { summary } from "./prose/summary.ts";
import type { Taxonomy } from "./taxonomy/taxonomy.ts";

/** Input for the insights. */
export interface InsightsInput {
  readonly business: BusinessFile;
  readonly taxonomy: Taxonomy;
  readonly analysed: AnalysedReviews;
  readonly generatedAt: Date;
  readonly model: string;
  /** What is known of the insights before. */
  readonly before?: InsightsBefore | undefined;
}

/** What is known of mentions and of quotable sentences, by the positions of their reviews. */
export interface KnownOfReviews {
  readonly mentions: KnownMentions;
  readonly quotes: KnownQuotes;
}

/** What earlier insights have found out, and where they have a review with the same text, stars and aspects. */
interface InsightsBefore {
  readonly known: KnownOfReviews;
  readonly positionOf: (position: number) => number | undefined;
}

/** Insights without the entries of single reviews. */
export type InsightsHead = Omit<Insights, "per_review">;

/** Insights, and what is known of the reviews that they show: for the next ones, and as text for `recallKnown`. */
export interface BuiltInsights {
  readonly insights: InsightsHead;
  readonly known: KnownOfReviews;
  readonly judgements: string;
}

/** Builds a publication's insights, without the entries of single reviews. */
export function buildInsights(input: InsightsInput): BuiltInsights {
  const { analysed, business, taxonomy, before } = input;
  const positionOf = before?.positionOf ?? (() => undefined);
  const clear = mentionClarity(analysed, taxonomy, before && { known: before.known.mentions, positionOf });
  const { quote, known: quotes } = pullQuote(analysed, clear, before && { known: before.known.quotes, positionOf });
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
    pull_quote: quote,
  };
  const judgements: JudgementsText = { mentions: judgementsOf(clear), quotes: [...quotes].filter(isFinitePair) };
  return { insights, known: { mentions: knownMentions(clear), quotes }, judgements: JSON.stringify(judgements) };
}

/** What `judgements` holds as JSON. */
interface JudgementsText {
  readonly mentions: Judgements;
  readonly quotes: readonly (readonly [position: number, most: number])[];
}

/** JSON has no infinite numbers; such a review is read again. */
function isFinitePair([, most]: readonly [number, number]): boolean {
  return Number.isFinite(most);
}

/** What was known of the reviews when the insights of the same ones were built, in another process. */
export function recallKnown(
  { analysed, taxonomy }: Pick<InsightsInput, "analysed" | "taxonomy">,
  { judgements }: Pick<BuiltInsights, "judgements">,
): KnownOfReviews {
  const { mentions, quotes } = JSON.parse(judgements) as JudgementsText;
  return { mentions: recallJudgements(analysed, taxonomy, mentions), quotes: new Map(quotes) };
}

function overall({ sentiments, scores }: AnalysedReviews): Insights["overall_sentiment"] {
  const counts = SENTIMENTS.map(() => 0);
  for (let at = 0; at < sentiments.length; at++) (counts[sentiments[at] as number] as number)++;
  const [positive = 0, neutral = 0, negative = 0] = percentages(counts);
  return { score: mean(scores), positive_pct: positive, neutral_pct: neutral, negative_pct: negative };
}
