/**
 * Word vectors: similar words have similar vectors, so that training on a word also applies to its neighbours. A table
 * of small integers, indexed by word hash. They are of English words: a word of another language is taken for the English
 * one that is most like it (`like` in its words), so that what was learned from English texts serves it too.
 */
import { z } from "zod";
import { lowerBound } from "../../lib/lower-bound.ts";
import { ENGLISH, type Language } from "../text/language-words.ts";
import { kindsOf } from "../text/word-keys.ts";
import { likeEnglish, stem } from "../text/word-stem.ts";
import { type FeatureSpace, featureSpace, type KnownWord, mixed } from "./feature-space.ts";

const schema = z.strictObject({
  format: z.literal(1),
  version: z.string(),
  dimensions: z.int().min(1),
  scale: z.number().describe("The factor by which the table's integers are multiplied"),
  keys: z.string().describe("Base64 of the words' hashes, 32 bits each, ascending"),
  table: z.string().describe("Base64 of one signed byte per dimension, word by word"),
  groups: z.string().describe("Base64 of one byte per word: its group of words with similar meaning"),
});

/** The words' vectors, and features numbered by their hashes. */
export interface WordVectors extends FeatureSpace {
  readonly version: string;
  readonly dimensions: number;
  readonly scale: number;
  readonly table: Int8Array;
  readonly wordOf: (form: string) => KnownWord;
}

/** Words so common that their vectors would only blur the mean. */
export const WITHOUT_VECTOR = new Set(
  "the a an of to in and is was it i we my our that this for on at with be as".split(" "),
);
const GROUP = 7;

/**
 * Parses a word vector file for texts of a language.
 * @throws ZodError if it is invalid.
 */
export function parseWordVectors(json: string, language: Language = ENGLISH): WordVectors {
  const { version, dimensions, scale, keys, table, groups } = schema.parse(JSON.parse(json));
  const groupOf = bytesOf(groups);
  const hashes = new Int32Array(bytesOf(keys).buffer);
  const rowOf = (hash: number): number => {
    const row = lowerBound(hashes.length, (at) => (hashes[at] as number) >= hash);
    return hashes[row] === hash ? row : -1;
  };
  const wordOf = (form: string): KnownWord => {
    const english = language === ENGLISH ? form : likeEnglish(form, language);
    const known = english === undefined ? `${language.tag} ${stem(form, language)}` : stem(english, ENGLISH);
    const hash = hashOf(kindsOf(form, language).kind ?? known);
    const row = english === undefined || WITHOUT_VECTOR.has(english) ? -1 : rowOf(hashOf(english));
    return { hash, row, group: row < 0 ? hash : mixed(groupOf[row] as number, GROUP) };
  };
  const vectors = { version, dimensions, scale, table: new Int8Array(bytesOf(table).buffer), wordOf };
  return { ...vectors, ...featureSpace(wordOf, (hash) => hash) };
}

/** Decodes Base64 into a buffer of its own. */
export function bytesOf(base64: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(Buffer.from(base64, "base64"));
}

/** A 32-bit hash of a word (FNV-1a with a final mix). */
export function hashOf(word: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < word.length; at++) hash = Math.imul(hash ^ word.charCodeAt(at), 0x01000193);
  return mixed(hash, 0);
}
