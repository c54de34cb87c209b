/**
 * The trained model: scores each clause for the aspects it mentions and for praise or blame. Logistic regression on the
 * features present, and a small hidden layer over the word vectors. The weights are data, made by `npm run train`;
 * `models/README.md` describes their sources.
 */
import { z } from "zod";
import { bytesOf, parseWordVectors, type WordVectors } from "./word-vectors.ts";

/** Cues from an aspect's patterns in a clause; each cue has the same weight for all aspects. */
export const CUES = ["positive", "negative", "open", "neutral", "long", "rival"] as const;

/** The model's input for one clause. */
export interface ClauseFeatures {
  /** The clause's words, `from` to `to` (exclusive). */
  readonly from: number;
  readonly to: number;
  /** Hashes of the features present; each entry counts once. */
  readonly keys: readonly number[];
  /** Hashes of the words in the clauses before and after, which have a lower weight. */
  readonly around: readonly number[];
  /** Sum of the word vectors, scaled by the square root of their number. */
  readonly meaning: Float64Array;
  /** Indexes into `CUES` by aspect number; aspects without cues are omitted. */
  readonly cues: ReadonlyMap<number, readonly number[]>;
}

const numbers = z.array(z.number());
const table = z.strictObject({ scale: z.number(), values: z.string().describe("Base64 of signed 16-bit numbers") });

const modelSchema = z.strictObject({
  format: z.literal(1),
  version: z.string(),
  taxonomy: z.string(),
  aspects: z.array(z.string()),
  vectors: z.string().describe("Version of the word vectors that it was trained with"),
  keys: z.string().describe("Base64 of the features' hashes, 32 bits each, ascending"),
  weights: z.strictObject({ scales: numbers, values: z.string().describe("Base64 of one signed byte per output") }),
  cues: z.strictObject({ presence: numbers, polarity: numbers }),
  hidden: z.strictObject({ size: z.int(), input: table, bias: numbers, output: table }),
  calibration: z
    .strictObject({ slope: z.number(), offset: z.number(), blame_slope: z.number(), blame_offset: z.number() })
    .describe("Linear calibration of the log odds"),
  thresholds: z.strictObject({
    praise: z.number().describe("Minimum probability for praise to count"),
    blame: z.number().describe("Minimum probability for blame to count in reviews of one to three stars"),
    blame_in_good_reviews: z.number().describe("The same in reviews of four and five stars"),
  }),
});
export type ModelFile = z.infer<typeof modelSchema>;
export type Thresholds = ModelFile["thresholds"];

/** Weight of the neighbouring clauses' words, relative to the clause's own. */
export const AROUND_WEIGHT = 0.3;

/** Unpacked weights, with one row of outputs per feature. */
export interface Weights {
  /** Number of outputs: one per aspect, then the polarity. */
  readonly outputs: number;
  /** Finds the row for a feature's hash; -1 if there is none. */
  readonly rowOf: (key: number) => number;
  readonly rows: Float32Array | Float64Array;
  readonly presenceCues: Float64Array;
  readonly polarityCues: Float64Array;
  readonly hidden: number;
  readonly input: Float64Array;
  readonly bias: Float64Array;
  readonly output: Float64Array;
}

/** The model's scores for a clause, as log odds. */
export interface ClauseScores {
  readonly presence: Float64Array;
  /** By aspect: positive for praise, negative for blame. */
  readonly polarity: Float64Array;
  /** The polarity before the cues for single aspects are added. */
  readonly shared: number;
}

