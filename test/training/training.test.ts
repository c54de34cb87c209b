/** The training: the same labels give the same weights to the bit, and the weights read what they were taught. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { type AspectReading, blameShareOf } from "../../src/insight/engine/review-reading.ts";
import { parseModel } from "../../src/insight/engine/trained-model.ts";
import { parseTaxonomy } from "../../src/insight/taxonomy/taxonomy.ts";
import { readModelFiles } from "../../src/insight/taxonomy/taxonomy-files.ts";
import { analyseText } from "../../src/insight/text-analysis.ts";
import { allReadings } from "../../training/train/all-readings.ts";
import { chooseThresholds } from "../../training/train/calibration.ts";
import { exampleMaker } from "../../training/train/examples.ts";
import { isOfCleaningFirm, type LabelledText, ownReviews } from "../../training/train/labelled-texts.ts";
import { contents, packModel } from "../../training/train/pack-model.ts";
import { SETTINGS, train } from "../../training/train/trainer.ts";
import { trainVerdict } from "../../training/train/verdict-trainer.ts";

const YAML = `
format: 1
version: 1
label: Boats
aspects:
  - { id: speed, label: Speed, question: q, praised_for: speed, blamed_for: slowness }
  - { id: care, label: Care, question: q, praised_for: care, blamed_for: carelessness }
`;
const TAUGHT: readonly (readonly [string, string, "positive" | "negative"])[] = [
  ["They were quick", "speed", "positive"],
  ["A quick boat", "speed", "positive"],
  ["Quick as ever", "speed", "positive"],
  ["They were slow", "speed", "negative"],
  ["A slow boat", "speed", "negative"],
  ["Slow as ever", "speed", "negative"],
  ["They scratched the hull", "care", "negative"],
  ["Somebody scratched the paint", "care", "negative"],
  ["The hull was polished", "care", "positive"],
  ["They polished the paint", "care", "positive"],
];

const { vectors } = readModelFiles("general");
const taxonomy = parseTaxonomy(YAML, "boats", { model: readModelFiles("general") });
const texts = TAUGHT.map(
  ([text, id, sentiment]): LabelledText => ({
    origin: "test",
    text,
    rating: sentiment === "positive" ? 5 : 1,
    spans: [{ from: 0, to: text.length, aspects: [{ id, sentiment }] }],
    isOpen: false,
    fold: 0,
  }),
);

function trained(): string {
  const make = exampleMaker(taxonomy, taxonomy.model.vectors);
  const examples = texts.map(make);
  const model = train(examples, { aspects: 2, vectors: taxonomy.model.vectors });
  const read = examples.map((example) => ({
    example,
    readings: allReadings(example.clauses, model.weights, example.source.rating ?? 3),
  }));
  const { praise, blame } = trainVerdict(read, 2);
  return packModel(model, {
    version: "test",
    taxonomy: "boats",
    aspects: ["speed", "care"],
    vectors: taxonomy.model.vectors.version,
    verdict: { praise: [...praise], blame: [...blame] },
    calibration: { slope: 1, offset: 0, blame_slope: 1, blame_offset: 0 },
    thresholds: { praise: 0.5, praise_in_bad_reviews: 0.5, blame: 0.5, blame_in_good_reviews: 0.5 },
  });
}

test("train() gives the same weights to the bit each time", () => {
  assert.equal(trained(), trained());
});

test("words decide against the stars more often if they were learned under other stars", () => {
  const make = exampleMaker(taxonomy, taxonomy.model.vectors);
  const blameOf = (underOtherStars: number): number => {
    const settings = { ...SETTINGS, underOtherStars };
    const { weights } = train(texts.map(make), { aspects: 2, vectors: taxonomy.model.vectors, settings });
    const { clauses } = make({ ...(texts[3] as LabelledText), rating: 5 });
    return blameShareOf(allReadings(clauses, weights, 5)[0] as AspectReading);
  };
  assert.ok(blameOf(0.25) > blameOf(0));
});

test("weights read again what they were taught", () => {
  const weights = trained();
  const boats = parseTaxonomy(YAML, "boats", { model: { weights, vectors } });
  for (const { text, rating, spans } of texts) {
    const [said] = spans[0]?.aspects ?? [];
    const found = analyseText(text, rating ?? 3, boats).aspects.map(({ id, sentiment }) => ({ id, sentiment }));
    assert.deepEqual(found, [said], text);
  }
});

test("parseModel() refuses weights made for other word vectors", () => {
  const other = JSON.stringify({ ...JSON.parse(vectors), version: "other" });
  assert.throws(() => parseModel(trained(), other), /boats was trained with the word vectors/);
});

test("parseModel() refuses weights of another verdict", () => {
  const model = JSON.parse(trained());
  const other = JSON.stringify({ ...model, verdict: { ...model.verdict, blame: [1] } });
  assert.throws(() => parseModel(other, vectors), /boats was trained with another verdict/);
});

test("labels that say nothing of an aspect teach nothing of it", () => {
  const make = exampleMaker(taxonomy, taxonomy.model.vectors);
  const chanceOfCare = (unread: readonly string[]) => {
    const silent = texts.map((text) => ({ ...text, spans: [], unread }));
    const examples = [...texts, ...silent].map(make);
    const { weights } = train(examples, { aspects: 2, vectors: taxonomy.model.vectors });
    const [example] = texts.filter(({ text }) => text === "They scratched the hull").map(make);
    return allReadings(example?.clauses ?? [], weights, 1)[1]?.chance ?? 0;
  };
  assert.ok(chanceOfCare(["care"]) > chanceOfCare([]) + 0.1);
});

test("reviews by authors who were asked for so much blame decide on no threshold", () => {
  const read = (blame: number, sentiment: "positive" | "negative", isCommissioned: boolean) => ({
    example: {
      source: { ...(texts[0] as LabelledText), rating: 2, isCommissioned },
      clauses: [],
      withoutPatterns: [],
      bags: [{ aspect: 0, clauses: [0], sentiment }],
      otherStars: undefined,
      unread: [],
    },
    readings: [],
    chances: [{ praise: 1 - blame, blame }],
  });
  const fair = Array.from({ length: 20 }, (_, at) => read(0.5 + at / 50, at < 6 ? "positive" : "negative", false));
  const wrong = (isCommissioned: boolean) => Array.from({ length: 20 }, () => read(0.85, "positive", isCommissioned));
  const chosen = chooseThresholds(fair, "boats");
  assert.deepEqual(chooseThresholds([...fair, ...wrong(true)], "boats"), chosen);
  assert.notDeepEqual(chooseThresholds([...fair, ...wrong(false)], "boats"), chosen);
});

test("two hundred complaints of customers decide on thresholds alone", () => {
  const read = (origin: string, blame: number, sentiment: "positive" | "negative") => ({
    example: {
      source: { origin, text: "a", rating: 2, spans: [], isOpen: false, fold: 0 },
      ...{ clauses: [], withoutPatterns: [], otherStars: undefined, unread: [] },
      bags: [{ aspect: 0, clauses: [0], sentiment }],
    },
    readings: [],
    chances: [{ praise: 0.1, blame }],
  });
  const invented = Array.from({ length: 400 }, () => read("own/a", 0.7, "positive"));
  const chosenWith = (complaints: number) => {
    const customers = Array.from({ length: complaints }, () => read("low/a", 0.6, "negative"));
    return chooseThresholds([...invented, ...customers], "boats").blame;
  };
  assert.deepEqual([chosenWith(199), chosenWith(200)], [0.71, 0.2]);
});

test("texts that are learned from more often in a round weigh more", () => {
  const make = exampleMaker(taxonomy, taxonomy.model.vectors);
  const blameOf = (times: number): number => {
    const other = texts
      .slice(3, 6)
      .map((text) => ({ ...text, text: text.text.toLowerCase().replace("slow", "quick") }));
    const examples = [...texts, ...other.map((text) => ({ ...text, rating: 5, times }))].map(make);
    const { weights } = train(examples, { aspects: 2, vectors: taxonomy.model.vectors });
    const { clauses } = make(texts[1] as LabelledText);
    return blameShareOf(allReadings(clauses, weights, 5)[0] as AspectReading);
  };
  assert.ok(blameOf(3) > blameOf(1));
});

test("contents() are the same however they were deflated", () => {
  const json = trained();
  const model = JSON.parse(json);
  const emptyBlock = Buffer.from([0, 0, 0, 0xff, 0xff]);
  const values = Buffer.concat([emptyBlock, Buffer.from(model.weights.values, "base64")]);
  const other = JSON.stringify({ ...model, weights: { ...model.weights, values: values.toString("base64") } });
  assert.notEqual(other, json.trimEnd());
  assert.equal(contents(other), contents(json));
  assert.notEqual(
    contents(JSON.stringify({ ...model, thresholds: { ...model.thresholds, praise: 0.4 } })),
    contents(json),
  );
});

test("reviews that contradict all their stars are learned from without stars, and other trades not from firms that clean", () => {
  const own = ownReviews("home-services");
  const against = own.filter(({ origin }) => origin.includes("d-contrary"));
  assert.ok(against.length > 100 && against.every(({ rating }) => rating === undefined));
  assert.ok(own.some(({ origin, rating }) => origin.includes("hand-3") && rating !== undefined));
  assert.deepEqual([...new Set(own.filter(isOfCleaningFirm).map(({ origin }) => origin))].toSorted(), [
    "own/home-cleaners",
    "own/home-housecleaners",
  ]);
});
