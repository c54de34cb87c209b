/**
 * Extracts the trained model's features from a clause: its words and the neighbouring clauses' words, negated words,
 * pattern matches, word valences, the stars, and the combined word vectors.
 */

import { type FeatureSpace, KIND, mixed, WORD, WORD_WIDTH } from "../classifier/feature-space.ts";
import type { ClauseFeatures } from "../classifier/trained-model.ts";
import { type Frame, isNegated } from "../sentiment/polarity.ts";
import { isWished } from "../sentiment/tone.ts";
import { BREAK } from "../text/tokens.ts";
import type { Finding } from "./findings.ts";

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
  space: FeatureSpace,
  withPatterns = true,
): ClauseFeatures[] {
  const { words } = frame.tokens;
  const { featureOf } = space;
  const rows = space.wordsOf(frame.tokens);
  const spans = spansOf(frame);
  const features: Growing[] = [];
  let [negator, denied] = [0, frame.negators[0]];
  for (const { from, to } of spans) {
    const keys: number[] = [featureOf(ALWAYS)];
    const vectors: number[] = [];
    const groups: number[] = [];
    let [praise, blame, denies] = [0, 0, false];
    for (let at = from; at < to; at++) {
      const row = (words[at] as number) * WORD_WIDTH;
      keys.push(rows[row + WORD.own] as number);
      groups.push(rows[row + WORD.group] as number);
      if (at + 1 < to) {
        const next = rows[(words[at + 1] as number) * WORD_WIDTH + WORD.hash] as number;
        keys.push(featureOf(mixed(mixed(rows[row + WORD.hash] as number, KIND.pair), next)));
      }
      if (frame.negators.length > 0 && isNegated(frame, at)) keys.push(rows[row + WORD.negated] as number);
      if (at === denied) {
        denies = true;
        denied = frame.negators[++negator];
      }
      const value = frame.valences[at] ?? 0;
      if (value > 0) praise += value;
      else blame -= value;
      const vector = rows[row + WORD.vector] as number;
      if (vector >= 0) vectors.push(vector);
    }
    addDistinct(groups, keys);
    keys.push(
      featureOf(mixed(KIND.praise, Math.min(4, Math.ceil(praise / 1.5)))),
      featureOf(mixed(KIND.blame, Math.min(4, Math.ceil(blame / 1.5)))),
      featureOf(mixed(KIND.length, Math.min(LONG_CLAUSE, to - from))),
    );
    if (isAsked(frame, to)) keys.push(featureOf(mixed(KIND.question, 0)));
    const opening = (words[from] as number) * WORD_WIDTH;
    keys.push(rows[opening + WORD.opening] as number);
    const tone = praise > blame ? TONE.praise : blame > praise ? TONE.blame : TONE.none;
    const stars =
      rating === undefined
        ? []
        : [
            featureOf(mixed(KIND.stars, rating)),
            featureOf(mixed(KIND.stars, ANY_STARS)),
            featureOf(mixed(KIND.toneWithStars, tone * 10 + rating)),
            featureOf(mixed(mixed(KIND.openingWithStars, rating), rows[opening + WORD.hash] as number)),
          ];
    features.push({ from, to, keys, stars, around: [], vectors, cues: NO_CUES, denies, tone, praise, blame });
  }
  addPlaces(features, space);
  for (let index = 0; index < features.length; index++) {
    const { around } = features[index] as Growing;
    const [before, after] = [spans[index - 1], spans[index + 1]];
    for (let at = before?.from ?? 0; at < (before?.to ?? 0); at++)
      around.push(rows[(words[at] as number) * WORD_WIDTH + WORD.before] as number);
    for (let at = after?.from ?? 0; at < (after?.to ?? 0); at++)
      around.push(rows[(words[at] as number) * WORD_WIDTH + WORD.after] as number);
  }
  let clause = 0;
  for (const finding of found) {
    while (clause + 1 < spans.length && finding.from >= (spans[clause] as Span).to) clause++;
    while (finding.from < (spans[clause]?.from ?? 0)) clause--;
    const feature = features[clause];
    if (feature === undefined) continue;
    addFinding(feature, { ...finding, stance: stanceOf(frame, finding) }, { space, withPatterns });
  }
  return features;
}

const ALWAYS = mixed(KIND.always, 0);
/** The cues of all clauses without any. */
const NO_CUES: ReadonlyMap<number, number[]> = new Map();
/** So few numbers are compared faster than they are put into a set. */
const FEW = 16;

/** Adds each number once, in the order in which they first occur. */
function addDistinct(numbers: readonly number[], list: number[]): void {
  if (numbers.length > FEW) {
    for (const number of new Set(numbers)) list.push(number);
    return;
  }
  for (let at = 0; at < numbers.length; at++) {
    const number = numbers[at] as number;
    if (numbers.indexOf(number) === at) list.push(number);
  }
}

/** Adds to each clause where it stands, how its neighbours sound, and how the whole text does. */
function addPlaces(features: readonly Growing[], { featureOf }: FeatureSpace): void {
  let [praise, blame] = [0, 0];
  for (const feature of features) {
    praise += feature.praise;
    blame += feature.blame;
  }
  const toneOfText = praise + blame === 0 ? 0 : 1 + Math.min(4, Math.floor((5 * praise) / (praise + blame)));
  for (let index = 0; index < features.length; index++) {
    (features[index] as Growing).keys.push(
      featureOf(mixed(KIND.place, placeOf(index, features.length))),
      featureOf(mixed(KIND.toneBefore, features[index - 1]?.tone ?? TONE.noClause)),
      featureOf(mixed(KIND.toneAfter, features[index + 1]?.tone ?? TONE.noClause)),
      featureOf(mixed(KIND.toneOfText, toneOfText)),
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

function addFinding(
  feature: Growing,
  finding: Finding,
  { space: { featureOf }, withPatterns }: { readonly space: FeatureSpace; readonly withPatterns: boolean },
): void {
  const stance = STANCE_CUE[finding.stance];
  const length = finding.to - finding.from;
  const cues = cuesOf(feature, finding.aspect);
  if (!cues.includes(stance)) cues.push(stance);
  if (length >= LONG && !cues.includes(LONG_CUE)) cues.push(LONG_CUE);
  if (finding.ofRival && !cues.includes(RIVAL_CUE)) cues.push(RIVAL_CUE);
  if (finding.ofRival) feature.keys.push(featureOf(mixed(KIND.rival, 0)));
  if (!withPatterns) return;
  const key = mixed(mixed(KIND.pattern, finding.aspect), stance);
  feature.keys.push(featureOf(key), featureOf(mixed(key, 100 + Math.min(4, length))));
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
