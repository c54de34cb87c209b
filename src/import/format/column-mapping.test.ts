import assert from "node:assert/strict";
import { test } from "node:test";
import { parseColumnMapping } from "./column-mapping.ts";

test("parseColumnMapping() reads pairs, quoted or not, and adds to those before", () => {
  assert.deepEqual(parseColumnMapping('rating="Sterne",date="Datum"'), { rating: "Sterne", date: "Datum" });
  assert.deepEqual(parseColumnMapping("rating=Sterne, date = Datum "), { rating: "Sterne", date: "Datum" });
  assert.deepEqual(parseColumnMapping('text="Was, wie",author=Name', { rating: "Sterne" }), {
    rating: "Sterne",
    text: "Was, wie",
    author: "Name",
  });
});

test("parseColumnMapping() refuses what is no field, no column, or given twice", () => {
  const cases: [string, RegExp][] = [
    ["stars=Sterne", /"stars" is no field\. The fields are id, author, rating,/],
    ["rating=", /rating names no column/],
    ["rating", /must be pairs/],
    ["rating=A,rating=B", /rating is given twice/],
    ["__proto__=A", /is no field/],
    ['rating="A"B', /must be pairs/],
  ];
  for (const [text, expected] of cases) assert.throws(() => parseColumnMapping(text), expected, text);
});
