/**
 * The trained model: scores each clause for the aspects it mentions and for praise or blame. Logistic regression on the
 * features present, and a small hidden layer over the word vectors. The weights are data, made by `npm run train`;
 * `models/README.md` describes their sources.
 */
import { inflateRawSync } from "node:zlib";
import { z } from "zod";
import { type FeatureSpace, featureSpace } from "./feature-space.ts";
import { rowFinder } from "./row-finder.ts";
import { bytesOf, parseWordVectors, type WordVectors } from "./word-vectors.ts";

/** Cues from an aspect's patterns in a clause; each cue has the same weight for all aspects. */
export const CUES = ["positive", "negative", "open", "neutral", "long", "rival"] as const;

/** How many numbers say what a review shows of an aspect (`reading/verdict.ts`), besides one for each aspect. */
export const VERDICT_CUES = 31 + CUES.length;

/** The model's input for one clause. */
export interface ClauseFeatures {
  /** The clause's words, `from` to `to` (exclusive). */
  readonly from: number;
  readonly to: number;
  /** Numbers of the features present, some of which may have no weight; each entry counts once. */
  readonly keys: readonly number[];
  /** Numbers of the features that depend on the stars; empty for a text without stars. */
  readonly stars: readonly number[];
  /** Numbers of the words in the clauses before and after, which have a lower weight. */
  readonly around: readonly number[];
  /** Rows of its words in the table of word vectors; words without a vector are omitted. */
  readonly vectors: readonly number[];
  /** Indexes into `CUES` by aspect number; aspects without cues are omitted. */
  readonly cues: ReadonlyMap<number, readonly number[]>;
  /** Whether it has a negation. */
  readonly denies: boolean;
}

const numbers = z.array(z.number());
const table = z.strictObject({ scale: z.number(), values: z.string().describe("Base64 of signed 16-bit numbers") });

const modelSchema = z.strictObject({
  format: z.literal(1),
  version: z.string(),
  taxonomy: z.string(),
  aspects: z.array(z.string()),
  vectors: z.string().describe("Version of the word vectors that it was trained with"),
  keys: z
    .string()
    .describe(
      "Base64, deflated: the features' hashes, ascending, 32 bits each less the one before; all low bytes first",
    ),
  weights: z.strictObject({
    scales: numbers,
    values: z.string().describe("Base64, deflated: one signed byte per output"),
  }),
  cues: z.strictObject({ presence: numbers, polarity: numbers }),
  hidden: z.strictObject({ size: z.int(), input: table, bias: numbers, output: table }),
  verdict: z
    .strictObject({ praise: numbers, blame: numbers })
    .describe("Weights of what a whole review shows of an aspect"),
  calibration: z
    .strictObject({ slope: z.number(), offset: z.number(), blame_slope: z.number(), blame_offset: z.number() })
    .describe("Linear calibration of the log odds, for taxonomies that the model was not trained for"),
  thresholds: z.strictObject({
    praise: z.number().describe("Minimum probability for praise to count"),
    praise_in_bad_reviews: z
      .number()
      .describe("The same in reviews of one and two stars, where praise is more probable than blame"),
    blame: z.number().describe("Minimum probability for blame to count in reviews of one to three stars"),
    blame_in_good_reviews: z.number().describe("The same in reviews of four and five stars"),
  }),
});
export type ModelFile = z.infer<typeof modelSchema>;
export type Thresholds = ModelFile["thresholds"];

/** Weight of the neighbouring clauses' words, relative to the clause's own. */
export const AROUND_WEIGHT = 0.3;
const MEANING_SCALE = 1.5;

/** Unpacked weights, with one row of outputs per feature. */
export interface Weights {
  /** Number of outputs: one per aspect, then the polarity. */
  readonly outputs: number;
  /** Finds the row for a feature's number; -1 if there is none. */
  readonly rowOf: (key: number) => number;
  readonly rows: Int8Array | Float64Array;
  /** What the rows' numbers are multiplied by, one per output. */
  readonly scales: Float64Array;
  readonly presenceCues: Float64Array;
  readonly polarityCues: Float64Array;
  readonly hidden: number;
  /** The hidden units' values for a clause's word vectors; those below zero are then taken to be zero. */
  readonly unitsOf: (vectors: readonly number[]) => Float64Array;
  readonly output: Float64Array;
}

