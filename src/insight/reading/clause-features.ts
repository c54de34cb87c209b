/**
 * Extracts the trained model's features from a clause: its words and the neighbouring clauses' words, negated words,
 * pattern matches, word valences, the stars, and the combined word vectors.
 */

import type { ClauseFeatures } from "../classifier/trained-model.ts";
import { type KnownWord, mixed, type WordVectors } from "../classifier/word-vectors.ts";
import { type Frame, isNegated } from "../sentiment/polarity.ts";
import { isWished } from "../sentiment/tone.ts";
import { BREAK, type Lexeme } from "../text/tokens.ts";
import type { Finding } from "./findings.ts";

/** Feature kinds, mixed into every hash so that a word and a word pair share a weight only by collision. */
const KIND = {
  word: 1,
  pair: 2,
  negated: 4,
  before: 5,
  after: 6,
  pattern: 10,
  praise: 20,
  blame: 21,
  stars: 22,
  always: 23,
  question: 24,
  rival: 25,
  group: 26,
  place: 40,
  length: 41,
  toneBefore: 42,
  toneAfter: 43,
  toneOfText: 44,
  toneWithStars: 45,
  opening: 46,
  openingWithStars: 47,
} as const;

const STANCE_CUE = { positive: 0, negative: 1, open: 2, neutral: 3 } as const;
const [LONG_CUE, RIVAL_CUE] = [4, 5];
const LONG = 3;
/** Stands for any number of stars: a review that has some. */
const ANY_STARS = 9;
/** A clause of so many words or more is long. */
const LONG_CLAUSE = 5;
/** Whether a clause's words are rather those of praise or of blame. */
const TONE = { none: 0, praise: 1, blame: 2, noClause: 3 } as const;

/** A review to classify: its words, its pattern matches, and its stars if known. */
export interface ReadText {
  readonly frame: Frame;
  readonly found: readonly Finding[];
  readonly rating?: number | undefined;
}

/**
 * Features for every clause of a text, in order. `withPatterns` is false for a taxonomy that the model was not trained
 * for.
 */
export function clauseFeatures(
  { frame, found, rating }: ReadText,
  { wordOf }: WordVectors,
  withPatterns = true,
): ClauseFeatures[] {
  const { tokens } = frame;
  const entries: KnownWord[] = [];
  for (let at = 0; at < tokens.lexemes.length; at++) entries.push(wordOf(tokens.lexemes[at] as Lexeme));
  const spans = spansOf(frame);
  const features: Growing[] = [];
  for (const { from, to } of spans) {
    const keys: number[] = [ALWAYS];
    const vectors: number[] = [];
    const groups: number[] = [];
    let [praise, blame] = [0, 0];
    for (let at = from; at < to; at++) {
      const { hash, row, group } = entries[at] as KnownWord;
      keys.push(mixed(hash, KIND.word));
      groups.push(group);
      if (at + 1 < to) keys.push(mixed(mixed(hash, KIND.pair), (entries[at + 1] as KnownWord).hash));
      if (frame.negators.length > 0 && isNegated(frame, at)) keys.push(mixed(hash, KIND.negated));
      const value = frame.valences[at] ?? 0;
      if (value > 0) praise += value;
      else blame -= value;
      if (row >= 0) vectors.push(row);
    }
    for (const group of distinct(groups)) keys.push(mixed(group, KIND.group));
    keys.push(
      mixed(KIND.praise, Math.min(4, Math.ceil(praise / 1.5))),
      mixed(KIND.blame, Math.min(4, Math.ceil(blame / 1.5))),
      mixed(KIND.length, Math.min(LONG_CLAUSE, to - from)),
    );
    if (isAsked(frame, to)) keys.push(mixed(KIND.question, 0));
    const opening = (entries[from] as KnownWord).hash;
    keys.push(mixed(KIND.opening, opening));
    const tone = praise > blame ? TONE.praise : blame > praise ? TONE.blame : TONE.none;
    const stars =
      rating === undefined
        ? []
        : [
            mixed(KIND.stars, rating),
            mixed(KIND.stars, ANY_STARS),
            mixed(KIND.toneWithStars, tone * 10 + rating),
            mixed(mixed(KIND.openingWithStars, rating), opening),
          ];
    features.push({ from, to, keys, stars, around: [], vectors, cues: NO_CUES, tone, praise, blame });
  }
  addPlaces(features);
  for (let index = 0; index < features.length; index++) {
    const { around } = features[index] as Growing;
    const [before, after] = [spans[index - 1], spans[index + 1]];
    for (let at = before?.from ?? 0; at < (before?.to ?? 0); at++)
      around.push(mixed((entries[at] as KnownWord).hash, KIND.before));
    for (let at = after?.from ?? 0; at < (after?.to ?? 0); at++)
      around.push(mixed((entries[at] as KnownWord).hash, KIND.after));
  }
  let clause = 0;
  for (const finding of found) {
    while (clause + 1 < spans.length && finding.from >= (spans[clause] as Span).to) clause++;
    while (finding.from < (spans[clause]?.from ?? 0)) clause--;
    const feature = features[clause];
    if (feature !== undefined) addFinding(feature, { ...finding, stance: stanceOf(frame, finding) }, withPatterns);
  }
  return features;
}

