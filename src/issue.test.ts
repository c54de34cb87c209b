import assert from "node:assert/strict";
import { test } from "node:test";
import { quote } from "./issue.ts";

test("quote() shortens what has more than 60 characters, however they are encoded", () => {
  assert.equal(quote("a".repeat(58)), `"${"a".repeat(58)}"`);
  assert.equal(quote("a".repeat(59)), `"${"a".repeat(56)}…"`);
  assert.equal(quote("👍".repeat(58)), `"${"👍".repeat(58)}"`);
  assert.equal(quote("👍".repeat(59)), `"${"👍".repeat(56)}…"`);
  assert.equal(quote({ text: "a".repeat(100) }), `{"text":"${"a".repeat(48)}…`);
});

test("quote() formats no more of a value than it shows, however large it is", () => {
  const long = "д".repeat(30_000_000);
  const before = process.cpuUsage();
  for (let count = 0; count < 20; count++) quote({ reviews: Array.from({ length: 20 }, () => ({ text: long })) });
  assert.ok(process.cpuUsage(before).user < 2_000_000);
});

test("quote() takes only the beginning of a long value apart", () => {
  const iterator = String.prototype[Symbol.iterator];
  let looked = 0;
  try {
    String.prototype[Symbol.iterator] = function () {
      looked += this.length;
      return iterator.call(this);
    };
    quote("a".repeat(100_000));
  } finally {
    String.prototype[Symbol.iterator] = iterator;
  }
  assert.ok(looked < 1000, `${looked} characters`);
});
