import assert from "node:assert/strict";
import { test } from "node:test";
import { makeClocksOfSites } from "./clocks-of-sites.ts";

test("aheadMs() is what most open sites say, whatever one store says, and forgets those that are closed", () => {
  const clocks = makeClocksOfSites();
  const said = [3, Number.NaN, 1e15, 2, 4];
  const ends = said.map((aheadMs) => {
    const end = new AbortController();
    clocks.add({ aheadMs: () => aheadMs }, end.signal);
    return end;
  });
  assert.ok(Math.abs(clocks.aheadMs()) <= 4);
  for (const at of [0, 3, 4]) ends[at]?.abort();
  assert.equal(clocks.aheadMs(), 1e15);
  const honest = new AbortController();
  clocks.add({ aheadMs: () => -7 }, honest.signal);
  assert.equal(clocks.aheadMs(), -7, "of two that disagree, the one that finds less wrong");
  honest.abort();
  clocks.add({ aheadMs: () => 5 }, AbortSignal.abort());
  for (const end of ends) end.abort();
  assert.equal(clocks.aheadMs(), 0);
});
