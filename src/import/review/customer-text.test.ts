import assert from "node:assert/strict";
import { test } from "node:test";
import fc, { anyText } from "../../../test/support/properties.ts";
import { customerWords, oneLine } from "./customer-text.ts";

const WORDS: readonly [string, string, string | null][] = [
  ["keeps the original of a translation", "(Translated by Google) nice\n\n(Original)\nబాగుంది", "బాగుంది"],
  ["keeps it on one line too", "(Translated by Google) cake (Original) keka", "keka"],
  ["keeps it when the original comes first", "keka\n\n(Translated by Google)\ncake", "keka"],
  ["keeps it first on one line too", "keka (Translated by Google) cake", "keka"],
  [
    "keeps it before a label without a space",
    "Sehr gute Arbeit(Translated by Google) Very good work",
    "Sehr gute Arbeit",
  ],
  [
    "keeps a sentence that only quotes the label",
    "We found (Translated by Google) very funny as a caption, great work.",
    "We found (Translated by Google) very funny as a caption, great work.",
  ],
  [
    "keeps what stands before the label of a translation, and the original after it",
    "Sehr gut\n\n(Translated by Google) They came on time.\n\n(Original)\nSie kamen pünktlich.",
    "Sehr gut\n\nSie kamen pünktlich.",
  ],
  [
    "keeps an original that stands on both sides of its translation once",
    "Buen sitio.\n\n(Traducido por Google)\nGood place.\n\n(Original)\nBuen sitio.",
    "Buen sitio.",
  ],
  [
    "keeps what the customer goes on with behind a translation",
    "Sehr gute Arbeit.\n(Translated by Google) Very good work.\nVielen Dank an alle.",
    "Sehr gute Arbeit.\nVielen Dank an alle.",
  ],
  [
    "leaves out a translation of several paragraphs",
    "Muy amables todos.\n\n(Translated by Google)\nAll were very kind.\n\nThey came on time.",
    "Muy amables todos.",
  ],
  ["keeps several paragraphs of the original", "(Translated by Google) A\n\nB\n\n(Original)\nC\n\nD", "C\n\nD"],
  ["knows the wrapper in German", "(Übersetzt von Google) Good\n\n(Original)\nGut", "Gut"],
  ["knows the wrapper in French", "(Traduit par Google) Good\n\n(Avis d'origine)\nBon", "Bon"],
  ...[
    ["Polish", "(Przetłumaczone przez Google) Bardzo miła obsługa.\n\n(Wersja oryginalna)\n"],
    ["Chinese", "(由 Google 提供翻譯) 服務非常好，價格合理。\n\n(原始評論)\n"],
    ["Russian", "(Переведено Google) Отличная работа.\n\n(Оригинал)\n"],
    ["Czech", "(Přeloženo Googlem) Velmi dobrá práce.\n\n(Originál)\n"],
    ["Japanese", "（Google による翻訳） とても良いサービスです。\n\n（原文）\n"],
    ["Korean", "(Google 번역 제공) 서비스가 아주 좋아요.\n\n(원문)\n"],
    ["Arabic", "(تمت الترجمة بواسطة Google) خدمة ممتازة.\n\n(الأصل)\n"],
    ["Turkish", "(Google tarafından çevrildi) Çok iyi hizmet.\n\n(Orijinal)\n"],
    ["Swedish", "(Översatt av Google) Mycket bra service och ett fint bemötande.\n\n(Ursprunglig)\n"],
    ["Finnish", "(Googlen kääntämä) Todella hyvää palvelua.\n\n(Alkuperäinen)\n"],
    ["Hungarian", "(A Google fordítása) Nagyon jó kiszolgálás.\n\n(Eredeti)\n"],
    ["Greek", "(Μετάφραση από Google) Πολύ καλή εξυπηρέτηση.\n\n(Πρωτότυπο)\n"],
    ["Hindi", "(गूगल द्वारा अनूदित) बहुत अच्छी सेवा।\n\n(मूल)\n"],
  ].map(([language, wrapper]): [string, string, string] => [
    `keeps the original under labels in ${language}`,
    `${wrapper}Very friendly service, and fair.`,
    "Very friendly service, and fair.",
  ]),
  [
    "keeps it first under labels in Polish",
    "Very friendly service, and fair.\n\n(Przetłumaczone przez Google)\nBardzo miła i uczciwa obsługa.",
    "Very friendly service, and fair.",
  ],
  [
    "keeps what a customer adds in brackets",
    "(Found them on Google) They did great work.\n\n(Update)\nThey came back and fixed the rest.",
    "(Found them on Google) They did great work.\n\n(Update)\nThey came back and fixed the rest.",
  ],
  [
    "keeps what a customer says of Google",
    "They did great work.\n(I wrote this on Google too)\nWould hire them again.",
    "They did great work.\n(I wrote this on Google too)\nWould hire them again.",
  ],
  [
    "keeps the original of a translation on one line, in any language",
    "(Przetłumaczone przez Google) Bardzo miła i uczciwa obsługa. (Wersja oryginalna) Very friendly and fair service.",
    "Very friendly and fair service.",
  ],
  [
    "keeps an aside in the words of a customer who names Google",
    "(Found them on Google) They did great work (really great) and left the place clean.",
    "(Found them on Google) They did great work (really great) and left the place clean.",
  ],
  [
    "keeps brackets in the original",
    "(Übersetzt von Google) Very friendly (and fair).\n\n(Original)\nSehr nett (und fair).\n(Nachtrag)\nImmer noch.",
    "Sehr nett (und fair).\n(Nachtrag)\nImmer noch.",
  ],
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

test("customerWords() reads hostile labels in time that grows with the text", () => {
  for (const part of ["\n", "(a)", "(a)\n", "(google)\n", " (google", "(a google"]) {
    const text = `(Translated by Google) a${part.repeat(1_000_000 / part.length)}`;
    const startedAt = process.threadCpuUsage().user;
    customerWords(text);
    assert.ok(process.threadCpuUsage().user - startedAt < 1_000_000, JSON.stringify(part));
  }
});

test("customerWords() of its own result changes nothing", () => {
  fc.assert(
    fc.property(anyText(), (text) => {
      const once = customerWords(text);
      assert.equal(once === null ? null : customerWords(once), once);
    }),
  );
});

test("oneLine() trims and joins lines", () => {
  assert.equal(oneLine("  Dana\r\n K.\u0000 "), "Dana K.");
});
