import assert from "node:assert/strict";
import { test } from "node:test";
import { readSample } from "./sample.ts";

test("readSample() has the analyses that the analyser makes now (npm run sample makes them again)", async () => {
  const made = await readSample([]);
  assert.ok(made.analyses.size > 200);
  const kept = await readSample();
  assert.deepEqual(kept, made);
});
