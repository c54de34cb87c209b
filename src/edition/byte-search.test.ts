import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "../../test/support/properties.ts";
import { makeFind } from "./byte-search.ts";

/** Texts of very few letters, so that needles are long, repetitive and often there. */
const repetitive = (maxLength: number) =>
  fc.string({ unit: fc.constantFrom("a", "a", "a", "b"), minLength: 1, maxLength });

test("a needle is found where String.indexOf finds it, with separators before and after it too", () => {
  fc.assert(
    fc.property(
      fc.array(repetitive(200), { minLength: 1, maxLength: 8 }),
      repetitive(60),
      fc.nat(9),
      fc.nat(100),
      (texts, words, pick, from) => {
        const text = texts[pick % texts.length] ?? "";
        const inside = from < text.length ? text.slice(from, from + 40 + pick) : words;
        const haystack = `\xff${texts.join("\xff")}\xff`;
        for (const sought of [inside, `\xff${inside}`, `${inside}\xff`, `\xff${inside}\xff`]) {
          const find = makeFind(Buffer.from(sought, "latin1"));
          assert.equal(find(Buffer.from(haystack, "latin1"), 0), haystack.indexOf(sought));
        }
      },
    ),
    { numRuns: 2_000 },
  );
});

test("hostile words in hostile texts take milliseconds, not seconds", () => {
  const text = `${"the quick brown fox ".repeat(20)}${"a".repeat(9_599)}\xff`;
  const haystack = Buffer.from(text.repeat(200), "latin1");
  for (const words of [`b${"a".repeat(8_000)}`, `${"a".repeat(4_000)}b${"a".repeat(4_000)}`, "a".repeat(9_600)]) {
    const start = process.cpuUsage().user;
    assert.equal(makeFind(Buffer.from(words))(haystack, 0), -1);
    const milliseconds = (process.cpuUsage().user - start) / 1000;
    assert.ok(milliseconds < 500, `${milliseconds} ms`); // the platform's search alone takes seconds
  }
});
