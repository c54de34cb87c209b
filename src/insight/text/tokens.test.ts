import assert from "node:assert/strict";
import { test } from "node:test";
import { tokenise } from "./tokens.ts";

const FORMS: readonly (readonly [string, string])[] = [
  ["Don't, dont, CAN’T cannot won't", "do not do not can not can not will not"],
  ["They're Mike's I'd", "they are mike 's i 'd"],
  ["on-time same—day", "on time same day"],
  ["9:30am, 9 a.m. and A/C 24/7", "9:30am 9 am and ac 24/7"],
  ["$1,200.50 or 50%", "$1,200.50 or 50%"],
  ["Señor Müller naïve", "señor müller naïve"],
  ["great 👍 <b>work</b>", "great 👍 b work b"],
];

for (const [text, forms] of FORMS) {
  test(`tokenise() cuts ${JSON.stringify(text)}`, () => {
    assert.equal(tokenise(text).forms.join(" "), forms);
  });
}

test("tokenise() tells sentences from abbreviations", () => {
  const openings = (text: string) => {
    const { forms, breaks } = tokenise(text);
    return forms.filter((_, index) => breaks[index] === 2).join(" ");
  };
  assert.equal(
    openings("Came at 9 a.m. sharp. Mrs. Lee of W. Temperance was late.They left\nThe end"),
    "came mrs they the",
  );
});

test("tokenise() tells any number of spellings apart, those met first and those met later", () => {
  const letters = "abcdefghijklmnopqrstuvwxyz";
  const wordOf = (number: number) =>
    `${letters[number % 26]}${letters[Math.floor(number / 26) % 26]}${letters[Math.floor(number / 676)]}q${number % 7}`;
  const words = Array.from({ length: 10_000 }, (_, number) => wordOf(number));
  for (const text of [words.join(" "), words.toReversed().join(" "), words.join(" ").toUpperCase()]) {
    assert.deepEqual(tokenise(text).forms, text.toLowerCase().split(" "));
  }
});
