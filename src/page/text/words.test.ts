import assert from "node:assert/strict";
import { test } from "node:test";
import { taxonomyNamed } from "../../analysis/trade-taxonomy.ts";
import { taxonomyNames } from "../../insight/taxonomy/taxonomy-files.ts";
import { noticeWords } from "../../notices/notice-words.ts";
import { PAGE_LANGUAGES } from "../../page-languages.ts";
import { appealWords } from "./appeal.ts";
import { digestWords } from "./digest-words.ts";
import { localeOf } from "./locale.ts";
import { proseFor } from "./page-prose.ts";
import { fill, LANGUAGES, wordsFor } from "./words.ts";

/** Every sentence of a language by its path, such as `matched.one`. */
function sentences(words: object, path = ""): [string, string][] {
  return Object.entries(words).flatMap(([key, value]): [string, string][] =>
    typeof value === "string" ? [[`${path}${key}`, value]] : sentences(value as object, `${path}${key}.`),
  );
}

const placeholders = (sentence: string) => [...sentence.matchAll(/\{\w+\}/g)].map(([name]) => name).toSorted();

/** All that is said in a language. English has no prose of its own. */
function saidIn(tag: string): Map<string, string> {
  const locale = localeOf(tag);
  const tables = {
    words: locale.words,
    digest: digestWords(locale),
    appeal: appealWords(locale),
    notices: noticeWords(tag),
  };
  return new Map(sentences({ ...tables, prose: proseFor(tag) ?? proseFor("de") ?? {} }));
}

const english = saidIn("en");

for (const tag of PAGE_LANGUAGES) {
  test(`the words in ${tag} say everything that the English ones say, with the same values`, () => {
    const own = saidIn(tag);
    assert.deepEqual(
      [...own.keys()].filter((key) => !key.endsWith(".many")),
      [...english.keys()],
    );
    for (const [key, sentence] of own) {
      assert.notEqual(sentence.trim(), "", key);
      assert.doesNotMatch(sentence, /['"\s]$|^\s| {2}/, key);
      assert.deepEqual(placeholders(sentence), placeholders(english.get(key.replace(/many$/, "other")) ?? ""), key);
    }
  });
}

test("French has a space that does not break before : ; ? ! » and behind «, and no “de” before a name or a month", () => {
  for (const [key, sentence] of saidIn("fr")) {
    assert.doesNotMatch(sentence, /(?<![\u00a0\d]):|(?<!\u202f)[;?!»]|«(?!\u202f)/, key);
    assert.doesNotMatch(sentence, / (de|que) \{(name|author|month|from|to)\}/, key);
    assert.doesNotMatch(sentence, /\{(stars|recentStars|beforeStars|average)\} étoiles/, `${key}: 1,86 étoile`);
  }
});

test("German and Dutch have no preposition straight before an author, who may be “Kunde” or “Google-gebruiker”", () => {
  for (const tag of ["de", "nl"])
    for (const [key, sentence] of saidIn(tag)) assert.doesNotMatch(sentence, /[a-z] \{author\}/, `${tag}: ${key}`);
});

test("Spanish opens every question", () => {
  for (const [key, sentence] of saidIn("es"))
    assert.equal(sentence.match(/¿/g)?.length, sentence.match(/\?/g)?.length, key);
});

const COUNTED = {
  en: ["0 reviews", "1 review", "2 reviews", "1,000,000 reviews", "1,000,001 reviews"],
  de: ["0 Bewertungen", "1 Bewertung", "2 Bewertungen", "1.000.000 Bewertungen", "1.000.001 Bewertungen"],
  es: ["0 reseñas", "1 reseña", "2 reseñas", "1.000.000 de reseñas", "1.000.001 reseñas"],
  fr: ["0 avis", "1 avis", "2 avis", "1 000 000 d’avis", "1 000 001 avis"],
  nl: ["0 reviews", "1 review", "2 reviews", "1.000.000 reviews", "1.000.001 reviews"],
} as const;

for (const tag of PAGE_LANGUAGES) {
  test(`every number has its plural in ${tag}`, () => {
    const { counted, words } = localeOf(tag);
    const said = [0, 1, 2, 1_000_000, 1_000_001].map((count) =>
      counted(words.reviews, count).replaceAll("\u202f", " "),
    );
    assert.deepEqual(said, COUNTED[tag]);
    const own = saidIn(tag);
    const noun = words.reviews.many?.slice("{count} ".length) ?? "";
    for (const [key, sentence] of own) {
      const many = own.get(key.replace(/other$/, "many"));
      if (noun !== "" && key.endsWith(".other") && sentence.includes(words.reviews.other))
        assert.match(many ?? "", /\{count\} (de |d’)|\(\{count\}\)/, key);
    }
  });
}

test("a list, a date and a quotation are written as the language has them", () => {
  const said = PAGE_LANGUAGES.map((tag) => {
    const { listed, date, quoted, colon } = localeOf(tag);
    const list = listed(["Precios", "Información"]).map(({ value }) => value);
    return [list.join(""), date("2026-08-01"), `${quoted("Bien")}${colon}`];
  });
  assert.deepEqual(said, [
    ["Precios and Información", "August 1, 2026", "“Bien”:"],
    ["Precios und Información", "1. August 2026", "„Bien“:"],
    ["Precios e Información", "1 de agosto de 2026", "“Bien”:"],
    ["Precios et Información", "1er août 2026", "«\u202fBien\u202f»\u00a0:"],
    ["Precios en Información", "1 augustus 2026", "‘Bien’:"],
  ]);
});

test("the name of a topic has a capital where a sentence begins, and in German within one", () => {
  const said = PAGE_LANGUAGES.map((tag) => {
    const { atStart, inSentence, semicolon } = localeOf(tag);
    return `${atStart("équipe")} ${inSentence("Preise")}${semicolon}`;
  });
  assert.deepEqual(said, [
    "Équipe preise;",
    "Équipe Preise;",
    "Équipe preise;",
    "Équipe preise\u202f;",
    "Équipe preise;",
  ]);
});

test("wordsFor() takes the language without its region, and English where there is none", () => {
  assert.equal(wordsFor("de-AT").tag, "de-AT");
  assert.equal(wordsFor("de-AT").words, LANGUAGES.de);
  assert.equal(wordsFor("it").words, LANGUAGES.en);
  assert.equal(wordsFor("constructor").words, LANGUAGES.en);
});

test("fill() puts values in as they are", () => {
  assert.equal(fill("{name}: {stars}, {unknown}", { name: "$& {stars}", stars: "5" }), "$& {stars}: 5, {unknown}");
});

test("the aspects of every bundled taxonomy have a label in every language", () => {
  for (const name of taxonomyNames()) {
    const { aspects } = taxonomyNamed(name);
    for (const { label } of aspects)
      for (const [tag, words] of Object.entries(LANGUAGES))
        assert.ok(Object.hasOwn(words.aspectLabels, label), `${tag}: ${label}`);
  }
});
