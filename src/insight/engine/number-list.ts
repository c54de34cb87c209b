/** Lists of whole numbers that are filled anew for each text, so that reading a text allocates none. */

/** The numbers before `end`; what follows is left over from an earlier text. */
export interface NumberList {
  numbers: Int32Array;
  end: number;
}

/** A list that had to hold more than this is not kept for the next text. */
const MOST_KEPT = 4_096;
/** Arrays of so few numbers are kept within V8's heap, where making one costs least. */
const FIRST_ROOM = 16;

const NO_NUMBERS = new Int32Array();

export function emptyList(): NumberList {
  return { numbers: NO_NUMBERS, end: 0 };
}

/** Empties a list; returns its array, which then has room for `count` numbers. */
export function emptied(list: NumberList, count: number): Int32Array {
  list.end = 0;
  const { length } = list.numbers;
  if (count > length || length > MOST_KEPT) {
    let room = FIRST_ROOM;
    while (room < count) room *= 2;
    list.numbers = new Int32Array(room);
  }
  return list.numbers;
}
