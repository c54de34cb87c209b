/**
 * Trains the weights by gradient descent with steps that shrink for what was seen often (AdaGrad). Everything runs in
 * a fixed order on numbers that every machine computes alike, so the same labels give the same weights to the bit.
 */
import { logistic } from "../../src/insight/engine/exact-math.ts";
import { meaningFactor } from "../../src/insight/engine/hidden-layer.ts";
import {
  AROUND_WEIGHT,
  aspectOf,
  CUES,
  cueOf,
  scoreClause,
  type Weights,
} from "../../src/insight/engine/trained-model.ts";
import type { WordVectors } from "../../src/insight/engine/word-vectors.ts";
import type { Example, LearnedClause } from "./examples.ts";

export interface Settings {
  readonly rounds: number;
  readonly hidden: number;
  readonly rate: number;
  /** How strongly weights of features are drawn to zero, and those of the hidden layer. */
  readonly decay: number;
  readonly hiddenDecay: number;
  /** A feature of fewer examples has no weight. */
  readonly fewest: number;
  /** Share of rounds without patterns, for examples from which the patterns were written. */
  readonly withoutPatterns: number;
  /** Share of a clause's features that each step leaves out (dropout). */
  readonly leftOut: number;
  /** Share of steps in which a review has other stars, so that its words decide. */
  readonly underOtherStars: number;
  /** The weights are the mean over this many last rounds. */
  readonly averaged: number;
  /** Scores with a smaller slope are skipped: nearly all are of aspects that are not mentioned. */
  readonly leastSlope: number;
  /** Number of models that are trained and joined. */
  readonly models: number;
  readonly seed: number;
}

export const SETTINGS: Settings = {
  rounds: 18,
  hidden: 24,
  rate: 0.06,
  decay: 5e-4,
  hiddenDecay: 1e-4,
  fewest: 3,
  withoutPatterns: 0.5,
  leftOut: 0.4,
  underOtherStars: 0.25,
  averaged: 8,
  leastSlope: 0.004,
  models: 3,
  seed: 7,
};

/**
 * For another language, from the weights for English: its texts are few and change only what they speak of. The hidden
 * layer is that of the models that were joined.
 */
export const SETTINGS_OF_A_LANGUAGE: Settings = {
  ...SETTINGS,
  rounds: 12,
  averaged: 6,
  hidden: 72,
  models: 1,
  fewest: 2,
};
/** As if weights that training starts from had been learned by so many large steps: they change by smaller ones. */
const LEARNED_SQUARES = 1;

/** Weights that training starts from. */
export type Start = Pick<Trained, "keys" | "rows" | "input" | "bias" | "output"> & {
  readonly cues: { readonly presence: readonly number[]; readonly polarity: readonly number[] };
};

export interface Trained {
  /** The hashes of the features that have weights, ascending: row by row those of `weights`. */
  readonly keys: Int32Array;
  readonly weights: Weights<readonly number[]>;
  readonly rows: Float64Array;
  /** The hidden layer: unit by unit its weights of the word vectors' dimensions, where it starts, and its outputs'. */
  readonly input: Float64Array;
  readonly bias: Float64Array;
  readonly output: Float64Array;
}

/** A parameter vector with the sum of its squared gradients. */
interface Parameters {
  readonly values: Float64Array;
  readonly squares: Float64Array;
  readonly decay: number;
}

type AddNumbers = (list: readonly number[], sums: Float64Array) => void;

interface Task {
  readonly aspects: number;
  readonly vectors: WordVectors;
  readonly settings?: Settings;
  readonly start?: Start | undefined;
}

/** Trains several models that differ by their random numbers, and joins them to one that scores as their mean. */
export function train(examples: readonly Example[], { aspects, vectors, settings = SETTINGS, start }: Task): Trained {
  const { models, seed } = settings;
  const all = Array.from({ length: models }, (_, index) =>
    trainOne(examples, { aspects, vectors, settings: { ...settings, seed: seed + index }, start }),
  );
  const mean = (of: (trained: Trained) => ArrayLike<number>) => {
    const sum = new Float64Array(of(all[0] as Trained).length);
    for (const trained of all) {
      const values = of(trained);
      for (let at = 0; at < sum.length; at++) sum[at] = (sum[at] as number) + (values[at] as number) / models;
    }
    return sum;
  };
  const joined = (of: (trained: Trained) => Float64Array) => Float64Array.from(all.flatMap((one) => [...of(one)]));
  const { keys, weights } = all[0] as Trained;
  const { outputs } = weights;
  const [input, bias] = [joined((trained) => trained.input), joined((trained) => trained.bias)];
  const output = joined((trained) => trained.output).map((value) => value / models);
  const rows = mean((trained) => trained.rows);
  const rowsByKey = new Map([...keys].map((key, row) => [key, row]));
  const meaningOf = meanings(vectors);
  const unitsOf = (words: readonly number[]) => hiddenUnits(meaningOf(words), input, bias);
  return {
    keys,
    weights: {
      ...weights,
      addRows: rowAdder(rows, outputs, (key) => rowsByKey.get(key) ?? -1),
      presenceCues: mean((trained) => trained.weights.presenceCues),
      polarityCues: mean((trained) => trained.weights.polarityCues),
      addMeaning: meaningAdder(output, outputs, unitsOf),
    },
    rows,
    input,
    bias,
    output,
  };
}

