import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { test } from "node:test";
import { temporaryFolder } from "../../../test/support/program.ts";
import { until } from "../../../test/support/within.ts";
import { removeLeftFolders } from "./desk-folders.ts";
import { workLimits } from "./desk-work.ts";
import { isRunning, leftNotes } from "./work-notes.ts";

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

test("leftNotes() counts plain files of the same user alone, at most five, and what one says is cut to a plain name", () => {
  using folder = temporaryFolder();
  using outside = temporaryFolder();
  const path = (number: number) => join(folder.path, `.goodword-desk-999999999-${number}`);
  const note = {
    kind: "import",
    at: "2026-01-02T10:00:00.000Z",
    files: [`a”. Call this number.\n“${"b".repeat(200)}`],
  };
  writeFileSync(join(outside.path, "note"), JSON.stringify(note));
  symlinkSync(join(outside.path, "note"), path(0));
  mkdirSync(path(1));
  assert.deepEqual(leftNotes(folder.path).notes, []);
  for (let number = 2; number < 9; number += 1) writeFileSync(path(number), JSON.stringify(note));
  assert.deepEqual(leftNotes(folder.path, (process.getuid?.() ?? 0) + 1).notes, [], "another user's");
  const left = leftNotes(folder.path);
  assert.equal(left.notes.length, 5);
  const [name = ""] = left.notes[0]?.files ?? [];
  assert.match(name, /^a_\. Call this number\.__b+$/);
  assert.equal(name.length, 100);
  left.remove();
  assert.equal(readdirSync(folder.path).length, 4, "the link, the folder and those that were not read");
  assert.deepEqual(readdirSync(outside.path), ["note"]);
});

test("workLimits() takes less of a file at once on a small machine, where it would end the process", () => {
  const wholeOf = (gigabytes: number) => workLimits(gigabytes * 1e9).maxWholeBytes;
  assert.deepEqual([0.5, 1, 2, 8].map(wholeOf), [64_000_000, 64_000_000, 100_000_000, 200_000_000]);
});

test("a desk that was killed has ended, also while its parent has not looked", {
  skip: process.platform === "linux" ? false : "only Linux tells it",
}, async () => {
  // The shell becomes a program that never looks after the child that it began before, and that ends when it has.
  const script = `read own < /proc/$$/comm
    while read name < /proc/$$/comm && [ "$name" = "$own" ]; do :; done &
    echo $!
    exec sleep 60`;
  const parent = spawn("sh", ["-c", script], { stdio: ["ignore", "pipe", "inherit"] });
  try {
    const [line] = (await once(createInterface(parent.stdout), "line")) as [string];
    const isLeft = () => !readFileSync(`/proc/${line}/cmdline`, "utf8");
    await until(isLeft);
    assert.ok(!isRunning(Number(line)));
    assert.ok(isRunning(Number(parent.pid)));
  } finally {
    parent.kill();
  }
});
