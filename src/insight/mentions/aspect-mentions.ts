/** The aspects mentioned in a review, each with one polarity and its evidence. */
import type { AspectMention } from "../../insights-document.ts";
import { clauseFeatures, type ReadText } from "../engine/clause-features.ts";
import { logistic, logOdds } from "../engine/exact-math.ts";
import { type AspectReading, blameShareOf, mayBeMentioned, readAspect, scoreText } from "../engine/review-reading.ts";
import type { ScoredClause } from "../engine/scratch.ts";
import { aspectOf, type Clause, type TrainedModel } from "../engine/trained-model.ts";
import { evidenceOf } from "../reading/evidence.ts";
import { verdict, verdictCues } from "../reading/verdict.ts";
import { countBefore, type Frame } from "../sentiment/polarity.ts";
import { isIronic, isQuoted } from "../sentiment/tone.ts";
import { valenceOf } from "../sentiment/valence.ts";
import type { Taxonomy } from "../taxonomy/taxonomy.ts";
import { countedMentions } from "./counted-mentions.ts";

/** Calibrated probabilities for one aspect in a review. */
interface Chances {
  readonly praise: number;
  readonly blame: number;
}

/** A review, and the aspect in question. */
interface Question {
  readonly read: ReadText;
  readonly rating: number;
  readonly aspect: number;
  readonly model: TrainedModel;
  readonly aspects: Taxonomy["aspects"];
}

/** A mention with the probability (`chance`) that it is correct. */
export type LikelyMention = AspectMention & { readonly chance: number };

const [MIN_GOOD_STARS, MAX_BAD_STARS] = [4, 2];
/** The rating of a text without stars: neither good nor bad. */
const STARS_IF_UNKNOWN = 3;
/**
 * Minimum probability of blame in a single clause: in a long complaint, many clauses that barely mention an aspect
 * would add up.
 */
const MIN_CLAUSE_BLAME = 0.25;
/**
 * Minimum probability of praise or blame in a clause scored without the stars: a rating of one star would turn any
 * sentence into blame, and five stars any call into praise of how it was answered.
 */
const [MIN_PRAISE_BY_WORDS, MIN_BLAME_BY_WORDS] = [0.1, 0.1];
/** If praise outweighs blame by this factor, report no blame, whatever the rating. */
const MAX_PRAISE_PER_BLAME = 4;

/**
 * "Good" praises nothing in particular, and "not good" blames nothing: a clause this short, without a pattern of the
 * aspect, needs a higher probability. So does, the more, one whose praise another aspect claims.
 */
const [MAX_BARE_WORDS, MIN_BARE, MIN_CLAIMED] = [3, 0.65, 0.8];
/** Up to this valence a word is a name rather than praise: "quality", "support". */
const MAX_FAINT_VALENCE = 1.75;
/** The valence of strong blame, and the distance in words at which a negation denies it. */
const [MAX_STRONG_BLAME_VALENCE, MAX_NEGATOR_DISTANCE] = [-2, 3];

/** Log odds below both, with a margin: for a test that needs no reading. */
const MIN_LOGIT_BY_WORDS = logOdds(Math.min(MIN_PRAISE_BY_WORDS, MIN_BLAME_BY_WORDS)) - 0.01;

/** Whether an aspect may be mentioned, whatever its final probabilities: the rest of most readings is not needed. */
function mayBeBelieved(reading: AspectReading, frame: Frame, rating: number): boolean {
  if (reading.isNeutral || reading.praiseByWords >= MIN_PRAISE_BY_WORDS || wordsBlame(reading)) return true;
  return rating < MIN_GOOD_STARS && isUnpraised(frame, reading.praising);
}

/** Whether the words blame, and do not praise far more than that. */
function wordsBlame({ blameOfClause, praiseByWords, blameByWords }: AspectReading): boolean {
  return (
    blameOfClause >= MIN_CLAUSE_BLAME &&
    blameByWords >= MIN_BLAME_BY_WORDS &&
    MAX_PRAISE_PER_BLAME * blameByWords >= praiseByWords
  );
}

const NOT_MENTIONED = { praise: 0, blame: 0 };

