/**
 * The trained model: scores each clause for the aspects it mentions and for praise or blame. Logistic regression on the
 * features present, and a small hidden layer over the word vectors. The weights are data, made by `npm run train`;
 * `models/README.md` describes their sources.
 */
import { inflateRawSync } from "node:zlib";
import { z } from "zod";
import { ENGLISH, type Language } from "../text/language-words.ts";
import { featureRows, paddedOutputs } from "./feature-rows.ts";
import { type FeatureSpace, featureSpace } from "./feature-space.ts";
import { hiddenLayer } from "./hidden-layer.ts";
import type { NumberList } from "./number-list.ts";
import { bytesOf, parseWordVectors, type WordVectors } from "./word-vectors.ts";

/** Cues from an aspect's patterns in a clause; each cue has the same weight for all aspects. */
export const CUES = ["positive", "negative", "open", "neutral", "long", "rival"] as const;

/** The number of cues of a verdict (`reading/verdict.ts`), besides one for each aspect. */
export const VERDICT_CUES = 31 + CUES.length;

/** An aspect's cue is one number: the aspect, then these bits for the index into `CUES`. */
const CUE_BITS = 3;

export function aspectCue(aspect: number, cue: number): number {
  return (aspect << CUE_BITS) | cue;
}

export function aspectOf(aspectCue: number): number {
  return aspectCue >>> CUE_BITS;
}

export function cueOf(aspectCue: number): number {
  return aspectCue & ((1 << CUE_BITS) - 1);
}

/** A clause as readings refer to it. */
export interface Clause {
  /** The clause's words, `from` to `to` (exclusive). */
  readonly from: number;
  readonly to: number;
  /** The aspects' cues, in the order in which they were found (`aspectCue`). */
  readonly cues: readonly number[];
  /** Whether it has a negation. */
  readonly denies: boolean;
}

