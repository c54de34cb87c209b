/**
 * Writes the review index of an edition. Unchanged reviews are copied from the last index as bytes and numbers, in spans;
 * only the others are analysed and written.
 */
import { mentionsIn, positionsByMark, textSizeOf } from "../insight/statistics/analysed-reviews.ts";
import { openThemeColumns, type WrittenThemeColumns } from "../insight/theme/theme-columns.ts";
import type { FoundThemes, Theme } from "../insight/theme/themes.ts";
import type { Analysis } from "../insights-document.ts";
import { sharedBytes, sharedNumbers } from "../lib/shared-memory.ts";
import type { Span } from "../lib/span.ts";
import type { Review } from "../review.ts";
import type { Snapshot } from "../store/store.ts";
import { openAnalysisColumns } from "./analysis-columns.ts";
import { SEPARATOR } from "./byte-search.ts";
import { foldCase } from "./case-folding.ts";
import { type ItemEdit, type ItemWriter, openItemWriter } from "./item-writer.ts";
import { countAfter, countSince, dayNumber, ID_LENGTH, idAt, positionOf, type ReviewIndex } from "./review-index.ts";

/** A review to write, or a span of the last index to copy. */
export type Part = Review | Span;

/** Divides an edition into reviews to write and spans to copy, in the order of publication. @throws Error if `last` is missing. */
export function partsOf({ reviews, changes, sequence }: Snapshot, last: ReviewIndex | undefined): readonly Part[] {
  if (changes === undefined) return reviews;
  if (last === undefined) throw new Error("Changes without the edition before cannot be rendered");
  const parts: (Review | { from: number; to: number })[] = [];
  const copy = (from: number, to: number): void => {
    const before = parts.at(-1);
    if (before !== undefined && "to" in before && before.to === from) before.to = to;
    else if (from < to) parts.push({ from, to });
  };
  const byDay = Map.groupBy(reviews, ({ date }) => date);
  let copied = 0;
  for (const day of [...changes.days].sort().reverse()) {
    copy(copied, countAfter(last, day));
    for (const review of byDay.get(day) ?? []) {
      // One that has another number and was not written was meanwhile a copy of another, and no longer published.
      const isKept = !changes.written.has(review.id) && !sequence.numbers.has(review.id);
      const position = isKept ? positionOf(last, review.id) : undefined;
      if (position === undefined) parts.push(review);
      else copy(position, position + 1);
    }
    copied = countSince(last, day);
  }
  copy(copied, last.count);
  return parts;
}

/** A review index without its two datasets, whose heads are computed from it. */
export interface WrittenReviews {
  readonly columns: Omit<ReviewIndex, "records" | "starts" | "analyses" | "analysisStarts" | "themes">;
  /** The words for themes, which stay in the thread that renders. */
  readonly themeColumns: WrittenThemeColumns;
  /** The reviews as JSON. */
  readonly records: ItemWriter;
  /** The analyses as JSON, each after the id of its review, with the themes that they had in the last edition. */
  readonly analyses: ItemWriter;
}

/** The analysis of a review, without themes, and the words of the review that may name them. */
export interface ReviewAnalysis {
  readonly analysis: Analysis;
  readonly themeWords: string;
}

/** What of the last edition the next one is copied from. */
export interface LastReviews {
  readonly index: ReviewIndex;
  readonly foundThemes: FoundThemes;
}

const COMMA = 0x2c;

interface WritingReviews {
  readonly last?: LastReviews | undefined;
  readonly sequence: Snapshot["sequence"];
  /** Called once for each review that is not copied. */
  readonly analyse: (review: Review) => ReviewAnalysis;
}