/** Returns a function that adds the rows of features one after the other: the order decides on the last bits. */
function rowAdder(rows: Float64Array, outputs: number, rowOf: (key: number) => number): AddNumbers {
  return (list, sums) => {
    for (let at = 0; at < list.length; at++) {
      const row = rowOf(list[at] as number);
      if (row < 0) continue;
      for (let index = 0, base = row * outputs; index < outputs; index++) {
        sums[index] = (sums[index] as number) + (rows[base + index] as number);
      }
    }
  };
}

/** Returns a function that adds what the hidden units above zero say. */
function meaningAdder(
  output: Float64Array,
  outputs: number,
  unitsOf: (words: readonly number[]) => Float64Array,
): AddNumbers {
  return (words, sums) => {
    const units = unitsOf(words);
    for (let unit = 0; unit < units.length; unit++) {
      const value = units[unit] as number;
      if (value <= 0) continue;
      for (let index = 0, base = unit * outputs; index < outputs; index++) {
        sums[index] = (sums[index] as number) + value * (output[base + index] as number);
      }
    }
  };
}

/** Returns a function that computes the scaled sum of word vectors, once for each list. */
function meanings(vectors: WordVectors): (words: readonly number[]) => Float64Array {
  const known = new WeakMap<readonly number[], Float64Array>();
  const { dimensions, table } = vectors;
  return (words) => {
    let meaning = known.get(words);
    if (meaning === undefined) {
      meaning = new Float64Array(dimensions);
      const factor = meaningFactor(vectors, words.length);
      for (const row of words) {
        for (let at = 0; at < dimensions; at++) {
          meaning[at] = (meaning[at] as number) + factor * (table[row * dimensions + at] as number);
        }
      }
      known.set(words, meaning);
    }
    return meaning;
  };
}

function hiddenUnits(meaning: Float64Array, input: Float64Array, bias: Float64Array): Float64Array {
  const units = new Float64Array(bias.length);
  for (let unit = 0; unit < bias.length; unit++) {
    let value = bias[unit] as number;
    for (let at = 0, base = unit * meaning.length; at < meaning.length; at++) {
      value += (input[base + at] as number) * (meaning[at] as number);
    }
    units[unit] = value;
  }
  return units;
}

