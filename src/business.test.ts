import assert from "node:assert/strict";
import { test } from "node:test";
import { businessFileSchema, UNNAMED_BUSINESS } from "./business.ts";

test("UNNAMED_BUSINESS has the defaults of the schema", () => {
  const { name, time_zone } = UNNAMED_BUSINESS;
  assert.equal(JSON.stringify(UNNAMED_BUSINESS), JSON.stringify(businessFileSchema.parse({ name, time_zone })));
});
