import assert from "node:assert/strict";
import { test } from "node:test";
import { emptied, emptyList } from "./number-list.ts";

test("emptied() reuses an array that is long enough, and releases that of a long text", () => {
  const list = emptyList();
  const numbers = emptied(list, 1_000);
  assert.ok(numbers.length >= 1_000);
  list.end = 7;
  assert.equal(emptied(list, 10), numbers);
  assert.equal(list.end, 0);
  assert.ok(emptied(list, 100_000).length >= 100_000);
  assert.ok(emptied(list, 10).length < 1_000);
});
