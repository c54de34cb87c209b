import assert from "node:assert/strict";
import { test } from "node:test";
import { openMetrics } from "./metrics.ts";

test("openMetrics() names metrics that only rise counters, and all others gauges", async () => {
  const metrics = openMetrics();
  metrics.add([
    { kind: "gauge", name: "test_waiting", help: "What waits", read: () => 3 },
    { kind: "counter", name: "test_done_total", help: "What is done", read: async () => 7 },
  ]);
  const text = await (await metrics.answer()).text();
  assert.match(text, /^# TYPE test_waiting gauge\ntest_waiting 3$/m);
  assert.match(text, /^# TYPE test_done_total counter\ntest_done_total 7$/m);
  for (const [, name = "", type] of text.matchAll(/^# TYPE (\S+) (\S+)$/gm)) {
    assert.equal(type === "counter", name.endsWith("_total"), name);
  }
  await metrics.answer();
  assert.match(await (await metrics.answer()).text(), /^test_done_total 7$/m, "reading does not add to it");
});

test("requests at the same time share one reading", async () => {
  const metrics = openMetrics();
  let reads = 0;
  metrics.add([{ kind: "gauge", name: "test_reads", help: "How often it was read", read: () => ++reads }]);
  const answers = await Promise.all(Array.from({ length: 20 }, () => metrics.answer()));
  assert.equal(reads, 1);
  for (const answer of answers) assert.match(await answer.text(), /^test_reads 1$/m);
  await metrics.answer();
  assert.equal(reads, 2, "a later request reads again");
});

test("openMetrics() measures the process from the first request on, and says what it used before", async () => {
  let begun = 0;
  const metrics = openMetrics({ onFirstRead: () => begun++ });
  metrics.count("/reviews.json", 200, 0.002);
  assert.equal(begun, 0);
  const before = process.cpuUsage();
  const text = await (await metrics.answer()).text();
  const used = Number(/^process_cpu_seconds_total (\S+)$/m.exec(text)?.[1]);
  assert.ok(used >= (before.user + before.system) / 1e6, `${used} s`);
  assert.match(text, /^goodword_http_requests_total\{route="\/reviews.json",status="200"\} 1$/m);
  for (const [line, seconds] of text.matchAll(/^nodejs_eventloop_lag_\w+ (\S+)$/gm))
    assert.ok(!(Number(seconds) > 3600), `a delay, or none yet: ${line}`);
  metrics.add([{ kind: "gauge", name: "test_later", help: "What came later", read: () => 5 }]);
  assert.match(await (await metrics.answer()).text(), /^test_later 5$/m);
  assert.equal(begun, 1);
});
