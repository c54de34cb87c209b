/** Lists of whole numbers that are filled anew for each text, so that reading a text allocates none. */

/** The numbers before `end`; what follows is left over from an earlier text. */
export interface NumberList {
  numbers: Int32Array;
  end: number;
}

/** A list that had to hold more than this is not kept for the next text. */
const MOST_KEPT = 4_096;
const FIRST_ROOM = 64;

export function emptyList(): NumberList {
  return { numbers: new Int32Array(FIRST_ROOM), end: 0 };
}

/** Empties a list; returns its array, which then has room for `count` numbers. */
export function emptied(list: NumberList, count: number): Int32Array {
  list.end = 0;
  let { length } = list.numbers;
  if (length > MOST_KEPT) length = FIRST_ROOM;
  while (length < count) length *= 2;
  if (length !== list.numbers.length) list.numbers = new Int32Array(length);
  return list.numbers;
}
