import assert from "node:assert/strict";
import { test } from "node:test";
import { nameText, sourceNaming } from "./shown-source.ts";

const sheet = {
  url: "https://docs.example.com/spreadsheets/d/e/2PACX-1vSECRET/pub?output=csv",
  every: "1d",
  complete: false,
};

test("sourceNaming() names a source by its host and a short key, which only the store's secret gives", () => {
  const nameOf = sourceNaming(Buffer.from("one store"));
  const name = nameOf(sheet);
  assert.match(nameText(name), /^docs\.example\.com \([0-9a-f]{8}\)$/);
  assert.deepEqual(nameOf({ ...sheet, every: "5m" }), name, "how often is not a part of it");
  const others = [
    nameOf({ ...sheet, url: `${sheet.url}&sheet=2` }),
    nameOf({ ...sheet, source: "google" }),
    sourceNaming(Buffer.from("another store"))(sheet),
  ];
  assert.equal(new Set([name, ...others].map(({ key }) => key)).size, 4);
});
