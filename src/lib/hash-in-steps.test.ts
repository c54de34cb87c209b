import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { test } from "node:test";
import { hashInSteps } from "./hash-in-steps.ts";

test("hashInSteps() gives the hash of all bytes, and lets others have a turn after each four megabytes", async () => {
  for (const length of [0, 1, 4_000_000, 20_000_001]) {
    const bytes = new Uint8Array(length).fill(7);
    let turns = 0;
    let next = setImmediate(function count() {
      turns++;
      next = setImmediate(count);
    });
    assert.equal(await hashInSteps(bytes), createHash("sha256").update(bytes).digest("base64url"));
    clearImmediate(next);
    assert.ok(turns >= Math.ceil(length / 4_000_000), `${turns} turns for ${length} bytes`);
  }
});