function weighed(reading: AspectReading, aspect: number, model: TrainedModel): Chances {
  const { praise, blame, cues: scratch } = model.verdict;
  const cues = verdictCues(reading, aspect, model.aspects.length, scratch);
  return cues === undefined ? NOT_MENTIONED : { praise: verdict(praise, cues), blame: verdict(blame, cues) };
}

/** The same for a taxonomy that the model was not trained for. */
function calibrated(reading: AspectReading, model: TrainedModel): Chances {
  const { slope, offset, blame_slope, blame_offset } = model.calibration;
  const present = logistic(slope * logOdds(reading.chance) + offset);
  const share = logistic(blame_slope * logOdds(blameShareOf(reading)) + blame_offset);
  return { praise: present * (1 - share), blame: present * share };
}

/**
 * One mention per aspect, in taxonomy order: praise or blame, whichever is more probable, if it reaches its threshold.
 * Praise is also mentioned where blame is more probable but too doubtful to be published. `judged` is called for each
 * clause, with the log odds that it praises.
 */
export function aspectMentions(
  read: ReadText,
  taxonomy: Taxonomy,
  judged: (clause: Clause, polarity: number) => void = () => {},
): readonly LikelyMention[] {
  const { model, scratch } = taxonomy;
  const rating = read.rating ?? STARS_IF_UNKNOWN;
  const unknownAspects = taxonomy.isModelled ? undefined : taxonomy.aspects.length;
  const clauses = clauseFeatures(read, model.features, { withPatterns: unknownAspects === undefined, scratch });
  if (clauses.length === 0) return [];
  const text = scoreText(clauses, model.weights, { rating, aspects: unknownAspects, scratch });
  for (const [at, clause] of clauses.entries()) judged(clause, (text.scores[at] as ScoredClause).shared);
  const mayMatter = (reading: AspectReading) => mayBeBelieved(reading, read.frame, rating);
  const isPraiseDenied = rating < MIN_GOOD_STARS && deniesPraise(read.frame);
  const minLogit = isPraiseDenied ? Number.NEGATIVE_INFINITY : MIN_LOGIT_BY_WORDS;
  const readings: (AspectReading | undefined)[] = [];
  for (let aspect = 0; aspect < text.aspects; aspect++) {
    const isNeeded = unknownAspects !== undefined || mayBeMentioned(text, aspect, minLogit);
    readings.push(isNeeded ? readAspect(text, aspect, mayMatter) : undefined);
  }
  return mentionsOf(readings, read, taxonomy);
}

/** The mentions that readings amount to, by aspect number; undefined for an aspect that cannot be mentioned. */
export function mentionsOf(
  readings: readonly (AspectReading | undefined)[],
  read: ReadText,
  taxonomy: Taxonomy,
): readonly LikelyMention[] {
  const { model, aspects, isModelled } = taxonomy;
  const rating = read.rating ?? STARS_IF_UNKNOWN;
  const mentions: LikelyMention[] = [];
  for (let aspect = 0; aspect < readings.length; aspect++) {
    const reading = readings[aspect];
    if (reading === undefined) continue;
    const chances = isModelled ? weighed(reading, aspect, model) : calibrated(reading, model);
    const mention = believed(reading, chances, { read, rating, aspect, model, aspects });
    const id = aspects[aspect]?.id;
    if (id !== undefined && mention !== undefined) mentions.push({ id, ...mention });
  }
  return countedMentions(mentions, taxonomy);
}

