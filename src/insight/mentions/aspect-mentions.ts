/** The aspects mentioned in a review, each with one polarity and its evidence. */
import type { AspectMention } from "../../insights-document.ts";
import { logistic, logOdds } from "../classifier/exact-math.ts";
import { aspectOf, type Clause, type TrainedModel } from "../classifier/trained-model.ts";
import { clauseFeatures, type ReadText } from "../reading/clause-features.ts";
import { evidenceOf } from "../reading/evidence.ts";
import { type AspectReading, blameShareOf, maySpeak, readAspect, scoreText } from "../reading/review-reading.ts";
import { verdict, verdictCues } from "../reading/verdict.ts";
import { countBefore, type Frame } from "../sentiment/polarity.ts";
import { isIronic, isQuoted } from "../sentiment/tone.ts";
import { valenceOf } from "../sentiment/valence.ts";
import { isModelled, type Taxonomy } from "../taxonomy/taxonomy.ts";
import { countedMentions } from "./counted-mentions.ts";

/** Calibrated probabilities for one aspect in a review. */
interface Chances {
  readonly praise: number;
  readonly blame: number;
}

/** The review and the aspect that are asked about. */
interface Question {
  readonly read: ReadText;
  readonly rating: number;
  readonly aspect: number;
  readonly model: TrainedModel;
}

/** A mention with the probability (`chance`) that it is correct. */
export type LikelyMention = AspectMention & { readonly chance: number };

const [FEWEST_STARS_OF_GOOD, MOST_STARS_OF_BAD] = [4, 2];
/** The stars of a text without any: neither good nor bad. */
const NO_STARS = 3;
/**
 * Minimum probability of blame in a single clause: in a long complaint, many clauses that barely mention an aspect
 * would add up.
 */
const LEAST_BLAME_OF_CLAUSE = 0.25;
/**
 * Minimum probability of praise or blame in a clause scored without the stars: a rating of one star would turn any
 * sentence into blame, and five stars any call into praise of how it was answered.
 */
const [LEAST_PRAISE_BY_WORDS, LEAST_BLAME_BY_WORDS] = [0.1, 0.1];
/** Words that sound so many times as much like praise as like blame are no blame, whatever the stars. */
const PRAISE_BESIDE_BLAME = 4;

/** "Good" praises nothing in particular: a clause of so few words without a pattern of the aspect must be surer. */
const [FEW_WORDS, LEAST_PRAISE_IN_FEW_WORDS] = [3, 0.65];
/** The valence up to which a word is rather a name than praise: "quality", "support". */
const FAINT_PRAISE = 1.75;
/** The valence of a word of strong blame, and how near a negation must be to deny it. */
const [STRONG_BLAME, NEAR] = [-2, 3];

/** Log odds of a probability that is somewhat less than both. */
const FAINT_BY_WORDS = logOdds(Math.min(LEAST_PRAISE_BY_WORDS, LEAST_BLAME_BY_WORDS)) - 0.01;

/** Whether an aspect may be mentioned, whatever its probabilities: most need not be computed. */
function mayBeBelieved(reading: AspectReading, frame: Frame, rating: number): boolean {
  if (reading.isNeutral || reading.praiseByWords >= LEAST_PRAISE_BY_WORDS || isHeard(reading)) return true;
  return rating < FEWEST_STARS_OF_GOOD && isUnpraised(frame, reading.praising);
}

/** Whether the words blame, and do not praise far more than that. */
function isHeard({ blameOfClause, praiseByWords, blameByWords }: AspectReading): boolean {
  return (
    blameOfClause >= LEAST_BLAME_OF_CLAUSE &&
    blameByWords >= LEAST_BLAME_BY_WORDS &&
    PRAISE_BESIDE_BLAME * blameByWords >= praiseByWords
  );
}

const UNSPOKEN = { praise: 0, blame: 0 };
/** Room for the cues of one verdict, used again for the next. */
let cuesRoom = new Float64Array();

