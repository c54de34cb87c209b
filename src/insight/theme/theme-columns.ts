/**
 * The words for themes of all reviews as columns of numbers, newest review first. They are counted anew for each
 * edition, which takes some milliseconds; reading 100,000 texts again would take a second.
 */
import { grown } from "../../lib/growing.ts";
import type { Span } from "../../lib/span.ts";
import { languageNamed } from "../text/language-words.ts";
import { openVocabulary, type ThemeVocabulary } from "./theme-vocabulary.ts";
import { readThemeWords } from "./theme-words.ts";

export interface ThemeColumns {
  readonly count: number;
  readonly vocabulary: ThemeVocabulary;
  /** The words of each review, one after the other: see `entryOf`. */
  readonly entries: Int32Array;
  /** Where those of each review start, and the end of the last one's. */
  readonly starts: Int32Array;
}

/** A word as one number: its number in the vocabulary, its link to the word before it, and the tone of its clause. */
function entryOf(word: number, link: number, tone: number): number {
  return (word << 4) | (link << 2) | tone;
}
export const wordOf = (entry: number): number => entry >>> 4;
export const linkOf = (entry: number): number => (entry >>> 2) & 3;
export const toneIn = (entry: number): number => entry & 3;

export interface ThemeColumnsWriter {
  /** Appends the words of a review, as `themeWords` gives them. */
  add(words: string, language: string | null): void;
  /** Appends those of a span of the last edition. */
  copy(last: ThemeColumns, span: Span): void;
  finish(): ThemeColumns;
}

/** Opens a writer for `count` reviews. All spans to copy are of the `last` columns. */
export function openThemeColumns(count: number, last?: ThemeColumns): ThemeColumnsWriter {
  const vocabulary = last?.vocabulary ?? openVocabulary(count);
  const starts = new Int32Array(count + 1);
  let entries = new Int32Array(last?.entries.length ?? 0);
  let [position, end] = [0, 0];
  return {
    add(words, tag) {
      const numberOf = vocabulary.numbersOf(languageNamed(tag));
      readThemeWords(words, (from, to, link, tone) => {
        entries = grown(entries, end + 1);
        entries[end++] = entryOf(numberOf(words, from, to).first, link, tone);
      });
      starts[++position] = end;
    },
    copy(columns, { from, to }) {
      const [first, after] = [columns.starts[from] as number, columns.starts[to] as number];
      entries = grown(entries, end + after - first);
      entries.set(columns.entries.subarray(first, after), end);
      const shift = end - first;
      for (let next = from + 1; next <= to; next++) starts[++position] = (columns.starts[next] as number) + shift;
      end += after - first;
    },
    finish: () => ({ count, vocabulary, entries: entries.subarray(0, end), starts }),
  };
}
