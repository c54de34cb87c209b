import assert from "node:assert/strict";
import { test } from "node:test";
import { taxonomyNamed } from "../../analysis/trade-taxonomy.ts";
import { taxonomyNames } from "../../insight/taxonomy/taxonomy-files.ts";
import { fill, LANGUAGES, wordsFor } from "./words.ts";

/** Every sentence of a language by its path, such as `matched.one`. */
function sentences(words: object, path = ""): [string, string][] {
  return Object.entries(words).flatMap(([key, value]): [string, string][] =>
    typeof value === "string" ? [[`${path}${key}`, value]] : sentences(value as object, `${path}${key}.`),
  );
}

const placeholders = (sentence: string) => [...sentence.matchAll(/\{\w+\}/g)].map(([name]) => name).toSorted();

const english = new Map(sentences(LANGUAGES.en ?? {}));

for (const [tag, words] of Object.entries(LANGUAGES)) {
  test(`the words in ${tag} say everything that the English ones say, with the same values`, () => {
    const own = new Map(sentences(words));
    assert.deepEqual(
      [...own.keys()].filter((key) => !key.endsWith(".many")),
      [...english.keys()],
    );
    for (const [key, sentence] of own) {
      assert.notEqual(sentence.trim(), "", key);
      assert.deepEqual(placeholders(sentence), placeholders(english.get(key.replace(/many$/, "other")) ?? ""), key);
    }
  });
}

test("wordsFor() takes the language without its region, and English where there is none", () => {
  assert.equal(wordsFor("de-AT").tag, "de-AT");
  assert.equal(wordsFor("de-AT").words, LANGUAGES.de);
  assert.equal(wordsFor("fr").words, LANGUAGES.en);
  assert.equal(wordsFor("constructor").words, LANGUAGES.en);
});

test("fill() puts values in as they are", () => {
  assert.equal(fill("{name}: {stars}, {unknown}", { name: "$& {stars}", stars: "5" }), "$& {stars}: 5, {unknown}");
});

test("the aspects of every bundled taxonomy have a label in every language", () => {
  for (const name of taxonomyNames()) {
    const { aspects } = taxonomyNamed(name);
    for (const { label } of aspects)
      for (const [tag, words] of Object.entries(LANGUAGES))
        assert.ok(Object.hasOwn(words.aspectLabels, label), `${tag}: ${label}`);
  }
});
