import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { featureRows, paddedOutputs } from "./feature-rows.ts";

const weight = fc.integer({ min: -128, max: 127 });
/** Weights of features, and which of them a clause has; hash 7 is none of theirs. */
const table = fc
  .record({ outputs: fc.integer({ min: 1, max: 13 }), keys: fc.uniqueArray(fc.integer({ min: 8 }), { maxLength: 60 }) })
  .chain(({ outputs, keys }) =>
    fc.record({
      outputs: fc.constant(outputs),
      keys: fc.constant(keys),
      weights: fc.array(weight, { minLength: keys.length * outputs, maxLength: keys.length * outputs }),
      hashes: fc.array(fc.constantFrom(7, ...keys), { maxLength: 700 }),
    }),
  );

test("addRows() adds the weights of each feature, as often as it is given, and of a copy", () => {
  fc.assert(
    fc.property(table, fc.boolean(), ({ outputs, keys, weights, hashes }, asCopies) => {
      const rows = featureRows(Int32Array.from(keys), Int8Array.from(weights), outputs);
      const places = Int32Array.from(hashes, asCopies ? rows.placeOfCopy : rows.placeOf);
      const sums = new Float64Array(paddedOutputs(outputs)).fill(1);
      rows.addRows({ numbers: places, end: places.length }, sums);
      const wanted = Array.from({ length: outputs }, (_, output) =>
        hashes.reduce((sum, hash) => {
          const row = keys.indexOf(hash);
          return row < 0 ? sum : sum + (weights[row * outputs + output] as number);
        }, 1),
      );
      assert.deepEqual([...sums.subarray(0, outputs)], wanted);
    }),
  );
});

test("placeOfCopy() puts rows one behind the other, and starts over after dropCopies()", () => {
  const outputs = 5;
  const keys = Int32Array.from({ length: 20 }, (_, at) => at * 1_000);
  const rows = featureRows(keys, new Int8Array(keys.length * outputs).fill(3), outputs);
  const copies = Array.from(keys, rows.placeOfCopy);
  assert.ok(copies.every((place, at) => at === 0 || place === (copies[at - 1] as number) + 2));
  rows.dropCopies();
  assert.equal(rows.placeOfCopy(0), copies[0]);
});
