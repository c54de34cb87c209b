/**
 * The trained model's hidden layer over the word vectors of a clause. A word's share of the units is computed once.
 * Both loops are unrolled by four to save memory accesses, without changing the order of additions.
 */
import { grown } from "../../lib/growing.ts";
import { paddedOutputs } from "./feature-rows.ts";
import type { NumberList } from "./number-list.ts";
import type { WordVectors } from "./word-vectors.ts";

/** Outputs whose sums are computed together. */
const OUTPUTS = 4;
const MEANING_SCALE = 1.5;

/** Weights of the word vectors' dimensions by unit, where each unit starts, and weights of the outputs by unit. */
export interface HiddenWeights {
  readonly input: Float64Array;
  readonly bias: Float64Array;
  readonly output: Float64Array;
  readonly outputs: number;
}

/** The factor for a sum of `words` word vectors: it makes the sum independent of the clause's length. */
export function meaningFactor({ scale }: WordVectors, words: number): number {
  return words === 0 ? 0 : (MEANING_SCALE * scale) / Math.sqrt(words);
}

/**
 * Returns a function that adds the outputs of the hidden units for a clause's word vectors to `sums`. Units below zero
 * count as zero.
 */
export function hiddenLayer(
  { input, bias, output, outputs }: HiddenWeights,
  vectors: WordVectors,
): (words: NumberList, sums: Float64Array) => void {
  const { dimensions, table } = vectors;
  const hidden = bias.length;
  const width = paddedOutputs(outputs);
  const outputRows = new Float64Array(hidden * width);
  for (let unit = 0; unit < hidden; unit++) {
    outputRows.set(output.subarray(unit * outputs, (unit + 1) * outputs), unit * width);
  }
  /** By row of the word vectors: where the word's share begins; 0 means not computed. */
  const places = new Int32Array(table.length / dimensions);
  /** The first share, all zeros, stands in for words beyond the end of a clause. */
  let shares = new Float64Array(256 * hidden);
  let end = hidden;
  const units = new Float64Array(hidden);

  return (words, sums) => {
    activate(words);
    for (let index = 0; index < width; index += OUTPUTS) {
      let a = sums[index] as number;
      let b = sums[index + 1] as number;
      let c = sums[index + 2] as number;
      let d = sums[index + 3] as number;
      for (let unit = 0, row = index; unit < hidden; unit++, row += width) {
        const value = units[unit] as number;
        a += value * (outputRows[row] as number);
        b += value * (outputRows[row + 1] as number);
        c += value * (outputRows[row + 2] as number);
        d += value * (outputRows[row + 3] as number);
      }
      sums[index] = a;
      sums[index + 1] = b;
      sums[index + 2] = c;
      sums[index + 3] = d;
    }
  };

  /** Computes the units, with zero in place of negative values. */
  function activate({ numbers, end: words }: NumberList): void {
    for (let unit = 0; unit < hidden; unit++) units[unit] = 0;
    for (let at = 0; at < words; at += 4) {
      const a = placeOf(numbers, at, words);
      const b = placeOf(numbers, at + 1, words);
      const c = placeOf(numbers, at + 2, words);
      const d = placeOf(numbers, at + 3, words);
      const all = shares;
      for (let unit = 0; unit < hidden; unit++) {
        units[unit] =
          (units[unit] as number) +
          (all[a + unit] as number) +
          (all[b + unit] as number) +
          (all[c + unit] as number) +
          (all[d + unit] as number);
      }
    }
    const factor = meaningFactor(vectors, words);
    for (let unit = 0; unit < hidden; unit++) {
      const value = (units[unit] as number) * factor + (bias[unit] as number);
      // max(value, 0) without a branch, which would be mispredicted half of the time.
      units[unit] = (value + Math.abs(value)) / 2;
    }
  }

  /** Where the share of a word begins; beyond the end of the list, the share of zeros. */
  function placeOf(numbers: Int32Array, at: number, words: number): number {
    if (at >= words) return 0;
    const row = numbers[at] as number;
    const place = places[row] as number;
    return place === 0 ? addShare(row) : place;
  }

  function addShare(row: number): number {
    shares = grown(shares, end + hidden);
    for (let unit = 0; unit < hidden; unit++) shares[end + unit] = shareOf(row, unit);
    places[row] = end;
    end += hidden;
    return end - hidden;
  }

  function shareOf(row: number, unit: number): number {
    let sum = 0;
    for (let at = 0; at < dimensions; at++) {
      sum += (input[unit * dimensions + at] as number) * (table[row * dimensions + at] as number);
    }
    return sum;
  }
}
