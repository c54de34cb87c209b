import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "../../../test/support/properties.ts";
import { ENGLISH } from "../text/language-words.ts";
import { tokenise } from "../text/tokens.ts";
import { compileMatcher } from "./matcher.ts";

const CLASSES = {
  crew: ["they", "the (tech|technician)"],
  at: ["#clock [(am|pm)]"],
  late: ["late", "({crew}) tardy"],
  missed: ["voicemail ** call"],
};

/** The spans of `text` that `pattern` covers. */
function spans(pattern: string, text: string): string[] {
  const tokens = tokenise(text);
  const matches = compileMatcher([pattern], CLASSES, ENGLISH).find(tokens);
  return matches.map(({ from, to }) => text.slice(tokens.starts[from], tokens.ends[to - 1]));
}

/** Twelve words. */
const LONG = "a b c d e f g h i j k l";

const FOUND: readonly (readonly [string, string, readonly string[]])[] = [
  ["show up late", "He showed up late. She shows up late!", ["showed up late", "shows up late"]],
  ["=left", "He left. They leave.", ["left"]],
  ["be (late|very late)", "was late, is very late", ["was late", "is very late"]],
  ["(a|b c) d", "a d b c d b d", ["a d", "b c d"]],
  ["left [a] [(big|huge)] mess", "left a huge mess; left mess", ["left a huge mess", "left mess"]],
  ["[very] polite", "very polite", ["very polite", "polite"]],
  ["{crew} call", "they called and the technician calls", ["they called", "the technician calls"]],
  ["call * back", "call me right back, call one two three four back", ["call me right back"]],
  ["call *4 back", "call one two three four back", ["call one two three four back"]],
  ["tell me {at} ** show up", "Told me 9. They showed up", ["Told me 9. They showed up"]],
  ["tell me * show up", "Told me. They showed up", []],
  ["{missed} again", "Voicemail. They called again", ["Voicemail. They called again"]],
  ["good work", "good. Work", []],
  ["good work", "good, work", ["good, work"]],
  ["did not call", "They didn’t call", ["didn’t call"]],
  ["no show", "a no-show", ["no-show"]],
  ["it be late", "it's late", ["it's late"]],
  ["at #clock", "at 9:30am, at noon, at 27", ["at 9:30am", "at noon"]],
  ["pay #money", "paid $1,200.50 and pay £3", ["paid $1,200.50", "pay £3"]],
  ["#num year", "5 years, two years", ["5 years", "two years"]],
  ["{late}", "they tardy late", ["they tardy", "late"]],
  [
    "tell * (one|two *12 three) *12 tardy",
    `${LONG} told two ${LONG} three ${LONG} tardy ${LONG}`,
    [`told two ${LONG} three ${LONG} tardy`],
  ],
  ["tell * (one|two *12 three) *12 tardy", `${LONG} told two ${LONG} one ${LONG} tardy ${LONG}`, []],
];

for (const [pattern, text, expected] of FOUND) {
  test(`find() of ${JSON.stringify(pattern)} in ${JSON.stringify(text)}`, () => {
    assert.deepEqual(spans(pattern, text), expected);
  });
}

test("find() finds of every pattern what it finds of it alone", () => {
  const patterns = FOUND.map(([pattern]) => pattern);
  const together = compileMatcher(patterns, CLASSES, ENGLISH);
  const alone = patterns.map((pattern) => compileMatcher([pattern], CLASSES, ENGLISH));
  const word = fc.constantFrom(
    ..."they the tech late call back me told 9 noon show up . , a b c d very polite was no".split(" "),
  );
  fc.assert(
    fc.property(fc.array(word, { maxLength: 80 }), (words) => {
      const tokens = tokenise(words.join(" "));
      const expected = alone.flatMap((matcher, pattern) =>
        matcher.find(tokens).map((match) => ({ ...match, pattern })),
      );
      const key = (match: { pattern: number; from: number; to: number }) =>
        `${match.from} ${match.pattern} ${match.to}`;
      assert.deepEqual(together.find(tokens).map(key).sort(), expected.map(key).sort());
    }),
  );
});
