import assert from "node:assert/strict";
import { once } from "node:events";
import { constants, PerformanceObserver } from "node:perf_hooks";
import { test } from "node:test";
import { setTimeout as wait } from "node:timers/promises";
import { Worker } from "node:worker_threads";
import { until } from "../../test/support/within.ts";
import { collectWhenIdle } from "./collect-when-idle.ts";

test("collectWhenIdle() ends no thread while others take back the flag that it sets, and collects once they are done", async () => {
  const stop = new Int32Array(new SharedArrayBuffer(4));
  const source = `const { workerData: stop, parentPort } = require("node:worker_threads");
    const { setFlagsFromString } = require("node:v8");
    parentPort.postMessage("started");
    while (Atomics.load(stop, 0) === 0) setFlagsFromString("--no-expose-gc");`;
  const other = new Worker(source, { eval: true, workerData: stop });
  await once(other, "message");
  const collect = collectWhenIdle(0, { isThorough: false });
  for (let round = 0; round < 20; round++) {
    collect();
    await wait(1); // its timer is older, and so comes before
  }
  Atomics.store(stop, 0, 1);
  const [code] = await once(other, "exit");
  assert.equal(code, 0);
  const kinds: unknown[] = [];
  const observer = new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) kinds.push((entry as unknown as { detail: { kind: number } }).detail.kind);
  });
  observer.observe({ entryTypes: ["gc"] });
  collect();
  await until(() => kinds.includes(constants.NODE_PERFORMANCE_GC_MAJOR));
  observer.disconnect();
});
