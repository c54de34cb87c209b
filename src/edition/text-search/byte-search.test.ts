import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { makeNeedle } from "./byte-search.ts";

/** Texts of very few letters, so that needles are long, repetitive and often there. */
const repetitive = (maxLength: number) =>
  fc.string({ unit: fc.constantFrom("a", "a", "a", "b"), minLength: 1, maxLength });

test("a needle stands where String.indexOf finds it, each part searched for itself", () => {
  fc.assert(
    fc.property(
      fc.array(repetitive(200), { minLength: 1, maxLength: 8 }),
      repetitive(60),
      fc.nat(9),
      fc.nat(100),
      (texts, words, pick, from) => {
        const text = texts[pick % texts.length] ?? "";
        const sought = from < text.length ? text.slice(from, from + 40 + pick) : words;
        const haystack = Buffer.from(texts.map((one) => `${one}\n`).join(""));
        const end = (at: number) => haystack.indexOf("\n", at) + 1;
        const needle = makeNeedle(Buffer.from(sought), end);
        assert.equal(needle.findIn(haystack, 0), haystack.toString().indexOf(sought));
      },
    ),
    { numRuns: 2_000 },
  );
});

test("hostile words in hostile texts take milliseconds, not seconds", () => {
  const texts = `${"the quick brown fox ".repeat(20)}${"a".repeat(9_599)}\n`;
  const haystack = Buffer.from(texts.repeat(200));
  const end = (at: number) => (Math.floor(at / 10_000) + 1) * 10_000;
  for (const words of [`b${"a".repeat(8_000)}`, `${"a".repeat(4_000)}b${"a".repeat(4_000)}`, "a".repeat(9_600)]) {
    const start = process.cpuUsage().user;
    assert.equal(makeNeedle(Buffer.from(words), end).findIn(haystack, 0), -1);
    const milliseconds = (process.cpuUsage().user - start) / 1000;
    assert.ok(milliseconds < 500, `${milliseconds} ms`); // the platform's search alone takes seconds
  }
});
