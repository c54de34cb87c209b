import assert from "node:assert/strict";
import { test } from "node:test";
import type { FaqEntry } from "../../insights-document.ts";
import { searchFaq } from "./faq-search.ts";

/** Finding answers by a question in one's own words. */

const FAQ: readonly FaqEntry[] = [
  {
    question: "Are their prices fair?",
    answer: "About 12 reviews praise fair prices.",
    review_ids: [],
    about: ["pricing"],
  },
  { question: "Do they come on time?", answer: "Most say so: “Never late”.", review_ids: [], about: ["punctuality"] },
  { question: "Can they be trusted?", answer: "3 praise honesty.", review_ids: [], about: ["trust"] },
  { question: "What do customers say about A/C?", answer: "Some: “Nice café, no air”.", review_ids: [], about: ["ac"] },
  {
    question: "What do customers complain about?",
    answer: "At least 3 contain a complaint, often about high prices.",
    review_ids: [],
    about: ["pricing"],
  },
];

const INSIGHTS = {
  faq: FAQ,
  aspects: [
    { id: "pricing", label: "Pricing" },
    { id: "punctuality", label: "Punctuality" },
    { id: "trust", label: "Honesty" },
  ],
  topics: [
    { id: "ac", label: "Klimaanlagen" },
    { id: "water-pipe", label: "water pipe" },
  ],
  languages: [
    { language: "de", review_count: 1, analysed: true },
    { language: "te", review_count: 1, analysed: false },
  ],
} as unknown as Parameters<typeof searchFaq>[0];

for (const [query, found, why] of [
  [undefined, [0, 1, 2, 3, 4], "no query gives all"],
  ["  ", [0, 1, 2, 3, 4], "an empty one, too"],
  ["PRICE", [0, 4], "any case and inflection; the question counts more than the answer"],
  ["is honesty worth the price?", [2, 0, 4], "best match first"],
  ["air", [3], "whole words: not “fair”"],
  ["swimming pool", [], "no part of a word"],
  ["complaints", [4], "a noun of the answer"],
  ["complaining", [4], "an inflection"],
  ["pricings", [0, 4], "an inflection of an inflection"],
  [`${"x ".repeat(30_000)}price`, [], "what is far behind is not read"],
  ["ac", [3], "what is written without a space, with or without what is between"],
  ["a/c!", [3], "the same the other way round"],
  ["ACs", [3], "the plural of an abbreviation"],
  ["A/C's", [3], "however it is written"],
  ["cafe", [3], "accents do not matter"],
  ["Klimaanlage", [3], "the topic behind it, in the inflections of the languages read"],
  ["ever late?", [1], "the answer"],
  ["what do customers say about punctuality", [1], "words that frame questions find nothing beside others"],
  ["customers", [3, 4], "but by themselves"],
  ["who are you", [], "function words"],
  ["who is on time", [1], "a function word of one language beside a word"],
  ["constructor", [], "no member of anything"],
] as const) {
  test(`searchFaq() finds ${found.length} for ${JSON.stringify(query)}: ${why}`, () => {
    assert.deepEqual(
      searchFaq(INSIGHTS, query).faq.map((entry) => FAQ.indexOf(entry)),
      found,
    );
  });
}

test("searchFaq() finds an entry by each content word of its question, answer and topics", () => {
  for (const entry of FAQ)
    for (const word of `${entry.question} ${entry.answer}`.match(/\p{L}{5,}/gu) ?? [])
      assert.ok(
        [`${word}s`, word].some((query) => searchFaq(INSIGHTS, query).faq.includes(entry)),
        word,
      );
});

test("searchFaq() gives the topics that a query names, though no question is about them", () => {
  const { faq, isAbout, topics } = searchFaq(INSIGHTS, "Do the pipes leak?");
  assert.deepEqual([faq, isAbout, topics.map(({ id }) => id)], [[], false, ["water-pipe"]]);
});

test("searchFaq() says whether a question or topic is about the words, or they only stand in answers", () => {
  const isAbout = (query: string) => searchFaq(INSIGHTS, query).isAbout;
  assert.deepEqual(["", "price", "Klimaanlage", "ever late?", "air", "swimming pool"].map(isAbout), [
    ...[true, true, true],
    ...[false, false, false],
  ]);
});

test("searchFaq() puts the question about a topic before one about several, which only names it", () => {
  const complaints = {
    question: "What do customers complain about?",
    answer: "At least 80 reviews contain a complaint, often about food and drink and long waits.",
    review_ids: [],
    about: ["food", "speed"],
  };
  const waiting = {
    question: "How long does one wait?",
    answer: "At least 25 reviews complain about long waits.",
    review_ids: [],
    about: ["speed"],
  };
  const insights = {
    ...INSIGHTS,
    faq: [complaints, waiting],
    aspects: [
      { id: "food", label: "Food and drink" },
      { id: "speed", label: "Speed and waiting" },
    ],
  } as unknown as typeof INSIGHTS;
  assert.deepEqual(searchFaq(insights, "How long do I have to wait for food?").faq, [waiting, complaints]);
  const alone = searchFaq({ ...insights, faq: [complaints] }, "speed");
  assert.deepEqual([alone.faq, alone.isAbout], [[complaints], true]);
});
