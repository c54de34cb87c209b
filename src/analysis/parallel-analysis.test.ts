import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import { availableParallelism, getPriority } from "node:os";
import { test } from "node:test";
import { setImmediate } from "node:timers/promises";
import { analyseText } from "../insight/text-analysis.ts";
import { openParallelAnalysis } from "./parallel-analysis.ts";
import { taxonomyOf } from "./trade-taxonomy.ts";

test("A parallel analysis gives every text the analysis that it has without threads, however many there are", async () => {
  const texts = Array.from({ length: 1_600 }, (_, index) => {
    return { key: `${index}`, text: index % 50 === 0 ? `They left dust ${index}.` : "", rating: 1 + (index % 5) };
  });
  const found = new Map<string, string>();
  const analysis = openParallelAnalysis(undefined, (analyses) => {
    for (const { key, body } of analyses) found.set(key, body);
  });
  for (let from = 0; from < texts.length; from += 100) {
    analysis.analyse(texts.slice(from, from + 100));
    await setImmediate();
  }
  await analysis.finish();
  await analysis.close();
  const taxonomy = taxonomyOf(undefined);
  for (const { key, text, rating } of texts) {
    assert.equal(found.get(key), JSON.stringify(analyseText(text, rating, taxonomy)), text);
  }
});

const HAS_NO_THREADS = process.platform !== "linux" || availableParallelism() === 1;

test("A parallel analysis gives its threads a lower priority", { skip: HAS_NO_THREADS }, async () => {
  const countLowered = () =>
    readdirSync("/proc/self/task").filter((thread) => getPriority(Number(thread)) === Math.min(19, getPriority() + 5))
      .length;
  const before = countLowered();
  const analysis = openParallelAnalysis(undefined, () => {});
  for (let batch = 0; batch < 11; batch++) {
    analysis.analyse(Array.from({ length: 100 }, (_, index) => ({ key: `${batch} ${index}`, text: "", rating: 5 })));
  }
  await analysis.finish();
  assert.equal(countLowered(), before + 1);
  await analysis.close();
});

test("A parallel analysis keeps few characters until there are threads, however few texts have them", async () => {
  const analysis = openParallelAnalysis(undefined, () => {});
  const text = "☺".repeat(200_000);
  for (let number = 0; number < 6; number++) analysis.analyse([{ key: `${number}`, text, rating: 5 }]);
  assert.deepEqual(analysis.forgetHeld(), []);
  await analysis.finish();
  await analysis.close();
});

test("A fault in what takes the analyses is thrown to whoever waits for them", { skip: HAS_NO_THREADS }, async () => {
  const analysis = openParallelAnalysis(undefined, () => {
    throw new Error("No room for them");
  });
  for (let batch = 0; batch < 11; batch++) {
    analysis.analyse(Array.from({ length: 100 }, (_, index) => ({ key: `${batch} ${index}`, text: "", rating: 5 })));
  }
  await assert.rejects(analysis.finish(), /No room for them/);
  await analysis.close();
});
