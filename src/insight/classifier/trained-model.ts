/**
 * The trained model: weights that say of a clause how likely it speaks of each aspect, and whether it praises or
 * blames. A sum of the weights of what is there (logistic regression), and a small hidden layer over the meaning of
 * the words. The weights are data, made by `npm run train`; `models/README.md` tells from what.
 */
import { z } from "zod";
import { bytesOf, parseWordVectors, type WordVectors } from "./word-vectors.ts";

/** What the patterns of one aspect say of a clause; the model weighs these alike for all aspects. */
export const CUES = ["positive", "negative", "open", "neutral", "long", "rival"] as const;

/** What the model sees of a clause. */
export interface ClauseFeatures {
  /** The words `from` to `to` (exclusive) that the clause covers. */
  readonly from: number;
  readonly to: number;
  /** Hashes of what is there; each counts once. */
  readonly keys: readonly number[];
  /** Hashes of the words of the clauses before and after, which count less. */
  readonly around: readonly number[];
  /** Mean direction of the word vectors. */
  readonly meaning: Float64Array;
  /** By the aspect's number which of CUES hold; aspects without any are left out. */
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
  weights: z.strictObject({ scales: numbers, values: z.string().describe("Base64, a signed byte an output") }),
  cues: z.strictObject({ presence: numbers, polarity: numbers }),
  hidden: z.strictObject({ size: z.int(), input: table, bias: numbers, output: table }),
  calibration: z
    .strictObject({ slope: z.number(), offset: z.number(), blame_slope: z.number(), blame_offset: z.number() })
    .describe("Straight lines that turn log odds into those which come true"),
  thresholds: z.strictObject({
    praise: z.number().describe("Minimum probability for praise to count"),
    blame: z.number().describe("Minimum probability for blame to count in reviews of one to three stars"),
    blame_in_good_reviews: z.number().describe("The same in reviews of four and five stars"),
  }),
});
export type ModelFile = z.infer<typeof modelSchema>;
export type Thresholds = ModelFile["thresholds"];

/** How the words around a clause count beside its own. */
export const AROUND_WEIGHT = 0.3;

/** The weights, unpacked: sums over what is there are taken a row of outputs at a time. */
export interface Weights {
  /** Number of outputs: one an aspect, and the polarity last. */
  readonly outputs: number;
  /** The row of a feature's hash, or -1. */
  readonly rowOf: (key: number) => number;
  readonly rows: Float32Array | Float64Array;
  readonly presenceCues: Float64Array;
  readonly polarityCues: Float64Array;
  readonly hidden: number;
  readonly input: Float64Array;
  readonly bias: Float64Array;
  readonly output: Float64Array;
}

/** What the model says of a clause, in log odds. */
export interface ClauseScores {
  readonly presence: Float64Array;
  /** By aspect: above 0 praise, below 0 blame. */
  readonly polarity: Float64Array;
  /** The polarity without what the patterns of single aspects add. */
  readonly shared: number;
}

/** Scores a clause. `activity` receives the hidden layer's values where given: training needs them. */
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
  /** Ids of the aspects that it knows, in the order of its outputs. */
  readonly aspects: readonly string[];
  readonly calibration: ModelFile["calibration"];
  readonly thresholds: Thresholds;
  readonly weights: Weights;
  readonly vectors: WordVectors;
}

/** The texts of a model's two files. */
export interface ModelFiles {
  readonly weights: string;
  readonly vectors: string;
}

/**
 * The model that a file of weights and the file of word vectors hold.
 * @throws Error when they are no such files, or do not belong together.
 */
export function parseModel(json: string, vectorsJson: string): TrainedModel {
  const { keys, weights, cues, hidden, ...rest } = modelSchema.parse(JSON.parse(json));
  const vectors = parseWordVectors(vectorsJson);
  if (rest.vectors !== vectors.version) {
    throw new Error(`The model ${rest.taxonomy} is made for word vectors ${rest.vectors}, not ${vectors.version}`);
  }
  const outputs = rest.aspects.length + 1;
  const packed = new Int8Array(bytesOf(weights.values).buffer);
  const rows = new Float32Array(packed.length);
  for (let at = 0; at < packed.length; at++) rows[at] = (packed[at] as number) * (weights.scales[at % outputs] ?? 0);
  if (cues.presence.length !== CUES.length || cues.polarity.length !== CUES.length) {
    throw new Error(`The model ${rest.taxonomy} is made for other cues; make it anew with npm run train`);
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
 * Finds the row of a key. Most keys of a text have none: a bit for each slot says so without a look at the table,
 * which is larger than a processor keeps at hand.
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
