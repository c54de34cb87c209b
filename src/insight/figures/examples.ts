/** Chooses the best example reviews for a point: short, clear and recent. */
import { type AnalysedReviews, worthAsExample } from "./analysed-reviews.ts";
import type { MentionClarity } from "./mention-clarity.ts";

const MOST = 3;
/** The number of newest reviews that are considered, so that examples are recent. */
const WEIGHED = 400;

/** Ids of up to three of the best example reviews among those at these positions, newest first; best first. */
export function examples(analysed: AnalysedReviews, positions: Uint32Array): string[] {
  return examplePositions(analysed, positions, MOST).map((position) => analysed.at(position).review.id);
}

/** The positions of these reviews, up to `most`. */
export function examplePositions(analysed: AnalysedReviews, positions: Uint32Array, most: number): number[] {
  const weighed = Array.from(positions.subarray(0, WEIGHED), (position) => ({
    position,
    worth: worthAsExample(analysed, position),
  }));
  weighed.sort((a, b) => b.worth - a.worth || a.position - b.position);
  return weighed.slice(0, most).map(({ position }) => position);
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

/** The mentions sorted by clarity, clearest first; ties by the review's worth as an example. */
export function plainest(mentions: readonly MentionClarity[]): MentionClarity[] {
  const weight = ({ clarity, worth }: MentionClarity) => clarity + worth * 0.5;
  return mentions.toSorted((a, b) => weight(b) - weight(a) || a.entry.position - b.entry.position);
}
