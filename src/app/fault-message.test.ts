import assert from "node:assert/strict";
import { test } from "node:test";
import { faultLines } from "./fault-message.ts";

test("faultLines() says in words that a folder cannot be made or a disk not be written", () => {
  const folder = Object.assign(new Error("ENOENT: mkdir"), { code: "ENOENT", syscall: "mkdir", path: "data" });
  assert.match(faultLines(folder).join(), /^The folder data cannot be made: .*read-only\. .*choose another place$/);
  const store = Object.assign(new Error("unable to open database file"), { errcode: 14 });
  assert.match(faultLines(store).join(), /cannot be opened: .*read-only.*Nothing was changed\. \(unable/);
});
