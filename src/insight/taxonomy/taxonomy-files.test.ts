import assert from "node:assert/strict";
import { test } from "node:test";
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
