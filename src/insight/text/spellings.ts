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
/** Once the table is half full, new spellings are parsed each time: the frequent ones are met first. */
const MAX_SPELLINGS = SLOTS / 2;

/** Returns a function that gives the words of the spelling from `start` to `end` (exclusive) of a text. */
export function spellingMemo<Word>(
  parse: (written: string) => ParsedWord<Word>,
): (text: string, start: number, end: number) => ParsedWord<Word> {
  const spellings = new Array<string>(SLOTS).fill("");
  const parsed = new Array<ParsedWord<Word> | undefined>(SLOTS).fill(undefined);
  let count = 0;
  return (text, start, end) => {
    let hash = 0;
    for (let at = start; at < end; at++) hash = (Math.imul(hash, 31) + text.charCodeAt(at)) | 0;
    let slot = (hash ^ (hash >>> 15)) & (SLOTS - 1);
    for (let spelling = spellings[slot] as string; spelling !== ""; spelling = spellings[slot] as string) {
      if (spelling.length === end - start && text.startsWith(spelling, start)) return parsed[slot] as ParsedWord<Word>;
      slot = (slot + 1) & (SLOTS - 1);
    }
    const written = text.slice(start, end);
    const word = parse(written);
    if (count < MAX_SPELLINGS && written.length < MIN_SLICE_LENGTH) {
      spellings[slot] = written;
      parsed[slot] = word;
      count++;
    }
    return word;
  };
}
