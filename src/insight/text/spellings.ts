/**
 * Remembers the words of each spelling, so that it is parsed once. An open hash table instead of a Map, because a Map
 * would need every spelling to be cut out of its text first, which costs more than the rest of the tokeniser.
 */
import { MIN_SLICE_LENGTH } from "./vocabulary.ts";

/** A word's full form, or a contraction's two words and, if it can be determined, the first one's length in letters. */
export interface ParsedWord<Word> {
  readonly first: Word;
  readonly second?: Word | undefined;
  readonly length?: number | undefined;
}

const SLOTS = 32_768;

/**
 * Returns a function that gives the words of the spelling from `start` to `end` (exclusive) of a text. Once the table of
 * `slots` (a power of 2) is half full, new spellings are parsed each time: the frequent ones are met first.
 */
export function spellingMemo<Word>(
  parse: (written: string) => ParsedWord<Word>,
  slots = SLOTS,
): (text: string, start: number, end: number) => ParsedWord<Word> {
  const spellings = new Array<string>(slots).fill("");
  const parsed = new Array<ParsedWord<Word> | undefined>(slots).fill(undefined);
  let count = 0;
  return (text, start, end) => {
    let hash = 0;
    for (let at = start; at < end; at++) hash = (Math.imul(hash, 31) + text.charCodeAt(at)) | 0;
    let slot = (hash ^ (hash >>> 15)) & (slots - 1);
    for (let spelling = spellings[slot] as string; spelling !== ""; spelling = spellings[slot] as string) {
      if (spelling.length === end - start && text.startsWith(spelling, start)) return parsed[slot] as ParsedWord<Word>;
      slot = (slot + 1) & (slots - 1);
    }
    const written = text.slice(start, end);
    const word = parse(written);
    if (count < slots / 2 && written.length < MIN_SLICE_LENGTH) {
      spellings[slot] = written;
      parsed[slot] = word;
      count++;
    }
    return word;
  };
}