function weighed(reading: AspectReading, aspect: number, model: TrainedModel): Chances {
  const { praise, blame } = model.verdict;
  if (cuesRoom.length !== praise.length) cuesRoom = new Float64Array(praise.length);
  const cues = verdictCues(reading, aspect, model.aspects.length, cuesRoom);
  return cues === undefined ? UNSPOKEN : { praise: verdict(praise, cues), blame: verdict(blame, cues) };
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
 * Praise is also mentioned where blame is the more probable but too doubtful to be published.
 */
export function aspectMentions(read: ReadText, taxonomy: Taxonomy): readonly LikelyMention[] {
  const rating = read.rating ?? NO_STARS;
  const { model } = taxonomy;
  const isKnown = isModelled(taxonomy);
  const mentions: LikelyMention[] = [];
  const clauses = clauseFeatures(read, model.features, isKnown);
  if (clauses.length === 0) return mentions;
  const text = scoreText(clauses, model.weights, { rating, aspects: isKnown ? undefined : taxonomy.aspects.length });
  const isAsked = (reading: AspectReading) => mayBeBelieved(reading, read.frame, rating);
  const isPraiseDenied = rating < FEWEST_STARS_OF_GOOD && deniesPraise(read.frame);
  const leastByWords = isPraiseDenied ? Number.NEGATIVE_INFINITY : FAINT_BY_WORDS;
  for (let aspect = 0; aspect < text.aspects; aspect++) {
    // An aspect that is hardly mentioned or never believed is not read to the end.
    if (isKnown && !maySpeak(text, aspect, leastByWords)) continue;
    const reading = readAspect(text, aspect, isAsked);
    if (isKnown && reading.clearest === undefined) continue;
    const chances = isKnown ? weighed(reading, aspect, model) : calibrated(reading, model);
    const mention = believed(reading, chances, { read, rating, aspect, model });
    const id = taxonomy.aspects[aspect]?.id;
    if (id === undefined || mention === undefined) continue;
    const { sentiment, evidence, chance } = mention;
    mentions.push({ id, sentiment, evidence, chance });
  }
  return countedMentions(mentions, taxonomy);
}

function believed(
  reading: AspectReading,
  { praise, blame }: Chances,
  { read, rating, aspect, model }: Question,
): Omit<LikelyMention, "id"> | undefined {
  const { praising, blamingByWords, praiseByWords, isNeutral } = reading;
  const { thresholds } = model;
  const least = rating >= FEWEST_STARS_OF_GOOD ? thresholds.blame_in_good_reviews : thresholds.blame;
  const shown = (clause: Clause) => evidenceOf(read.frame, clause.from, clause.to);
  if (isNeutral && praise + blame >= thresholds.praise) {
    return { sentiment: "neutral", evidence: shown(praising), chance: praise + blame };
  }
  const isBlamed = blame >= praise && blame >= least && isHeard(reading);
  if (isBlamed && !isDenied(read.frame, blamingByWords))
    return { sentiment: "negative", evidence: shown(blamingByWords), chance: blame };
  if (rating < FEWEST_STARS_OF_GOOD && praise + blame >= thresholds.praise && isUnpraised(read.frame, praising)) {
    return { sentiment: "negative", evidence: shown(praising), chance: praise + blame };
  }
  const isPraisedInBad = rating <= MOST_STARS_OF_BAD && praise > blame && praise >= thresholds.praise_in_bad_reviews;
  if ((praise < thresholds.praise && !isPraisedInBad) || praiseByWords < LEAST_PRAISE_BY_WORDS) return undefined;
  const isBare = praising.to - praising.from <= FEW_WORDS && !praising.cues.some((cue) => aspectOf(cue) === aspect);
  if (isBare && praise < LEAST_PRAISE_IN_FEW_WORDS) return undefined;
  if (rating <= MOST_STARS_OF_BAD && isMocking(read.frame, praising)) {
    return { sentiment: "negative", evidence: shown(praising), chance: praise };
  }
  return { sentiment: "positive", evidence: shown(praising), chance: praise };
}

/** Whether a clause's only bad word is a strong one, denied right before it: "wasn't bad at all". */
function isDenied({ tokens, valences, negators }: Frame, { from, to }: Clause): boolean {
  let isFound = false;
  for (let at = from; at < to; at++) {
    if ((valences[at] ?? 0) < 0) return false;
    const isStrong = valenceOf(tokens.forms[at] ?? "") <= STRONG_BLAME;
    const negator = isStrong ? negators[countBefore(negators, at) - 1] : undefined;
    if (negator !== undefined && at - negator <= NEAR) isFound = true;
  }
  return isFound;
}

/** Whether all good words of a clause are denied: "the quality is not good". */
function isUnpraised({ tokens, valences }: Frame, { from, to }: Clause): boolean {
  let isFound = false;
  for (let at = from; at < to; at++) {
    const inContext = valences[at] ?? 0;
    if (inContext > FAINT_PRAISE) return false;
    if (inContext < 0 && valenceOf(tokens.forms[at] ?? "") > FAINT_PRAISE) isFound = true;
  }
  return isFound;
}

/** Whether a good word of a text is denied. */
function deniesPraise({ tokens, valences }: Frame): boolean {
  return valences.some((inContext, at) => inContext < 0 && valenceOf(tokens.forms[at] ?? "") > FAINT_PRAISE);
}

/** Whether a clause is sarcastic, by its wording or by a word in quotation marks. */
function isMocking(frame: Frame, { from, to }: Clause): boolean {
  if (isIronic(frame, from, to)) return true;
  for (let at = from; at < to; at++) if (isQuoted(frame, at, at + 1)) return true;
  return false;
}
