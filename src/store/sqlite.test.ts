import assert from "node:assert/strict";
import { mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { after, test } from "node:test";
import { setImmediate as turn } from "node:timers/promises";
import { sql } from "kysely";
import { openSqlite } from "./sqlite.ts";

const folder = mkdtempSync(join(tmpdir(), "goodword-sqlite-"));
after(() => rmSync(folder, { recursive: true, force: true }));

test("a writer waits for another process's lock and leaves the thread free meanwhile", async () => {
  const path = join(folder, "busy.db");
  const ours = openSqlite<Record<string, never>>(path);
  await sql`create table note (text text)`.execute(ours);
  const theirs = new DatabaseSync(path);
  theirs.exec("begin immediate; insert into note values ('theirs')");

  let written = false;
  const writing = sql`insert into note values ('ours')`.execute(ours).then(() => {
    written = true;
  });
  for (let turns = 0; turns < 50; turns++) await turn();
  assert.equal(written, false);

  theirs.exec("commit");
  theirs.close();
  await writing;
  const { rows } = await sql<{ text: string }>`select text from note order by rowid`.execute(ours);
  assert.deepEqual(
    rows.map(({ text }) => text),
    ["theirs", "ours"],
  );
  await ours.destroy();
});

test("commits are durable before they return, and the file is its owner's alone", async () => {
  const path = join(folder, "private.db");
  const database = openSqlite<Record<string, never>>(path);
  const { rows: journal } = await sql<{ journal_mode: string }>`pragma journal_mode`.execute(database);
  const { rows: synchronous } = await sql<{ synchronous: number }>`pragma synchronous`.execute(database);
  assert.equal(journal[0]?.journal_mode, "wal");
  assert.equal(synchronous[0]?.synchronous, 2);
  if (process.platform !== "win32") assert.equal(statSync(path).mode & 0o777, 0o600);
  await database.destroy();
});

test("a transaction that fills the disk fails with that reason, and leaves nothing behind", async () => {
  const database = openSqlite<Record<string, never>>(join(folder, "full.db"));
  await sql`create table note (text text)`.execute(database);
  await sql`pragma max_page_count = 10`.execute(database);
  const filling = database.transaction().execute(async (transaction) => {
    await sql`insert into note values (${"x".repeat(100_000)})`.execute(transaction);
  });
  await assert.rejects(filling, /database or disk is full/);
  const { rows } = await sql<{ count: number }>`select count(*) as count from note`.execute(database);
  assert.equal(rows[0]?.count, 0);
  await database.destroy();
});
