import assert from "node:assert/strict";
import { test } from "node:test";
import { taxonomyNamed } from "../../analysis/trade-taxonomy.ts";
import { ENGLISH, languageNamed, READ_TAGS } from "../text/language-words.ts";
import { readTaxonomy, taxonomyNames } from "./taxonomy-files.ts";

test("taxonomyNames() names the default taxonomy, and readTaxonomy() reads each", () => {
  assert.ok(taxonomyNames().includes("home-services"));
  for (const name of taxonomyNames()) assert.ok(readTaxonomy(name).length > 0);
});

test("readTaxonomy() reads nothing else", () => {
  for (const name of ["absent", "../package", "home-services.yaml", ""]) {
    assert.throws(() => readTaxonomy(name), /There is no taxonomy .*only .*home-services/);
  }
});

for (const tag of READ_TAGS.slice(1)) {
  test(`what the program knows in ${tag} has the form of what it knows in English`, () => {
    const { words } = languageNamed(tag);
    assert.deepEqual(formOf(words), formOf(ENGLISH.words));
    for (const name of taxonomyNames()) {
      const [english, other] = [taxonomyNamed(name), taxonomyNamed(name).translated(languageNamed(tag))];
      const ids = (list: readonly { readonly id: string }[] = []) => list.map(({ id }) => id);
      assert.deepEqual([name, ids(other?.aspects)], [name, ids(english.aspects)]);
      const [known, own] = [ids(english.problems), ids(other?.problems)];
      assert.deepEqual(
        own,
        known.filter((id) => own.includes(id)),
      );
    }
  });
}

/** The keys of what is the same in each language, with the kind of each value. */
function formOf(value: unknown, key = ""): unknown {
  if (typeof value !== "object" || value === null) return typeof value;
  if (Array.isArray(value) || OF_WORDS.has(key)) return "words";
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, formOf(inner, name)]));
}
/** What has words as its keys. */
const OF_WORDS = new Set("abbreviations valences short_names intensifiers like full verbs joined".split(" "));
