import assert from "node:assert/strict";
import { test } from "node:test";
import { ENGLISH } from "./language-words.ts";
import { nameMask } from "./name-mask.ts";
import { tokenise } from "./tokens.ts";

const mask = nameMask({ business: "Honest Charlie Movers LLC", people: ["Will Tackett", "Joy Bell"] }, ENGLISH);
const masked = (text: string) => mask(tokenise(text)).forms.join(" ");

const MASKED: readonly (readonly [string, string])[] = [
  ["Honest Charlie Movers came on time", "they they they came on time"],
  ["I called Honest Charlie again", "i called they they again"],
  ["an honest charlie he is", "an honest charlie he is"],
  ["Thanks to Will and Joy Bell", "thanks to he and he he"],
  ["What a joy, will call again", "what a joy will call again"],
  ["Joy all around", "joy all around"],
];

for (const [text, forms] of MASKED) {
  test(`nameMask() reads "${text}" as "${forms}"`, () => assert.equal(masked(text), forms));
}

test("nameMask() leaves the text and the places of its words as they are", () => {
  const tokens = tokenise("Ask for Joy Bell.");
  const { text, starts, ends } = mask(tokens);
  assert.deepEqual({ text, starts, ends }, { text: tokens.text, starts: tokens.starts, ends: tokens.ends });
});