/** The model's scores for a clause, as log odds. */
export interface ClauseScores {
  /** By aspect; what follows the last aspect is not of interest. */
  readonly presence: Float64Array;
  /** By aspect: positive for praise, negative for blame. */
  readonly polarity: Float64Array;
  /** The polarity before the cues for single aspects are added. */
  shared: number;
  /** What the stars added: by aspect, then to the polarity. */
  readonly stars: Float64Array;
}

/** Room for the scores of one clause; `scoreClause` fills it. */
function emptyScores({ outputs }: Pick<Weights, "outputs">): ClauseScores {
  return {
    presence: new Float64Array(outputs),
    polarity: new Float64Array(outputs - 1),
    shared: 0,
    stars: new Float64Array(outputs),
  };
}

/** Scores a clause into `scores`, whose old contents are lost. */
export function scoreClause(
  weights: Weights,
  clause: ClauseFeatures,
  scores: ClauseScores = emptyScores(weights),
): ClauseScores {
  const { outputs, scales, hidden, output, presenceCues, polarityCues } = weights;
  const { presence: sums, polarity, stars } = scores;
  sums.fill(0);
  stars.fill(0);
  addRows(weights, clause.around, sums);
  for (let index = 0; index < outputs; index++) sums[index] = (sums[index] as number) * AROUND_WEIGHT;
  addRows(weights, clause.keys, sums);
  addRows(weights, clause.stars, stars);
  for (let index = 0; index < outputs; index++) {
    const scale = scales[index] as number;
    stars[index] = (stars[index] as number) * scale;
    sums[index] = (sums[index] as number) * scale + (stars[index] as number);
  }
  const units = weights.unitsOf(clause.vectors);
  for (let unit = 0; unit < hidden; unit++) {
    const value = units[unit] as number;
    if (value <= 0) continue;
    for (let index = 0, base = unit * outputs; index < outputs; index++) {
      sums[index] = (sums[index] as number) + value * (output[base + index] as number);
    }
  }
  const shared = sums[outputs - 1] as number;
  scores.shared = shared;
  polarity.fill(shared);
  for (const [aspect, cues] of clause.cues) {
    for (let at = 0; at < cues.length; at++) {
      const cue = cues[at] as number;
      sums[aspect] = (sums[aspect] as number) + (presenceCues[cue] as number);
      polarity[aspect] = (polarity[aspect] as number) + (polarityCues[cue] as number);
    }
  }
  return scores;
}

function addRows({ outputs, rows, rowOf }: Weights, keys: readonly number[], sums: Float64Array): void {
  for (let at = 0; at < keys.length; at++) {
    const row = rowOf(keys[at] as number);
    if (row < 0) continue;
    for (let index = 0, base = row * outputs; index < outputs; index++) {
      sums[index] = (sums[index] as number) + (rows[base + index] as number);
    }
  }
}

/** The factor for a sum of so many word vectors: a long clause's is as long as a short one's. */
export function meaningFactor({ scale }: WordVectors, words: number): number {
  return words === 0 ? 0 : (MEANING_SCALE * scale) / Math.sqrt(words);
}

/**
 * Returns a function that computes the hidden units for word vectors. What each word adds is computed once, and kept
 * in one table in the order in which the words are met.
 */
