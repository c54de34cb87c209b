/**
 * The reading engine: from the words of a review to the probability that each aspect is praised or blamed, and the
 * clauses that show it. This folder trades clarity for speed; `test/support/plain-reading.ts` says the same in plain
 * code, and a test compares both to the bit. Reading goes through four steps:
 *
 *     matcher           finds the taxonomy's patterns (pattern-index, pattern-steps, number-pool)
 *     clause-features   cuts the text into clauses and collects their features (clause-spans, feature-space)
 *     trained-model     scores each clause by its features (feature-rows, word-vectors, hidden-layer)
 *     review-reading    combines the clauses: this file
 *
 * Words are integers (`text/vocabulary.ts`), features are rows of weights, and memory is reused for every text
 * (scratch, number-list). Logarithms and probabilities are computed by exact-math, so that every machine gets the same
 * bits.
 */
import { logarithm, logistic } from "./exact-math.ts";
import { allocateScores, emptyScratch, type ScoredClause, type Scratch } from "./scratch.ts";
import {
  aspectOf,
  type Clause,
  type ClauseFeatures,
  CUES,
  cueOf,
  emptyScores,
  scoreClause,
  type Weights,
} from "./trained-model.ts";

export interface AspectReading {
  /** Probability that at least one clause is about the aspect, before calibration. */
  readonly chance: number;
  /** Log odds of praise, the clauses' weighted mean, before calibration. */
  readonly polarity: number;
  /** The clauses with the strongest praise and the strongest blame, and the probability that each alone shows it. */
  readonly praising: Clause;
  readonly praiseOfClause: number;
  readonly blaming: Clause;
  readonly blameOfClause: number;
  /** The same without the stars; 0 for an aspect that is hardly mentioned. */
  readonly praiseByWords: number;
  readonly blameByWords: number;
  readonly chanceByWords: number;
  /** Log odds of praise. */
  readonly polarityByWords: number;
  /** The best evidence of blame, if the aspect may be mentioned. */
  readonly blamingByWords: Clause;
  /** Whether patterns match a neutral judgement of the aspect, and neither praise nor blame. */
  readonly isNeutral: boolean;
  /** The clause that is most probably about the aspect; undefined if the aspect cannot be mentioned. */
  readonly clearest: ClearestClause | undefined;
  readonly text: TextReading;
}

type Unfinished = Omit<AspectReading, "clearest" | "blamingByWords"> & {
  clearest: ClearestClause | undefined;
  blamingByWords: Clause;
};

/** The tone of the whole review. */
interface TextReading {
  readonly rating: number;
  /** Natural logarithm of the number of clauses. */
  readonly logClauses: number;
  /** Log odds of praise over all clauses: their mean, and the least and the most of one. */
  readonly polarity: number;
  readonly leastPolarity: number;
  readonly mostPolarity: number;
}

