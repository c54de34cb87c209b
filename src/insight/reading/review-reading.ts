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
  /** The clauses with the strongest praise and the strongest blame. */
  readonly praising: ClauseFeatures;
  /** Probability that the `blaming` clause alone blames the aspect. */
  readonly blameOfClause: number;
  readonly blaming: ClauseFeatures;
  /**
   * The same for a reader who does not know the stars, and the probability that a clause alone praises the aspect; 0 for
   * an aspect that is hardly mentioned.
   */
  readonly praiseByWords: number;
  readonly blameByWords: number;
  readonly blamingByWords: ClauseFeatures;
  /** Whether patterns match a neutral judgement of the aspect, and neither praise nor blame. */
  readonly isNeutral: boolean;
}

const FINDING_CUES = new Set((["positive", "negative", "open", "neutral"] as const).map((cue) => CUES.indexOf(cue)));

/** Log odds below which a clause is taken not to mention an aspect: a probability of about 1 in 400. */
const UNSPOKEN = -6;
/** A probability of a mention below which nobody asks what the words alone say; calibrated, it is never published. */
const HARDLY_SPOKEN = 0.1;
/** Log odds that a clause mentions an aspect unknown to the model, with and without a pattern match. */
const [FOUND, NOT_FOUND] = [2.5, -30];

/**
 * Readings for all aspects, by aspect number. `clauses` must not be empty. If the model was not trained for the
 * taxonomy, `aspects` is the taxonomy's number of aspects: the patterns then decide which aspects are mentioned, and
 * the model only whether they are praised.
 */
export function readAspects(clauses: readonly ClauseFeatures[], weights: Weights, aspects?: number): AspectReading[] {
  const scores = clauses.map((clause) => (aspects === undefined ? scoreClause(weights, clause) : byPatterns(clause)));
  return Array.from({ length: aspects ?? weights.outputs - 1 }, (_, aspect) => {
    let none = 1;
    let sum = 1e-12;
    let polarity = 0;
    let [mostPraise, mostBlame, praising, blaming] = [-1, -1, 0, 0];
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
    const byWords = 1 - none < HARDLY_SPOKEN ? { praise: 0, blame: 0, blaming } : readByWords(aspect);
    return {
      chance: 1 - none,
      blameShare,
      praising: clauses[praising] as ClauseFeatures,
      blaming: clauses[blaming] as ClauseFeatures,
      blameOfClause: mostBlame,
      praiseByWords: byWords.praise,
      blameByWords: byWords.blame,
      blamingByWords: clauses[byWords.blaming] as ClauseFeatures,
      isNeutral: isNeutral(clauses, aspect),
    };
  });

  /** The most praise and the most blame that a clause has without its stars, and the index of the blaming clause. */
  function readByWords(aspect: number): { readonly praise: number; readonly blame: number; readonly blaming: number } {
    let [praise, blame, blaming] = [0, -1, 0];
    for (const [at, { presence, polarity, stars }] of scores.entries()) {
      const ofStars = aspects === undefined ? (stars[aspect] ?? 0) : 0;
      const spoken = (presence[aspect] ?? 0) - ofStars;
      if (spoken < UNSPOKEN) continue;
      const chance = logistic(spoken);
      const share = logistic((stars[weights.outputs - 1] ?? 0) - (polarity[aspect] ?? 0));
      praise = Math.max(praise, chance * (1 - share));
      if (chance * share > blame) [blame, blaming] = [chance * share, at];
    }
    return { praise, blame, blaming };
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

const [POSITIVE, NEGATIVE, NEUTRAL] = (["positive", "negative", "neutral"] as const).map((cue) => CUES.indexOf(cue));

function isNeutral(clauses: readonly ClauseFeatures[], aspect: number): boolean {
  const cues = new Set(clauses.flatMap((clause) => clause.cues.get(aspect) ?? []));
  return cues.has(NEUTRAL ?? -1) && !cues.has(POSITIVE ?? -1) && !cues.has(NEGATIVE ?? -1);
}