function trainOne(
  examples: readonly Example[],
  { aspects, vectors, settings, start }: Required<Pick<Task, "aspects" | "vectors" | "settings">> & Task,
): Trained {
  const random = randomNumbers(settings.seed);
  const outputs = aspects + 1;
  const { hidden, rate } = settings;
  const { dimensions } = vectors;
  const meaningOf = meanings(vectors);
  const chosen = examples.map((example) =>
    example.source.isOpen && random() < settings.withoutPatterns ? example.withoutPatterns : example.clauses,
  );
  const keys = Int32Array.from(new Set([...frequentKeys(examples, settings.fewest), ...(start?.keys ?? [])])).sort();
  const rowsByKey = new Map([...keys].map((key, row) => [key, row]));
  const rowsOf = (list: readonly number[]) => list.flatMap((key) => rowsByKey.get(key) ?? []);
  // The rows of a clause's features are looked up once: here its keys are rows.
  const inRows = chosen.map((clauses) =>
    clauses.map((clause) => ({
      ...clause,
      keys: rowsOf(clause.keys),
      stars: rowsOf(clause.stars),
      around: rowsOf(clause.around),
    })),
  );
  const otherStars = examples.map(({ otherStars }) => otherStars?.map(rowsOf));
  const parameters = (length: number, decay: number, spread = 0): Parameters => ({
    values: Float64Array.from({ length }, () => (spread === 0 ? 0 : (random() * 2 - 1) * spread)),
    squares: new Float64Array(length).fill(0.01),
    decay,
  });
  const rows = parameters(keys.length * outputs, settings.decay);
  const presenceCues = parameters(CUES.length, settings.hiddenDecay);
  const polarityCues = parameters(CUES.length, settings.hiddenDecay);
  const input = parameters(hidden * dimensions, settings.hiddenDecay, Math.sqrt(3 / Math.max(1, dimensions)));
  const bias = parameters(hidden, 0);
  const output = parameters(hidden * outputs, settings.hiddenDecay, 0.1);
  if (start !== undefined) {
    begin(rows, start.rows, (row) => (rowsByKey.get(start.keys[row] as number) as number) * outputs, outputs);
    begin(presenceCues, start.cues.presence);
    begin(polarityCues, start.cues.polarity);
    begin(input, start.input);
    begin(bias, start.bias);
    begin(output, start.output);
  }
  const all = [rows, presenceCues, polarityCues, input, bias, output];
  const means = all.map(({ values }) => new Float64Array(values.length));
  const weights: Weights<readonly number[]> = {
    outputs,
    addRows: rowAdder(rows.values, outputs, (row) => row),
    scales: new Float64Array(outputs).fill(1),
    presenceCues: presenceCues.values,
    polarityCues: polarityCues.values,
    addMeaning: meaningAdder(output.values, outputs, unitsOf),
  };

  /** The hidden units of the clauses that are being learned from. */
  const activities = new Map<readonly number[], Float64Array>();
  const order = examples.flatMap(({ source }, index) => Array.from({ length: source.times ?? 1 }, () => index));
  for (let round = 0; round < settings.rounds; round++) {
    shuffle(order, random);
    for (const index of order) {
      const isTurned = random() < settings.underOtherStars;
      const clauses = inRows[index] as LearnedClause[];
      const stars = isTurned ? otherStars[index] : undefined;
      const read = clauses.map((clause, at) => ({ ...clause, stars: stars?.[at] ?? clause.stars }));
      learn(examples[index] as Example, read.map(withSomeLeftOut));
    }
    if (round >= settings.rounds - settings.averaged) addToMeans();
  }
  for (const [index, { values }] of all.entries()) values.set(means[index] as Float64Array);
  return {
    keys,
    weights: { ...weights, addRows: rowAdder(rows.values, outputs, (key) => rowsByKey.get(key) ?? -1) },
    rows: rows.values,
    input: input.values,
    bias: bias.values,
    output: output.values,
  };

  function unitsOf(words: readonly number[]): Float64Array {
    return activities.get(words) ?? hiddenUnits(meaningOf(words), input.values, bias.values);
  }

  function withSomeLeftOut(clause: LearnedClause): LearnedClause {
    const some = (list: readonly number[]) => {
      const kept: number[] = [];
      for (let at = 0; at < list.length; at++) if (random() >= settings.leftOut) kept.push(list[at] as number);
      return kept;
    };
    return { ...clause, keys: some(clause.keys), stars: some(clause.stars), around: some(clause.around) };
  }

  function addToMeans(): void {
    for (const [index, { values }] of all.entries()) {
      const mean = means[index] as Float64Array;
      for (let at = 0; at < values.length; at++) {
        mean[at] = (mean[at] as number) + (values[at] as number) / settings.averaged;
      }
    }
  }

  function learn(example: Example, clauses: readonly LearnedClause[]): void {
    activities.clear();
    for (const { vectors: words } of clauses) activities.set(words, unitsOf(words));
    const scores = clauses.map((clause) => scoreClause(weights, clause));
    const slopes = slopesOf(example, scores, aspects);
    for (const [at, clause] of clauses.entries()) descend(clause, slopes[at] as ClauseSlopes);
  }

  function step({ values, squares, decay }: Parameters, at: number, slope: number): void {
    const whole = slope + decay * (values[at] as number);
    const square = (squares[at] as number) + whole * whole;
    squares[at] = square;
    values[at] = (values[at] as number) - (rate * whole) / Math.sqrt(square);
  }

  /** One step for the weights of features: nearly all steps are these. */
  function stepRows(list: readonly number[], taught: readonly number[], slopes: Float64Array, factor: number): void {
    const { values, squares, decay } = rows;
    for (let index = 0; index < list.length; index++) {
      const base = (list[index] as number) * outputs;
      for (let next = 0; next < taught.length; next++) {
        const output = taught[next] as number;
        const at = base + output;
        const value = values[at] as number;
        const whole = factor * (slopes[output] as number) + decay * value;
        const square = (squares[at] as number) + whole * whole;
        squares[at] = square;
        values[at] = value - (rate * whole) / Math.sqrt(square);
      }
    }
  }

  function descend(clause: LearnedClause, { presence, polarity }: ClauseSlopes): void {
    const activity = unitsOf(clause.vectors);
    const slopes = new Float64Array(outputs);
    slopes.set(presence);
    for (const slope of polarity) slopes[aspects] = (slopes[aspects] as number) + slope;
    const taught: number[] = [];
    for (let at = 0; at < outputs; at++) if (Math.abs(slopes[at] as number) >= settings.leastSlope) taught.push(at);
    stepRows(clause.keys, taught, slopes, 1);
    stepRows(clause.stars, taught, slopes, 1);
    stepRows(clause.around, taught, slopes, AROUND_WEIGHT);
    for (const [aspect, cues] of Map.groupBy(clause.cues, aspectOf)) {
      for (const cue of cues) {
        step(presenceCues, cueOf(cue), presence[aspect] as number);
        step(polarityCues, cueOf(cue), polarity[aspect] as number);
      }
    }
    const meaning = meaningOf(clause.vectors);
    for (let unit = 0; unit < hidden; unit++) {
      const value = activity[unit] as number;
      if (value <= 0) continue;
      let back = 0;
      for (let at = 0; at < outputs; at++) {
        const place = unit * outputs + at;
        back += (slopes[at] as number) * (output.values[place] as number);
        step(output, place, (slopes[at] as number) * value);
      }
      for (let at = 0; at < dimensions; at++) step(input, unit * dimensions + at, back * (meaning[at] as number));
      step(bias, unit, back);
    }
  }
}

