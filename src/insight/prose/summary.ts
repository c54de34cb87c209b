/** Writes the statistics as a paragraph. */
import type { BusinessFile } from "../../business.ts";
import type { Aspect } from "../../insights-document.ts";
import { type AnalysedReviews, countReadTexts, countSilent, positionsOf } from "../statistics/analysed-reviews.ts";
import { mean, type Statistics } from "../statistics/arithmetic.ts";
import { clearSide } from "../statistics/aspect-positions.ts";
import { criticisedThemes, mostCriticised, mostPraised } from "../statistics/aspect-ranking.ts";
import type { Taxonomy } from "../taxonomy/taxonomy.ts";
import { counted, countedNames, grouped, listed, monthName } from "./prose.ts";

/** Minimum number of reviews that name a person. */
const MIN_NAMING = 2;
/** What the trend compares: six months, and the twelve before. */
const TREND_MONTHS = 18;

/**
 * The summary for a business whose owner wrote none. All its numbers are in the statistics or derived from the same
 * reviews.
 */
export function summary(
  analysed: AnalysedReviews,
  statistics: Statistics,
  { business, taxonomy }: { business: BusinessFile; taxonomy: Taxonomy },
): string {
  if (statistics.review_count === 0) return `There are no published reviews of ${business.name} yet.`;
  const sentences = [
    opening(analysed, statistics, business.name),
    ...aspectSentences(analysed, statistics.aspects, taxonomy),
    people(statistics),
    movement(statistics),
  ];
  return sentences.filter((sentence) => sentence !== "").join(" ");
}

function opening(analysed: AnalysedReviews, { review_count, date_range }: Statistics, name: string): string {
  const [from, to] = [monthName(date_range.earliest ?? ""), monthName(date_range.latest ?? "")];
  const silent = countSilent(analysed);
  if (review_count === 1) {
    const what = silent === 1 ? "a rating without words" : "one published review";
    return `${name} has ${what} so far, of ${counted(analysed.ratings[0] ?? 0, "star")}, from ${to}.`;
  }
  const stars = mean(analysed.ratings)?.toFixed(2);
  const when = from === to ? `all of ${to}` : `written from ${from} to ${to}`;
  const all = `${name} averages ${stars} stars over ${counted(review_count, "published review")}, ${when}`;
  if (silent === 0) return `${all}.`;
  if (silent === review_count) return `${all}; none of them has words.`;
  return `${all}; ${counted(silent, "is a rating", "are ratings")} without words.`;
}

function aspectSentences(analysed: AnalysedReviews, aspects: readonly Aspect[], taxonomy: Taxonomy): string[] {
  const words = new Map(taxonomy.aspects.map((aspect) => [aspect.id, aspect]));
  const praised = mostPraised(aspects, 3).map(({ id, positive_count }) => ({
    name: words.get(id)?.praised_for ?? id,
    count: positive_count,
  }));
  const blamed = mostCriticised(aspects, 2);
  const texts = countReadTexts(analysed);
  const complaints = blamed.map(({ id, negative_count }) => ({
    name: words.get(id)?.blamed_for ?? id,
    count: negative_count,
    topics: criticisedThemes(analysed.themes, { critical: positionsOf(analysed, "negative", id), texts }),
  }));
  // Of blame, which must be surer, more is missed: decisions/insight-claims.md
  const complaint = countedNames(complaints, "at least ");
  // Praise of the whole says nothing of what the criticism is of.
  const isWhole = complaints.every(({ topics }) => topics.length === 0);
  return [
    praised.length > 0 ? `Customers most often praise ${countedNames(praised, "about ")}.` : "",
    blamed.length > 0
      ? `When they complain, it is most often about ${complaint}${isWhole ? weighedAgainst(analysed, blamed) : ""}.`
      : "",
  ];
}

/** Adds praise for the same aspects if there is more of it than of every complaint, which is said only if that is clear. */
function weighedAgainst(analysed: AnalysedReviews, blamed: readonly Aspect[]): string {
  const outweighed = blamed.every(({ positive_count, negative_count }) => positive_count > negative_count);
  if (!outweighed) return "";
  const praise = listed(blamed.map(({ positive_count }) => grouped(positive_count)));
  if (!blamed.every((aspect) => clearSide(analysed, aspect) === "positive"))
    return `, while about ${praise} praise them for the same`;
  return blamed.length === 1
    ? `, though about ${praise} praise them for the same`
    : `, though more praise them for the same (about ${praise})`;
}

function people({ entities }: Statistics): string {
  const named = entities.technicians.filter(({ mention_count }) => mention_count >= MIN_NAMING).slice(0, 3);
  if (named.length === 0) return "";
  const names = countedNames(named.map(({ label, mention_count }) => ({ name: label, count: mention_count })));
  return `By name they most often mention ${names}.`;
}

/** The trend as a sentence with dates and counts, because the newest reviews may be old, and few. */
function movement({ temporal, date_range }: Statistics): string {
  const { trend, trend_basis } = temporal;
  if (trend === "insufficient_data") return "";
  const { recent, before } = trend_basis;
  const when = temporal.monthly.length < TREND_MONTHS ? "before" : "of the twelve months before";
  return `The ${grouped(recent.review_count)} reviews of the six months to ${monthName(date_range.latest ?? "")} (${recent.average_rating?.toFixed(2)} stars on average) are ${COMPARED[trend]} the ${grouped(before.review_count)} ${when} (${before.average_rating?.toFixed(2)}).`;
}

/** `steady` also says that a difference may be chance: the figures beside it may well be half a star apart. */
const COMPARED = {
  improving: "better than",
  declining: "worse than",
  steady: "neither clearly better nor clearly worse than",
} as const;
