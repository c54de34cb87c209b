import assert from "node:assert/strict";
import { test } from "node:test";
import { ownerTime } from "./owner-time.ts";

test("ownerTime() is that of the time zone, and names UTC", () => {
  const instant = "2026-11-21T22:55:10Z";
  assert.equal(ownerTime(instant, "en", "America/Chicago"), "2026-11-21 16:55");
  assert.equal(ownerTime(instant, "de", "Europe/Berlin"), "21.11.2026, 23:55");
  assert.equal(ownerTime(instant, "en", "Asia/Tokyo"), "2026-11-22 07:55");
  assert.equal(ownerTime(instant, "en", "UTC"), "2026-11-21 22:55 UTC");
  assert.equal(ownerTime(instant, "de", "UTC"), "21.11.2026, 22:55 UTC");
});
