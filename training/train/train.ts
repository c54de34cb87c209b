/**
 * `npm run train [-- NAME]`: makes `models/NAME.json` for each taxonomy that has labelled texts, from those texts only, the
 * same to the bit each time. First it trains five times without a part of the texts, prints figures for the parts left
 * out, and takes calibration and thresholds from them (cross-validation). Then it trains on all texts.
 * With `--check` it writes nothing and ends with 1 if a file would change.
 */
import { createHash } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseWordVectors } from "../../src/insight/engine/word-vectors.ts";
import { parseTaxonomy } from "../../src/insight/taxonomy/taxonomy.ts";
import { readTaxonomy } from "../../src/insight/taxonomy/taxonomy-files.ts";
import { REAL_TEXTS } from "../labels/labels.ts";
import { allReadings } from "./all-readings.ts";
import { calibrate, chooseThresholds, type KeptBack, printFigures, weigh } from "./calibration.ts";
import { type Example, exampleMaker } from "./examples.ts";
import {
  FOLDS,
  isOfCleaningFirm,
  labelledClauses,
  labelledReviews,
  ownClauses,
  ownReviews,
  realReviews,
  toGeneral,
} from "./labelled-texts.ts";
import { contents, packModel } from "./pack-model.ts";
import { restaurantTerms } from "./restaurant-terms.ts";
import { SETTINGS, train } from "./trainer.ts";

const root = join(import.meta.dirname, "../..");
const [asked] = process.argv.slice(2).filter((argument) => !argument.startsWith("--"));
const isCheck = process.argv.includes("--check");

if (!existsSync(REAL_TEXTS)) {
  console.error(`Cannot train: the real reviews are not at ${REAL_TEXTS}. The weights in models/ were made with them.`);
  process.exit(1);
}

const home = [...labelledClauses(), ...labelledReviews("tune"), ...ownReviews("home-services"), ...ownClauses()];
const TEXTS = {
  "home-services": () => [...home, ...realReviews("train", "home-services")],
  general: () => [
    ...[...home.map(toGeneral), ...ownReviews("general"), ...realReviews("train", "general")].filter(
      (text) => !isOfCleaningFirm(text),
    ),
    ...restaurantTerms(),
  ],
};

const vectorsText = readFileSync(join(root, "models/word-vectors.json"), "utf8");
const vectors = parseWordVectors(vectorsText);
for (const [name, texts] of Object.entries(TEXTS)) {
  if (asked !== undefined && asked !== name) continue;
  const taxonomy = parseTaxonomy(readTaxonomy(name), name);
  const examples = texts().map(exampleMaker(taxonomy, vectors));
  const aspects = taxonomy.aspects.map(({ id }) => id);
  console.log(`\n${name}: ${examples.length.toLocaleString("en-US")} labelled texts`);
  const keptBack = Array.from({ length: FOLDS }, (_, fold) => tryOut(examples, aspects.length, fold)).flat();
  const calibration = calibrate(keptBack);
  const { all, weighed } = weigh(keptBack, aspects.length);
  const thresholds = chooseThresholds(weighed, name);
  printFigures(weighed, { thresholds, aspects });
  const data = createHash("sha256").update(JSON.stringify(examples.map(({ source }) => source)));
  const version = data.update(vectorsText).digest("hex").slice(0, 12);
  const trained = train(examples, { aspects: aspects.length, vectors });
  const json = packModel(trained, {
    version,
    taxonomy: name,
    aspects,
    vectors: vectors.version,
    verdict: { praise: [...all.praise], blame: [...all.blame] },
    calibration,
    thresholds,
  });
  const path = join(root, `models/${name}.json`);
  const isSame = existsSync(path) && contents(readFileSync(path, "utf8")) === contents(json);
  console.log(`models/${name}.json: ${(json.length / 1024).toFixed(0)} KiB, ${isSame ? "unchanged" : "changed"}`);
  if (isCheck && !isSame) process.exitCode = 1;
  if (!isCheck) writeFileSync(path, json);
}

/** Trains one model, not several to be joined, on all parts but one and reads that one. */
function tryOut(examples: readonly Example[], aspects: number, fold: number): KeptBack[] {
  const { weights } = train(
    examples.filter(({ source }) => source.fold !== fold),
    { aspects, vectors, settings: { ...SETTINGS, models: 1 } },
  );
  return examples
    .filter(({ source, clauses }) => source.fold === fold && clauses.length > 0)
    .map((example) => ({
      example,
      readings: allReadings(example.clauses, weights, example.source.rating ?? 3),
    }));
}
