/** Joins the indexes of the newer and the older reviews of an edition, which two threads have made. */
import { mentionsIn } from "../insight/figures/analysed-reviews.ts";
import { openAnalysisColumns } from "./column/analysis-columns.ts";
import type { ItemList } from "./column/item-list.ts";
import { sharedBytes, sharedNumbers } from "./column/shared-memory.ts";
import { COMMA, END_OF_WORDS, type ReviewIndex } from "./review-index.ts";
import { noSegments } from "./text-search/text-segments.ts";

/** The index of all reviews of both, in the order of publication, without the index of their texts. */
export function joinIndexes(newer: ReviewIndex, older: ReviewIndex): ReviewIndex {
  const parts = [newer, older];
  const count = newer.count + older.count;
  const columns = openAnalysisColumns(count);
  for (const part of parts) columns.keep(0, part.count, part);
  const joined = columns.finish();
  const lists = (listOf: (part: ReviewIndex) => ItemList, ending: number) => joinItems(parts.map(listOf), ending);
  const records = lists(({ records: items, starts }) => ({ items, starts }), COMMA);
  const analyses = lists(({ analyses: items, analysisStarts: starts }) => ({ items, starts }), COMMA);
  const words = lists(({ words: items, wordStarts: starts }) => ({ items, starts }), END_OF_WORDS);
  const bytes = (column: "ids" | "ratings" | "replied" | "linked" | "textSizes") =>
    joinArrays(parts.map((part) => part[column]), sharedBytes); // biome-ignore format: a row
  return {
    count,
    records: records.items.subarray(0, Math.max(0, records.items.length - 1)), // the last one is not ended
    starts: records.starts,
    ids: bytes("ids"),
    days: joinArrays(parts.map(({ days }) => days), sharedNumbers), // biome-ignore format: a row
    ratings: bytes("ratings"),
    replied: bytes("replied"),
    words: words.items,
    wordStarts: words.starts,
    ...noSegments(),
    technicians: mentionsIn(joined, "technicians"),
    services: mentionsIn(joined, "services"),
    textSizes: bytes("textSizes"),
    ...joined,
    analyses: analyses.items.subarray(0, Math.max(0, analyses.items.length - 1)),
    analysisStarts: analyses.starts,
    linked: bytes("linked"),
    linkedCount: newer.linkedCount + older.linkedCount,
    prefixTags: new Map(),
  };
}

function joinArrays<A extends Uint8Array | Uint32Array>(arrays: readonly A[], make: (length: number) => A): A {
  const all = make(arrays.reduce((sum, { length }) => sum + length, 0));
  let end = 0;
  for (const array of arrays) {
    all.set(array, end);
    end += array.length;
  }
  return all;
}

/** The items of lists in a row, each ended. */
function joinItems(lists: readonly ItemList[], ending: number): ItemList {
  const lengthOf = ({ starts }: ItemList) => starts.at(-1) ?? 0;
  const items = sharedBytes(lists.reduce((sum, list) => sum + lengthOf(list), 0));
  const starts = sharedNumbers(lists.reduce((sum, list) => sum + list.starts.length - 1, 1));
  let [at, end] = [0, 0];
  for (const list of lists) {
    for (let item = 1; item < list.starts.length; item++) starts[++at] = (list.starts[item] as number) + end;
    items.set(list.items, end);
    end += lengthOf(list);
    if (lengthOf(list) > 0) items[end - 1] = ending; // which the last one may lack
  }
  return { items, starts };
}
