/**
 * All reviews with their analyses as columns, and the marks that an analysis has there. Statistics scan columns; reading
 * 100,000 objects would cost more.
 */
import type { Analysis, Sentiment } from "../../insights-document.ts";
import { isWords, type Review } from "../../review.ts";
import type { Theme } from "../theme/themes.ts";

/** What the analyses say, in the order of their reviews. */
export interface AnalysisColumns {
  /** Not a number if the review's text is in a language that is not read. */
  readonly scores: Float64Array;
  /** Indexes into `SENTIMENTS`, or `UNREAD`. */
  readonly sentiments: Uint8Array;
  /** What each review mentions, as indexes into `markNames`: review by review, in the order of its analysis. */
  readonly marks: Uint32Array;
  /** Where the marks of each review start, and the end of the last one's. */
  readonly markStarts: Uint32Array;
  /** See `nameOfMark`. Sorted, and each occurs in `marks`, so that the same analyses have the same columns. */
  readonly markNames: readonly string[];
}

/** The columns of the reviews themselves. */
export interface ReviewColumns {
  readonly count: number;
  /** The dates as numbers YYYYMMDD, newest first. */
  readonly days: Uint32Array;
  /** Stars. */
  readonly ratings: Uint8Array;
  /** See `textSizeOf`. */
  readonly textSizes: Uint8Array;
}

/** Reads single reviews and analyses by position. */
interface Reader {
  readonly review: (position: number) => Review;
  readonly analysis: (position: number) => Analysis;
}

/** For each mark the positions of its reviews, ascending; a position repeats if the review has it twice. */
type PositionsByMark = ReadonlyMap<string, Uint32Array>;

/** All reviews, newest first. */
export interface AnalysedReviews extends ReviewColumns, AnalysisColumns, Reader {
  readonly positionsByMark: PositionsByMark;
  /** For each mark of an aspect, a bit for its sentiment; 0 for other marks. */
  readonly sentimentBits: Uint8Array;
  readonly themes: readonly Theme[];
}

/** The columns, with the indexes that all statistics need. Single reviews are parsed once. */
export function analysedReviews(
  columns: ReviewColumns & AnalysisColumns,
  themes: readonly Theme[],
  read: Reader,
): AnalysedReviews {
  const { count, days, ratings, textSizes, scores, sentiments, marks, markStarts, markNames } = columns;
  const [reviews, analyses] = [new Map<number, Review>(), new Map<number, Analysis>()];
  return {
    ...{ count, days, ratings, textSizes, scores, sentiments, marks, markStarts, markNames },
    positionsByMark: positionsByMark(columns),
    sentimentBits: Uint8Array.from(markNames, (name) => {
      const kind = name.slice(0, name.indexOf("\n")).replace(/^more /, "");
      const index = SENTIMENTS.indexOf(kind as Sentiment);
      return index < 0 ? 0 : 1 << index;
    }),
    themes,
    review: (position) => reviews.getOrInsertComputed(position, read.review),
    analysis: (position) => analyses.getOrInsertComputed(position, read.analysis),
  };
}

export const SENTIMENTS: readonly Sentiment[] = ["positive", "neutral", "negative"];
/** In place of the sentiment of a review whose text is in a language that is not read. */
export const UNREAD = SENTIMENTS.length;

/** The lists of ids in an analysis. */
const MENTIONED = ["technicians", "services", "problems", "service_areas"] as const;
export type Mentioned = (typeof MENTIONED)[number];

/**
 * What a mark says: an aspect's sentiment, at its first or a later mention in a review; a list that has the id; or that
 * the id is the language of the text.
 */
export type MarkKind = Sentiment | `more ${Sentiment}` | Mentioned | "language";

/** The name of a mark. */
export function nameOfMark(kind: MarkKind, id: string): string {
  return `${kind}\n${id}`;
}

/** The names of an analysis's marks, in its order. */
export function marksOf({ language, aspects, ...mentioned }: Analysis): string[] {
  return [
    ...(language === null ? [] : [nameOfMark("language", language)]),
    ...aspects.map(({ id, sentiment }, place) => {
      const isFirst = aspects.findIndex((aspect) => aspect.id === id) === place;
      return nameOfMark(isFirst ? sentiment : `more ${sentiment}`, id);
    }),
    ...MENTIONED.flatMap((kind) => mentioned[kind].map((id) => nameOfMark(kind, id))),
  ];
}

