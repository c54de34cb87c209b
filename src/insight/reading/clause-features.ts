/**
 * Extracts the trained model's features from a clause: its words and the neighbouring clauses' words, negated words,
 * pattern matches, word valences, the stars, and the combined word vectors.
 */

import type { ClauseFeatures } from "../classifier/trained-model.ts";
import { type KnownWord, mixed, type WordVectors } from "../classifier/word-vectors.ts";
import { type Frame, isNegated } from "../sentiment/polarity.ts";
import { isWished } from "../sentiment/tone.ts";
import { BREAK } from "../text/tokens.ts";
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
  const entries = tokens.lexemes.map(wordOf);
  const spans = spansOf(frame);
  const features = spans.map(({ from, to }) => {
    const keys: number[] = [mixed(KIND.always, 0)];
    const vectors: number[] = [];
    const groups = new Set<number>();
    let [praise, blame] = [0, 0];
    for (let at = from; at < to; at++) {
      const { hash, row, group } = entries[at] as KnownWord;
      keys.push(mixed(hash, KIND.word));
      groups.add(group);
      const next = at + 1 < to ? (entries[at + 1] as KnownWord).hash : undefined;
      if (next !== undefined) keys.push(mixed(mixed(hash, KIND.pair), next));
      if (frame.negators.length > 0 && isNegated(frame, at)) keys.push(mixed(hash, KIND.negated));
      const value = frame.valences[at] ?? 0;
      if (value > 0) praise += value;
      else blame -= value;
      if (row >= 0) vectors.push(row);
    }
    for (const group of groups) keys.push(mixed(group, KIND.group));
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
    const around: number[] = [];
    return { from, to, keys, stars, around, vectors, cues: new Map<number, number[]>(), tone, praise, blame };
  });
  addPlaces(features);
  for (const [index, { around }] of features.entries()) {
    const [before, after] = [spans[index - 1], spans[index + 1]];
    for (let at = before?.from ?? 0; at < (before?.to ?? 0); at++)
      around.push(mixed((entries[at] as KnownWord).hash, KIND.before));
    for (let at = after?.from ?? 0; at < (after?.to ?? 0); at++)
      around.push(mixed((entries[at] as KnownWord).hash, KIND.after));
  }
  const clauseOf = new Int32Array(tokens.forms.length);
  for (const [index, { from, to }] of spans.entries()) clauseOf.fill(index, from, to);
  for (const finding of found) {
    const stance = stanceOf(frame, finding);
    addFinding(features, { ...finding, stance }, { clause: clauseOf[finding.from] ?? 0, withPatterns });
  }
  return features;
}

/** Adds to each clause where it stands, how its neighbours sound, and how the whole text does. */
function addPlaces(
  features: readonly {
    readonly keys: number[];
    readonly tone: number;
    readonly praise: number;
    readonly blame: number;
  }[],
): void {
  let [praise, blame] = [0, 0];
  for (const feature of features) {
    praise += feature.praise;
    blame += feature.blame;
  }
  const toneOfText = praise + blame === 0 ? 0 : 1 + Math.min(4, Math.floor((5 * praise) / (praise + blame)));
  for (const [index, { keys }] of features.entries()) {
    keys.push(
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

type Growing = Omit<ClauseFeatures, "keys" | "cues"> & {
  readonly keys: number[];
  readonly cues: Map<number, number[]>;
};

function addFinding(
  features: readonly Growing[],
  finding: Finding,
  { clause, withPatterns }: { readonly clause: number; readonly withPatterns: boolean },
): void {
  const feature = features[clause];
  if (feature === undefined) return;
  const stance = STANCE_CUE[finding.stance];
  const length = finding.to - finding.from;
  const cues = feature.cues.get(finding.aspect) ?? [];
  for (const cue of [stance, ...(length >= LONG ? [LONG_CUE] : []), ...(finding.ofRival ? [RIVAL_CUE] : [])]) {
    if (!cues.includes(cue)) cues.push(cue);
  }
  feature.cues.set(finding.aspect, cues);
  if (finding.ofRival) feature.keys.push(mixed(KIND.rival, 0));
  if (!withPatterns) return;
  const key = mixed(mixed(KIND.pattern, finding.aspect), stance);
  feature.keys.push(key, mixed(key, 100 + Math.min(4, length)));
}

/**
 * Word spans of the clauses. A clause is also split at a pause, such as a comma, with praise on one side and blame on
 * the other.
 */
function spansOf({ clauses: { clause }, tokens: { breaks }, valences }: Frame): { from: number; to: number }[] {
  const spans: { from: number; to: number }[] = [];
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
