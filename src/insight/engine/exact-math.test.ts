import assert from "node:assert/strict";
import { test } from "node:test";
import { logistic, logOdds } from "./exact-math.ts";

test("logistic() agrees with Math.exp to ten digits, and is 0 or 1 far out", () => {
  for (let x = -29; x <= 29; x += 0.37) assert.ok(Math.abs(logistic(x) / (1 / (1 + Math.exp(-x))) - 1) < 1e-10, `${x}`);
  assert.deepEqual([logistic(-40), logistic(0), logistic(40)], [0, 0.5, 1]);
});

test("logOdds() is the inverse of logistic()", () => {
  for (let x = -12; x <= 12; x += 0.41) assert.ok(Math.abs(logOdds(logistic(x)) - x) < 1e-6, `${x}`);
  assert.deepEqual([logOdds(0), logOdds(1)], [-30, 30]);
});
