import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { openItemWriter } from "./item-writer.ts";

const COMMA = 0x2c;
const item = fc.oneof(
  { weight: 9, arbitrary: fc.string({ unit: "grapheme" }) },
  { weight: 1, arbitrary: fc.integer({ min: 300_000, max: 400_000 }).map((length) => "ÿ".repeat(length)) },
);
const part = fc.oneof(item, fc.record({ from: fc.nat(5), to: fc.nat(5) }));

test("items that are written and copied are those of an array, in a document of any head and tail", () => {
  fc.assert(
    fc.property(
      fc.array(item, { minLength: 5, maxLength: 5 }),
      fc.array(part, { maxLength: 8 }),
      fc.string(),
      (first, parts, head) => {
        const source = openItemWriter(first.length, COMMA);
        for (const each of first) source.add(each);
        const { items: bytes, starts: firstStarts } = source.document("[", "]");
        const spans = parts.filter((each) => typeof each === "string" || each.from < each.to);
        const expected = spans.flatMap((each) => (typeof each === "string" ? each : first.slice(each.from, each.to)));
        const writer = openItemWriter(expected.length, COMMA);
        for (const each of spans) {
          if (typeof each === "string") writer.add(each);
          else writer.copy({ items: bytes, starts: firstStarts }, each);
        }
        const { bytes: all, items, starts } = writer.document(head, "]}");
        assert.ok(Buffer.from(`${head}${expected.join()}]}`).equals(all));
        for (const [position, text] of expected.entries()) {
          const found = items.subarray(starts[position], (starts[position + 1] ?? 0) - 1);
          assert.ok(Buffer.from(text).equals(found));
        }
        assert.equal(items.byteLength, starts[expected.length]);
      },
    ),
    { numRuns: 60 },
  );
});
