/**
 * Numbers for the features of a clause. Training numbers them by their hashes, because any may occur; a trained model
 * by the rows of their weights. The features of a single word are computed once.
 */
import type { Tokens } from "../text/tokens.ts";
import { wordTable } from "../text/vocabulary.ts";

/** Feature kinds, mixed into every hash so that a word and a word pair share a weight only by collision. */
export const KIND = {
  word: 1,
  pair: 2,
  negated: 4,
  before: 5,
  after: 6,
  pattern: 10,
  praise: 20,
  blame: 21,
  stars: 22,
  always: 23,
  question: 24,
  rival: 25,
  group: 26,
  place: 40,
  length: 41,
  toneBefore: 42,
  toneAfter: 43,
  toneOfText: 44,
  toneWithStars: 45,
  opening: 46,
  openingWithStars: 47,
} as const;

export interface FeatureSpace {
  /** Rows for the words of a text: that of word `n` begins at `n * WORD_WIDTH`. */
  readonly wordsOf: (text: Tokens) => Int32Array;
  /** The number of a feature; all features without weights share one. */
  readonly featureOf: (hash: number) => number;
  /** The number of the feature with the hash `mixed(kind, value)`, for a small value. */
  readonly featureOfKind: (kind: number, value: number) => number;
}

/** A word's row: the row of its vector (-1 if it has none), its hash, and the numbers of its features. */
export const WORD = { vector: 0, hash: 1, own: 2, negated: 3, before: 4, after: 5, group: 6, opening: 7 } as const;
export const WORD_WIDTH = 8;

/** A word as the word vectors know it. */
export interface KnownWord {
  /** Hash of its stem or of its kind: all numbers share one hash, and so do all amounts. */
  readonly hash: number;
  /** Row of its vector in the table; -1 if it has none. */
  readonly row: number;
  /** Hash of its group of similar words; for a word without a group, its own hash. */
  readonly group: number;
}

/** Features of kinds and values below these are looked up in advance. */
const [KINDS, VALUES] = [48, 64];

/**
 * `featureOfWord` may number a word's features differently, to keep those of one word close together; `restart` is
 * called when the vocabulary starts over.
 */
export function featureSpace(
  wordOf: (form: string) => KnownWord,
  featureOf: FeatureSpace["featureOf"],
  featureOfWord = featureOf,
  restart: () => void = () => {},
): FeatureSpace {
  const addWord = (rows: Int32Array, word: number, form: string) => {
    const { hash, row, group } = wordOf(form);
    rows[word + WORD.vector] = row;
    rows[word + WORD.hash] = hash;
    rows[word + WORD.group] = featureOf(mixed(group, KIND.group));
    rows[word + WORD.own] = featureOfWord(mixed(hash, KIND.word));
    rows[word + WORD.before] = featureOfWord(mixed(hash, KIND.before));
    rows[word + WORD.after] = featureOfWord(mixed(hash, KIND.after));
    rows[word + WORD.opening] = featureOfWord(mixed(KIND.opening, hash));
    rows[word + WORD.negated] = featureOfWord(mixed(hash, KIND.negated));
  };
  const wordsOf = wordTable(WORD_WIDTH, addWord, restart);
  const ofKinds = Int32Array.from({ length: KINDS * VALUES }, (_, at) =>
    featureOf(mixed(Math.trunc(at / VALUES), at % VALUES)),
  );
  return { wordsOf, featureOf, featureOfKind };

  function featureOfKind(kind: number, value: number): number {
    const whole = Math.trunc(value);
    return whole >= 0 && whole < VALUES ? (ofKinds[kind * VALUES + whole] as number) : featureOf(mixed(kind, whole));
  }
}

/** Combines two hashes into one. */
export function mixed(a: number, b: number): number {
  let hash = Math.imul(a ^ Math.imul(b, 0x9e3779b1), 0x85ebca6b);
  hash ^= hash >>> 15;
  hash = Math.imul(hash, 0x2c1b3c6d);
  return hash ^ (hash >>> 13);
}
