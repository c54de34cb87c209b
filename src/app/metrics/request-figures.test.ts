import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { Histogram, Registry } from "prom-client";
import { makeRequestFigures } from "./request-figures.ts";

const BOUNDS = [0.001, 0.25, 1];

test("durations are told as the library's own histogram tells them", async () => {
  const seconds = fc.oneof(fc.constantFrom(0, ...BOUNDS), fc.double({ min: 0, max: 2, noNaN: true }));
  const request = fc.record({ route: fc.constantFrom("/", "/feed.xml", "other"), seconds });
  await fc.assert(
    fc.asyncProperty(fc.array(request), async (requests) => {
      const name = "seconds";
      const theirs = new Histogram({ name, help: "Seconds", labelNames: ["route"], buckets: BOUNDS, registers: [] });
      const ours = makeRequestFigures(BOUNDS);
      for (const { route, seconds } of requests) {
        theirs.labels(route).observe(seconds);
        ours.count(route, 200, seconds);
      }
      const own = {
        name,
        help: "Seconds",
        get: async () => ({ name, type: "histogram", help: "Seconds", values: ours.histogram(name) }),
      };
      assert.equal(await textOf(own as unknown as Histogram), await textOf(theirs));
    }),
  );

  async function textOf(metric: Histogram): Promise<string> {
    const registry = new Registry();
    registry.registerMetric(metric);
    return await registry.metrics();
  }
});

test("requests are counted by route and status", () => {
  const figures = makeRequestFigures(BOUNDS);
  for (const status of [200, 304, 200]) figures.count("/", status, 0);
  figures.count("other", 404, 0);
  assert.deepEqual(figures.requests(), [
    { labels: { route: "/", status: "200" }, value: 2 },
    { labels: { route: "/", status: "304" }, value: 1 },
    { labels: { route: "other", status: "404" }, value: 1 },
  ]);
});
