/** Combines a review's clauses: the probability that each aspect is praised or blamed, and the clauses that show it. */
import { logistic } from "../classifier/exact-math.ts";
import {
  type ClauseFeatures,
  type ClauseScores,
  CUES,
  scoreClause,
  type Weights,
} from "../classifier/trained-model.ts";

export interface AspectReading {
  /** Probability that at least one clause is about the aspect, before calibration. */
  readonly chance: number;
  /** 0 (praise) to 1 (blame), from the clauses' weighted mean polarity, before calibration. */
  readonly blameShare: number;
  /** The clauses with the strongest praise and the strongest blame, and the probability that each alone shows it. */
  readonly praising: ClauseFeatures;
  readonly praiseOfClause: number;
  readonly blaming: ClauseFeatures;
  readonly blameOfClause: number;
  /** The same for a reader who does not know the stars; 0 for an aspect that is hardly mentioned. */
  readonly praiseByWords: number;
  readonly blameByWords: number;
  readonly chanceByWords: number;
  /** Log odds of praise. */
  readonly polarityByWords: number;
  readonly blamingByWords: ClauseFeatures;
  /** Whether patterns match a neutral judgement of the aspect, and neither praise nor blame. */
  readonly isNeutral: boolean;
  /** The clause that is most probably about the aspect; undefined for an aspect that is hardly mentioned. */
  readonly clearest: ClearestClause | undefined;
  readonly text: TextReading;
}

/** What the whole review sounds like. */
interface TextReading {
  readonly rating: number;
  readonly clauses: number;
  /** Log odds of praise over all clauses: their mean, and the least and the most of one. */
  readonly polarity: number;
  readonly leastPolarity: number;
  readonly mostPolarity: number;
}

interface ClearestClause {
  readonly clause: ClauseFeatures;
  /** Log odds that it is about this aspect, and about the most probable other one. */
  readonly presence: number;
  readonly presenceOfOther: number;
  /** Log odds of the most probable other aspect in any clause. */
  readonly presenceElsewhere: number;
  /** How many other aspects it is probably about. */
  readonly others: number;
  /** Log odds of praise in this clause, in the one with the strongest praise, and in that with the strongest blame. */
  readonly polarity: number;
  readonly polarityOfPraise: number;
  readonly polarityOfBlame: number;
}

const FINDING_CUES = new Set((["positive", "negative", "open", "neutral"] as const).map((cue) => CUES.indexOf(cue)));

/** Log odds below which a clause is taken not to mention an aspect: a probability of about 1 in 400. */
const UNSPOKEN = -6;
/** A probability of a mention below which nobody asks what the words alone say: it is never published. */
const HARDLY_SPOKEN = 0.03;
const UNHEARD = { praise: 0, blame: 0, chance: 0, polarity: 0 };
/** Log odds that a clause mentions an aspect unknown to the model, with and without a pattern match. */
const [FOUND, NOT_FOUND] = [2.5, -30];

/**
 * Readings for all aspects, by aspect number. `clauses` must not be empty. If the model was not trained for the
 * taxonomy, `aspects` is the taxonomy's number of aspects: the patterns then decide which aspects are mentioned, and
 * the model only whether they are praised.
 */
