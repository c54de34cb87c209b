import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, readdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { temporaryFolder } from "../../../test/support/program.ts";
import { removeLeftFolders } from "./desk-folders.ts";

test("removeLeftFolders() removes what killed desks of the same user have left, and nothing of another user or behind a link", async (t) => {
  using folder = temporaryFolder();
  const before = process.env.TMPDIR;
  process.env.TMPDIR = folder.path;
  t.after(() => {
    if (before === undefined) delete process.env.TMPDIR;
    else process.env.TMPDIR = before;
  });
  const kept = mkdtempSync(join(folder.path, "kept-"));
  writeFileSync(join(kept, "precious.txt"), "");
  symlinkSync(kept, join(folder.path, "goodword-desk-999999999-link"));
  mkdirSync(join(folder.path, "goodword-desk-999999999-left"));
  writeFileSync(join(folder.path, "goodword-desk-999999999-left", "backup.db"), "");
  mkdirSync(join(folder.path, `goodword-desk-${process.pid}-own`));
  const all = readdirSync(folder.path).length;
  await removeLeftFolders((process.getuid?.() ?? 0) + 1);
  assert.equal(readdirSync(folder.path).length, all, "those of another user stay");
  await removeLeftFolders();
  assert.equal(readdirSync(folder.path).length, all - 1);
  assert.ok(!readdirSync(folder.path).includes("goodword-desk-999999999-left"));
  assert.deepEqual(readdirSync(kept), ["precious.txt"]);
});
