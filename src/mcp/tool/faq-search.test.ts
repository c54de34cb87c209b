/** Finding answers by a question in one's own words. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { searchFaq } from "./faq-search.ts";

const FAQ = [
  { question: "Are their prices fair?", answer: "11 of 12 praise fair prices.", review_ids: [] },
  { question: "Do they come on time?", answer: "Most say so.", review_ids: [] },
  { question: "Can they be trusted?", answer: "3 of 3 praise honesty.", review_ids: [] },
];

for (const [query, found] of [
  [undefined, [0, 1, 2]],
  ["  ", [0, 1, 2]],
  ["on time", [1]],
  ["PRICE", [0]],
  ["are they honest about the prices?", [0, 2]],
  ["pricing", [0]],
  ["who are you", []],
  ["submarine", []],
] as const) {
  test(`searchFaq() finds ${found.length} for ${JSON.stringify(query)}`, () => {
    assert.deepEqual(
      searchFaq(FAQ, query),
      found.map((index) => FAQ[index]),
    );
  });
}
