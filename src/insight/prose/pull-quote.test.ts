import assert from "node:assert/strict";
import { test } from "node:test";
import { analysedReviews, smallTrade } from "../../../test/support/small-trade.ts";
import { inColumns } from "../../../test/support/whole-insights.ts";
import { mentionClarity } from "../statistics/mention-clarity.ts";
import { pullQuote, sentences } from "./pull-quote.ts";

const taxonomy = smallTrade();
const quoteOf = (rows: readonly (readonly [number, string | null])[]) => {
  const analysed = inColumns(analysedReviews(rows, taxonomy));
  return pullQuote(analysed, mentionClarity(analysed, taxonomy));
};

const CHOICES: readonly (readonly [string, readonly (readonly [number, string | null])[], string | null])[] = [
  ["no review", [], null],
  ["stars alone", [[5, null]], null],
  ["no review of four stars", [[3, "The crew was great and did careful work."]], null],
  ["nothing but blame", [[5, "It was terrible and I hate it."]], null],
  [
    "five stars before four, where the words of both could not be warmer",
    [
      [4, "The garden was lovely and wonderful, a happy and amazing and excellent day."],
      [5, "The garden was amazing and excellent, a happy and lovely and wonderful day."],
    ],
    "The garden was amazing and excellent, a happy and lovely and wonderful day.",
  ],
  [
    "praise of the work before words that could not be warmer",
    [
      [5, "The garden was lovely and wonderful, a happy and amazing and excellent day."],
      [5, "The crew was lovely and wonderful, and did careful work on an amazing and excellent day."],
    ],
    "The crew was lovely and wonderful, and did careful work on an amazing and excellent day.",
  ],
  [
    "praise of the work before praise of the weather",
    [
      [5, "We had a lovely day in the sunny garden."],
      [5, "The crew was lovely and did careful work."],
    ],
    "The crew was lovely and did careful work.",
  ],
  [
    "a sentence that stands alone before one that leans on another",
    [
      [5, "He always does careful work for a good price."],
      [5, "The crew always does careful work for a good price."],
    ],
    "The crew always does careful work for a good price.",
  ],
  [
    "praise without a turn",
    [[4, "The crew did great and careful work, but the van was old. The crew did careful work here."]],
    "The crew did careful work here.",
  ],
  [
    "a whole sentence before a word",
    [[5, "Great, great, great! The crew did good and careful work."]],
    "The crew did good and careful work.",
  ],
  [
    "a plain remark before several that are joined without a stop",
    [
      [5, "The Crew Did Careful work Very good price Great great crew Nice and good"],
      [5, "careful work by a great crew for a good price"],
    ],
    "careful work by a great crew for a good price",
  ],
  ["no sneer", [[4, 'Some "great" careful work, so much for that promise of yours.']], null],
  ["a text without an end", [[5, "great careful work ".repeat(500)]], null],
  ["markup", [[5, "<b>Great and careful work by the whole crew</b>"]], null],
  ["emoji alone", [[5, "🔥🔥 👍"]], null],
  [
    "a language that is not read",
    [
      [5, "最高です。"],
      [5, "Super Arbeit, sehr nette Leute. Perfect service!"],
    ],
    null,
  ],
];

for (const [name, rows, quote] of CHOICES) {
  test(`pullQuote() of ${name} is ${quote ?? "null"}`, () => {
    const said = quoteOf(rows);
    assert.equal(said?.replace(/。$/, "") ?? null, quote?.replace(/。$/, "") ?? null);
    if (said !== null) assert.ok(rows.some(([, text]) => text?.includes(said)));
  });
}

test("sentences() are verbatim, with what closes them", () => {
  assert.deepEqual(sentences("Good work. “Great!” Thanks"), ["Good work.", "Great!”", "Thanks"]);
});

test("pullQuote() chooses no sentence that names what more reviews criticise than praise", () => {
  const crew = "The crew did careful work and a great job.";
  const lift = "The lift was lovely and wonderful, a happy and amazing and excellent day.";
  const analysed = inColumns(analysedReviews([[5, crew], [5, lift]], taxonomy)); // biome-ignore format: as a list
  const clear = mentionClarity(analysed, taxonomy);
  const theme = (praising: number, criticising: number) => ({
    ...{ id: "lift", label: "Lift", positions: Uint32Array.of(0, 1) },
    ...{ praising: new Uint32Array(praising), criticising: new Uint32Array(criticising) },
  });
  const quoteWith = (...themes: ReturnType<typeof theme>[]) => pullQuote({ ...analysed, themes }, clear);
  assert.equal(quoteWith(theme(2, 1)), quoteWith());
  assert.equal(quoteWith(theme(1, 2)), crew);
});
