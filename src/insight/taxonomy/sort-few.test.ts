import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { sortFew } from "./sort-few.ts";

test("sortFew() sorts as the general function does, equal elements in their old order", () => {
  const element = fc.record({ key: fc.integer({ min: 0, max: 5 }), name: fc.string() });
  const byKey = (a: { readonly key: number }, b: { readonly key: number }) => a.key - b.key;
  fc.assert(
    fc.property(fc.array(element, { maxLength: 30 }), (list) => {
      assert.deepEqual(sortFew([...list], byKey), list.toSorted(byKey));
    }),
  );
});
