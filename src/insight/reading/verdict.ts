/**
 * Weighs all that a review shows of an aspect: how likely it is praised, and how likely it is blamed. Two logistic
 * regressions over what the clauses' scores say together: with the stars and without them, of this aspect and of the
 * others, of the clearest clause and of the whole text.
 */
import { logarithm, logistic, logOdds } from "../classifier/exact-math.ts";
import { VERDICT_CUES } from "../classifier/trained-model.ts";
import type { AspectReading } from "./review-reading.ts";

const [GOOD, BAD, BEST, WORST] = [4, 2, 5, 1];
const MOST = 8;
/** Added to a probability before its log odds are taken, so that 0 is not infinitely far away. */
const LEAST = 1e-4;

/** What speaks for and against a mention of aspect number `aspect`; undefined where it is hardly mentioned. */
export function verdictCues(reading: AspectReading, aspect: number, aspects: number): Float64Array | undefined {
  const { clearest, text } = reading;
  if (clearest === undefined) return undefined;
  const isGood = text.rating >= GOOD ? 1 : 0;
  const isBad = text.rating <= BAD ? 1 : 0;
  const spoken = limited(logOdds(reading.chance));
  const praised = limited(-logOdds(reading.blameShare));
  const praisedByWords = limited(reading.polarityByWords);
  const presence = limited(clearest.presence);
  const found = clearest.clause.cues.get(aspect) ?? [];
  const cues = [
    1,
    spoken,
    limited(logOdds(reading.chanceByWords)),
    presence,
    praised,
    praisedByWords,
    logOdds(reading.praiseOfClause + LEAST),
    logOdds(reading.blameOfClause + LEAST),
    logOdds(reading.praiseByWords + LEAST),
    logOdds(reading.blameByWords + LEAST),
    limited(clearest.presenceOfOther),
    limited(clearest.presence - clearest.presenceOfOther),
    limited(clearest.presenceElsewhere),
    logarithm(1 + clearest.others),
    logarithm(text.clauses),
    isGood,
    isBad,
    isGood * spoken,
    isBad * spoken,
    isGood * praised,
    isBad * praised,
    isGood * praisedByWords,
    isBad * praisedByWords,
    text.rating === BEST ? 1 : 0,
    text.rating === WORST ? 1 : 0,
    limited(clearest.polarity),
    limited(clearest.polarityOfPraise),
    limited(clearest.polarityOfBlame),
    limited(text.polarity),
    limited(text.leastPolarity),
    limited(text.mostPolarity),
  ];
  const all = new Float64Array(VERDICT_CUES + aspects);
  all.set(cues);
  for (const cue of found) all[cues.length + cue] = 1;
  all[VERDICT_CUES + aspect] = 1;
  return all;
}

/** The probability that weights give to cues. */
export function verdict(weights: Float64Array, cues: Float64Array): number {
  let sum = 0;
  for (let at = 0; at < cues.length; at++) sum += (weights[at] as number) * (cues[at] as number);
  return logistic(sum);
}

function limited(x: number): number {
  return Math.max(-MOST, Math.min(MOST, x));
}
