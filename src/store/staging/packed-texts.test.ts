import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { test } from "node:test";
import { openPackedTexts } from "./packed-texts.ts";

const texts = Array.from({ length: 3_000 }, (_, index) => `${index} é \u{1F600} `.repeat(index % 40));
texts[1_000] = "long ".repeat(1_000_000);

for (const [where, bytes] of [
  ["memory", Number.POSITIVE_INFINITY],
  ["memory and in a file", 100_000],
  ["a file, except the last ones", 0],
] as const) {
  test(`at() gives the texts that were added, in any order, kept in ${where}`, () => {
    const packed = openPackedTexts(bytes);
    for (const [index, text] of texts.entries()) {
      packed.add(text);
      assert.equal(packed.at(index), text);
    }
    assert.equal(packed.count, texts.length);
    for (let index = 0; index < texts.length; index += 1) {
      const other = (index * 1_999) % texts.length;
      assert.equal(packed.at(other), texts[other]);
      assert.equal(packed.at(index), texts[index]);
    }
    for (const [index, text] of texts.entries()) assert.equal(packed.at(index), text);
    packed.close();
  });
}

test("the file of packed texts has no name by which others could open it", () => {
  const names = () => readdirSync(tmpdir()).filter((name) => name.startsWith("goodword-"));
  const before = names();
  const packed = openPackedTexts(0);
  for (const text of texts) packed.add(text);
  assert.deepEqual(names(), before);
  packed.close();
});
