/** Chooses the best example reviews for a point: short, clear and recent. */
import type { Analysis } from "../../insights-document.ts";
import { compareReviews } from "../../review.ts";
import type { Analysed } from "./analysed.ts";
import type { MentionClarity } from "./mention-clarity.ts";

const MOST = 3;
/** The number of newest reviews that are considered, so that examples are recent. */
const WEIGHED = 400;

/** Ids of the best example reviews, best first: up to `most`, three by default. `analysed` is sorted newest first. */
export function examples(analysed: readonly Analysed[], most: number = MOST): string[] {
  return best(analysed, most).map(({ review }) => review.id);
}

/** The best example reviews, best first. */
function best(analysed: readonly Analysed[], most: number): Analysed[] {
  return analysed
    .slice(0, WEIGHED)
    .sort((a, b) => clarity(b) - clarity(a) || compareReviews(a.review, b.review))
    .slice(0, most);
}

/**
 * Ids of up to three reviews with the clearest mentions, the prevailing sentiment first. One has the opposite sentiment
 * if at least a quarter of the mentions do.
 */
export function clearest(mentions: readonly MentionClarity[]): string[] {
  const of = (sentiment: string) => mentions.filter(({ mention }) => mention.sentiment === sentiment);
  const [positive, negative, neutral] = [of("positive"), of("negative"), of("neutral")];
  const [major, minor] = positive.length >= negative.length ? [positive, negative] : [negative, positive];
  const others = minor.length * 4 >= mentions.length ? Math.min(1, minor.length) : 0;
  const shown = [
    ...plainest(major.length > 0 ? major : neutral).slice(0, MOST - others),
    ...plainest(minor).slice(0, others),
  ];
  return shown.map(({ entry }) => entry.review.id);
}

/** The mentions sorted by clarity, clearest first; ties by review clarity. */
export function plainest(mentions: readonly MentionClarity[]): MentionClarity[] {
  const weight = (shown: MentionClarity) => shown.clarity + clarity(shown.entry) * 0.5;
  return mentions.toSorted((a, b) => weight(b) - weight(a) || compareReviews(a.entry.review, b.entry.review));
}

/**
 * How reviews rate as examples: by their analyses, which editions take over from one another, or by themselves where the
 * analysis quotes nothing, since reviews with other texts may share it then.
 */
const ratings = new WeakMap<Analysis | Analysed, number>();

/** Rates a review as an example. One or two sentences about few aspects, with one sentiment, rate highest. */
function clarity(entry: Analysed): number {
  const key = entry.analysis.aspects.length > 0 ? entry.analysis : entry;
  let rating = ratings.get(key);
  if (rating === undefined) {
    rating = rated(entry);
    ratings.set(key, rating);
  }
  return rating;
}

function rated({ review, analysis }: Analysed): number {
  const length = review.text?.length ?? 0;
  const size = length === 0 ? -2 : length < 40 ? -0.5 : length <= 280 ? 1 : length <= 600 ? 0.3 : -0.6;
  const focus = 1 / Math.max(1, analysis.aspects.length);
  const moods = new Set(analysis.aspects.map(({ sentiment }) => sentiment)).size;
  return size + focus - (moods > 1 ? 0.5 : 0);
}