const [WORDS, SHORT, MEDIUM, LONG, VERY_LONG] = [8, 1, 2, 3, 4];

/** The size class of a text, plus `WORDS` if it has words: `hasWordsAt`, `scoreOfSize`. */
export function textSizeOf(text: string | null): number {
  const length = text?.length ?? 0;
  const size = length === 0 ? 0 : length < 40 ? SHORT : length <= 280 ? MEDIUM : length <= 600 ? LONG : VERY_LONG;
  return isWords(text) ? size + WORDS : size;
}

/** Whether the review at a position has words, and not stars alone. */
export function hasWordsAt({ textSizes }: ReviewColumns, position: number): boolean {
  return (textSizes[position] ?? 0) >= WORDS;
}

/** Whether the review at a position has words in a language that is read. */
export function hasReadWordsAt(analysed: ReviewColumns & AnalysisColumns, position: number): boolean {
  return hasWordsAt(analysed, position) && analysed.sentiments[position] !== UNREAD;
}

const SIZE_SCORES = [-2, -0.5, 1, 0.3, -0.6];

/** How well a text of this size serves as an example: one or two sentences are best. */
function scoreOfSize(size: number): number {
  return SIZE_SCORES[size % WORDS] ?? 0;
}

/** Counts the reviews without words. */
export function countSilent({ count, textSizes }: ReviewColumns): number {
  let silent = 0;
  for (let position = 0; position < count; position++) if ((textSizes[position] as number) < WORDS) silent++;
  return silent;
}

/** Counts the reviews whose words are in a language that is not read. */
export function countUnread({ sentiments }: AnalysisColumns): number {
  let unread = 0;
  for (let position = 0; position < sentiments.length; position++) if (sentiments[position] === UNREAD) unread++;
  return unread;
}

/** Counts the reviews whose words were read. */
export function countReadTexts(analysed: ReviewColumns & AnalysisColumns): number {
  return analysed.count - countSilent(analysed) - countUnread(analysed);
}

const NOWHERE = new Uint32Array(0);

/** The positions of the reviews with a mark, newest first. A position repeats if the review has it twice. */
export function positionsOf({ positionsByMark }: AnalysedReviews, kind: MarkKind, id: string): Uint32Array {
  return positionsByMark.get(nameOfMark(kind, id)) ?? NOWHERE;
}

/** Finds where each mark occurs, all in one pass. */
export function positionsByMark({ marks, markStarts, markNames }: AnalysisColumns): PositionsByMark {
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

/** For each of these marks, the positions of up to `max` of the newest reviews that have it, newest first. */
export function newestMarked(columns: AnalysisColumns, names: readonly string[], max: number): number[][] {
  const { marks, markStarts, markNames } = columns;
  const placeOf = new Map(names.map((name, place) => [markNames.indexOf(name), place]));
  const found = names.map((): number[] => []);
  for (let position = 0; position + 1 < markStarts.length && found.some(({ length }) => length < max); position++) {
    for (let at = markStarts[position] as number; at < (markStarts[position + 1] as number); at++) {
      const positions = found[placeOf.get(marks[at] as number) ?? -1];
      if (positions !== undefined && positions.length < max && positions.at(-1) !== position) positions.push(position);
    }
  }
  return found;
}

/** For each id in a kind of list, the positions of the reviews that have it. */
export function mentionsIn(byMark: PositionsByMark, kind: Mentioned | "language"): Map<string, Uint32Array> {
  const prefix = nameOfMark(kind, "");
  const entries = [...byMark].filter(([name]) => name.startsWith(prefix));
  return new Map(entries.map(([name, positions]) => [name.slice(prefix.length), positions.slice()]));
}

/** How well a review serves as an example. One or two sentences about few aspects, with one sentiment, are best. */
export function exampleScore(analysed: AnalysedReviews, position: number): number {
  const { marks, markStarts, sentimentBits, textSizes } = analysed;
  let [aspects, sentiments] = [0, 0];
  for (let at = markStarts[position] as number; at < (markStarts[position + 1] as number); at++) {
    const bit = sentimentBits[marks[at] as number] as number;
    if (bit !== 0) aspects++;
    sentiments |= bit;
  }
  const isMixed = (sentiments & (sentiments - 1)) !== 0;
  return scoreOfSize(textSizes[position] as number) + 1 / Math.max(1, aspects) - (isMixed ? 0.5 : 0);
}
