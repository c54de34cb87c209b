import assert from "node:assert/strict";
import { availableParallelism } from "node:os";
import { test } from "node:test";
import { setImmediate } from "node:timers/promises";
import { analyseText } from "../insight/text-analysis.ts";
import { analyseTexts, openAnalysisQueue, type TextToAnalyse } from "./analysis-queue.ts";
import { taxonomyOf } from "./trade-taxonomy.ts";

const HAS_ONE_PROCESSOR = availableParallelism() === 1;
const batchOf = (name: string, words = "They left dust"): TextToAnalyse[] => [
  { key: `${name} a`, text: `${words} ${name}.`, rating: 2 },
  { key: `${name} b`, text: "", rating: 5 },
];
const analysesOf = (texts: readonly TextToAnalyse[]) =>
  texts.map(({ key, text, rating }) => ({
    key,
    body: JSON.stringify(analyseText(text, rating, taxonomyOf(undefined))),
  }));

test("the worker answers with the analyses that analyseTexts() gives", { skip: HAS_ONE_PROCESSOR }, async () => {
  const queue = openAnalysisQueue(undefined);
  const texts = batchOf("everywhere");
  queue.send(texts);
  const received = queue.receive();
  while (received.length === 0) {
    await setImmediate();
    received.push(...queue.receive());
  }
  assert.deepEqual(received, analysesOf(texts));
  assert.deepEqual(analyseTexts(undefined, texts), analysesOf(texts));
  assert.equal(queue.takeBack(), undefined);
  await queue.close();
});

test("a queue has room for a few batches, and gives back those that have no answer, the last one first", async () => {
  const queue = openAnalysisQueue(undefined);
  let sent = 0;
  for (; queue.hasRoom(); sent += 1) queue.send(batchOf(`${sent}`, "dust ".repeat(20_000)));
  assert.ok(HAS_ONE_PROCESSOR ? sent === 0 : sent > 1 && sent < 20);
  const back: (string | undefined)[] = [];
  for (let texts = queue.takeBack(); texts !== undefined; texts = queue.takeBack()) back.push(texts[0]?.key);
  assert.deepEqual(
    back,
    Array.from({ length: sent }, (_, index) => `${sent - 1 - index} a`),
  );
  assert.equal(queue.hasRoom(), !HAS_ONE_PROCESSOR);
  await queue.close();
});

test("a queue that is closed while its worker is busy ends the worker", { skip: HAS_ONE_PROCESSOR }, async () => {
  const queue = openAnalysisQueue(undefined);
  queue.send(batchOf("long", "dust ".repeat(2_000_000)));
  await queue.close();
  assert.deepEqual(queue.takeBack()?.length, 2);
});
