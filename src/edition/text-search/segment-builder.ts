/** Builds segments of the inverted index (`text-segments.ts`): finds the terms of each text and lists their reviews. */
import { bitmapLength, emptySegment } from "./segment.ts";
import {
  END_OF_TERM,
  HASH,
  HASH_FACTOR,
  LATEST,
  LIST,
  larger,
  MEMBERS,
  NO_HASH,
  START,
  slotOf,
  type TermTable,
} from "./term-table.ts";
import type { Texts } from "./text-segments.ts";
import { characterKinds, PART_OF_WORD, SEPARATOR } from "./text-terms.ts";

/** Stands for the last review of a term whose list is a bitmap. */
const BITMAP = -2;

/** Returns what builds the segment of the reviews from `start` up to but not including `end`. Ranges ascend. */
export function segmentBuilder({ words, wordStarts }: Texts, table: TermTable) {
  /** Where the records of the terms of each review are, in turn, each once. */
  let occurrences = new Int32Array(1024);

  return (start: number, end: number): Uint32Array => {
    let { slots, records, bytes } = table;
    const kinds = characterKinds;
    const texts = words;
    const used: number[] = [];
    const ends = new Uint32Array(end - start);
    let found = 0;
    for (let position = start; position < end; position++) {
      let at = wordStarts[position] as number;
      const stop = (wordStarts[position + 1] as number) - 1;
      if (found + stop - at > occurrences.length) occurrences = larger(occurrences, 2 * (found + stop - at));
      while (at < stop) {
        let byte = texts[at] as number;
        const kind = kinds[byte] as number;
        if (kind === SEPARATOR) {
          at++;
          continue;
        }
        const first = at;
        let hash = NO_HASH;
        if (kind === PART_OF_WORD) {
          do {
            hash = Math.imul(hash ^ byte, HASH_FACTOR);
            byte = texts[++at] as number;
          } while (kinds[byte] === PART_OF_WORD); // the byte that ends a text is none
        } else {
          for (const last = at + kind; at < last; at++) hash = Math.imul(hash ^ (texts[at] as number), HASH_FACTOR);
        }
        const mask = slots.length - 1;
        let slot = slotOf(hash, mask);
        let record = (slots[slot] as number) - 1;
        for (; record !== -1; record = (slots[slot] as number) - 1) {
          if (records[record + HASH] === hash) {
            const ahead = (records[record + START] as number) - first;
            let same = first;
            while (same < at && bytes[same + ahead] === texts[same]) same++;
            if (same === at && bytes[at + ahead] === END_OF_TERM) break;
          }
          slot = (slot + 1) & mask;
        }
        if (record === -1) {
          record = table.add(texts.subarray(first, at), hash);
          ({ slots, records, bytes } = table);
        }
        const latest = records[record + LATEST] as number;
        if (latest === position) continue;
        records[record + LATEST] = position;
        if (latest < start) {
          used.push(record);
          records[record + LIST] = position - start < 128 ? 1 : 2;
        } else records[record + LIST] = (records[record + LIST] as number) + (position - latest > 128 ? 2 : 1);
        occurrences[found++] = record;
      }
      ends[position - start] = found;
    }
    const segment = laidOut(records, Int32Array.from(used).sort(), ends);
    for (const record of used) records[record + LATEST] = -1;
    return segment;
  };

  /** The segment as it is kept. `ends` are where the occurrences of each review end. */
  function laidOut(records: Int32Array, used: Int32Array, ends: Uint32Array): Uint32Array {
    const bitmap = bitmapLength(ends.length);
    let length = 0;
    for (const record of used) length += Math.min(bitmap, records[record + LIST] as number);
    const { segment, all } = emptySegment(used.length, length);
    let list = 0;
    for (const [place, record] of used.entries()) {
      const bytes = records[record + LIST] as number;
      segment.terms[place] = record / MEMBERS;
      segment.listStarts[place] = list;
      records[record + LIST] = list; // from here on, where the next review is written
      records[record + LATEST] = bytes < bitmap ? -1 : BITMAP;
      list += Math.min(bitmap, bytes);
    }
    segment.listStarts[used.length] = list;
    fillLists(segment.lists, records, ends);
    return all;
  }

  function fillLists(lists: Uint8Array, records: Int32Array, ends: Uint32Array): void {
    const terms = occurrences;
    let at = 0;
    for (let review = 0; review < ends.length; review++) {
      for (const end = ends[review] as number; at < end; at++) {
        const record = terms[at] as number;
        const latest = records[record + LATEST] as number;
        const place = records[record + LIST] as number;
        if (latest === BITMAP) {
          const byte = place + (review >>> 3);
          lists[byte] = (lists[byte] as number) | (1 << (review & 7));
          continue;
        }
        const gap = review - latest - 1;
        records[record + LATEST] = review;
        lists[place] = gap < 128 ? gap : (gap & 127) | 128;
        if (gap >= 128) lists[place + 1] = gap >>> 7;
        records[record + LIST] = place + (gap < 128 ? 1 : 2);
      }
    }
  }
}
