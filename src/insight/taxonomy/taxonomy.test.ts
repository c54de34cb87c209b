import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { Invalid } from "../../issue.ts";
import { tokenise } from "../text/tokens.ts";
import { compileTaxonomy, parseTaxonomy } from "./taxonomy.ts";
import { readCompiledTaxonomy, readTaxonomy, taxonomyNames } from "./taxonomy-files.ts";

const folder = join(import.meta.dirname, "../../../taxonomies");

/** The ten aspects of interface §1. */
const HOME_SERVICES = [
  "punctuality",
  "responsiveness",
  "scheduling",
  "pricing",
  "honesty",
  "technical_knowledge",
  "workmanship",
  "professionalism",
  "communication",
  "cleanliness",
];

const ASPECT = "{ id: taste, label: Taste, question: Is it good?, praised_for: taste, blamed_for: no taste";
const taxonomy = (lines: string) => `format: 1\nversion: 1\nlabel: Test\n${lines}\n`;

for (const file of readdirSync(folder).filter((name) => name.endsWith(".yaml"))) {
  test(`parseTaxonomy() reads ${file}`, () => {
    const parsed = parseTaxonomy(readFileSync(join(folder, file), "utf8"), file.replace(".yaml", ""));
    assert.ok(parsed.aspects.length >= 5);
    assert.ok(parsed.meanings.length >= 100);
  });
}

test("parseTaxonomy() gives home-services the ten aspects of its interface, in their order", () => {
  const parsed = parseTaxonomy(readFileSync(join(folder, "home-services.yaml"), "utf8"), "home-services");
  const ids = parsed.aspects.map(({ id }) => id);
  assert.deepEqual(ids, HOME_SERVICES);
});

test("parseTaxonomy() takes patterns as a list or as lines, in which remarks stand after #", () => {
  const list = parseTaxonomy(taxonomy(`aspects: [${ASPECT}, positive: [good, tasty] }]`), "a");
  const lines = parseTaxonomy(
    taxonomy(
      `aspects:\n  - ${ASPECT.slice(2).replaceAll(", ", "\n    ")}\n    positive: |\n      good\n      # bad\n      tasty`,
    ),
    "a",
  );
  assert.deepEqual(lines.meanings, list.meanings);
});

const FAULTS: readonly (readonly [string, string, RegExp])[] = [
  ["text that is no YAML", "a: [", /Cannot read taxonomy "t"/],
  ["a missing key", "label: x", /aspects/],
  ["an unknown key", taxonomy(`aspects: [${ASPECT} }]\ncolour: red`), /colour is not known here/],
  ["an unknown class", taxonomy(`aspects: [${ASPECT}, positive: ["{nobody} came"] }]`), /\{nobody\} is not a class/],
  ["an open bracket", taxonomy(`aspects: [${ASPECT}, positive: ["(a|b"] }]`), /"\)" is missing/],
  ["an alternative outside of a group", taxonomy(`aspects: [${ASPECT}, positive: ["a | b"] }]`), /outside a group/],
  ["a gap at the edge", taxonomy(`aspects: [${ASPECT}, positive: ["* a"] }]`), /begins or ends with a gap/],
  ["a pattern that can be empty", taxonomy(`aspects: [${ASPECT}, positive: ["[a]"] }]`), /can match nothing/],
  ["an unknown kind", taxonomy(`aspects: [${ASPECT}, positive: ["#colour"] }]`), /#colour is not a kind of word/],
  ["an id given twice", taxonomy(`aspects: [${ASPECT} }, ${ASPECT} }]`), /"taste" is given twice/],
  [
    "an aspect that counts as an unknown one",
    taxonomy(`aspects: [${ASPECT}, counts_as: { smell: [Store] } }]`),
    /"smell" is not another aspect/,
  ],
  [
    "a class that holds itself",
    taxonomy(`classes: { a: ["{b}"], b: ["{a}"] }\naspects: [${ASPECT} }]`),
    /\{a\} holds itself/,
  ],
];

for (const [name, text, message] of FAULTS) {
  test(`parseTaxonomy() refuses ${name}`, () => {
    assert.throws(
      () => parseTaxonomy(text, "t"),
      (error) => error instanceof Invalid && message.test(error.message),
    );
  });
}

test("parseTaxonomy() names all faults at once", () => {
  const text = taxonomy(`ignore: ["(a", "b)"]\naspects: [${ASPECT}, positive: ["{c}"] }]`);
  assert.throws(
    () => parseTaxonomy(text, "t"),
    (error) => error instanceof Invalid && error.issues.length === 3,
  );
});

test("compiled taxonomies are those of the YAML files beside them (npm run compile)", () => {
  for (const name of taxonomyNames()) {
    assert.ok(readCompiledTaxonomy(name) === compileTaxonomy(readTaxonomy(name), name), name);
  }
});

test("parseTaxonomy() finds by a compiled taxonomy what it finds without, and uses none of another YAML", () => {
  const services = '[{ names: [catering], phrases: ["buffet (meal|lunch)"], alone: [buffet], except: [buffet car] }]';
  const yaml = taxonomy(`aspects: [${ASPECT}, positive: [good, "(very|so) tasty"] }]\nservices: ${services}`);
  const compiled = compileTaxonomy(yaml, "t");
  const tokens = tokenise("Good, very tasty and so tasty. The buffet lunch in the buffet car.");
  const [plain, read] = [parseTaxonomy(yaml, "t"), parseTaxonomy(yaml, "t", { compiled })];
  const found = plain.matcher.find(tokens);
  assert.equal(found.length, 3);
  assert.deepEqual(read.matcher.find(tokens), found);
  const named = read.serviceMatcher.find(tokens);
  assert.deepEqual(
    named.map(({ pattern }) => read.serviceMeanings[pattern]?.kind),
    ["phrases", "alone", "alone", "except"],
  );
  assert.deepEqual(plain.serviceMatcher.find(tokens), named);
  const edited = parseTaxonomy(yaml.replace("tasty", "bland"), "t", { compiled });
  assert.equal(edited.matcher.find(tokens).length, 1);
});

test("parseTaxonomy() reads a text anew when what another language is read with has changed", () => {
  const yaml = taxonomy(`aspects: [${ASPECT} }]`);
  const [first, second] = ["a", "b"].map((translations) => parseTaxonomy(yaml, "t", { translations }).fingerprint);
  assert.notEqual(first, second);
});