export function readAspects(
  clauses: readonly ClauseFeatures[],
  weights: Weights,
  { rating, aspects }: { readonly rating: number; readonly aspects?: number | undefined },
): AspectReading[] {
  const scores = clauses.map((clause) => (aspects === undefined ? scoreClause(weights, clause) : byPatterns(clause)));
  const text = textReading(scores, rating);
  return Array.from({ length: aspects ?? weights.outputs - 1 }, (_, aspect) => {
    let none = 1;
    let sum = 1e-12;
    let polarity = 0;
    let [mostPraise, mostBlame, praising, blaming] = [0, 0, 0, 0];
    for (const [at, score] of scores.entries()) {
      const presence = score.presence[aspect] ?? 0;
      if (presence < UNSPOKEN) continue;
      const chance = logistic(presence);
      const blame = logistic(-(score.polarity[aspect] ?? 0));
      none *= 1 - chance;
      sum += chance * chance;
      polarity += chance * chance * (score.polarity[aspect] ?? 0);
      if (chance * blame > mostBlame) [mostBlame, blaming] = [chance * blame, at];
      if (chance * (1 - blame) > mostPraise) [mostPraise, praising] = [chance * (1 - blame), at];
    }
    const blameShare = polarity === 0 ? 0.5 : logistic(-polarity / sum);
    const byWords = 1 - none < HARDLY_SPOKEN ? { ...UNHEARD, blaming } : readByWords(aspect);
    return {
      chance: 1 - none,
      blameShare,
      praising: clauses[praising] as ClauseFeatures,
      praiseOfClause: mostPraise,
      blaming: clauses[blaming] as ClauseFeatures,
      blameOfClause: mostBlame,
      praiseByWords: byWords.praise,
      blameByWords: byWords.blame,
      chanceByWords: byWords.chance,
      polarityByWords: byWords.polarity,
      blamingByWords: clauses[byWords.blaming] as ClauseFeatures,
      isNeutral: isNeutral(clauses, aspect),
      clearest: 1 - none < HARDLY_SPOKEN ? undefined : clearest(aspect, { praising, blaming }),
      text,
    };
  });

  /** The most praise and the most blame that a clause has without its stars, and the index of the blaming clause. */
  function readByWords(aspect: number): typeof UNHEARD & { readonly blaming: number } {
    let [praise, mostBlame, blaming, none, sum, polarity] = [0, -1, 0, 1, 1e-12, 0];
    for (const [at, { presence, polarity: polarities, stars }] of scores.entries()) {
      const ofStars = aspects === undefined ? (stars[aspect] ?? 0) : 0;
      const spoken = (presence[aspect] ?? 0) - ofStars;
      if (spoken < UNSPOKEN) continue;
      const chance = logistic(spoken);
      const own = (polarities[aspect] ?? 0) - (stars[weights.outputs - 1] ?? 0);
      const share = logistic(-own);
      none *= 1 - chance;
      sum += chance * chance;
      polarity += chance * chance * own;
      praise = Math.max(praise, chance * (1 - share));
      if (chance * share > mostBlame) [mostBlame, blaming] = [chance * share, at];
    }
    return { praise, blame: Math.max(0, mostBlame), chance: 1 - none, polarity: polarity / sum, blaming };
  }

  function clearest(aspect: number, { praising, blaming }: { praising: number; blaming: number }): ClearestClause {
    let at = 0;
    let presenceElsewhere = Number.NEGATIVE_INFINITY;
    for (const [index, { presence }] of scores.entries()) {
      if ((presence[aspect] as number) > (scores[at]?.presence[aspect] as number)) at = index;
      presenceElsewhere = Math.max(presenceElsewhere, mostOfOthers(presence, aspect));
    }
    const { presence, polarity } = scores[at] as ClauseScores;
    let others = 0;
    for (let other = 0; other < polarity.length; other++) {
      if (other !== aspect) others += logistic(presence[other] as number);
    }
    return {
      clause: clauses[at] as ClauseFeatures,
      presence: presence[aspect] as number,
      presenceOfOther: mostOfOthers(presence, aspect),
      presenceElsewhere,
      others,
      polarity: polarity[aspect] as number,
      polarityOfPraise: scores[praising]?.polarity[aspect] as number,
      polarityOfBlame: scores[blaming]?.polarity[aspect] as number,
    };
  }

  function mostOfOthers(presence: Float64Array, aspect: number): number {
    let most = Number.NEGATIVE_INFINITY;
    const end = aspects ?? weights.outputs - 1;
    for (let other = 0; other < end; other++) {
      if (other !== aspect) most = Math.max(most, presence[other] as number);
    }
    return most;
  }

  function byPatterns(clause: ClauseFeatures): ClauseScores {
    const { shared: general, stars } = scoreClause(weights, { ...clause, cues: new Map() });
    const presence = new Float64Array(aspects ?? 0).fill(NOT_FOUND);
    const polarity = new Float64Array(aspects ?? 0).fill(general);
    for (const [aspect, cues] of clause.cues) {
      if (cues.some((cue) => FINDING_CUES.has(cue))) presence[aspect] = FOUND;
      for (const cue of cues) polarity[aspect] = (polarity[aspect] as number) + (weights.polarityCues[cue] as number);
    }
    return { presence, polarity, shared: general, stars };
  }
}

function textReading(scores: readonly ClauseScores[], rating: number): TextReading {
  let [sum, least, most] = [0, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const { shared } of scores) {
    sum += shared;
    least = Math.min(least, shared);
    most = Math.max(most, shared);
  }
  const polarity = sum / scores.length;
  return { rating, clauses: scores.length, polarity, leastPolarity: least, mostPolarity: most };
}

const [POSITIVE, NEGATIVE, NEUTRAL] = (["positive", "negative", "neutral"] as const).map((cue) => CUES.indexOf(cue));

function isNeutral(clauses: readonly ClauseFeatures[], aspect: number): boolean {
  const cues = new Set(clauses.flatMap((clause) => clause.cues.get(aspect) ?? []));
  return cues.has(NEUTRAL ?? -1) && !cues.has(POSITIVE ?? -1) && !cues.has(NEGATIVE ?? -1);
}
