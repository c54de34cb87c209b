/**
 * `npm run train [-- NAME]`: makes `models/NAME.json`, and `models/TAG/NAME.json` for other languages, for each taxonomy that has labelled texts, from those texts only, the
 * same to the bit each time. First it trains five times without a part of the texts, prints figures for the parts left
 * out, and takes calibration and thresholds from them (cross-validation). Then it trains on all texts.
 * With `--check` it writes nothing and ends with 1 if a file would change.
 */
import { createHash } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { ModelFile } from "../../src/insight/engine/trained-model.ts";
import { parseWordVectors } from "../../src/insight/engine/word-vectors.ts";
import { parseTaxonomy } from "../../src/insight/taxonomy/taxonomy.ts";
import { readTaxonomy } from "../../src/insight/taxonomy/taxonomy-files.ts";
import { ENGLISH, type Language, languageNamed, type READ_TAGS } from "../../src/insight/text/language-words.ts";
import { REAL_TEXTS } from "../labels/labels.ts";
import { allReadings } from "./all-readings.ts";
import { calibrate, chooseThresholds, type KeptBack, printFigures, weigh } from "./calibration.ts";
import { type Example, exampleMaker } from "./examples.ts";
import {
  FOLDS,
  isOfCleaningFirm,
  labelledClauses,
  labelledReviews,
  lowReviews,
  ownClauses,
  ownReviews,
  realReviews,
  reviewsIn,
  toGeneral,
} from "./labelled-texts.ts";
import { contents, packModel, unpackModel } from "./pack-model.ts";
import { restaurantTerms } from "./restaurant-terms.ts";
import { SETTINGS, SETTINGS_OF_A_LANGUAGE, train } from "./trainer.ts";
import { translatedSentences } from "./translated-sentences.ts";

const root = join(import.meta.dirname, "../..");
const [asked] = process.argv.slice(2).filter((argument) => !argument.startsWith("--"));
const isCheck = process.argv.includes("--check");

const needsRealTexts = asked === undefined || !asked.endsWith("/home-services");
if (needsRealTexts && !existsSync(REAL_TEXTS)) {
  console.error(`Cannot train: the real reviews are not at ${REAL_TEXTS}. The weights in models/ were made with them.`);
  process.exit(1);
}

const home = () => [...labelledClauses(), ...labelledReviews("tune"), ...ownReviews("home-services"), ...ownClauses()];
const TEXTS = {
  "home-services": () => [...home(), ...realReviews("train", "home-services")],
  general: () => [
    ...[
      ...home().map(toGeneral),
      ...ownReviews("general"),
      ...realReviews("train", "general"),
      ...lowReviews("train"),
    ].filter((text) => !isOfCleaningFirm(text)),
    ...restaurantTerms(),
  ],
};

/** Languages with weights in common: each has too few texts, and their words are learned as the English ones they are like. */
const FAMILIES: readonly (readonly (typeof READ_TAGS)[number][])[] = [["en"], ["de"], ["es", "fr", "nl"]];

/** With fewer the thresholds are chance, and the weights for English read the language better. */
const FEWEST_REVIEWS = 250;
const vectorsText = readFileSync(join(root, "models/word-vectors.json"), "utf8");
for (const tags of FAMILIES) {
  for (const name of Object.keys(TEXTS) as (keyof typeof TEXTS)[]) {
    const isEnglish = tags[0] === ENGLISH.tag;
    const model = isEnglish ? name : `${tags.join("-")}/${name}`;
    const hasTexts = isEnglish || tags.flatMap((tag) => reviewsIn(tag, name)).length >= FEWEST_REVIEWS;
    if (hasTexts && (asked === undefined || asked === model)) make(model, name, tags.map(languageNamed));
  }
}

/** The examples of one language. */
function examplesIn(language: Language, name: keyof typeof TEXTS): Example[] {
  const { tag } = language;
  const taxonomy = parseTaxonomy(readTaxonomy(name, tag), name, { language });
  const maker = exampleMaker(taxonomy, parseWordVectors(vectorsText, language));
  if (language === ENGLISH) return TEXTS[name]().map(maker);
  if (name === "home-services") return reviewsIn(tag, name).map(maker);
  const home = reviewsIn(tag, "home-services").map(toGeneral);
  return [...reviewsIn(tag, name), ...home, ...translatedSentences(tag, "train")].map(maker);
}

/** Makes one model: that for English from nothing, that for other languages from the weights for English. */
function make(model: string, name: keyof typeof TEXTS, languages: readonly Language[]): void {
  const isEnglish = languages[0] === ENGLISH;
  const vectors = parseWordVectors(vectorsText, ENGLISH);
  const english = isEnglish ? "" : readFileSync(join(root, `models/${name}.json`), "utf8");
  const examples = languages.flatMap((language) => examplesIn(language, name));
  const aspects = parseTaxonomy(readTaxonomy(name), name).aspects.map(({ id }) => id);
  console.log(`\n${model}: ${examples.length.toLocaleString("en-US")} labelled texts`);
  const settings = isEnglish ? SETTINGS : SETTINGS_OF_A_LANGUAGE;
  const task = { aspects: aspects.length, vectors, settings, start: isEnglish ? undefined : unpackModel(english) };
  const keptBack = Array.from({ length: FOLDS }, (_, fold) => tryOut(examples, task, fold)).flat();
  const calibration = calibrate(keptBack);
  const { all, weighed } = weigh(keptBack, aspects.length);
  const chosen = chooseThresholds(weighed, name);
  // Their invented texts blame oftener under four and five stars than customers do: it must be no less likely than elsewhere.
  // And they praise in harder words: praise must be as likely as in English.
  const isFamily = languages.length > 1;
  const thresholds = {
    ...chosen,
    praise: Math.max(chosen.praise, isFamily ? (JSON.parse(english) as ModelFile).thresholds.praise : 0),
    blame_in_good_reviews: Math.max(chosen.blame_in_good_reviews, isFamily ? chosen.blame : 0),
  };
  printFigures(weighed, { thresholds, aspects });
  const data = createHash("sha256").update(JSON.stringify(examples.map(({ source }) => source)));
  const version = data.update(vectorsText).update(english).digest("hex").slice(0, 12);
  const json = packModel(train(examples, task), {
    version,
    taxonomy: name,
    aspects,
    vectors: vectors.version,
    verdict: { praise: [...all.praise], blame: [...all.blame] },
    calibration,
    thresholds,
  });
  const path = join(root, `models/${model}.json`);
  const isSame = existsSync(path) && contents(readFileSync(path, "utf8")) === contents(json);
  console.log(`models/${model}.json: ${(json.length / 1024).toFixed(0)} KiB, ${isSame ? "unchanged" : "changed"}`);
  if (isCheck && !isSame) process.exitCode = 1;
  if (!isCheck) writeFileSync(path, json);
}

/** Trains one model, not several to be joined, on all parts but one and reads that one. */
function tryOut(examples: readonly Example[], task: Parameters<typeof train>[1], fold: number): KeptBack[] {
  const { weights } = train(
    examples.filter(({ source }) => source.fold !== fold),
    { ...task, settings: { ...(task.settings ?? SETTINGS), models: 1 } },
  );
  return examples
    .filter(({ source, clauses }) => source.fold === fold && clauses.length > 0)
    .map((example) => ({
      example,
      readings: allReadings(example.clauses, weights, example.source.rating ?? 3),
    }));
}
