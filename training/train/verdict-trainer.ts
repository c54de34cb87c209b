/**
 * Trains the two logistic regressions of the verdict (Newton's method with a little decay) on texts that the weights of
 * the clauses were not trained on.
 */
import { logistic } from "../../src/insight/engine/exact-math.ts";
import { VERDICT_CUES } from "../../src/insight/engine/trained-model.ts";
import { verdictCues } from "../../src/insight/reading/verdict.ts";
import type { KeptBack } from "./calibration.ts";

const DECAY = 1;
const ROUNDS = 15;
const DIGITS = 6;

export interface Verdict {
  readonly praise: Float64Array;
  readonly blame: Float64Array;
}

/** `weightOf` says for how many texts one counts. */
export function trainVerdict<Text extends KeptBack>(
  keptBack: readonly Text[],
  aspects: number,
  weightOf: (text: Text) => number = () => 1,
): Verdict {
  const rows = keptBack.flatMap((text) => {
    const { example, readings } = text;
    return readings.flatMap((reading, aspect) => {
      const cues = verdictCues(reading, aspect, aspects);
      const sides = example.bags.filter((bag) => bag.aspect === aspect).map(({ sentiment }) => sentiment);
      return cues === undefined ? [] : [{ cues, sides, weight: weightOf(text) }];
    });
  });
  const fit = (side: "positive" | "negative") =>
    regression(
      rows.map(({ cues, sides, weight }) => ({ cues, weight, target: sides.includes(side) ? 1 : 0 })),
      VERDICT_CUES + aspects,
    );
  return { praise: fit("positive"), blame: fit("negative") };
}

interface Row {
  readonly cues: Float64Array;
  readonly target: number;
  readonly weight: number;
}

function regression(rows: readonly Row[], size: number): Float64Array {
  const weights = new Float64Array(size);
  for (let round = 0; round < ROUNDS; round++) {
    const slope = weights.map((weight) => DECAY * weight);
    const curve = Array.from({ length: size }, (_, at) => {
      const row = new Float64Array(size);
      row[at] = DECAY;
      return row;
    });
    for (const { cues, target, weight } of rows) {
      let sum = 0;
      for (let at = 0; at < size; at++) sum += (weights[at] as number) * (cues[at] as number);
      const chance = logistic(sum);
      const error = weight * (chance - target);
      const spread = weight * chance * (1 - chance);
      for (let at = 0; at < size; at++) {
        const value = cues[at] as number;
        if (value === 0) continue;
        slope[at] = (slope[at] as number) + error * value;
        const line = curve[at] as Float64Array;
        for (let other = 0; other <= at; other++) {
          line[other] = (line[other] as number) + spread * value * (cues[other] as number);
        }
      }
    }
    const step = solved(curve, slope);
    for (let at = 0; at < size; at++) weights[at] = (weights[at] as number) - (step[at] as number);
  }
  return weights.map((weight) => Number(weight.toPrecision(DIGITS)));
}

/** Solves the symmetric, positive definite system whose lower half is `matrix` (Cholesky). Overwrites `matrix`. */
function solved(matrix: readonly Float64Array[], right: Float64Array): Float64Array {
  const size = right.length;
  const at = (row: number, column: number) => (matrix[row] as Float64Array)[column] as number;
  for (let row = 0; row < size; row++) {
    for (let column = 0; column <= row; column++) {
      let sum = at(row, column);
      for (let before = 0; before < column; before++) sum -= at(row, before) * at(column, before);
      (matrix[row] as Float64Array)[column] = row === column ? Math.sqrt(sum) : sum / at(column, column);
    }
  }
  const values = right.slice();
  for (let row = 0; row < size; row++) {
    for (let before = 0; before < row; before++) {
      values[row] = (values[row] as number) - at(row, before) * (values[before] as number);
    }
    values[row] = (values[row] as number) / at(row, row);
  }
  for (let row = size - 1; row >= 0; row--) {
    for (let after = row + 1; after < size; after++) {
      values[row] = (values[row] as number) - at(after, row) * (values[after] as number);
    }
    values[row] = (values[row] as number) / at(row, row);
  }
  return values;
}
