/** Many short lists of numbers in one array, so that lists read in sequence share cache lines. */

import { grown } from "../../lib/growing.ts";

/** Numbers added one list after the other, up to `end`. */
export interface NumberPool {
  numbers: Int32Array;
  end: number;
}

export function emptyPool(): NumberPool {
  return { numbers: new Int32Array(1024), end: 0 };
}

/** Adds a list; returns where it begins. */
export function addToPool(pool: NumberPool, list: readonly number[]): number {
  const from = pool.end;
  pool.end += list.length;
  pool.numbers = grown(pool.numbers, pool.end);
  pool.numbers.set(list, from);
  return from;
}

/** Lists that do not change: number `n` is in `numbers` from `from[n]` to `from[n + 1]` (exclusive). */
export interface NumberLists {
  readonly from: Int32Array;
  readonly numbers: Int32Array;
}

export function numberLists(lists: readonly (readonly number[])[]): NumberLists {
  const from = new Int32Array(lists.length + 1);
  for (const [at, list] of lists.entries()) from[at + 1] = (from[at] as number) + list.length;
  return { from, numbers: Int32Array.from(lists.flat()) };
}
