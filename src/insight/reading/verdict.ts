/**
 * The probability that a review praises an aspect, and that it blames it: two logistic regressions over the scores of all
 * clauses, with and without the stars, of this aspect and of the others, of the clearest clause and of the whole text.
 */
import { logarithm, logistic, logOdds } from "../engine/exact-math.ts";
import { type AspectReading, blameShareOf } from "../engine/review-reading.ts";
import { aspectOf, cueOf, VERDICT_CUES } from "../engine/trained-model.ts";

const [MIN_GOOD_STARS, MAX_BAD_STARS, BEST_STARS, WORST_STARS] = [4, 2, 5, 1];
const MAX_CUE = 8;
/** Added to a probability before its log odds are taken, so that they stay finite. */
const MIN_PROBABILITY = 1e-4;

/**
 * The cues for and against a mention of aspect number `aspect`, written into `cues`; undefined if it is hardly
 * mentioned.
 */
export function verdictCues(
  reading: AspectReading,
  aspect: number,
  aspects: number,
  cues: Float64Array = new Float64Array(VERDICT_CUES + aspects),
): Float64Array | undefined {
  const { clearest, text } = reading;
  if (clearest === undefined) return undefined;
  const isGood = text.rating >= MIN_GOOD_STARS ? 1 : 0;
  const isBad = text.rating <= MAX_BAD_STARS ? 1 : 0;
  const spoken = limited(logOdds(reading.chance));
  const praised = limited(-logOdds(blameShareOf(reading)));
  const praisedByWords = limited(reading.polarityByWords);
  const presence = limited(clearest.presence);
  let count = 0;
  const add = (cue: number) => {
    cues[count++] = cue;
  };
  cues.fill(0);
  add(1);
  add(spoken);
  add(limited(logOdds(reading.chanceByWords)));
  add(presence);
  add(praised);
  add(praisedByWords);
  add(logOdds(reading.praiseOfClause + MIN_PROBABILITY));
  add(logOdds(reading.blameOfClause + MIN_PROBABILITY));
  add(logOdds(reading.praiseByWords + MIN_PROBABILITY));
  add(logOdds(reading.blameByWords + MIN_PROBABILITY));
  add(limited(clearest.presenceOfOther));
  add(limited(clearest.presence - clearest.presenceOfOther));
  add(limited(clearest.presenceElsewhere));
  add(logarithm(1 + clearest.others));
  add(text.logClauses);
  add(isGood);
  add(isBad);
  add(isGood * spoken);
  add(isBad * spoken);
  add(isGood * praised);
  add(isBad * praised);
  add(isGood * praisedByWords);
  add(isBad * praisedByWords);
  add(text.rating === BEST_STARS ? 1 : 0);
  add(text.rating === WORST_STARS ? 1 : 0);
  add(limited(clearest.polarity));
  add(limited(clearest.polarityOfPraise));
  add(limited(clearest.polarityOfBlame));
  add(limited(text.polarity));
  add(limited(text.leastPolarity));
  add(limited(text.mostPolarity));
  for (const cue of clearest.clause.cues) if (aspectOf(cue) === aspect) cues[count + cueOf(cue)] = 1;
  cues[VERDICT_CUES + aspect] = 1;
  return cues;
}

/** The probability that weights give to cues. */
export function verdict(weights: Float64Array, cues: Float64Array): number {
  let sum = 0;
  for (let at = 0; at < cues.length; at++) sum += (weights[at] as number) * (cues[at] as number);
  return logistic(sum);
}

function limited(x: number): number {
  return Math.max(-MAX_CUE, Math.min(MAX_CUE, x));
}
