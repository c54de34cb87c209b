/** A store that cannot be opened, and one that is made. */
import assert from "node:assert/strict";
import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
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

test("openStore() leaves a SQLite file of another program as it is", async () => {
  const folder = mkdtempSync(join(tmpdir(), "goodword-store-"));
  try {
    const file = join(folder, "other.db");
    const other = new DatabaseSync(file);
    other.exec("create table customer (name text)");
    other.close();
    const [before, { mode }] = [readFileSync(file), statSync(file)];
    await assert.rejects(
      openStore(`sqlite:${file}`),
      /The file of the store holds tables of another program, and none of goodword's\. Nothing was changed/,
    );
    assert.deepEqual([readFileSync(file), statSync(file).mode], [before, mode]);
    assert.deepEqual(readdirSync(folder), ["other.db"]);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