interface ClearestClause {
  readonly clause: Clause;
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

const STANCE_CUES = new Set((["positive", "negative", "open", "neutral"] as const).map((cue) => CUES.indexOf(cue)));

/** Log odds below which a clause is taken not to mention an aspect: a probability of about 1 in 400. */
const MIN_CLAUSE_LOGIT = -6;
/** Below this mention probability the reading without stars is skipped: the mention is never published. */
const MIN_MENTION_PROBABILITY = 0.03;
/** ln(p) minus a margin: because p < e^logit, comparing logits with it never drops a mention above p. */
const MENTION_LOGIT_CUTOFF = logarithm(MIN_MENTION_PROBABILITY) - 0.01;
const NOT_COMPUTED = -1;
const NO_ASPECT = -1;
/**
 * Weights for blame: of negated clauses, of the last one, because reviews narrate first and judge last, and of clauses in
 * which a pattern blames the aspect: "we told the manager" blames nobody by itself.
 */
const [NEGATION_WEIGHT, LAST_CLAUSE_WEIGHT, BLAMING_WEIGHT] = [1.6, 1.5, 1.9];
const MOST_WEIGHT = NEGATION_WEIGHT * LAST_CLAUSE_WEIGHT * BLAMING_WEIGHT;
/** Below this probability of blame, a clause is no evidence of it. */
const MIN_BLAME_PROBABILITY = 0.02;
/** Log odds that a clause mentions an aspect unknown to the model, with and without a pattern match. */
const [PRIOR_WITH_PATTERN, PRIOR_WITHOUT_PATTERN] = [2.5, -30];

/** An aspect read without the stars. */
interface ByWords {
  readonly praise: number;
  readonly blame: number;
  readonly chance: number;
  readonly polarity: number;
}
const NO_EVIDENCE: ByWords = { praise: 0, blame: 0, chance: 0, polarity: 0 };

/** A text whose clauses are scored, in scratch memory. */
interface ScoredText {
  readonly clauses: readonly Clause[];
  /** By clause; entries beyond the last clause belong to another text. */
  readonly scores: readonly ScoredClause[];
  readonly aspects: number;
  /** Whether the model was trained for these aspects: otherwise it does not know what the stars say of each. */
  readonly isModelled: boolean;
  /** The place of the polarity among what the stars added. */
  readonly polarity: number;
  readonly reading: TextReading;
}

interface TextOptions {
  readonly rating: number;
  /** The number of aspects of a taxonomy that the model was not trained for. */
  readonly aspects?: number | undefined;
  readonly scratch?: Scratch;
}

/**
 * Scores the clauses of a text, which has at least one. If the model was not trained for the taxonomy, the
 * patterns decide which aspects are mentioned, and the model only whether they are praised.
 */
export function scoreText<List>(
  clauses: readonly ClauseFeatures<List>[],
  weights: Weights<List>,
  { rating, aspects, scratch = emptyScratch() }: TextOptions,
): ScoredText {
  const polarity = weights.outputs - 1;
  const end = aspects ?? polarity;
  const scores = allocateScores(scratch, clauses.length, weights.outputs, end);
  for (let at = 0; at < clauses.length; at++) {
    const [clause, score] = [clauses[at] as ClauseFeatures<List>, scores[at] as ScoredClause];
    if (aspects === undefined) scoreClause(weights, clause, score);
    else scoreByPatterns(weights, clause, score);
    for (let aspect = 0; aspect < end; aspect++) score.chances[aspect] = NOT_COMPUTED;
    score.blame = NOT_COMPUTED;
    score.blameByWords = NOT_COMPUTED;
    rank(score, end);
  }
  const reading = textReading(scores, clauses.length, rating);
  return { clauses, scores, aspects: end, isModelled: aspects === undefined, polarity, reading };
}

/**
 * Whether an aspect may be mentioned: by its stars and words with `MIN_MENTION_PROBABILITY`, and by its words alone with
 * log odds of `minLogit`, or by a neutral pattern. A cheap bound that is never too low: most aspects need no reading.
 */
export function mayBeMentioned({ clauses, scores, reading }: ScoredText, aspect: number, minLogit: number): boolean {
  let [most, mostByWords] = [Number.NEGATIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (let at = 0; at < clauses.length; at++) {
    const { presence, stars } = scores[at] as ScoredClause;
    const logit = presence[aspect] as number;
    most = Math.max(most, logit);
    mostByWords = Math.max(mostByWords, logit - (stars[aspect] as number));
  }
  // The probability of one clause or another is at most the sum of theirs.
  if (most + reading.logClauses < MENTION_LOGIT_CUTOFF) return false;
  return mostByWords >= minLogit || isNeutral(clauses, aspect);
}

/** 0 (praise) to 1 (blame), before calibration. */
export function blameShareOf({ polarity }: AspectReading): number {
  return logistic(-polarity);
}

/** Reads one aspect. The clauses that show it best are found only if `mayMatter` says so of the rest of the reading. */
export function readAspect(
  text: ScoredText,
  aspect: number,
  mayMatter: (reading: AspectReading) => boolean = () => true,
): AspectReading {
  const { clauses, scores } = text;
  let none = 1;
  let sum = 1e-12;
  let polarity = 0;
  let [mostPraise, mostBlame, praising, blaming] = [0, 0, 0, 0];
  for (let at = 0; at < clauses.length; at++) {
    const score = scores[at] as ScoredClause;
    if ((score.presence[aspect] as number) < MIN_CLAUSE_LOGIT) continue;
    const chance = chanceOf(score, aspect);
    const own = score.polarity[aspect] as number;
    const blame = own === score.shared ? sharedBlame(score) : logistic(-own);
    none *= 1 - chance;
    sum += chance * chance;
    polarity += chance * chance * own;
    if (chance * blame > mostBlame) {
      mostBlame = chance * blame;
      blaming = at;
    }
    if (chance * (1 - blame) > mostPraise) {
      mostPraise = chance * (1 - blame);
      praising = at;
    }
  }
  const isMentioned = 1 - none >= MIN_MENTION_PROBABILITY;
  const byWords = isMentioned ? readByWords(text, aspect) : NO_EVIDENCE;
  const reading: Unfinished = {
    chance: 1 - none,
    polarity: polarity / sum,
    praising: clauses[praising] as Clause,
    praiseOfClause: mostPraise,
    blaming: clauses[blaming] as Clause,
    blameOfClause: mostBlame,
    praiseByWords: byWords.praise,
    blameByWords: byWords.blame,
    chanceByWords: byWords.chance,
    polarityByWords: byWords.polarity,
    blamingByWords: clauses[blaming] as Clause,
    isNeutral: isNeutral(clauses, aspect),
    clearest: undefined,
    text: text.reading,
  };
  if (isMentioned && mayMatter(reading)) {
    reading.blamingByWords = clauses[blamingByWords(text, aspect)] as Clause;
    reading.clearest = clearest(text, aspect, praising, blaming);
  }
  return reading;
}

/** The most praise and the most blame that a clause has without its stars. Notes the blame in each clause. */
function readByWords({ clauses, scores, isModelled, polarity: ofPolarity }: ScoredText, aspect: number): ByWords {
  let [praise, mostBlame, none, sum, polarity] = [0, 0, 1, 1e-12, 0];
  for (let at = 0; at < clauses.length; at++) {
    const score = scores[at] as ScoredClause;
    score.blameOfAspect = 0;
    const ofStars = isModelled ? (score.stars[aspect] as number) : 0;
    const spoken = (score.presence[aspect] as number) - ofStars;
    if (spoken < MIN_CLAUSE_LOGIT) continue;
    const chance = logistic(spoken);
    const whole = score.polarity[aspect] as number;
    const own = whole - (score.stars[ofPolarity] as number);
    const share = whole === score.shared ? sharedBlameByWords(score, own) : logistic(-own);
    none *= 1 - chance;
    sum += chance * chance;
    polarity += chance * chance * own;
    praise = Math.max(praise, chance * (1 - share));
    const blame = chance * share;
    mostBlame = Math.max(mostBlame, blame);
    score.blameOfAspect = blame;
  }
  return { praise, blame: mostBlame, chance: 1 - none, polarity: polarity / sum };
}

/** The index of the clause that shows the blame best, after `readByWords` of the same aspect. */
function blamingByWords(text: ScoredText, aspect: number): number {
  let [best, blaming] = [-1, 0];
  for (let at = 0; at < text.clauses.length; at++) {
    const blame = (text.scores[at] as ScoredClause).blameOfAspect;
    if (blame < MIN_BLAME_PROBABILITY || blame * MOST_WEIGHT <= best) continue;
    const shown = blame * evidenceIn(text, at, aspect);
    if (shown > best) {
      best = shown;
      blaming = at;
    }
  }
  return blaming;
}

/** How well a clause works as evidence for an aspect: worse if it is rather about another one. */
function evidenceIn({ clauses, scores }: ScoredText, at: number, aspect: number): number {
  const score = scores[at] as ScoredClause;
  const isOfThis = logistic((score.presence[aspect] as number) - mostOfOthers(score, aspect));
  const place = 1 + ((LAST_CLAUSE_WEIGHT - 1) * at) / clauses.length;
  const { cues, denies } = clauses[at] as Clause;
  const blames = cues.some((cue) => aspectOf(cue) === aspect && cueOf(cue) === NEGATIVE);
  return Math.sqrt(isOfThis) * place * (denies ? NEGATION_WEIGHT : 1) * (blames ? BLAMING_WEIGHT : 1);
}

function clearest(
  { clauses, scores, aspects }: ScoredText,
  aspect: number,
  praising: number,
  blaming: number,
): ClearestClause {
  let at = 0;
  let presenceElsewhere = Number.NEGATIVE_INFINITY;
  for (let index = 0; index < clauses.length; index++) {
    const score = scores[index] as ScoredClause;
    if ((score.presence[aspect] as number) > ((scores[at] as ScoredClause).presence[aspect] as number)) at = index;
    presenceElsewhere = Math.max(presenceElsewhere, mostOfOthers(score, aspect));
  }
  const score = scores[at] as ScoredClause;
  let others = 0;
  for (let other = 0; other < aspects; other++) if (other !== aspect) others += chanceOf(score, other);
  return {
    clause: clauses[at] as Clause,
    presence: score.presence[aspect] as number,
    presenceOfOther: mostOfOthers(score, aspect),
    presenceElsewhere,
    others,
    polarity: score.polarity[aspect] as number,
    polarityOfPraise: (scores[praising] as ScoredClause).polarity[aspect] as number,
    polarityOfBlame: (scores[blaming] as ScoredClause).polarity[aspect] as number,
  };
}

/** The probability of blame in a clause of every aspect without cues of its own. */
function sharedBlame(score: ScoredClause): number {
  if (score.blame === NOT_COMPUTED) score.blame = logistic(-score.shared);
  return score.blame;
}

/** The same without the stars; `polarity` is the log odds of praise then. */
function sharedBlameByWords(score: ScoredClause, polarity: number): number {
  if (score.blameByWords === NOT_COMPUTED) score.blameByWords = logistic(-polarity);
  return score.blameByWords;
}

/** The probability that a clause is about an aspect, even one that it is taken not to mention. */
function chanceOf({ chances, presence }: ScoredClause, aspect: number): number {
  if (chances[aspect] === NOT_COMPUTED) chances[aspect] = logistic(presence[aspect] as number);
  return chances[aspect] as number;
}

function rank(score: ScoredClause, aspects: number): void {
  let [first, most, second] = [NO_ASPECT, Number.NEGATIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (let aspect = 0; aspect < aspects; aspect++) {
    const presence = score.presence[aspect] as number;
    if (presence > most) [first, most, second] = [aspect, presence, most];
    else if (presence > second) second = presence;
  }
  score.first = first;
  score.most = most;
  score.second = second;
}

function mostOfOthers({ first, most, second }: ScoredClause, aspect: number): number {
  return aspect === first ? second : most;
}

/** Scores a clause for a taxonomy that the model was not trained for. */
function scoreByPatterns<List>(weights: Weights<List>, clause: ClauseFeatures<List>, scores: ScoredClause): void {
  const { shared, stars } = scoreClause(weights, { ...clause, cues: [] }, emptyScores(weights.outputs));
  const { presence, polarity } = scores;
  presence.fill(PRIOR_WITHOUT_PATTERN);
  polarity.fill(shared);
  for (const entry of clause.cues) {
    const [aspect, cue] = [aspectOf(entry), cueOf(entry)];
    if (STANCE_CUES.has(cue)) presence[aspect] = PRIOR_WITH_PATTERN;
    polarity[aspect] = (polarity[aspect] as number) + (weights.polarityCues[cue] as number);
  }
  scores.shared = shared;
  scores.stars.set(stars);
}

function textReading(scores: readonly ScoredClause[], clauses: number, rating: number): TextReading {
  let [sum, least, most] = [0, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (let at = 0; at < clauses; at++) {
    const { shared } = scores[at] as ScoredClause;
    sum += shared;
    least = Math.min(least, shared);
    most = Math.max(most, shared);
  }
  const polarity = sum / clauses;
  return { rating, logClauses: logarithm(clauses), polarity, leastPolarity: least, mostPolarity: most };
}

const [POSITIVE, NEGATIVE, NEUTRAL] = (["positive", "negative", "neutral"] as const).map((cue) => CUES.indexOf(cue));

/** Whether patterns match a neutral judgement of an aspect, and neither praise nor blame. */
function isNeutral(clauses: readonly Clause[], aspect: number): boolean {
  let found = false;
  for (const { cues } of clauses) {
    for (let at = 0; at < cues.length; at++) {
      if (aspectOf(cues[at] as number) !== aspect) continue;
      const cue = cueOf(cues[at] as number);
      if (cue === POSITIVE || cue === NEGATIVE) return false;
      if (cue === NEUTRAL) found = true;
    }
  }
  return found;
}