/** Scores a clause. `activity`, if given, receives the hidden layer's values, which training needs. */
export function scoreClause(weights: Weights, clause: ClauseFeatures, activity?: Float64Array): ClauseScores {
  const { outputs, rows, rowOf, hidden, input, bias, output } = weights;
  const sums = new Float64Array(outputs);
  for (let list = 0; list < 2; list++) {
    const keys = list === 0 ? clause.keys : clause.around;
    const factor = list === 0 ? 1 : AROUND_WEIGHT;
    for (let at = 0; at < keys.length; at++) {
      const row = rowOf(keys[at] as number);
      if (row < 0) continue;
      for (let index = 0, base = row * outputs; index < outputs; index++) {
        sums[index] = (sums[index] as number) + factor * (rows[base + index] as number);
      }
    }
  }
  const { meaning } = clause;
  const size = meaning.length;
  for (let unit = 0; unit < hidden; unit++) {
    let value = bias[unit] as number;
    for (let index = 0, base = unit * size; index < size; index++) {
      value += (input[base + index] as number) * (meaning[index] as number);
    }
    if (activity !== undefined) activity[unit] = value;
    if (value <= 0) continue;
    for (let index = 0, base = unit * outputs; index < outputs; index++) {
      sums[index] = (sums[index] as number) + value * (output[base + index] as number);
    }
  }
  const presence = sums.subarray(0, outputs - 1);
  const shared = sums[outputs - 1] as number;
  const polarity = new Float64Array(outputs - 1).fill(shared);
  for (const [aspect, cues] of clause.cues) {
    for (const cue of cues) {
      presence[aspect] = (presence[aspect] as number) + (weights.presenceCues[cue] as number);
      polarity[aspect] = (polarity[aspect] as number) + (weights.polarityCues[cue] as number);
    }
  }
  return { presence, polarity, shared };
}

export interface TrainedModel {
  readonly version: string;
  /** Ids of the aspects it was trained for, in output order. */
  readonly aspects: readonly string[];
  readonly calibration: ModelFile["calibration"];
  readonly thresholds: Thresholds;
  readonly weights: Weights;
  readonly vectors: WordVectors;
}

/** Contents of a model's two files. */
export interface ModelFiles {
  readonly weights: string;
  readonly vectors: string;
}

/**
 * Parses a model from its weights file and the word vector file.
 * @throws Error if a file is invalid or the two do not belong together.
 */
export function parseModel(json: string, vectorsJson: string): TrainedModel {
  const { keys, weights, cues, hidden, ...rest } = modelSchema.parse(JSON.parse(json));
  const vectors = parseWordVectors(vectorsJson);
  if (rest.vectors !== vectors.version) {
    throw new Error(
      `The model ${rest.taxonomy} was trained with the word vectors ${rest.vectors}, not ${vectors.version}`,
    );
  }
  const outputs = rest.aspects.length + 1;
  const packed = new Int8Array(bytesOf(weights.values).buffer);
  const rows = new Float32Array(packed.length);
  for (let at = 0; at < packed.length; at++) rows[at] = (packed[at] as number) * (weights.scales[at % outputs] ?? 0);
  if (cues.presence.length !== CUES.length || cues.polarity.length !== CUES.length) {
    throw new Error(`The model ${rest.taxonomy} was trained with other cues; run npm run train again`);
  }
  const unpacked = {
    outputs,
    rowOf: rowFinder(new Int32Array(bytesOf(keys).buffer)),
    rows,
    presenceCues: Float64Array.from(cues.presence),
    polarityCues: Float64Array.from(cues.polarity),
    hidden: hidden.size,
    input: numbersOf(hidden.input),
    bias: Float64Array.from(hidden.bias),
    output: numbersOf(hidden.output),
  };
  const { version, aspects, calibration, thresholds } = rest;
  return { version, aspects, calibration, thresholds, weights: unpacked, vectors };
}

function numbersOf({ scale, values }: { readonly scale: number; readonly values: string }): Float64Array {
  return Float64Array.from(new Int16Array(bytesOf(values).buffer), (value) => value * scale);
}

/**
 * Returns a function that finds a key's row, or -1. Most keys in a text have no row: a bitmap of the occupied slots
 * rules them out without access to the table, which is larger than the processor's cache.
 */
function rowFinder(keys: Int32Array): (key: number) => number {
  let size = 1024;
  while (size < keys.length * 4) size *= 2;
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
