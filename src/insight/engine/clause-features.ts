/**
 * Extracts the trained model's features from a clause: its words and the neighbouring clauses' words, negated words,
 * pattern matches, word valences, the stars, and the combined word vectors.
 */

import { type Frame, isNegated } from "../sentiment/polarity.ts";
import { isWished } from "../sentiment/tone.ts";
import { codeAt } from "../text/tokens.ts";
import { clauseSpans } from "./clause-spans.ts";
import { type FeatureSpace, KIND, mixed, WORD, WORD_WIDTH } from "./feature-space.ts";
import { emptied, type NumberList } from "./number-list.ts";
import { type ClauseSpan, emptyScratch, NO_CUES, type Scratch, TONE } from "./scratch.ts";
import { aspectCue, type ClauseFeatures } from "./trained-model.ts";

const [POSITIVE_CUE, NEGATIVE_CUE, OPEN_CUE, NEUTRAL_CUE] = [0, 1, 2, 3];
const [LONG_CUE, RIVAL_CUE] = [4, 5];
const MIN_LONG_PATTERN_WORDS = 3;
/** In place of a number of stars: the feature of every review with stars. */
const ANY_STARS = 9;
/** Longer clauses share one feature for their length. */
const MAX_COUNTED_WORDS = 5;
/** A word has up to four features: itself, with the next one, negated, its group. */
const [MAX_KEYS_PER_WORD, MAX_KEYS_PER_FINDING, MAX_KEYS_PER_CLAUSE] = [4, 3, 12];
const MAX_STAR_KEYS = 4;

/** The judgement that a pattern expresses: praise, blame, neither, or whatever the surrounding words express. */
export type Stance = "positive" | "negative" | "neutral" | "open";

/** A match of an aspect's pattern at the words `from` to `to` (exclusive). */
export interface Finding {
  readonly aspect: number;
  readonly stance: Stance;
  /** Whether the pattern begins with a negation: one before it then does not reverse its stance. */
  readonly ownNegation: boolean;
  readonly from: number;
  readonly to: number;
  /** Whether the words are about another company. */
  readonly ofRival: boolean;
}

/** A review to classify: its words, its pattern matches in the order of their places, and its stars if known. */
export interface ReadText {
  readonly frame: Frame;
  readonly found: readonly Finding[];
  readonly rating?: number | undefined;
}

/** A text whose features are collected: with the rows of its words, and all its clauses. */
interface Source extends ReadText {
  readonly rows: Int32Array;
  readonly space: FeatureSpace;
  readonly clauses: readonly ClauseSpan[];
  readonly withPatterns: boolean;
}

/**
 * The features of every clause of a text, in order. The result is scratch memory: the next call overwrites it.
 * `withPatterns` is false for a taxonomy that the model was not trained for.
 */
export function clauseFeatures(
  read: ReadText,
  space: FeatureSpace,
  {
    withPatterns = true,
    scratch = emptyScratch(),
  }: { readonly withPatterns?: boolean; readonly scratch?: Scratch } = {},
): readonly ClauseFeatures[] {
  const { frame, found, rating } = read;
  const clauses = clauseSpans(frame, scratch);
  const source: Source = { frame, found, rating, rows: space.wordsOf(frame.tokens), space, clauses, withPatterns };
  const textTone = textToneOf(clauses);
  let first = 0;
  for (let index = 0; index < clauses.length; index++) {
    const clause = clauses[index] as ClauseSpan;
    let last = first;
    while (last < found.length && (found[last] as Finding).from < clause.to) last++;
    const maxKeys =
      MAX_KEYS_PER_WORD * (clause.to - clause.from) + MAX_KEYS_PER_FINDING * (last - first) + MAX_KEYS_PER_CLAUSE;
    emptied(clause.keys, maxKeys);
    addWords(clause, source);
    addKinds(clause, source);
    addPlace(index, textTone, source);
    for (; first < last; first++) addFinding(clause, found[first] as Finding, source);
    addStars(clause, source);
    addAround(index, source);
  }
  return clauses;
}

