/**
 * The digest: a period against those before it, for the owner. Every figure is one of `/insights.json` and `/reviews.json`,
 * or counts the entries of `per_review` in them as insights count those of all reviews.
 */
import { meanOf } from "../insight/statistics/arithmetic.ts";
import type { Insights, Trend } from "../insights-document.ts";
import type { Review } from "../review.ts";
import type { AggregateRating } from "./aggregate-rating.ts";
import type { Edition } from "./edition.ts";

/** How often a digest is made. */
export type Cadence = "weekly" | "monthly";

/** Days from and until, both included. */
export interface DaySpan {
  readonly from: string;
  readonly until: string;
}

/** What insights say of the reviews of some days. */
export interface PeriodFigures {
  readonly review_count: number;
  /** Mean stars, two decimals; null without reviews. */
  readonly average_rating: number | null;
  readonly positive_count: number;
  readonly neutral_count: number;
  readonly negative_count: number;
  /** Most mentioned first. */
  readonly aspects: readonly AspectFigures[];
}

/** In numbers of reviews. */
interface AspectFigures {
  readonly id: string;
  readonly label: string;
  readonly positive_count: number;
  readonly neutral_count: number;
  readonly negative_count: number;
}

/** A review that the digest shows; `url` is its page. */
export type DigestReview = Pick<Review, "id" | "author" | "rating" | "date" | "text" | "source"> & {
  readonly url: string;
};

export interface Digest {
  readonly cadence: Cadence;
  readonly business: string;
  readonly language: string;
  readonly base_url: string;
  /** The last seven days that have ended, or the last month that has. */
  readonly period: DaySpan & PeriodFigures;
  /** The four weeks, or the three months, before them. */
  readonly before: DaySpan & PeriodFigures;
  /** All published reviews. */
  readonly all: {
    readonly aggregate_rating: AggregateRating;
    readonly overall_sentiment: Insights["overall_sentiment"];
    readonly trend: Trend;
  };
  /** Reviews of three stars or fewer without a reply, up to the end of the period, newest first. */
  readonly unanswered: readonly DigestReview[];
  readonly unanswered_count: number;
  /** Reviews that an import of the period found to have vanished. */
  readonly vanished_count: number;
}

/** Stars of a poor review (interface §9). */
const POOR = [1, 2, 3];
const MAX_UNANSWERED = 5;
const PERIODS_BEFORE = { weekly: 4, monthly: 3 } as const;

export interface DigestOptions {
  readonly cadence: Cadence;
  /** The day in the business's time zone; the period has ended before it. */
  readonly today: string;
  /** The days on which imports found reviews to have vanished, one for each review. */
  readonly vanishedOn: readonly string[];
}

export function makeDigest(edition: Edition, { cadence, today, vanishedOn }: DigestOptions): Digest {
  const { aggregateRating, business, language, baseUrl, insights } = edition;
  const { period, before } = digestSpans(cadence, today);
  const all = { limit: edition.reviewCount, offset: 0 };
  const figures = ({ from, until }: DaySpan) =>
    figuresOf(edition.list({ ...all, since: from, until }).reviews, edition);
  const poor = POOR.flatMap((rating) => edition.list({ ...all, rating, until: period.until }).reviews)
    .filter(({ owner_reply }) => owner_reply === null)
    .toSorted((a, b) => (a.id < b.id ? 1 : -1));
  return {
    ...{ cadence, business: business.name, language, base_url: baseUrl },
    period: { ...period, ...figures(period) },
    before: { ...before, ...figures(before) },
    all: {
      aggregate_rating: aggregateRating,
      overall_sentiment: insights.overall_sentiment,
      trend: insights.temporal.trend,
    },
    unanswered: poor.slice(0, MAX_UNANSWERED).map(({ id, author, rating, date, text, source }) => {
      return { id, author, rating, date, text, source, url: `${baseUrl}/reviews/${id}` };
    }),
    unanswered_count: poor.length,
    vanished_count: vanishedOn.filter((day) => period.from <= day && day <= period.until).length,
  };
}

/** The figures of some reviews, as insights have them of all. */
export function figuresOf(
  reviews: readonly Review[],
  { insights, analysis }: Pick<Edition, "insights" | "analysis">,
): PeriodFigures {
  const analyses = reviews.flatMap(({ id }) => analysis(id) ?? []);
  const counts = (given: readonly (string | null)[]) => {
    const count = (sentiment: string) => given.filter((each) => each === sentiment).length;
    return { positive_count: count("positive"), neutral_count: count("neutral"), negative_count: count("negative") };
  };
  const mentions = Map.groupBy(
    analyses.flatMap(({ aspects }) => aspects),
    ({ id }) => id,
  );
  const stars = reviews.reduce((sum, { rating }) => sum + rating, 0);
  return {
    review_count: reviews.length,
    average_rating: meanOf(stars, reviews.length),
    ...counts(analyses.map(({ sentiment }) => sentiment)),
    aspects: insights.aspects
      .flatMap(({ id, label }) => {
        const mentioned = mentions.get(id)?.map(({ sentiment }) => sentiment) ?? [];
        return mentioned.length === 0 ? [] : [{ id, label, ...counts(mentioned) }];
      })
      .toSorted((a, b) => countMentions(b) - countMentions(a)),
  };
}

function countMentions({ positive_count, neutral_count, negative_count }: AspectFigures): number {
  return positive_count + neutral_count + negative_count;
}

/** The days of a digest that is made on this day. */
export function digestSpans(cadence: Cadence, today: string): { readonly period: DaySpan; readonly before: DaySpan } {
  const [year, month, day] = today.split("-").map(Number) as [number, number, number];
  const dayAt = (...at: [number, number, number]) => new Date(Date.UTC(...at)).toISOString().slice(0, 10);
  const start = (periods: number) =>
    cadence === "weekly" ? dayAt(year, month - 1, day - 7 * periods) : dayAt(year, month - 1 - periods, 1);
  const end = (periods: number) =>
    cadence === "weekly" ? dayAt(year, month - 1, day - 7 * periods - 1) : dayAt(year, month - 1 - periods, 0);
  return {
    period: { from: start(1), until: end(0) },
    before: { from: start(1 + PERIODS_BEFORE[cadence]), until: end(1) },
  };
}
