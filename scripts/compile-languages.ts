/**
 * Packs the n-grams of the package eld into `models/languages.json`. In memory they are numbers in
 * arrays: as eld has them, they are objects of 60 MB that take a third of a second to load.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { deflateRawSync } from "node:zlib";
import { LANGUAGE_TABLE_FILE, pieceKey } from "../src/insight/text/language-table.ts";

/** Languages that their script tells already. */
const BY_SCRIPT = new Set("am bn el gu he hy ja ka kn ko lo ml or pa ta te th zh".split(" "));

interface Ngrams {
  readonly languages: Readonly<Record<string, string>>;
  readonly ngrams: Readonly<Record<string, Readonly<Record<string, number>>>>;
}

/** A file of eld, which exports only its detector. */
const fileOfEld = (path: string) => new URL(`../../${path}`, import.meta.resolve("eld/medium"));
const { ngramsData }: { ngramsData: Ngrams } = await import(fileOfEld("src/ngrams/medium.js").href);
const { dictionary }: { dictionary: readonly string[] } = await import(fileOfEld("src/dictionary.js").href);
const { version } = JSON.parse(readFileSync(fileOfEld("package.json"), "utf8"));

/** eld writes each byte above 127 as one character of its own; letters and apostrophes are themselves. */
const byteOf = new Map(dictionary.map((character, byte) => [character, byte]));

/** The bytes of an n-gram, and the key of the piece. A blank marks the start or end of the word. */
function keyOf(ngram: string): number {
  const bytes = Uint8Array.from(ngram.trim(), (character) =>
    /[a-z'`]/.test(character) ? character.charCodeAt(0) : (byteOf.get(character) ?? 0),
  );
  return pieceKey(bytes, 0, bytes.length, (ngram.startsWith(" ") ? 1 : 0) | (ngram.endsWith(" ") ? 2 : 0));
}

const names = Object.values(ngramsData.languages).filter((language) => !BY_SCRIPT.has(language));
const pieces = Object.entries(ngramsData.ngrams)
  .map(([ngram, weights]) => ({
    key: keyOf(ngram),
    weights: Object.entries(weights)
      .map(([index, weight]) => [names.indexOf(ngramsData.languages[index] ?? ""), weight] as const)
      .filter(([index]) => index >= 0),
  }))
  .filter(({ weights }) => weights.length > 0)
  .toSorted((a, b) => a.key - b.key);
if (new Set(pieces.map(({ key }) => key)).size < pieces.length) throw new Error("Two pieces have the same key");

const gaps = pieces.map(({ key }, at) => key - (pieces[at - 1]?.key ?? 0));
const pairs = pieces.flatMap(({ weights }) => weights);
const file = {
  format: 1,
  source: `eld ${version}, medium`,
  languages: names,
  keys: packed([0, 8, 16, 24].flatMap((bits) => gaps.map((gap) => (gap >>> bits) & 0xff))),
  counts: packed(pieces.map(({ weights }) => weights.length)),
  speaks_for: packed(pairs.map(([index]) => index)),
  weights: packed(pairs.map(([, weight]) => weight)),
};
const json = `${JSON.stringify(file)}\n`;
writeFileSync(LANGUAGE_TABLE_FILE, json);
console.log(`models/languages.json: ${pieces.length} pieces, ${(json.length / 1024).toFixed(0)} KiB`);

function packed(bytes: readonly number[]): string {
  return deflateRawSync(Uint8Array.from(bytes), { level: 9 }).toString("base64");
}
