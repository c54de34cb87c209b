import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { customerWords, oneLine } from "./customer-text.ts";

const WORDS: readonly [string, string, string | null][] = [
  ["keeps the original of a translation", "(Translated by Google) nice\n\n(Original)\nబాగుంది", "బాగుంది"],
  ["keeps it on one line too", "(Translated by Google) cake (Original) keka", "keka"],
  ["keeps it when the original comes first", "keka\n\n(Translated by Google)\ncake", "keka"],
  ["keeps it first on one line too", "keka (Translated by Google) cake", "keka"],
  ["keeps several paragraphs of the original", "(Translated by Google) A\n\nB\n\n(Original)\nC\n\nD", "C\n\nD"],
  ["knows the wrapper in German", "(Übersetzt von Google) Good\n\n(Original)\nGut", "Gut"],
  ["knows the wrapper in French", "(Traduit par Google) Good\n\n(Avis d'origine)\nBon", "Bon"],
  ["keeps a mark that wraps nothing", "(Translated by Google) only this", "(Translated by Google) only this"],
  ["keeps other words in brackets", "(Original) parts (by Google)", "(Original) parts (by Google)"],
  ["keeps spaces as they are", "  two  spaces\tand a tab  ", "  two  spaces\tand a tab  "],
  ["writes line ends one way", "a\r\nb\rc\nd", "a\nb\nc\nd"],
  ["leaves out control characters", "a\u0000b\u001bc\u007fd\u0085e", "abcde"],
  ["leaves out what XML forbids", "a\uFFFEb\uFFFFc", "abc"],
  ["mends half a surrogate pair", "a\ud83db", "a\uFFFDb"],
  ["keeps emoji", "Good 👍🏽 👨‍👩‍👧", "Good 👍🏽 👨‍👩‍👧"],
  ["finds no words in nothing", "", null],
  ["finds no words in spaces", " \n\t\u00a0 ", null],
  ["finds no words in control characters", "\u0000\u0001", null],
];

for (const [law, text, expected] of WORDS) {
  test(`customerWords() ${law}`, () => assert.equal(customerWords(text), expected));
}

test("customerWords() of its own result changes nothing", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), (text) => {
      const once = customerWords(text);
      assert.equal(once === null ? null : customerWords(once), once);
    }),
  );
});

test("oneLine() trims and joins lines", () => {
  assert.equal(oneLine("  Dana\r\n K.\u0000 "), "Dana K.");
});