const ALWAYS = mixed(KIND.always, 0);
/** The cues of all clauses without any. */
const NO_CUES: ReadonlyMap<number, number[]> = new Map();
/** So few numbers are compared faster than they are put into a set. */
const FEW = 16;

function distinct(numbers: readonly number[]): Iterable<number> {
  return numbers.length > FEW ? new Set(numbers) : numbers.filter((number, at) => numbers.indexOf(number) === at);
}

/** Adds to each clause where it stands, how its neighbours sound, and how the whole text does. */
function addPlaces(features: readonly Growing[]): void {
  let [praise, blame] = [0, 0];
  for (const feature of features) {
    praise += feature.praise;
    blame += feature.blame;
  }
  const toneOfText = praise + blame === 0 ? 0 : 1 + Math.min(4, Math.floor((5 * praise) / (praise + blame)));
  for (let index = 0; index < features.length; index++) {
    (features[index] as Growing).keys.push(
      mixed(KIND.place, placeOf(index, features.length)),
      mixed(KIND.toneBefore, features[index - 1]?.tone ?? TONE.noClause),
      mixed(KIND.toneAfter, features[index + 1]?.tone ?? TONE.noClause),
      mixed(KIND.toneOfText, toneOfText),
    );
  }
}

/** 0 for the only clause, 1 for the first of several, 2 for the last, 3 for one between. */
function placeOf(index: number, clauses: number): number {
  if (clauses === 1) return 0;
  return index === 0 ? 1 : index === clauses - 1 ? 2 : 3;
}

/** A pattern's stance in context: negation reverses it, and praise that is only wished for counts as negative. */
function stanceOf(frame: Frame, { stance, ownNegation, from }: Finding): Finding["stance"] {
  if (stance !== "positive" && stance !== "negative") return stance;
  const isTurned = !ownNegation && isNegated(frame, from);
  if (stance === "negative") return isTurned ? "positive" : "negative";
  return isTurned || isWished(frame, from) ? "negative" : "positive";
}

/** A clause's features while they are collected, with how it sounds. */
type Growing = Omit<ClauseFeatures, "keys" | "around" | "cues"> & {
  readonly keys: number[];
  readonly around: number[];
  cues: ReadonlyMap<number, number[]>;
  readonly tone: number;
  readonly praise: number;
  readonly blame: number;
};

function addFinding(feature: Growing, finding: Finding, withPatterns: boolean): void {
  const stance = STANCE_CUE[finding.stance];
  const length = finding.to - finding.from;
  const cues = cuesOf(feature, finding.aspect);
  if (!cues.includes(stance)) cues.push(stance);
  if (length >= LONG && !cues.includes(LONG_CUE)) cues.push(LONG_CUE);
  if (finding.ofRival && !cues.includes(RIVAL_CUE)) cues.push(RIVAL_CUE);
  if (finding.ofRival) feature.keys.push(mixed(KIND.rival, 0));
  if (!withPatterns) return;
  const key = mixed(mixed(KIND.pattern, finding.aspect), stance);
  feature.keys.push(key, mixed(key, 100 + Math.min(4, length)));
}

function cuesOf(feature: Growing, aspect: number): number[] {
  const known = feature.cues.get(aspect);
  if (known !== undefined) return known;
  const cues: number[] = [];
  if (feature.cues === NO_CUES) feature.cues = new Map([[aspect, cues]]);
  else (feature.cues as Map<number, number[]>).set(aspect, cues);
  return cues;
}

interface Span {
  readonly from: number;
  to: number;
}

/**
 * Word spans of the clauses. A clause is also split at a pause, such as a comma, with praise on one side and blame on
 * the other.
 */
function spansOf({ clauses: { clause }, tokens: { breaks }, valences }: Frame): Span[] {
  const spans: Span[] = [];
  let before = 0;
  for (let at = 0; at < clause.length; at++) {
    const span = spans.at(-1);
    const turns = breaks[at] === BREAK.pause && before * valenceAhead(at) < 0;
    if (span === undefined || clause[at] !== clause[at - 1] || turns) {
      spans.push({ from: at, to: at + 1 });
      before = 0;
    } else span.to = at + 1;
    before += valences[at] ?? 0;
  }
  return spans;

  function valenceAhead(from: number): number {
    let sum = 0;
    for (let at = from; at < clause.length && clause[at] === clause[from]; at++) {
      if (at > from && breaks[at] !== BREAK.none) break;
      sum += valences[at] ?? 0;
    }
    return sum;
  }
}

/** Whether the clause ends with a question mark. */
function isAsked({ tokens: { text, ends } }: Frame, to: number): boolean {
  const end = ends[to - 1] ?? 0;
  return text.slice(end, end + 3).includes("?");
}