function hiddenLayer(input: Float64Array, bias: Float64Array, vectors: WordVectors): Weights["unitsOf"] {
  const { dimensions, table } = vectors;
  const hidden = bias.length;
  const units = new Float64Array(hidden);
  /** By row of the word vectors: where the word's share begins, -1 where it is not computed yet. */
  const places = new Int32Array(table.length / dimensions).fill(-1);
  let shares = new Float64Array(256 * hidden);
  let end = 0;

  function addShare(row: number): number {
    if (end + hidden > shares.length) {
      const longer = new Float64Array(shares.length * 2);
      longer.set(shares);
      shares = longer;
    }
    for (let unit = 0; unit < hidden; unit++) {
      let sum = 0;
      for (let at = 0; at < dimensions; at++) {
        sum += (input[unit * dimensions + at] as number) * (table[row * dimensions + at] as number);
      }
      shares[end + unit] = sum;
    }
    places[row] = end;
    end += hidden;
    return end - hidden;
  }

  function placeOf(row: number): number {
    const known = places[row] as number;
    return known < 0 ? addShare(row) : known;
  }

  return (rows) => {
    units.fill(0);
    let at = 0;
    // Two words at a time, since each sum is then read and written half as often. The order of the additions stays.
    for (; at + 1 < rows.length; at += 2) {
      const [place, next] = [placeOf(rows[at] as number), placeOf(rows[at + 1] as number)];
      for (let unit = 0; unit < hidden; unit++) {
        units[unit] = (units[unit] as number) + (shares[place + unit] as number) + (shares[next + unit] as number);
      }
    }
    if (at < rows.length) {
      const place = placeOf(rows[at] as number);
      for (let unit = 0; unit < hidden; unit++)
        units[unit] = (units[unit] as number) + (shares[place + unit] as number);
    }
    const factor = meaningFactor(vectors, rows.length);
    for (let unit = 0; unit < hidden; unit++) {
      units[unit] = (units[unit] as number) * factor + (bias[unit] as number);
    }
    return units;
  };
}

export interface TrainedModel {
  readonly version: string;
  /** Ids of the aspects it was trained for, in output order. */
  readonly aspects: readonly string[];
  /** Weights of `verdictCues`. */
  readonly verdict: { readonly praise: Float64Array; readonly blame: Float64Array };
  readonly calibration: ModelFile["calibration"];
  readonly thresholds: Thresholds;
  readonly weights: Weights;
  readonly vectors: WordVectors;
  /** Numbers features by the rows of their weights. */
  readonly features: FeatureSpace;
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
  if (cues.presence.length !== CUES.length || cues.polarity.length !== CUES.length) {
    throw new Error(`The model ${rest.taxonomy} was trained with other cues; run npm run train again`);
  }
  for (const list of [rest.verdict.praise, rest.verdict.blame]) {
    if (list.length !== VERDICT_CUES + rest.aspects.length) {
      throw new Error(`The model ${rest.taxonomy} was trained with another verdict; run npm run train again`);
    }
  }
  const unpacked = {
    outputs,
    rowOf: (feature: number) => feature,
    rows: new Int8Array(inflated(weights.values).buffer),
    scales: Float64Array.from(weights.scales),
    presenceCues: Float64Array.from(cues.presence),
    polarityCues: Float64Array.from(cues.polarity),
    hidden: hidden.size,
    unitsOf: hiddenLayer(numbersOf(hidden.input), Float64Array.from(hidden.bias), vectors),
    output: numbersOf(hidden.output),
  };
  const { version, aspects, calibration, thresholds } = rest;
  const verdict = {
    praise: Float64Array.from(rest.verdict.praise),
    blame: Float64Array.from(rest.verdict.blame),
  };
  const features = featureSpace(vectors.wordOf, rowFinder(keysOf(inflated(keys))));
  return { version, aspects, verdict, calibration, thresholds, weights: unpacked, vectors, features };
}

/** Inflates Base64 into a buffer of its own. */
function inflated(base64: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(inflateRawSync(Buffer.from(base64, "base64")));
}

/** The keys of their planes: of each what it is more than the one before. */
function keysOf(planes: Uint8Array): Int32Array {
  const keys = new Int32Array(planes.length / 4);
  for (let at = 0, key = 0; at < keys.length; at++) {
    for (let plane = 0; plane < 4; plane++) key += (planes[plane * keys.length + at] as number) << (8 * plane);
    keys[at] = key;
  }
  return keys;
}

function numbersOf({ scale, values }: { readonly scale: number; readonly values: string }): Float64Array {
  return Float64Array.from(new Int16Array(bytesOf(values).buffer), (value) => value * scale);
}
