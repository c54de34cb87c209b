import assert from "node:assert/strict";
import { describe, test } from "node:test";
import fc from "../../../test/support/properties.ts";
import { spanIn } from "./verbatim-span.ts";

const TEXT = "They said “9 sharp” — showed up\n  at 2. Don’t ask (really) about $1,500+ of “parts”.";

describe("spanIn() gives the words as they stand in the text", () => {
  const found = [
    ["showed up\n  at 2", "showed up\n  at 2"],
    ["showed up at 2.", "showed up\n  at 2."],
    ['"9 sharp" - showed up', "“9 sharp” — showed up"],
    ["Don't ask (really)", "Don’t ask (really)"],
    [" $1,500+ of ", "$1,500+ of"],
  ] as const;
  for (const [claimed, span] of found) test(JSON.stringify(claimed), () => assert.equal(spanIn(TEXT, claimed), span));
});

describe("spanIn() finds nothing", () => {
  const strange = [
    "showed up at 3",
    "howed up",
    "showed u",
    "they said",
    "",
    " ",
    "“—”",
    ".",
    `${TEXT} ${TEXT}`,
    "s.id",
  ];
  for (const claimed of strange)
    test(JSON.stringify(claimed.slice(0, 30)), () => assert.equal(spanIn(TEXT, claimed), undefined));
  test("in more words than show a point", () => {
    const text = "They came late. ".repeat(40).trim();
    assert.equal(spanIn(text, text), undefined);
  });
});

test("spanIn() begins anywhere where words are not divided by spaces", () => {
  assert.equal(spanIn("技術者は時間通りに来ました", "時間通り"), "時間通り");
});

test("spanIn() never gives what the text does not hold, whatever is claimed", () => {
  const words = fc.string({
    unit: fc.constantFrom("a", "é", " ", "'", "’", ".", "*", "(", "[", "\\", "\n", "😀", "木", "-"),
  });
  fc.assert(
    fc.property(words, words, words, (before, claimed, after) => {
      const span = spanIn(before + claimed + after, claimed);
      assert.ok(span === undefined || (before + claimed + after).includes(span));
      if (span !== undefined) assert.equal(span.replace(/\s+/g, "").length, claimed.replace(/\s+/g, "").length);
    }),
  );
});

test("spanIn() takes time in proportion to the text", () => {
  const text = `${"a ".repeat(6_000)}b`;
  const start = process.threadCpuUsage().user;
  for (let round = 0; round < 20; round += 1) spanIn(text, `${"a ".repeat(140)}c`);
  assert.ok(process.threadCpuUsage().user - start < 4_000_000);
});
