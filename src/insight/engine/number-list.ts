/** Lists of whole numbers that are refilled for each text, so that reading a text allocates nothing. */

/** The numbers before `end`; the rest is left over from an earlier text. */
export interface NumberList {
  numbers: Int32Array;
  end: number;
}

/** A longer list is released with the next text. */
const MAX_REUSED_LENGTH = 4_096;
/** V8 allocates arrays up to this length on its own heap, which is cheapest. */
const MIN_LENGTH = 16;

const NO_NUMBERS = new Int32Array();

export function emptyList(): NumberList {
  return { numbers: NO_NUMBERS, end: 0 };
}

/** Empties a list; returns its array, which then holds at least `count` numbers. */
export function emptied(list: NumberList, count: number): Int32Array {
  list.end = 0;
  const { length: oldLength } = list.numbers;
  if (count > oldLength || oldLength > MAX_REUSED_LENGTH) {
    let length = MIN_LENGTH;
    while (length < count) length *= 2;
    list.numbers = new Int32Array(length);
  }
  return list.numbers;
}
