import assert from "node:assert/strict";
import { test } from "node:test";
import { taxonomyNamed } from "../../analysis/trade-taxonomy.ts";
import { taxonomyNames } from "../../insight/taxonomy/taxonomy-files.ts";
import type { FaqEntry } from "../../insights-document.ts";
import { askedSubjects } from "./asked-subjects.ts";
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
  assert.deepEqual(["", "price", "Klimaanlage", "ever late?", "few", "air", "swimming pool"].map(isAbout), [
    ...[true, true, true, true],
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

/** What the FAQ of a business of this trade asks: about each aspect, and about what its customers name. */
function everythingAsked(trade: string): Parameters<typeof searchFaq>[0] {
  const { aspects } = taxonomyNamed(trade);
  const topics = ["parking", "lift", "AC", "capacity"].map((label) => ({ id: label.toLowerCase(), label }));
  const ask = (id: string, question: string) => ({
    question,
    answer: "3 reviews say so.",
    review_ids: [],
    about: [id],
  });
  const faq = [
    ...aspects.map(({ id, question }) => ask(id, question)),
    ...topics.map(({ id, label }) => ask(id, `What do customers say about ${label}?`)),
  ];
  const languages = [{ language: "en", review_count: 9, analysed: true }];
  return { faq, aspects, topics, languages } as unknown as Parameters<typeof searchFaq>[0];
}

/** Questions as people ask them, and what each is about; nothing where no review can say it. */
const ASKED: Readonly<Record<string, readonly (readonly [question: string, about: string])[]>> = {
  general: [
    ["Is it expensive?", "value"],
    ["How much does it cost?", "value"],
    ["Can we afford it?", "value"],
    ["Ist es teuer?", "value"],
    ["¿Es muy caro?", "value"],
    ["C’est cher ?", "value"],
    ["Is het duur?", "value"],
    ["Were the workers polite?", "staff"],
    ["What kind of payment do they take?", ""],
    ["Is it dirty?", "cleanliness"],
    ["C’est propre ?", "cleanliness"],
    ["Smakelijk eten?", "food"],
    ["What is there to eat?", "food"],
    ["Is it noisy?", "place"],
    ["What is the place like?", "place"],
    ["Is there a place for prayers?", ""],
    ["Do we have to queue?", "speed"],
    ["Wie lang ist die Wartezeit?", "speed"],
    ["Can I reserve a table?", "communication"],
    ["Is there an elevator?", "lift"],
    ["Gibt es einen Aufzug?", "lift"],
    ["Is it air-conditioned?", "ac"],
    ["Does the air conditioning work?", "ac"],
    ["Where can guests park their cars?", "parking"],
    ["Is it big enough for 300 guests?", "capacity"],
    ["Is it family friendly?", ""],
    ["Is it dog-friendly?", ""],
    ["Is there a swimming pool?", ""],
    ["Are they open late?", ""],
    ["Do they take cards?", ""],
  ],
  "home-services": [
    ["Is it expensive?", "pricing"],
    ["Sind sie zu teuer?", "pricing"],
    ["Do they rip people off?", "honesty"],
    ["Will they try to sell me things?", "honesty"],
    ["Can I trust them?", "honesty"],
    ["Are they often late?", "punctuality"],
    ["Kommen sie pünktlich?", "punctuality"],
    ["Do they show up?", "punctuality"],
    ["It is an emergency, can they be quick?", "responsiveness"],
    ["¿Atienden urgencias?", "responsiveness"],
    ["How do I book?", "scheduling"],
    ["Are they rude?", "professionalism"],
    ["Do they know what they are doing?", "technical_knowledge"],
    ["Does the repair last?", "workmanship"],
    ["Will they leave a mess?", "cleanliness"],
    ["Do they call back?", "communication"],
    ["When was the last review?", ""],
    ["Are they insured?", ""],
    ["Do they install EV chargers?", ""],
    ["Do they come at night?", ""],
  ],
  dental: [
    ["Is it painful?", "gentleness"],
    ["Does it cost much?", "cost"],
    ["How long is the wait?", "waiting"],
    ["Are they good with anxious patients?", "gentleness"],
    ["Is the practice open on Saturday?", ""],
  ],
};

for (const [trade, questions] of Object.entries(ASKED)) {
  for (const [question, about] of questions) {
    test(`searchFaq() takes ${JSON.stringify(question)} of ${trade} for a question about ${about || "nothing known"}`, () => {
      const { faq, isAbout } = searchFaq(everythingAsked(trade), question);
      assert.deepEqual([isAbout, isAbout ? faq[0]?.about : []], about === "" ? [false, []] : [true, [about]]);
    });
  }
}

test("taxonomies/asked-as.json has words for each aspect of each trade, and a phrase for one subject of it", () => {
  const subjects = askedSubjects();
  for (const trade of taxonomyNames()) {
    const ids = taxonomyNamed(trade).aspects.map(({ id }) => id);
    for (const id of ids)
      assert.ok(
        subjects.some(({ aspects }) => aspects.includes(id)),
        `${trade}: ${id}`,
      );
    const seen = new Set<string>();
    for (const { words } of subjects.filter(
      ({ aspects }) => aspects.length === 0 || aspects.some((id) => ids.includes(id)),
    )) {
      const own = new Set(Object.values(words).flat());
      assert.deepEqual(
        [...own].filter((phrase) => seen.has(phrase)),
        [],
        trade,
      );
      for (const phrase of own) seen.add(phrase);
    }
  }
});
