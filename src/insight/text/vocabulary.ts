/**
 * Numbers the words of texts. What a step of the analysis finds out about a word, it keeps in a table of numbers with
 * a row for each word: tables are small and close together, so that reading on does not wait for memory.
 */

import { grown } from "../../lib/growing.ts";
import type { Language } from "./language-words.ts";

/** The words of a language met so far. A word's number is its index in `forms`. */
export interface Vocabulary {
  readonly language: Language;
  readonly forms: string[];
  readonly numbers: Map<string, number>;
}

const MAX_WORDS = 50_000;
/** A string cut out of another keeps that one in memory from this length on; shorter ones are copies (V8). */
export const MIN_SLICE_LENGTH = 13;

/** By language. */
const current: (Vocabulary | undefined)[] = [];

/** The vocabulary for the next text. A full one is replaced; texts that were read with it keep it. */
export function vocabularyForText(language: Language): Vocabulary {
  let vocabulary = current[language.index];
  if (vocabulary === undefined || vocabulary.forms.length >= MAX_WORDS) {
    vocabulary = { language, forms: [], numbers: new Map() };
    current[language.index] = vocabulary;
  }
  return vocabulary;
}

/** The number of a lower-case word. */
export function wordNumber({ forms, numbers }: Vocabulary, form: string): number {
  let number = numbers.get(form);
  if (number === undefined) {
    number = forms.length;
    const own = form.length < MIN_SLICE_LENGTH ? form : Buffer.from(form).toString();
    numbers.set(own, number);
    forms.push(own);
  }
  return number;
}

/**
 * Makes a table with `width` numbers for each word, which `fill` writes once, from `row` on. The function returned fills
 * the rows of the words that the vocabulary has got since the last text, and returns all rows: that of word `n` begins
 * at `n * width`. Each language has rows of its own; `restart` is called before they are filled for another vocabulary.
 */
export function wordTable(
  width: number,
  fill: (rows: Int32Array, row: number, form: string, language: Language) => void,
  restart: () => void = () => {},
): (text: { readonly vocabulary: Vocabulary }) => Int32Array {
  const tables: { filledFor: Vocabulary; rows: Int32Array; filled: number }[] = [];
  return ({ vocabulary }) => {
    const { forms, language } = vocabulary;
    let table = tables[language.index];
    if (table?.filledFor !== vocabulary) {
      restart();
      table = { filledFor: vocabulary, rows: new Int32Array(), filled: 0 };
      tables[language.index] = table;
    }
    if (table.filled === forms.length) return table.rows;
    table.rows = grown(table.rows, forms.length * width);
    for (; table.filled < forms.length; table.filled++)
      fill(table.rows, table.filled * width, forms[table.filled] as string, language);
    return table.rows;
  };
}
