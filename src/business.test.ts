import assert from "node:assert/strict";
import { test } from "node:test";
import { businessFileSchema, UNNAMED_BUSINESS } from "./business.ts";

test("the business without a file is what the schema makes of its name and time zone, member by member", () => {
  const { name, time_zone } = UNNAMED_BUSINESS;
  assert.equal(JSON.stringify(UNNAMED_BUSINESS), JSON.stringify(businessFileSchema.parse({ name, time_zone })));
});
