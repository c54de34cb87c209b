import assert from "node:assert/strict";
import { test } from "node:test";
import { withoutPassword } from "./store-url.ts";

test("withoutPassword() hides every password, wherever it stands and however it is written", () => {
  for (const [address, shown] of [
    ["postgres://owner:hidden@host/name", "postgres://owner:•••@host/name"],
    ["postgres://owner:hid@den@host/name", "postgres://owner:•••@host/name"],
    ["postgres://owner:hid/d#n@host/name", "postgres://owner:•••@host/name"],
    [
      "postgres://host/name?user=a&password=hidden&sslmode=require",
      "postgres://host/name?user=a&password=•••&sslmode=require",
    ],
    ["postgres://owner@host/name", "postgres://owner@host/name"],
    ["sqlite:data/goodword.db", "sqlite:data/goodword.db"],
  ] as const)
    assert.equal(withoutPassword(address), shown);
  const before = process.cpuUsage();
  for (const unit of ["://:", "://", "://a", "?password="]) {
    withoutPassword(unit.repeat(250_000));
    withoutPassword(`${unit.repeat(250_000)}@`);
  }
  assert.ok(process.cpuUsage(before).user < 3_000_000, "in time that grows with the length");
});
