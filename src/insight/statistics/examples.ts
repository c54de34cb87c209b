/** Chooses the best example reviews for a point: short, clear and recent. */
import { type AnalysedReviews, exampleScore } from "./analysed-reviews.ts";
import type { MentionClarity } from "./mention-clarity.ts";

const MAX_EXAMPLES = 3;
/** The number of newest reviews that are considered, so that examples are recent. */
const MAX_CONSIDERED = 400;

/** Ids of up to three of the best example reviews among those at these positions, newest first; best first. */
export function examples(analysed: AnalysedReviews, positions: Uint32Array): string[] {
  return examplePositions(analysed, positions, MAX_EXAMPLES).map((position) => analysed.review(position).id);
}

/** The positions of these reviews, up to `most`. */
export function examplePositions(analysed: AnalysedReviews, positions: Uint32Array, most: number): number[] {
  const best: { readonly position: number; readonly score: number }[] = [];
  for (const position of positions.subarray(0, MAX_CONSIDERED)) {
    const score = exampleScore(analysed, position);
    const place = best.findIndex((one) => one.score < score);
    if (place >= 0) best.splice(place, 0, { position, score });
    else if (best.length < most) best.push({ position, score });
    best.length = Math.min(best.length, most);
  }
  return best.map(({ position }) => position);
}

/** Ids of up to three reviews with the clearest mentions, the prevailing sentiment first, and the opposite one if any has it. */
export function clearest(analysed: AnalysedReviews, mentions: readonly MentionClarity[]): string[] {
  const of = (sentiment: string) => mentions.filter((mention) => mention.sentiment === sentiment);
  const [positive, negative, neutral] = [of("positive"), of("negative"), of("neutral")];
  const [major, minor] = positive.length >= negative.length ? [positive, negative] : [negative, positive];
  const others = Math.min(1, minor.length);
  const shown = [
    ...plainest(major.length > 0 ? major : neutral).slice(0, MAX_EXAMPLES - others),
    ...plainest(minor).slice(0, others),
  ];
  return shown.map(({ position }) => analysed.review(position).id);
}

/** The mentions sorted by clarity, clearest first; how well the review serves as an example counts half. */
export function plainest<Mention extends MentionClarity>(mentions: readonly Mention[]): Mention[] {
  const weight = ({ clarity, asExample }: MentionClarity) => clarity + asExample * 0.5;
  return mentions.toSorted((a, b) => weight(b) - weight(a) || a.position - b.position);
}
