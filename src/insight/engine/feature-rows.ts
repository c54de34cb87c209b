/**
 * The weights of a trained model's features, in an open hash table. A slot holds a feature's hash and its weights, so
 * that both arrive in the processor's cache at once. The weights of four outputs are the bytes of one number; they are
 * added as two sums of 16 bits in one number. These are whole numbers, so the order of additions does not matter.
 */
import { grown } from "../../lib/growing.ts";
import type { NumberList } from "./number-list.ts";

export interface FeatureRows {
  /** The place of a feature's row, by the feature's hash; a row of zeros serves features without weights. */
  readonly placeOf: (hash: number) => number;
  /** Copies the row behind the last copy and returns its place, so that the rows of one word share cache lines. */
  readonly placeOfCopy: (hash: number) => number;
  /** Forgets all copies. */
  readonly dropCopies: () => void;
  /** Adds the rows at `places` to `sums`, whose length is a multiple of four. */
  readonly addRows: (places: NumberList, sums: Float64Array) => void;
}

/** Outputs in one number of a row. */
const OUTPUTS_IN_NUMBER = 4;
/** Added to each weight, so that its byte is not negative. */
const BIAS = 128;
/** As many bytes as fit into a sum of 16 bits. */
const MAX_BATCH_FEATURES = 256;
/** The first and the third byte of a number. */
const ALTERNATE_BYTES = 0x00ff00ff;

/** Initial capacity for copies, in numbers. */
const FIRST_COPIES = 16_384;
const COPIES_GROWTH = 1.25;

/** The number of outputs, rounded up to a multiple of four: the rows of weights are padded. */
export function paddedOutputs(outputs: number): number {
  return Math.ceil(outputs / OUTPUTS_IN_NUMBER) * OUTPUTS_IN_NUMBER;
}

/** `weights` holds `outputs` weights for each of the hashes `keys`. */
export function featureRows(keys: Int32Array, weights: Int8Array, outputs: number): FeatureRows {
  const numbers = paddedOutputs(outputs) / OUTPUTS_IN_NUMBER;
  const width = numbers + 1;
  let size = 1024;
  while (size < keys.length * 2) size *= 2;
  const mask = size - 1;
  /** Occupied slots. It rules out most hashes without weights, and is far smaller than the table. */
  const taken = new Uint32Array(size >>> 5);
  /** The row of zeros comes first; the slots follow. */
  const copies = (size + 1) * width;
  let table = new Int32Array(copies + FIRST_COPIES);
  let end = copies;
  for (let at = 0; at < keys.length; at++) {
    let slot = (keys[at] as number) & mask;
    while (isTaken(slot)) slot = (slot + 1) & mask;
    taken[slot >>> 5] = (taken[slot >>> 5] as number) | (1 << (slot & 31));
    const place = (slot + 1) * width;
    table[place] = keys[at] as number;
    for (let output = 0; output < numbers * OUTPUTS_IN_NUMBER; output++) {
      const weight = output < outputs ? (weights[at * outputs + output] as number) : 0;
      const number = place + 1 + Math.floor(output / OUTPUTS_IN_NUMBER);
      table[number] = (table[number] as number) | ((weight + BIAS) << (8 * (output % OUTPUTS_IN_NUMBER)));
    }
  }
  table.fill(BIAS * 0x01010101, 1, width);
  return { placeOf, placeOfCopy, dropCopies, addRows };

  function isTaken(slot: number): boolean {
    return (((taken[slot >>> 5] as number) >>> (slot & 31)) & 1) === 1;
  }

  function placeOf(hash: number): number {
    for (let slot = hash & mask; isTaken(slot); slot = (slot + 1) & mask) {
      const place = (slot + 1) * width;
      if (table[place] === hash) return place;
    }
    return 0;
  }

  function placeOfCopy(hash: number): number {
    const place = placeOf(hash);
    if (place === 0) return 0;
    table = grown(table, end + numbers, COPIES_GROWTH);
    for (let number = 0; number < numbers; number++) table[end + number] = table[place + 1 + number] as number;
    end += numbers;
    return end - width; // a copy has no hash before its weights
  }

  function dropCopies(): void {
    end = copies;
  }

  function addRows({ numbers: places, end }: NumberList, sums: Float64Array): void {
    const all = table;
    for (let number = 1; number < width; number++) {
      const output = (number - 1) * OUTPUTS_IN_NUMBER;
      for (let from = 0; from < end; from += MAX_BATCH_FEATURES) {
        const to = Math.min(end, from + MAX_BATCH_FEATURES);
        let [even, odd] = [0, 0];
        for (let at = from; at < to; at++) {
          const bytes = all[(places[at] as number) + number] as number;
          even = (even + (bytes & ALTERNATE_BYTES)) | 0;
          odd = (odd + ((bytes >>> 8) & ALTERNATE_BYTES)) | 0;
        }
        const bias = BIAS * (to - from);
        sums[output] = (sums[output] as number) + ((even & 0xffff) - bias);
        sums[output + 1] = (sums[output + 1] as number) + ((odd & 0xffff) - bias);
        sums[output + 2] = (sums[output + 2] as number) + ((even >>> 16) - bias);
        sums[output + 3] = (sums[output + 3] as number) + ((odd >>> 16) - bias);
      }
    }
  }
}