function push(list: NumberList, number: number): void {
  list.numbers[list.end++] = number;
}

/** Adds the words, each with the next one and as negated, their groups of similar words, and their vectors. */
function addWords({ from, to, keys, vectors }: ClauseSpan, { frame, rows, space }: Source): void {
  const { words } = frame.tokens;
  const { featureOf, featureOfKind } = space;
  const hasNegators = frame.negators.length > 0;
  const { numbers } = keys;
  const rowsOfVectors = emptied(vectors, to - from);
  let [end, endOfVectors] = [0, 0];
  numbers[end++] = featureOfKind(KIND.always, 0);
  let row = (words[from] as number) * WORD_WIDTH;
  for (let at = from; at < to; at++) {
    numbers[end++] = rows[row + WORD.own] as number;
    const next = at + 1 < to ? (words[at + 1] as number) * WORD_WIDTH : row;
    if (at + 1 < to) {
      const pair = mixed(mixed(rows[row + WORD.hash] as number, KIND.pair), rows[next + WORD.hash] as number);
      numbers[end++] = featureOf(pair);
    }
    if (hasNegators && isNegated(frame, at)) numbers[end++] = rows[row + WORD.negated] as number;
    const vector = rows[row + WORD.vector] as number;
    if (vector >= 0) rowsOfVectors[endOfVectors++] = vector;
    row = next;
  }
  vectors.end = endOfVectors;
  keys.end = end;
  addGroups(keys, words.slice(from, to), rows);
}

/** Up to this many groups are compared one by one, which is faster than a Set. */
const MAX_COMPARED_WORDS = 32;

/** Adds the words' groups, each once. */
function addGroups(keys: NumberList, words: readonly number[], rows: Int32Array): void {
  const { numbers, end: first } = keys;
  const seen = words.length > MAX_COMPARED_WORDS ? new Set<number>() : undefined;
  let end = first;
  for (let at = 0; at < words.length; at++) {
    const group = rows[(words[at] as number) * WORD_WIDTH + WORD.group] as number;
    if (seen === undefined) {
      let same = first;
      while (same < end && numbers[same] !== group) same++;
      if (same < end) continue;
    } else if (seen.has(group)) continue;
    else seen.add(group);
    numbers[end++] = group;
  }
  keys.end = end;
}

/** Adds the clause's tone, its length, whether it is a question, and its first word. */
function addKinds({ from, to, keys, praise, blame }: ClauseSpan, { frame, rows, space }: Source): void {
  const { featureOfKind } = space;
  push(keys, featureOfKind(KIND.praise, Math.min(4, Math.ceil(praise / 1.5))));
  push(keys, featureOfKind(KIND.blame, Math.min(4, Math.ceil(blame / 1.5))));
  push(keys, featureOfKind(KIND.length, Math.min(MAX_COUNTED_WORDS, to - from)));
  if (isAsked(frame, to)) push(keys, featureOfKind(KIND.question, 0));
  push(keys, rows[(frame.tokens.words[from] as number) * WORD_WIDTH + WORD.opening] as number);
}

/** The tone of a text: 0 without words of praise or blame, otherwise 1 (blame) to 5 (praise). */
function textToneOf(clauses: readonly ClauseSpan[]): number {
  let [praise, blame] = [0, 0];
  for (const clause of clauses) {
    praise += clause.praise;
    blame += clause.blame;
  }
  return praise + blame === 0 ? 0 : 1 + Math.min(4, Math.floor((5 * praise) / (praise + blame)));
}

/** Adds the clause's place, and the tone of its neighbours and of the text. */
function addPlace(index: number, textTone: number, { clauses, space: { featureOfKind } }: Source): void {
  const { keys } = clauses[index] as ClauseSpan;
  push(keys, featureOfKind(KIND.place, placeOf(index, clauses.length)));
  push(keys, featureOfKind(KIND.toneBefore, clauses[index - 1]?.tone ?? TONE.noClause));
  push(keys, featureOfKind(KIND.toneAfter, clauses[index + 1]?.tone ?? TONE.noClause));
  push(keys, featureOfKind(KIND.toneOfText, textTone));
}