/** Sets parameters to known values, in rows of `width` at the given places. */
function begin(
  { values, squares }: Parameters,
  known: ArrayLike<number>,
  placeOf: (row: number) => number = (row) => row,
  width = 1,
): void {
  for (let at = 0; at < known.length; at++) {
    const place = placeOf(Math.trunc(at / width)) + (at % width);
    values[place] = known[at] as number;
    squares[place] = LEARNED_SQUARES;
  }
}

interface ClauseSlopes {
  readonly presence: Float64Array;
  readonly polarity: Float64Array;
}

/**
 * The slopes of the loss by each clause's scores. Of a bag at least one clause speaks of the aspect; of what is in no
 * bag of an aspect none does. The polarity of a bag is that of its clauses, weighed by how much they speak of it.
 */
function slopesOf(
  { bags, unread }: Example,
  scores: readonly { readonly presence: Float64Array; readonly polarity: Float64Array }[],
  aspects: number,
): ClauseSlopes[] {
  const chances = scores.map(({ presence }) => {
    const chance = new Float64Array(aspects);
    for (let at = 0; at < aspects; at++) chance[at] = logistic(presence[at] as number);
    return chance;
  });
  const slopes = chances.map((chance) => ({ presence: chance.slice(), polarity: new Float64Array(aspects) }));
  for (const { presence } of slopes) for (const aspect of unread) presence[aspect] = 0;
  for (const { aspect, clauses, sentiment } of bags) {
    let none = 1;
    let sum = 1e-9;
    for (const at of clauses) {
      none *= 1 - (chances[at]?.[aspect] ?? 0);
      sum += chances[at]?.[aspect] ?? 0;
    }
    const odds = none / Math.max(1e-6, 1 - none);
    let polarity = 0;
    for (const at of clauses) {
      const chance = chances[at]?.[aspect] ?? 0;
      (slopes[at] as ClauseSlopes).presence[aspect] = -odds * chance;
      polarity += (chance / sum) * (scores[at]?.polarity[aspect] ?? 0);
    }
    if (sentiment === "neutral") continue;
    const error = logistic(polarity) - (sentiment === "positive" ? 1 : 0);
    for (const at of clauses) {
      const slope = (slopes[at] as ClauseSlopes).polarity;
      slope[aspect] = (slope[aspect] as number) + error * ((chances[at]?.[aspect] ?? 0) / sum);
    }
  }
  return slopes;
}

/** The hashes that occur in at least the given number of examples, ascending. A partly used example counts half. */
function frequentKeys(examples: readonly Example[], fewest: number): Int32Array {
  const counts = new Map<number, number>();
  for (const { clauses, unread } of examples) {
    const share = unread.length > 0 ? 0.5 : 1;
    for (const key of new Set(clauses.flatMap(({ keys, stars, around }) => [...keys, ...stars, ...around]))) {
      counts.set(key, (counts.get(key) ?? 0) + share);
    }
  }
  return Int32Array.from([...counts].filter(([, count]) => count >= fewest).map(([key]) => key)).sort();
}

function shuffle(order: number[], random: () => number): void {
  for (let at = order.length - 1; at > 0; at--) {
    const other = Math.floor(random() * (at + 1));
    const kept = order[at] as number;
    order[at] = order[other] as number;
    order[other] = kept;
  }
}

/** Pseudo-random numbers from 0 to 1 for a seed (mulberry32). */
function randomNumbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let value = Math.imul(state ^ (state >>> 15), state | 1);
    value = (value + Math.imul(value ^ (value >>> 7), value | 61)) ^ value;
    return ((value ^ (value >>> 14)) >>> 0) / 2 ** 32;
  };
}
