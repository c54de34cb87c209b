/**
 * The trained model's hidden layer over the word vectors of a clause. What a word adds to the units is computed once.
 * Four words are added at a time, and the sums of four outputs are local variables, so that sums are seldom read and
 * written; the order of the additions is that of words and of units.
 */
import { roomForOutputs } from "./feature-rows.ts";
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

/** The factor for a sum of so many word vectors: a long clause's is as long as a short one's. */
export function meaningFactor({ scale }: WordVectors, words: number): number {
  return words === 0 ? 0 : (MEANING_SCALE * scale) / Math.sqrt(words);
}

/**
 * Returns a function that adds to `sums` what the hidden units say of a clause's word vectors. Units below zero say
 * nothing.
 */
export function hiddenLayer(
  { input, bias, output, outputs }: HiddenWeights,
  vectors: WordVectors,
): (words: NumberList, sums: Float64Array) => void {
  const { dimensions, table } = vectors;
  const hidden = bias.length;
  const width = roomForOutputs(outputs);
  const outputRows = new Float64Array(hidden * width);
  for (let unit = 0; unit < hidden; unit++) {
    outputRows.set(output.subarray(unit * outputs, (unit + 1) * outputs), unit * width);
  }
  /** By row of the word vectors: where the word's share begins, 0 where it is not computed yet. */
  const places = new Int32Array(table.length / dimensions);
  /** The first share is that of no word. */
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

  /** Computes the units; those below zero are then taken to be zero. */
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
      // The larger of the value and zero, exactly and without a branch, which the processor could not foresee.
      units[unit] = (value + Math.abs(value)) / 2;
    }
  }

  /** Where the share of a word begins; that of no word, which is zero, from the end of the list on. */
  function placeOf(numbers: Int32Array, at: number, words: number): number {
    if (at >= words) return 0;
    const row = numbers[at] as number;
    const known = places[row] as number;
    return known === 0 ? addShare(row) : known;
  }

  function addShare(row: number): number {
    if (end + hidden > shares.length) {
      const longer = new Float64Array(shares.length * 2);
      longer.set(shares);
      shares = longer;
    }
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