/** 0 for the only clause, 1 for the first of several, 2 for the last, 3 for one between. */
function placeOf(index: number, clauses: number): number {
  if (clauses === 1) return 0;
  return index === 0 ? 1 : index === clauses - 1 ? 2 : 3;
}

/** A pattern's stance in context: negation reverses it, and praise that is only wished for counts as negative. */
function stanceOf(frame: Frame, { stance, ownNegation, from, to }: Finding): Finding["stance"] {
  if (stance !== "positive" && stance !== "negative") return stance;
  const isReversed = !ownNegation && isNegated(frame, from, to);
  if (stance === "negative") return isReversed ? "positive" : "negative";
  return isReversed || isWished(frame, from) ? "negative" : "positive";
}

function addFinding(clause: ClauseSpan, finding: Finding, { frame, space, withPatterns }: Source): void {
  const { aspect, ofRival } = finding;
  const stance = cueOfStance(stanceOf(frame, finding));
  const length = finding.to - finding.from;
  if (clause.cues === NO_CUES) clause.cues = [];
  addCue(clause.cues, aspectCue(aspect, stance));
  if (length >= MIN_LONG_PATTERN_WORDS) addCue(clause.cues, aspectCue(aspect, LONG_CUE));
  if (ofRival) {
    addCue(clause.cues, aspectCue(aspect, RIVAL_CUE));
    push(clause.keys, space.featureOfKind(KIND.rival, 0));
  }
  if (!withPatterns) return;
  const key = mixed(mixed(KIND.pattern, aspect), stance);
  push(clause.keys, space.featureOf(key));
  push(clause.keys, space.featureOf(mixed(key, 100 + Math.min(4, length))));
}

function cueOfStance(stance: Finding["stance"]): number {
  if (stance === "positive") return POSITIVE_CUE;
  if (stance === "negative") return NEGATIVE_CUE;
  return stance === "open" ? OPEN_CUE : NEUTRAL_CUE;
}

function addCue(cues: number[], cue: number): void {
  if (!cues.includes(cue)) cues.push(cue);
}

/** Adds the stars alone, with the clause's tone, and with its first word. */
function addStars({ from, stars, tone }: ClauseSpan, { frame, rating, rows, space }: Source): void {
  emptied(stars, MAX_STAR_KEYS);
  if (rating === undefined) return;
  const { featureOf, featureOfKind } = space;
  const opening = rows[(frame.tokens.words[from] as number) * WORD_WIDTH + WORD.hash] as number;
  push(stars, featureOfKind(KIND.stars, rating));
  push(stars, featureOfKind(KIND.stars, ANY_STARS));
  push(stars, featureOfKind(KIND.toneWithStars, tone * 10 + rating));
  push(stars, featureOf(mixed(mixed(KIND.openingWithStars, rating), opening)));
}

/** Adds the words of the clauses before and after. */
function addAround(index: number, { frame, rows, clauses }: Source): void {
  const { words } = frame.tokens;
  const { around } = clauses[index] as ClauseSpan;
  const [before, after] = [clauses[index - 1], clauses[index + 1]];
  const numbers = emptied(around, lengthOf(before) + lengthOf(after));
  let end = 0;
  if (before !== undefined)
    for (let at = before.from; at < before.to; at++)
      numbers[end++] = rows[(words[at] as number) * WORD_WIDTH + WORD.before] as number;
  if (after !== undefined)
    for (let at = after.from; at < after.to; at++)
      numbers[end++] = rows[(words[at] as number) * WORD_WIDTH + WORD.after] as number;
  around.end = end;
}

function lengthOf(clause: ClauseSpan | undefined): number {
  return clause === undefined ? 0 : clause.to - clause.from;
}

const QUESTION_MARK = 63;

/** Whether the clause ends with a question mark. */
function isAsked({ tokens: { text, ends } }: Frame, to: number): boolean {
  const end = ends[to - 1] as number;
  for (let at = end; at < end + 3; at++) if (codeAt(text, at) === QUESTION_MARK) return true;
  return false;
}
