/**
 * Numbers the words of texts. What a step of the analysis finds out about a word, it keeps in a table of numbers with
 * a row for each word: tables are small and close together, so that reading on does not wait for memory.
 */

import { grown } from "../../lib/growing.ts";

/** The words met so far. A word's number is its index in `forms`. */
export interface Vocabulary {
  readonly forms: string[];
  readonly numbers: Map<string, number>;
}

const MAX_WORDS = 50_000;
/** A string cut out of another keeps that one in memory from this length on; shorter ones are copies (V8). */
export const MIN_SLICE_LENGTH = 13;

let current: Vocabulary = emptyVocabulary();

function emptyVocabulary(): Vocabulary {
  return { forms: [], numbers: new Map() };
}

/** The vocabulary for the next text. A full one is replaced; texts that were read with it keep it. */
export function vocabularyForText(): Vocabulary {
  if (current.forms.length >= MAX_WORDS) current = emptyVocabulary();
  return current;
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
 * at `n * width`. `restart` is called before the table is filled for another vocabulary.
 */
export function wordTable(
  width: number,
  fill: (rows: Int32Array, row: number, form: string) => void,
  restart: () => void = () => {},
): (text: { readonly vocabulary: Vocabulary }) => Int32Array {
  let filledFor: Vocabulary | undefined;
  let rows: Int32Array = new Int32Array();
  let filled = 0;
  return ({ vocabulary }) => {
    if (filledFor !== vocabulary) {
      restart();
      rows = new Int32Array();
      filled = 0;
      filledFor = vocabulary;
    }
    const { forms } = vocabulary;
    rows = grown(rows, forms.length * width);
    for (; filled < forms.length; filled++) fill(rows, filled * width, forms[filled] as string);
    return rows;
  };
}