function believed(
  reading: AspectReading,
  { praise, blame }: Chances,
  question: Question,
): Omit<LikelyMention, "id"> | undefined {
  const { read, rating, aspect, model } = question;
  const { praising, blamingByWords, praiseByWords, isNeutral } = reading;
  const { thresholds } = model;
  const least = rating >= MIN_GOOD_STARS ? thresholds.blame_in_good_reviews : thresholds.blame;
  const shown = (clause: Clause) => evidenceOf(read.frame, clause.from, clause.to);
  if (isNeutral && praise + blame >= thresholds.praise) {
    return { sentiment: "neutral", evidence: shown(praising), chance: praise + blame };
  }
  const isBlamed = blame >= praise && blame >= least && wordsBlame(reading);
  const isDoubtful = isBlamed && blame < MIN_BARE && isBare(blamingByWords, aspect);
  if (isDoubtful && isUnpraised(read.frame, blamingByWords)) return undefined;
  if (isBlamed && !isDenied(read.frame, blamingByWords))
    return { sentiment: "negative", evidence: shown(blamingByWords), chance: blame };
  if (rating < MIN_GOOD_STARS && praise + blame >= thresholds.praise && isUnpraised(read.frame, praising)) {
    if (isBare(praising, aspect) && praise + blame < MIN_BARE) return undefined;
    return { sentiment: "negative", evidence: shown(praising), chance: praise + blame };
  }
  const isPraisedInBad = rating <= MAX_BAD_STARS && praise > blame && praise >= thresholds.praise_in_bad_reviews;
  if ((praise < thresholds.praise && !isPraisedInBad) || praiseByWords < MIN_PRAISE_BY_WORDS) return undefined;
  if (praise < MIN_BARE && isBare(praising, aspect)) return undefined;
  if (praise < MIN_CLAIMED && isClaimed(praising, question)) return undefined;
  if (rating <= MAX_BAD_STARS && isMocking(read.frame, praising)) {
    return { sentiment: "negative", evidence: shown(praising), chance: praise };
  }
  return { sentiment: "positive", evidence: shown(praising), chance: praise };
}

/** Whether a clause is but a few words, none of them of a pattern of the aspect. */
function isBare({ from, to, cues }: Clause, aspect: number): boolean {
  return to - from <= MAX_BARE_WORDS && !cues.some((cue) => aspectOf(cue) === aspect);
}

/** Whether a good word of a clause praises an aspect that claims it, and no pattern is of this one: "nice place". */
function isClaimed({ from, to, cues }: Clause, { read: { frame, found }, aspect, aspects }: Question): boolean {
  if (cues.some((cue) => aspectOf(cue) === aspect)) return false;
  return found.some(
    (finding) =>
      finding.stance === "positive" &&
      finding.from >= from &&
      finding.to <= to &&
      aspects[finding.aspect]?.claims_praise === true &&
      frame.valences.slice(finding.from, finding.to).some((valence) => valence > MAX_FAINT_VALENCE),
  );
}

/** Whether a clause's only bad word is a strong one, denied right before it: "wasn't bad at all". */
function isDenied({ tokens, valences, negators }: Frame, { from, to }: Clause): boolean {
  const { language } = tokens.vocabulary;
  let isFound = false;
  for (let at = from; at < to; at++) {
    if ((valences[at] ?? 0) < 0) return false;
    const isStrong = valenceOf(tokens.forms[at] ?? "", language) <= MAX_STRONG_BLAME_VALENCE;
    const negator = isStrong ? negators[countBefore(negators, at) - 1] : undefined;
    if (negator !== undefined && at - negator <= MAX_NEGATOR_DISTANCE) isFound = true;
  }
  return isFound;
}

/** Whether all good words of a clause are denied: "the quality is not good". */
function isUnpraised({ tokens, valences }: Frame, { from, to }: Clause): boolean {
  const { language } = tokens.vocabulary;
  let isFound = false;
  for (let at = from; at < to; at++) {
    const inContext = valences[at] ?? 0;
    if (inContext > MAX_FAINT_VALENCE) return false;
    if (inContext < 0 && valenceOf(tokens.forms[at] ?? "", language) > MAX_FAINT_VALENCE) isFound = true;
  }
  return isFound;
}

/** Whether a good word of a text is denied. */
function deniesPraise({ tokens, valences }: Frame): boolean {
  const { language } = tokens.vocabulary;
  return valences.some(
    (inContext, at) => inContext < 0 && valenceOf(tokens.forms[at] ?? "", language) > MAX_FAINT_VALENCE,
  );
}

/** Whether a clause is sarcastic, by its wording or by a word in quotation marks. */
function isMocking(frame: Frame, { from, to }: Clause): boolean {
  if (isIronic(frame, from, to)) return true;
  for (let at = from; at < to; at++) if (isQuoted(frame, at, at + 1)) return true;
  return false;
}
