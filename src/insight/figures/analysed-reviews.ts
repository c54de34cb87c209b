/**
 * All reviews with their analyses, as figures ask for them: in columns, one value for each review. With a hundred
 * thousand reviews, finding each of them in memory again for every figure takes longer than all the figures.
 */
import type { Analysis, Sentiment } from "../../insights-document.ts";
import { isWords, type Review } from "../../review.ts";

/** What the analyses say, in the order of their reviews. */
export interface AnalysisColumns {
  readonly scores: Float64Array;
  /** Places in `SENTIMENTS`. */
  readonly sentiments: Uint8Array;
  /** What each review mentions, as places in `markNames`: those of one review after the other, in its analysis's order. */
  readonly marks: Uint32Array;
  /** Where the marks of each review start, and the end of the last one's. */
  readonly markStarts: Uint32Array;
  /** See `nameOfMark`. Each occurs in `marks`, and they are in order, so that the same analyses have the same columns. */
  readonly markNames: readonly string[];
}

/** What figures need of the reviews themselves. */
export interface ReviewColumns {
  readonly count: number;
  /** The dates as numbers YYYYMMDD, newest first. */
  readonly days: Uint32Array;
  /** Stars. */
  readonly ratings: Uint8Array;
  /** See `textSizeOf`. */
  readonly textSizes: Uint8Array;
}

/** A review with its analysis. */
export interface Analysed {
  /** Its place among all reviews, newest first. */
  readonly position: number;
  readonly review: Review;
  /** Read when it is first asked for. */
  readonly analysis: Analysis;
}

/** All reviews, newest first. */
export interface AnalysedReviews extends ReviewColumns, AnalysisColumns {
  readonly at: (position: number) => Analysed;
}

export const SENTIMENTS: readonly Sentiment[] = ["positive", "neutral", "negative"];

/** The lists of ids in an analysis. */
export const MENTIONED = ["technicians", "services", "problems", "service_areas", "topics"] as const;
export type Mentioned = (typeof MENTIONED)[number];

/** What a mark says: an aspect's sentiment, at its first or a later mention in a review; or a list that has the id. */
export type MarkKind = Sentiment | `more ${Sentiment}` | Mentioned;

/** The name of a mark. */
export function nameOfMark(kind: MarkKind, id: string): string {
  return `${kind}\n${id}`;
}

const [WORDS, SHORT, MIDDLING, LONG, LONGEST] = [8, 1, 2, 3, 4];

/** How long a text is, roughly, and whether it says anything: `saysSomethingAt`, `worthOfSize`. */
export function textSizeOf(text: string | null): number {
  const length = text?.length ?? 0;
  const size = length === 0 ? 0 : length < 40 ? SHORT : length <= 280 ? MIDDLING : length <= 600 ? LONG : LONGEST;
  return isWords(text) ? size + WORDS : size;
}

/** Whether the review at a position has a text, and more than stars alone. */
export function saysSomethingAt({ textSizes }: ReviewColumns, position: number): boolean {
  return (textSizes[position] ?? 0) >= WORDS;
}

const WORTH = [-2, -0.5, 1, 0.3, -0.6];

/** What a text's size is worth in an example: one or two sentences are best. */
function worthOfSize(size: number): number {
  return WORTH[size % WORDS] ?? 0;
}

/** Counts the reviews without words. */
export function countSilent({ count, textSizes }: ReviewColumns): number {
  let silent = 0;
  for (let position = 0; position < count; position++) if ((textSizes[position] as number) < WORDS) silent++;
  return silent;
}

/** Where each mark occurs: positions of reviews, ascending, and one place more for each further mark of that name. */
type Places = ReadonlyMap<string, Uint32Array>;

const known = new WeakMap<Uint32Array, Places>();
const NOWHERE = new Uint32Array(0);

/** The positions of the reviews with a mark, newest first. A review that has it twice is there twice. */
export function positionsOf(columns: AnalysisColumns, kind: MarkKind, id: string): Uint32Array {
  return placesOf(columns).get(nameOfMark(kind, id)) ?? NOWHERE;
}

function placesOf(columns: AnalysisColumns): Places {
  return known.getOrInsertComputed(columns.marks, () => findPlaces(columns));
}

/** Finds where each mark occurs, all in one pass. */
function findPlaces({ marks, markStarts, markNames }: AnalysisColumns): Places {
  const ends = new Uint32Array(markNames.length + 1);
  for (let at = 0; at < marks.length; at++) (ends[(marks[at] as number) + 1] as number)++;
  for (let mark = 1; mark < ends.length; mark++) ends[mark] = (ends[mark] as number) + (ends[mark - 1] as number);
  const starts = ends.slice();
  const positions = new Uint32Array(marks.length);
  for (let position = 0, at = 0; position + 1 < markStarts.length; position++) {
    for (const end = markStarts[position + 1] as number; at < end; at++) {
      const mark = marks[at] as number;
      const place = ends[mark] as number;
      positions[place] = position;
      ends[mark] = place + 1;
    }
  }
  return new Map(markNames.map((name, mark) => [name, positions.subarray(starts[mark], starts[mark + 1])]));
}

/** For each kind of list the ids in it that reviews have, with the positions of these reviews. */
export function mentionsIn(columns: AnalysisColumns, kind: Mentioned): Map<string, Uint32Array> {
  const prefix = nameOfMark(kind, "");
  const places = [...placesOf(columns)].filter(([name]) => name.startsWith(prefix));
  return new Map(places.map(([name, positions]) => [name.slice(prefix.length), positions.slice()]));
}

/** Of each mark, 1 and the place of its sentiment if it is an aspect's, and 0 otherwise. */
const moods = new WeakMap<readonly string[], Uint8Array>();

function moodsOf(markNames: readonly string[]): Uint8Array {
  return moods.getOrInsertComputed(markNames, () =>
    Uint8Array.from(markNames, (name) => {
      const kind = name.slice(0, name.indexOf("\n")).replace(/^more /, "");
      return 1 + SENTIMENTS.indexOf(kind as Sentiment);
    }),
  );
}

/** Rates a review as an example. One or two sentences about few aspects, with one sentiment, rate highest. */
export function worthAsExample(analysed: AnalysedReviews, position: number): number {
  const { marks, markStarts, markNames, textSizes } = analysed;
  const moodOf = moodsOf(markNames);
  let [aspects, found] = [0, 0];
  for (let at = markStarts[position] as number; at < (markStarts[position + 1] as number); at++) {
    const mood = moodOf[marks[at] as number] as number;
    if (mood === 0) continue;
    aspects++;
    found |= 1 << mood;
  }
  const isMixed = (found & (found - 1)) !== 0;
  return worthOfSize(textSizes[position] as number) + 1 / Math.max(1, aspects) - (isMixed ? 0.5 : 0);
}
