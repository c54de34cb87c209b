/**
 * A dictionary that grows: a hash table of the terms of all texts. `segment-builder.ts` looks terms up in its arrays
 * itself, because a call for each word of all texts would take half as long again.
 */
import { sharedBytes, sharedNumbers } from "../column/shared-memory.ts";

/** Ends each term of a dictionary. It does not occur in UTF-8. */
export const END_OF_TERM = 0xff;

/** The members of a term's record: where the term starts, its hash, and two numbers for who builds a segment. */
export const START = 0;
export const HASH = 1;
export const LATEST = 2;
export const LIST = 3;
export const MEMBERS = 4;

/** A term's hash is FNV-1a: from `NO_HASH` on, `(hash ^ byte) * HASH_FACTOR` for each byte, as 32-bit numbers. */
export const NO_HASH = 0x811c9dc5 | 0;
export const HASH_FACTOR = 0x01000193;

export interface Dictionary {
  /** All terms, each followed by 0xFF. */
  readonly terms: Uint8Array;
  /** The start of each term. One more start follows the last term. */
  readonly termStarts: Uint32Array;
}

export interface TermTable {
  /** For each slot of the hash table where the record of its term is, and one more; 0 if the slot is free. */
  readonly slots: Int32Array;
  /** The records of all terms. */
  readonly records: Int32Array;
  /** All terms, each followed by 0xFF. */
  readonly bytes: Uint8Array;
  /** Adds a term that is not in the table, and returns where its record is. The arrays may be others afterwards. */
  add(term: Uint8Array, hash: number): number;
  /** All terms so far. */
  dictionary(): Dictionary;
}

/** The slot of a hash, or the first one to look at. */
export function slotOf(hash: number, mask: number): number {
  return (hash ^ (hash >>> 15)) & mask;
}

/** Opens a table with the terms of a dictionary that `isUsed` allows, in their order. */
export function makeTermTable(known: Dictionary | undefined, isUsed: (term: number) => boolean): TermTable {
  let slots = new Int32Array(4096);
  let records = new Int32Array(1024 * MEMBERS);
  let bytes = new Uint8Array(4096);
  let size = 0;
  let end = 0;
  const table: TermTable = {
    get slots() {
      return slots;
    },
    get records() {
      return records;
    },
    get bytes() {
      return bytes;
    },
    add(term, hash) {
      const record = size++ * MEMBERS;
      if (record === records.length) records = larger(records, record * 2);
      if (end + term.length >= bytes.length) {
        const before = bytes;
        bytes = new Uint8Array(2 * (end + term.length));
        bytes.set(before);
      }
      records[record + START] = end;
      records[record + HASH] = hash;
      records[record + LATEST] = -1;
      bytes.set(term, end);
      end += term.length;
      bytes[end++] = END_OF_TERM;
      if (size * 2 > slots.length) spread();
      else occupy(record);
      return record;
    },
    dictionary() {
      const terms = sharedBytes(end);
      terms.set(bytes.subarray(0, end));
      const termStarts = sharedNumbers(size + 1);
      for (let term = 0; term < size; term++) termStarts[term] = records[term * MEMBERS + START] as number;
      termStarts[size] = end;
      return { terms, termStarts };
    },
  };
  for (let term = 0; term + 1 < (known?.termStarts.length ?? 0); term++) {
    if (known === undefined || !isUsed(term)) continue;
    const bytes = known.terms.subarray(known.termStarts[term], (known.termStarts[term + 1] as number) - 1);
    let hash = NO_HASH;
    for (let at = 0; at < bytes.length; at++) hash = Math.imul(hash ^ (bytes[at] as number), HASH_FACTOR);
    table.add(bytes, hash);
  }
  return table;

  function occupy(record: number): void {
    const mask = slots.length - 1;
    let slot = slotOf(records[record + HASH] as number, mask);
    while (slots[slot] !== 0) slot = (slot + 1) & mask;
    slots[slot] = record + 1;
  }

  /** Makes the hash table larger. */
  function spread(): void {
    slots = new Int32Array(slots.length * 2);
    for (let term = 0; term < size; term++) occupy(term * MEMBERS);
  }
}

/** The numbers with room for so many. */
export function larger(numbers: Int32Array, length: number): Int32Array<ArrayBuffer> {
  const grown = new Int32Array(length);
  grown.set(numbers);
  return grown;
}