/** Writes the parts one after the other. */
export function writeReviews(
  parts: readonly Part[],
  { last: before, sequence, analyse }: WritingReviews,
): WrittenReviews {
  const last = before?.index;
  const count = parts.reduce((sum, part) => sum + ("to" in part ? part.to - part.from : 1), 0);
  const [records, analyses] = [openItemWriter(count, COMMA), openItemWriter(count, COMMA)];
  const words = openItemWriter(count, SEPARATOR);
  const analysisColumns = openAnalysisColumns(count, last);
  const isCopied = parts.some((part) => "to" in part); // if nothing is copied, the last edition's words are dropped
  const themeColumns = openThemeColumns(count, isCopied ? before?.foundThemes.columns : undefined);
  const [ids, days, ratings] = [sharedBytes(count * ID_LENGTH), sharedNumbers(count), sharedBytes(count)];
  const [sources, changeNumbers] = [sharedNumbers(count), sharedNumbers(count)];
  const sourceNames = [...(last?.sourceNames ?? [])];
  const [replied, linked, textSizes] = [sharedBytes(count), sharedBytes(count), sharedBytes(count)];
  let [position, lastPosition] = [0, 0];
  for (const part of parts) {
    if (!("to" in part)) add(part);
    else if (before !== undefined) copy(before, part);
  }
  const places = new Map<number, number>(); // in the order in which they occur, however the index came about
  sources.forEach((source, at) => {
    sources[at] = places.getOrInsert(source, places.size);
  });
  const { items, starts: wordStarts } = words.document("", Uint8Array.of(SEPARATOR));
  const columns = {
    ...{ count, ids, days, ratings, sources, changeNumbers, replied, linked, textSizes },
    ...{ sourceNames: [...places.keys()].map((source) => sourceNames[source] ?? ""), words: items, wordStarts },
    ...analysisColumns.finish(),
    linkedCount: linked.reduce((sum, one) => sum + one, 0),
    prefixTags: new Map<number, string>(),
  };
  const marked = positionsByMark(columns);
  const named = { technicians: mentionsIn(marked, "technicians"), services: mentionsIn(marked, "services") };
  return { columns: { ...columns, ...named }, themeColumns: themeColumns.finish(), records, analyses };

  function add(review: Review): void {
    const { id, date, rating, text, source, owner_reply, source_url } = review;
    const { analysis, themeWords } = analyse(review);
    records.add(JSON.stringify(review));
    analyses.add(`"${id}":${JSON.stringify(analysis)}`);
    words.add(foldCase(text ?? ""));
    analysisColumns.add(analysis);
    themeColumns.add(themeWords, analysis.language);
    for (let at = 0; at < ID_LENGTH; at++) ids[position * ID_LENGTH + at] = id.charCodeAt(at);
    days[position] = dayNumber(date);
    changeNumbers[position] = numberOf(id);
    ratings[position] = rating;
    const sourceAt = sourceNames.indexOf(source);
    sources[position] = sourceAt === -1 ? sourceNames.push(source) - 1 : sourceAt;
    replied[position] = owner_reply === null ? 0 : 1;
    linked[position] = source_url === null ? 0 : 1;
    textSizes[position] = textSizeOf(text);
    position++;
  }

  /** Called with descending ids. */
  function numberOf(id: string): number {
    const given = sequence.numbers.get(id);
    if (given !== undefined || last === undefined || sequence.isWhole) return given ?? 0;
    while (lastPosition < last.count && idAt(last, lastPosition) > id) lastPosition++;
    return last.changeNumbers[lastPosition] ?? 0;
  }

  function copy({ index }: LastReviews, span: Span): void {
    const { from, to } = span;
    records.copy({ items: index.records, starts: index.starts }, span);
    analyses.copy({ items: index.analyses, starts: index.analysisStarts }, span);
    words.copy({ items: index.words, starts: index.wordStarts }, span);
    analysisColumns.copy(index, span);
    themeColumns.copy(span);
    ids.set(index.ids.subarray(from * ID_LENGTH, to * ID_LENGTH), position * ID_LENGTH);
    days.set(index.days.subarray(from, to), position);
    if (!sequence.isWhole) changeNumbers.set(index.changeNumbers.subarray(from, to), position);
    for (let at = from; sequence.isWhole && at < to; at++)
      changeNumbers[position + at - from] = numberOf(idAt(index, at));
    ratings.set(index.ratings.subarray(from, to), position);
    sources.set(index.sources.subarray(from, to), position);
    replied.set(index.replied.subarray(from, to), position);
    linked.set(index.linked.subarray(from, to), position);
    textSizes.set(index.textSizes.subarray(from, to), position);
    position += to - from;
    lastPosition = to;
  }
}

/** The edits that give each analysis its review's themes, in place of those that it has. */
export function themeEdits(
  parts: readonly Part[],
  themes: readonly Theme[],
  { last, count }: { readonly last: ReviewIndex | undefined; readonly count: number },
): ItemEdit[] {
  const own = topicLists(themes, count);
  const before = topicLists(last?.themes ?? [], last?.count ?? 0);
  const isSame = own.ids.join() === before.ids.join();
  const edits: ItemEdit[] = [];
  let position = 0;
  const edit = (bits: number): void => {
    const ownBits = own.bits[position] as number;
    if (ownBits !== bits || !isSame) {
      const [from, to] = [before.endOf(bits), own.endOf(ownBits)];
      if (!from.equals(to)) edits.push({ position, cut: from.byteLength, end: to });
    }
    position++;
  };
  for (const part of parts) {
    if (!("to" in part)) edit(0);
    else for (let at = part.from; at < part.to; at++) edit(before.bits[at] as number);
  }
  return edits;
}

/** The themes of each review as bits in the order of the ids, and how the entry of a review with some bits ends. */
function topicLists(themes: readonly Theme[], count: number) {
  const ordered = themes.toSorted((a, b) => (a.id < b.id ? -1 : 1));
  const ids = ordered.map(({ id }) => id);
  const bits = new Uint32Array(count);
  for (const [index, { positions }] of ordered.entries())
    for (let at = 0; at < positions.length; at++) (bits[positions[at] as number] as number) |= 1 << index;
  const ends = new Map<number, Buffer>();
  const listOf = (has: number) => JSON.stringify(ids.filter((_, index) => ((has >>> index) & 1) === 1));
  const endOf = (has: number) => ends.getOrInsertComputed(has, () => Buffer.from(`${listOf(has)}},`));
  return { ids, bits, endOf };
}