/** The model's input for one clause. Training has another kind of list. */
export interface ClauseFeatures<List = NumberList> extends Clause {
  /** Numbers of the features present; each entry counts once. Some may have no weight. */
  readonly keys: List;
  /** Numbers of the features that depend on the stars; empty for a text without stars. */
  readonly stars: List;
  /** Numbers of the words in the clauses before and after, which have a lower weight. */
  readonly around: List;
  /** Rows of its words in the table of word vectors; words without a vector are omitted. */
  readonly vectors: List;
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

/** Weights as `scoreClause` uses them. Sums of a trained model are padded to a multiple of four outputs. */
export interface Weights<List = NumberList> {
  /** Number of outputs: one per aspect, then the polarity. */
  readonly outputs: number;
  /** Adds the weights of features to `sums`. */
  readonly addRows: (features: List, sums: Float64Array) => void;
  /** Factors for the sums of the features' weights, one per output. */
  readonly scales: Float64Array;
  readonly presenceCues: Float64Array;
  readonly polarityCues: Float64Array;
  /** Adds the hidden layer's outputs for a clause's word vectors to `sums`. */
  readonly addMeaning: (vectors: List, sums: Float64Array) => void;
}

/** The model's scores for a clause, as log odds. */
export interface ClauseScores {
  /** By aspect; entries after the last aspect are padding. */
  readonly presence: Float64Array;
  /** By aspect: positive for praise, negative for blame. */
  readonly polarity: Float64Array;
  /** The polarity before the cues for single aspects are added. */
  shared: number;
  /** What the stars added: by aspect, then to the polarity. */
  readonly stars: Float64Array;
}

/** Memory for the scores of one clause, which `scoreClause` fills. */
export function emptyScores(outputs: number): { -readonly [Key in keyof ClauseScores]: ClauseScores[Key] } {
  const length = paddedOutputs(outputs);
  return {
    presence: new Float64Array(length),
    polarity: new Float64Array(outputs - 1),
    shared: 0,
    stars: new Float64Array(length),
  };
}

/** Scores a clause into `scores`, overwriting them. */
export function scoreClause<List>(
  { outputs, scales, presenceCues, polarityCues, addRows, addMeaning }: Weights<List>,
  { keys, stars: starKeys, around, vectors, cues }: ClauseFeatures<List>,
  scores: ClauseScores = emptyScores(outputs),
): ClauseScores {
  const { presence: sums, polarity, stars } = scores;
  // Faster than `fill` for arrays this short.
  for (let index = 0; index < sums.length; index++) sums[index] = 0;
  for (let index = 0; index < stars.length; index++) stars[index] = 0;
  addRows(around, sums);
  for (let index = 0; index < outputs; index++) sums[index] = (sums[index] as number) * AROUND_WEIGHT;
  addRows(keys, sums);
  addRows(starKeys, stars);
  for (let index = 0; index < outputs; index++) {
    const scale = scales[index] as number;
    stars[index] = (stars[index] as number) * scale;
    sums[index] = (sums[index] as number) * scale + (stars[index] as number);
  }
  addMeaning(vectors, sums);
  const shared = sums[outputs - 1] as number;
  scores.shared = shared;
  for (let aspect = 0; aspect < polarity.length; aspect++) polarity[aspect] = shared;
  for (let at = 0; at < cues.length; at++) {
    const [aspect, cue] = [aspectOf(cues[at] as number), cueOf(cues[at] as number)];
    sums[aspect] = (sums[aspect] as number) + (presenceCues[cue] as number);
    polarity[aspect] = (polarity[aspect] as number) + (polarityCues[cue] as number);
  }
  return scores;
}

export interface TrainedModel {
  readonly version: string;
  /** Ids of the aspects it was trained for, in output order. */
  readonly aspects: readonly string[];
  /** Weights of `verdictCues`. */
  readonly verdict: {
    readonly praise: Float64Array;
    readonly blame: Float64Array;
    /** Scratch memory for the cues of one verdict. */
    readonly cues: Float64Array;
  };
  readonly calibration: ModelFile["calibration"];
  readonly thresholds: Thresholds;
  readonly weights: Weights;
  readonly vectors: WordVectors;
  /** Numbers features by the places of their weights. */
  readonly features: FeatureSpace;
}

/** Contents of a model's two files. */
export interface ModelFiles {
  readonly weights: string;
  readonly vectors: string;
}

/**
 * Parses a model for texts of a language from its weights file and the word vector file.
 * @throws Error if a file is invalid or the two do not belong together.
 */
export function parseModel(json: string, vectorsJson: string, language: Language = ENGLISH): TrainedModel {
  const { keys, weights, cues, hidden, ...rest } = modelSchema.parse(JSON.parse(json));
  const vectors = parseWordVectors(vectorsJson, language);
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
  const { placeOf, placeOfCopy, dropCopies, addRows } = featureRows(
    featureHashes(inflated(keys)),
    new Int8Array(inflated(weights.values).buffer),
    outputs,
  );
  const [input, output] = [numbersOf(hidden.input), numbersOf(hidden.output)];
  const unpacked = {
    outputs,
    addRows,
    scales: Float64Array.from(weights.scales),
    presenceCues: Float64Array.from(cues.presence),
    polarityCues: Float64Array.from(cues.polarity),
    addMeaning: hiddenLayer({ input, bias: Float64Array.from(hidden.bias), output, outputs }, vectors),
  };
  const { version, aspects, calibration, thresholds } = rest;
  const verdict = {
    praise: Float64Array.from(rest.verdict.praise),
    blame: Float64Array.from(rest.verdict.blame),
    cues: new Float64Array(rest.verdict.praise.length),
  };
  const features = featureSpace(vectors.wordOf, placeOf, placeOfCopy, dropCopies);
  return { version, aspects, verdict, calibration, thresholds, weights: unpacked, vectors, features };
}

/** Inflates Base64 into a buffer of its own. */
function inflated(base64: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(inflateRawSync(Buffer.from(base64, "base64")));
}

/** Decodes the features' hashes from byte planes of differences. */
function featureHashes(planes: Uint8Array): Int32Array {
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
