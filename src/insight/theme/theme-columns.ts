/**
 * The words for themes of all reviews as columns of numbers, newest review first. Those of unchanged reviews are copied:
 * reading 100,000 texts again would take a second.
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
  /** How often each word of the vocabulary occurs. */
  readonly occurrences: Int32Array;
}

/** A span of the last edition, and where its first review is now. */
export interface CopiedSpan extends Span {
  readonly start: number;
}

export interface WrittenThemeColumns {
  readonly columns: ThemeColumns;
  /** In ascending order. */
  readonly copies: readonly CopiedSpan[];
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
  /** Appends those of a span of the last edition, which comes after the spans that were appended. */
  copy(span: Span): void;
  finish(): WrittenThemeColumns;
}

/** For a change, without a copy of all entries. */
const ROOM = 1.1;
const NOTHING = { vocabulary: undefined, entries: new Int32Array(0), starts: new Int32Array(1), count: 0 };

/** Opens a writer for `count` reviews. All spans to copy are of the `last` columns. */
export function openThemeColumns(count: number, last?: ThemeColumns): ThemeColumnsWriter {
  const { entries: lastEntries, starts: lastStarts, count: lastCount } = last ?? NOTHING;
  const vocabulary = last?.vocabulary ?? openVocabulary(count);
  const starts = new Int32Array(count + 1);
  const copies: CopiedSpan[] = [];
  let entries = new Int32Array(Math.ceil(lastEntries.length * ROOM));
  let occurrences = Int32Array.from(last?.occurrences ?? []);
  let [position, end, lastPosition] = [0, 0, 0];

  /** Passes over the reviews of the last edition up to one, which are not copied. */
  function leaveOut(to: number): void {
    const after = lastStarts[to] as number;
    for (let at = lastStarts[lastPosition] as number; at < after; at++) {
      (occurrences[wordOf(lastEntries[at] as number)] as number)--;
    }
  }

  return {
    add(words, tag) {
      const numberOf = vocabulary.numbersOf(languageNamed(tag));
      readThemeWords(words, (from, to, link, tone) => {
        entries = grown(entries, end + 1);
        const word = numberOf(words, from, to).first;
        entries[end++] = entryOf(word, link, tone);
        occurrences = grown(occurrences, word + 1);
        (occurrences[word] as number)++;
      });
      starts[++position] = end;
    },
    copy({ from, to }) {
      const [first, after] = [lastStarts[from] as number, lastStarts[to] as number];
      leaveOut(from);
      copies.push({ from, to, start: position });
      entries = grown(entries, end + after - first);
      entries.set(lastEntries.subarray(first, after), end);
      const shift = end - first;
      for (let next = from + 1; next <= to; next++) starts[++position] = (lastStarts[next] as number) + shift;
      end += after - first;
      lastPosition = to;
    },
    finish() {
      leaveOut(lastCount);
      return { columns: { count, vocabulary, entries: entries.subarray(0, end), starts, occurrences }, copies };
    },
  };
}
