import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "../../../test/support/properties.ts";
import { grouped } from "./prose.ts";

test("grouped() writes whole numbers as the platform does", () => {
  const count = fc.oneof(fc.nat(5_000), fc.nat(), fc.maxSafeNat());
  fc.assert(
    fc.property(count, (number) => {
      assert.equal(grouped(number), number.toLocaleString("en-US"));
    }),
  );
});
