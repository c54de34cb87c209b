import assert from "node:assert/strict";
import { test } from "node:test";
import fc, { anyText } from "../../test/support/properties.ts";
import { taxonomyNamed } from "../analysis/trade-taxonomy.ts";
import { businessFileSchema } from "../business.ts";
import { analysisSchema } from "../insights-document.ts";
import { mentionFinder } from "./mentions/mentions.ts";
import { frameOf, isNegated } from "./sentiment/polarity.ts";
import { fitPhrase } from "./text/phrase-cut.ts";
import { tokenise } from "./text/tokens.ts";
import { analyseText } from "./text-analysis.ts";
import { readThemeWords } from "./theme/theme-words.ts";

const taxonomy = taxonomyNamed("home-services");
const business = businessFileSchema.parse({
  name: "Anywhere Air",
  time_zone: "UTC",
  technicians: [{ id: "will", name: "Will Stone" }],
  services: [
    { id: "ac-repair", label: "AC repair" },
    { id: "furnace-repair", label: "Furnace repair" },
  ],
  service_areas: [{ id: "here", label: "Here" }],
});
const mentions = mentionFinder(business, taxonomy);

const PIECES = [
  "They were late, but Will fixed the AC.",
  "not never nobody no",
  "told me 9 told me 9",
  "<script>alert(1)</script><b>",
  "\u0000\u0007\u001b[31m",
  "\ud83d",
  "\udc4d",
  "👍😡🏽‍♂️",
  "空調が壊れた。",
  "مكيف الهواء",
  "İIıi",
  "''''’’’",
  "a.m.p.m.a.c.",
  "$1,2.3:4/5%",
  "((((([[[[",
  "…!!??",
  "constructor toString __proto__ hasOwnProperty's constructorn't",
  "x".repeat(300),
];

/** Texts of any characters, lone surrogates among them, mixed with what patterns ask for. */
const hostileText = fc
  .array(fc.oneof(anyText(), fc.string({ unit: "grapheme" }), fc.constantFrom(...PIECES)), {
    maxLength: 40,
  })
  .map((parts) => parts.join(" "));

test("tokenise() keeps every word of any text in its place", () => {
  fc.assert(
    fc.property(hostileText, (text) => {
      const { starts, ends } = tokenise(text);
      for (const [index, start] of starts.entries()) {
        assert.ok(start < (ends[index] ?? 0) && (ends[index] ?? 0) <= text.length);
        assert.ok(index === 0 || start >= (starts[index - 1] ?? 0));
      }
    }),
  );
});

/** Each character by itself: the lower case of a sigma depends on what stands beside it. */
function lowerCase(text: string): string {
  return Array.from(text, (character) => character.toLowerCase()).join("");
}

test("analyseText() and mentions read any text without a throw, with verbatim evidence, the same each time", () => {
  fc.assert(
    fc.property(hostileText, fc.integer({ min: 1, max: 5 }), (text, rating) => {
      const analysis = { ...analyseText(text, rating, taxonomy), ...mentions(text) };
      analysisSchema.omit({ topics: true }).parse(analysis);
      const [read, folded]: [string[], string] = [[], lowerCase(text)];
      readThemeWords(analysis.theme_words, (from, to) => read.push(lowerCase(analysis.theme_words.slice(from, to))));
      assert.ok(read.every((word) => word.split(/_|\u2010/).every((part) => folded.includes(part))));
      for (const { evidence } of analysis.aspects) assert.ok(evidence !== "" && text.includes(evidence));
      assert.deepEqual({ ...analyseText(text, rating, taxonomy), ...mentions(text) }, analysis);
    }),
    { numRuns: 300 },
  );
});

const LONG: Readonly<Record<string, string>> = {
  "one word again and again": "late ",
  negations: "not never no nobody without ",
  "openings of gaps": "told me 9 call not text him ",
  "one letter": "a",
  apostrophes: "don't'",
  dots: ". ",
  "open tags": "<b>",
  surrogates: "\ud83d",
  digits: "1,2.3:",
  names: "Will ",
};

for (const [name, piece] of Object.entries(LONG)) {
  test(`analyseText() of 10,000 characters of ${name} takes a moment`, () => {
    const read = (length: number) => {
      const text = piece.repeat(Math.ceil(length / piece.length)).slice(0, length);
      analyseText(text, 3, taxonomy);
      const start = process.threadCpuUsage().user;
      for (let round = 0; round < 3; round++) mentions(`${text}${analyseText(text, 3, taxonomy).score}`);
      return (process.threadCpuUsage().user - start) / 3_000;
    };
    read(10_000);
    // A generous bound: what is quadratic takes seconds here, what is linear some milliseconds.
    const took = read(10_000);
    assert.ok(took < 1_000, `${took} ms`);
  });
}

test("mentions in 160,000 characters of services, and of what only resembles them, take a moment", () => {
  for (const piece of ["AC repair ", "AC company "]) {
    const text = piece.repeat(16_000);
    const start = process.threadCpuUsage().user;
    assert.deepEqual(mentions(text).services, piece === "AC repair " ? ["ac-repair"] : []);
    const took = (process.threadCpuUsage().user - start) / 1_000;
    // What compares each with each other takes many seconds.
    assert.ok(took < 4_000, `${piece}: ${took} ms`);
  }
});

/** The array, and how many of its elements have been read. */
function counted<T>(array: T[]): { readonly array: T[]; readonly reads: () => number } {
  let reads = 0;
  const get = (of: T[], key: PropertyKey, receiver: unknown) => {
    reads++;
    return Reflect.get(of, key, receiver) as unknown;
  };
  return { array: new Proxy(array, { get }), reads: () => reads };
}

test("isNegated() reads the negators before a word only, however many a text has", () => {
  const frame = frameOf(tokenise("They were not late. ".repeat(5_000)));
  const { array: negators, reads } = counted([...frame.negators]);
  for (const place of [3, 10_003, 19_999]) assert.equal(isNegated({ ...frame, negators }, place), true);
  assert.ok(reads() < 200, `${reads()} reads`);
});

test("fitPhrase() reads the words around a phrase only, however long the text is", () => {
  const tokens = tokenise("on time ".repeat(5_000));
  const { array: forms, reads } = counted(tokens.forms);
  for (const from of [0, 5_000, 9_000]) fitPhrase({ ...tokens, forms }, from, from + 2);
  assert.ok(reads() < 500, `${reads()} reads`);
});
