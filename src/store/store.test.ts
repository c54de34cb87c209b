/** A store that cannot be opened, and one that is made. */
import assert from "node:assert/strict";
import { copyFileSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { openSandbox } from "../../test/support/import-sandbox.ts";
import { openStore, raiseRevision, readRevision } from "./store.ts";

test("openStore() of a place that may not be written names DATABASE_URL and the path", async () => {
  await using box = await openSandbox();
  const [file, folder] = [join(box.folder, "file"), join(box.folder, "folder")];
  writeFileSync(file, "");
  mkdirSync(folder);
  for (const path of [join(file, "goodword.db"), folder, "/proc/nowhere/data/goodword.db"]) {
    const names = (error: unknown) =>
      error instanceof Error &&
      error.message.includes(`The store ${path} cannot`) &&
      /DATABASE_URL/.test(error.message);
    await assert.rejects(openStore(`sqlite:${path}`), names);
  }
});

test("a new store takes nothing over from the log that a deleted one left", async () => {
  await using box = await openSandbox();
  const file = join(box.folder, "data", "goodword.db");
  const old = await openStore(`sqlite:${file}`);
  await old.database.transaction().execute(async (transaction) => await raiseRevision(transaction, new Date()));
  copyFileSync(`${file}-wal`, join(box.folder, "log"));
  await old.close();
  rmSync(file);
  copyFileSync(join(box.folder, "log"), `${file}-wal`);
  await using store = await openStore(`sqlite:${file}`);
  assert.equal((await readRevision(store.database)).number, 0);
});
