/**
 * Writes the review index of an edition. Unchanged reviews are copied from the last index as bytes and numbers, in spans;
 * only the others are analysed and written.
 */
import { mentionsIn, positionsByMark, textSizeOf } from "../insight/statistics/analysed-reviews.ts";
import type { Analysis } from "../insights-document.ts";
import { sharedBytes, sharedNumbers } from "../lib/shared-memory.ts";
import type { Span } from "../lib/span.ts";
import type { Review } from "../review.ts";
import type { Snapshot } from "../store/store.ts";
import { openAnalysisColumns } from "./analysis-columns.ts";
import { SEPARATOR } from "./byte-search.ts";
import { foldCase } from "./case-folding.ts";
import { type ItemWriter, openItemWriter } from "./item-writer.ts";
import { countAfter, countSince, dayNumber, ID_LENGTH, idAt, positionOf, type ReviewIndex } from "./review-index.ts";

/** A review to write, or a span of the last index to copy. */
export type Part = Review | Span;

/** Divides an edition into reviews to write and spans to copy, in the order of publication. @throws Error if `last` is missing. */
export function partsOf({ reviews, changes }: Snapshot, last: ReviewIndex | undefined): readonly Part[] {
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
      const position = changes.written.has(review.id) ? undefined : positionOf(last, review.id);
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
  readonly columns: Omit<ReviewIndex, "records" | "starts" | "analyses" | "analysisStarts">;
  /** The reviews as JSON. */
  readonly records: ItemWriter;
  /** The analyses as JSON, each after the id of its review. */
  readonly analyses: ItemWriter;
}

const COMMA = 0x2c;

interface WritingReviews {
  readonly last?: ReviewIndex | undefined;
  readonly sequence: Snapshot["sequence"];
  /** Called once for each review that is not copied. */
  readonly analyse: (review: Review) => Analysis;
}

/** Writes the parts one after the other. */
export function writeReviews(parts: readonly Part[], { last, sequence, analyse }: WritingReviews): WrittenReviews {
  const count = parts.reduce((sum, part) => sum + ("to" in part ? part.to - part.from : 1), 0);
  const [records, analyses] = [openItemWriter(count, COMMA), openItemWriter(count, COMMA)];
  const words = openItemWriter(count, SEPARATOR);
  const analysisColumns = openAnalysisColumns(count, last);
  const [ids, days, ratings] = [sharedBytes(count * ID_LENGTH), sharedNumbers(count), sharedBytes(count)];
  const [sources, changeNumbers] = [sharedNumbers(count), sharedNumbers(count)];
  const sourceNames = [...(last?.sourceNames ?? [])];
  const [replied, linked, textSizes] = [sharedBytes(count), sharedBytes(count), sharedBytes(count)];
  let [position, lastPosition] = [0, 0];
  for (const part of parts) {
    if (!("to" in part)) add(part);
    else if (last !== undefined) copy(last, part);
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
  return { columns: { ...columns, ...named }, records, analyses };

  function add(review: Review): void {
    const { id, date, rating, text, source, owner_reply, source_url } = review;
    const analysis = analyse(review);
    records.add(JSON.stringify(review));
    analyses.add(`"${id}":${JSON.stringify(analysis)}`);
    words.add(foldCase(text ?? ""));
    analysisColumns.add(analysis);
    for (let at = 0; at < ID_LENGTH; at++) ids[position * ID_LENGTH + at] = id.charCodeAt(at);
    days[position] = dayNumber(date);
    changeNumbers[position] = numberOf(id);
    ratings[position] = rating;
    const known = sourceNames.indexOf(source);
    sources[position] = known === -1 ? sourceNames.push(source) - 1 : known;
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

  function copy(index: ReviewIndex, span: Span): void {
    const { from, to } = span;
    records.copy({ items: index.records, starts: index.starts }, span);
    analyses.copy({ items: index.analyses, starts: index.analysisStarts }, span);
    words.copy({ items: index.words, starts: index.wordStarts }, span);
    analysisColumns.copy(index, span);
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
