/** Finds the row of a table for a hash. */

/**
 * Returns a function that finds a key's row, or -1. Most keys in a text have no row: a bitmap of the occupied slots
 * rules them out without access to the table, which is larger than the processor's cache.
 */
export function rowFinder(keys: Int32Array): (key: number) => number {
  let size = 1024;
  while (size < keys.length * 3) size *= 2;
  const mask = size - 1;
  const taken = new Uint32Array(size >>> 5);
  const slots = new Int32Array(size * 2);
  for (let row = 0; row < keys.length; row++) {
    let slot = (keys[row] as number) & mask;
    while (isTaken(slot)) slot = (slot + 1) & mask;
    taken[slot >>> 5] = (taken[slot >>> 5] as number) | (1 << (slot & 31));
    slots[slot * 2] = keys[row] as number;
    slots[slot * 2 + 1] = row;
  }
  return (key) => {
    for (let slot = key & mask; isTaken(slot); slot = (slot + 1) & mask) {
      if (slots[slot * 2] === key) return slots[slot * 2 + 1] as number;
    }
    return -1;
  };

  function isTaken(slot: number): boolean {
    return (((taken[slot >>> 5] as number) >>> (slot & 31)) & 1) === 1;
  }
}
