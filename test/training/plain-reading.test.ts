/**
 * The reading engine against its plain twin, bit for bit, on a sample of the labelled texts: patterns in every 4,800th,
 * readings and mentions of every 200th. `GOODWORD_TEST_ALL_TEXTS=1` compares all, in about an hour.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { parse } from "yaml";
import { clauseFeatures } from "../../src/insight/engine/clause-features.ts";
import { compileMatcher } from "../../src/insight/engine/matcher.ts";
import type { AspectReading } from "../../src/insight/engine/review-reading.ts";
import { readAspect, scoreText } from "../../src/insight/engine/review-reading.ts";
import type { Clause } from "../../src/insight/engine/trained-model.ts";
import { aspectMentions, mentionsOf } from "../../src/insight/mentions/aspect-mentions.ts";
import { findings } from "../../src/insight/reading/findings.ts";
import { frameOf } from "../../src/insight/sentiment/polarity.ts";
import { parseTaxonomy } from "../../src/insight/taxonomy/taxonomy.ts";
import { readModelFiles, readTaxonomy } from "../../src/insight/taxonomy/taxonomy-files.ts";
import { ENGLISH, languageNamed, READ_TAGS } from "../../src/insight/text/language-words.ts";
import { tokenise } from "../../src/insight/text/tokens.ts";
import {
  labelledClauses,
  labelledReviews,
  ownClauses,
  ownReviews,
  realReviews,
  reviewsIn,
} from "../../training/train/labelled-texts.ts";
import { plainMatcher, plainReader } from "../support/plain-reading.ts";

const { GOODWORD_TEST_ALL_TEXTS } = process.env;
const IS_WHOLE = GOODWORD_TEST_ALL_TEXTS === "1";
const TEXTS = [
  ...[...labelledClauses(), ...ownClauses(), ...labelledReviews("tune"), ...labelledReviews("report")],
  ...(["home-services", "general"] as const).flatMap((trade) => [
    ...ownReviews(trade),
    ...realReviews("train", trade),
    ...realReviews("validate", trade),
  ]),
];
const sample = (every: number) => TEXTS.filter((_, at) => IS_WHOLE || at % every === 0);
const [TEXTS_FOR_PATTERNS, TEXTS_FOR_READINGS] = [sample(4800), sample(200)];

const bundled = READ_TAGS.flatMap((tag) =>
  ["home-services", "general", "dental"].map((name) => {
    const [model, language, yaml] = [readModelFiles(name, tag), languageNamed(tag), readTaxonomy(name, tag)];
    const taxonomy = parseTaxonomy(yaml, name, { model, language });
    const texts =
      language === ENGLISH ? [TEXTS_FOR_PATTERNS, TEXTS_FOR_READINGS] : [textsIn(tag, 48), textsIn(tag, 16)];
    return { name: `${name} (${tag})`, yaml, taxonomy, read: plainReader(model, language), texts };
  }),
);

function textsIn(tag: string, every: number) {
  const all = (["home-services", "general"] as const).flatMap((trade) => [
    ...reviewsIn(tag, trade),
    ...reviewsIn(tag, trade, "held"),
  ]);
  return all.filter((_, at) => IS_WHOLE || at % every === 0);
}

/** Every pattern in a taxonomy file. */
function patternsIn(value: unknown, key = ""): string[] {
  if (typeof value === "string") return PATTERN_KEYS.has(key) ? value.split("\n").map((line) => line.trim()) : [];
  if (Array.isArray(value)) return value.flatMap((one) => patternsIn(one, key));
  return Object.entries(value ?? {}).flatMap(([name, one]) => (name === "classes" ? [] : patternsIn(one, name)));
}
const PATTERN_KEYS = new Set(
  "positive negative neutral open plain_positive plain_negative except phrases alone ignore rivals".split(" "),
);

/** A reading with clauses as the words that they cover. */
function comparable(reading: AspectReading | undefined): unknown {
  const words = ({ from, to }: Clause) => `${from}–${to}`;
  return (
    reading && {
      ...reading,
      praising: words(reading.praising),
      blaming: words(reading.blaming),
      blamingByWords: words(reading.blamingByWords),
      clearest: reading.clearest && { ...reading.clearest, clause: words(reading.clearest.clause) },
    }
  );
}

for (const { name, yaml, taxonomy, read, texts } of bundled) {
  const { language } = taxonomy;
  const [forPatterns = [], forReadings = []] = texts;
  test(`the engine finds the patterns of ${name} where its plain twin does`, () => {
    const patterns = patternsIn(parse(yaml)).filter((line) => line !== "" && !line.startsWith("# "));
    assert.ok(patterns.length > 25);
    const fast = compileMatcher(patterns, taxonomy.classes, language);
    const plain = plainMatcher(patterns, taxonomy.classes, language);
    for (const { text } of forPatterns) {
      const tokens = tokenise(text, language);
      assert.deepEqual(fast.find(tokens), plain(tokens), text);
    }
  });

  test(`the engine reads every aspect of ${name} as its plain twin does, to the bit`, () => {
    const aspects = taxonomy.isModelled ? undefined : taxonomy.aspects.length;
    let mentioned = 0;
    for (const { text, rating } of forReadings) {
      const frame = frameOf(tokenise(text, language));
      const source = { frame, found: findings(frame, taxonomy).aspects, rating };
      const plain = read(source, aspects);
      const clauses = clauseFeatures(source, taxonomy.model.features, { withPatterns: aspects === undefined });
      const scored = scoreText(clauses, taxonomy.model.weights, { rating: rating ?? 3, aspects });
      const fast = plain.map((_, aspect) => readAspect(scored, aspect));
      assert.deepEqual(fast.map(comparable), plain.map(comparable), text);
      const mentions = aspectMentions(source, taxonomy);
      assert.deepEqual(mentions, mentionsOf(plain, source, taxonomy), text);
      mentioned += mentions.length;
    }
    assert.ok(mentioned > forReadings.length / 12, `${mentioned} of ${forReadings.length}`); // few of the texts are about teeth
  });
}
