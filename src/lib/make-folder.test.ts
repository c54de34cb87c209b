import assert from "node:assert/strict";
import { mkdtempSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { makeFolder } from "./make-folder.ts";

test("makeFolder() makes a folder and those above it, and leaves one that is there", (context) => {
  const root = mkdtempSync(join(tmpdir(), "goodword-folder-"));
  context.after(() => rmSync(root, { recursive: true }));
  const deep = join(root, "a", "b", "c");
  makeFolder(deep, 0o700);
  makeFolder(deep);
  assert.equal(statSync(join(root, "a")).mode & 0o777, 0o700);
  symlinkSync(deep, join(root, "link"));
  makeFolder(join(root, "link", "d"));
  assert.ok(statSync(join(deep, "d")).isDirectory());
  writeFileSync(join(root, "file"), "");
  assert.throws(() => makeFolder(join(root, "file")), { code: "EEXIST" });
  assert.throws(() => makeFolder(join(root, "file", "e")), { code: "ENOTDIR" });
});

test("makeFolder() fails at once where no folder can be made", { skip: process.platform !== "linux" }, () => {
  for (const path of ["/proc/goodword-nowhere", "/proc/goodword-nowhere/data/site"])
    assert.throws(() => makeFolder(path), { code: "ENOENT", syscall: "mkdir" });
});
