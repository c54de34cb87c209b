import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { on } from "node:events";
import {
  chmodSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  watch,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { after, test } from "node:test";
import { setImmediate as turn } from "node:timers/promises";
import { sql } from "kysely";
import { openStore, readRevision } from "../store.ts";
import type { Database, Tables } from "../tables.ts";
import { readColumns } from "./read-columns.ts";
import { makeSqliteFile, openSqlite, openSqliteReader } from "./sqlite.ts";
import { storedRevision } from "./stored-revision.ts";

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
  const texts = rows.map(({ text }) => text);
  assert.deepEqual(texts, ["theirs", "ours"]);
  await ours.destroy();
});

test("a store that another program has locked as a whole leaves the thread free until it is unlocked", async () => {
  const path = join(folder, "locked.db");
  const first = openSqlite<Record<string, never>>(path);
  await sql`create table note (text text)`.execute(first);
  await first.destroy();
  const theirs = new DatabaseSync(path);
  theirs.exec("pragma locking_mode = exclusive; begin exclusive");

  const ours = openSqlite<Record<string, never>>(path);
  let isRead = false;
  const reading = sql`select * from note`.execute(ours).then(() => {
    isRead = true;
  });
  for (let turns = 0; turns < 50; turns++) await turn();
  assert.equal(isRead, false);

  theirs.close();
  await reading;
  await ours.destroy();
});

test("a database that was never used, or whose first use failed, leaves no file open", {
  skip: !existsSync("/proc/self/fd") && "no list of open files",
}, async () => {
  const path = join(folder, "unused.db");
  const other = join(folder, "other.db");
  writeFileSync(other, "this is no database ".repeat(100));
  await openSqlite<Record<string, never>>(path).destroy();
  const refused = openSqlite<Record<string, never>>(other);
  await assert.rejects(sql`select 1`.execute(refused), /not a database/);
  await refused.destroy();
  const open = readdirSync("/proc/self/fd").flatMap((file) => {
    const target = linkOf(`/proc/self/fd/${file}`);
    return target.startsWith(path) || target.startsWith(other) ? [target] : [];
  });
  assert.deepEqual(open, []);
});

/** Where a link leads; empty if it is gone. */
function linkOf(path: string): string {
  try {
    return readlinkSync(path);
  } catch {
    return "";
  }
}

test("a store with the rights of other users is made its owner's alone, and what a link leads to keeps its own", {
  skip: process.platform === "win32" && "Windows has other rights",
}, async () => {
  const path = join(folder, "open.db");
  const linked = join(folder, "linked.db");
  const database = openSqlite<Record<string, never>>(path);
  await sql`create table note (text text)`.execute(database);
  await database.destroy();
  chmodSync(path, 0o644);
  symlinkSync(path, linked);
  for (const [name, mode] of [
    [linked, 0o644],
    [path, 0o600],
  ] as const) {
    await openSqlite<Record<string, never>>(name).destroy();
    assert.equal(statSync(path).mode & 0o777, mode);
  }
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

test("many statements in a row give the thread's other work a turn", async () => {
  const database = openSqlite<Record<string, never>>(":memory:");
  let hadTurn = false;
  setImmediate(() => {
    hadTurn = true;
  });
  for (let count = 0; count < 20_000 && !hadTurn; count++) await sql`select ${count} as number`.execute(database);
  assert.ok(hadTurn, "before all of twenty thousand were through");
  await database.destroy();
});

/** Runs SQL in a process of its own, by the engine alone, and gives the last row or the error. */
function inAnotherProcess(path: string, ...statements: readonly string[]): { row?: unknown; error?: string } {
  const script = `
    const { DatabaseSync } = require("node:sqlite");
    const database = new DatabaseSync(process.argv[1]);
    let answer = {};
    try {
      for (const sql of process.argv.slice(2)) answer = { row: database.prepare(sql).get() };
    } catch (error) {
      answer = { error: error.message };
    }
    database.close();
    console.log(JSON.stringify(answer));`;
  const { stdout, stderr } = spawnSync(process.execPath, ["-e", script, path, ...statements], { encoding: "utf8" });
  assert.notEqual(stdout, "", stderr);
  return JSON.parse(stdout) as { row?: unknown; error?: string };
}

/** Whether the kernel knows a lock of this process on the file; undefined where it does not tell. */
function isLockedByUs(path: string): boolean | undefined {
  if (!existsSync("/proc/locks")) return undefined;
  const { ino } = statSync(path);
  const lines = readFileSync("/proc/locks", "utf8").split("\n");
  return lines.some((line) => new RegExp(` ${process.pid} [\\da-f:]+:${ino} `).test(line));
}

test("opening the store again in the same process keeps the locks that it holds", async () => {
  const path = join(folder, "opened-twice.db");
  const store = await openStore(`sqlite:${path}`);
  const isTold = isLockedByUs(path) === true;
  const again = await openStore(`sqlite:${path}`); // as the thread that renders editions does
  try {
    assert.equal(isLockedByUs(path), isTold ? true : undefined);
    // Engines before 3.51 delete the log when they find no lock of another program, and newer ones find out.
    assert.deepEqual(inAnotherProcess(path, "select number from revision").row, { number: 0 });
    inAnotherProcess(path, "update revision set number = 7");
    assert.equal((await readRevision(store.database)).number, 7);
    assert.equal((await readRevision(again.database)).number, 7);
  } finally {
    await again.close();
    await store.close();
  }
});

test("reads go on while a write waits for another process's lock", async () => {
  const path = join(folder, "reading.db");
  await using store = await openStore(`sqlite:${path}`);
  const theirs = new DatabaseSync(path);
  theirs.exec("begin immediate");
  const writing = sql`update revision set number = 8`.execute(store.database);
  for (let turns = 0; turns < 50; turns++) await turn();
  assert.equal((await readRevision(store.database)).number, 0);
  const reading = store.database
    .transaction()
    .setAccessMode("read only")
    .execute((transaction) => readRevision(transaction));
  assert.equal((await reading).number, 0);

  theirs.exec("rollback");
  theirs.close();
  await writing;
  assert.equal((await readRevision(store.database)).number, 8);
});

test("the connection that reads cannot write, and sees what was committed before", async () => {
  const database = openSqlite<{ note: { text: string } }>(join(folder, "routes.db"));
  await database.schema.createTable("note").addColumn("text", "text").execute();
  await database.insertInto("note").values({ text: "one" }).execute();
  assert.equal((await database.selectFrom("note").selectAll().execute()).length, 1);
  const inserting = database
    .transaction()
    .setAccessMode("read only")
    .execute((transaction) => transaction.insertInto("note").values({ text: "two" }).execute());
  await assert.rejects(inserting, /readonly database/);
  await database.transaction().execute(async (transaction) => {
    await transaction.insertInto("note").values({ text: "three" }).execute();
    assert.equal((await transaction.selectFrom("note").selectAll().execute()).length, 2, "its own writes");
    assert.equal((await database.selectFrom("note").selectAll().execute()).length, 1, "what is committed");
  });
  await database.destroy();
});

test("columns are read in their order, row by row, and the same query gives objects otherwise", async () => {
  const database = openSqlite<{ note: { number: number; text: string | null } }>(":memory:");
  await sql`create table note (number integer, text text)`.execute(database);
  await sql`insert into note values (2, 'two'), (1, null), (3, 'three')`.execute(database);
  const ordered = database.selectFrom("note").orderBy("number");
  const make = ([text, number]: readonly [string | null, number], index: number) => `${index} ${number} ${text}`;
  const columns = ["text", "number"] as const;
  for (let time = 0; time < 2; time++) {
    assert.deepEqual(await readColumns(database, ordered, { columns, make }), ["0 1 null", "1 2 two", "2 3 three"]);
    const rows = await ordered.select(columns).execute();
    assert.deepEqual(
      rows.map((row) => ({ ...row })),
      [
        { text: null, number: 1 },
        { text: "two", number: 2 },
        { text: "three", number: 3 },
      ],
    );
  }
  await database.destroy();
});

test("a new file has its name once all of it is written, and replaces none that was made meanwhile", async () => {
  const place = mkdtempSync(join(folder, "new-"));
  const path = join(place, "new.db");
  const fill = async (database: Database) => void (await sql`create table note (text text)`.execute(database));
  const [old, young] = ["0", "1"].map((digit) => `${path}.${digit.repeat(8)}-0000-0000-0000-000000000000.part`) as [
    string,
    string,
  ];
  for (const part of [old, young]) writeFileSync(part, "");
  utimesSync(old, 0, 0); // of a process that was killed
  const made = await makeSqliteFile<Tables>(path, async (database) => {
    await fill(database);
    assert.equal(existsSync(path), false, "what a killed process would leave");
  });
  assert.equal(made, true);
  assert.deepEqual(readdirSync(place), ["new.db", basename(young)]);
  rmSync(young);
  if (process.platform !== "win32") assert.equal(statSync(path).mode & 0o777, 0o600);
  const database = openSqlite<Record<string, never>>(path);
  assert.equal(
    (await sql<{ journal_mode: string }>`pragma journal_mode`.execute(database)).rows[0]?.journal_mode,
    "wal",
  );
  assert.deepEqual((await sql`select * from note`.execute(database)).rows, []);
  await database.destroy();

  assert.equal(await makeSqliteFile<Tables>(path, fill), false);
  const other = join(place, "other.db");
  await assert.rejects(
    makeSqliteFile<Tables>(other, async () => await Promise.reject(new Error("the disk is full"))),
    /the disk is full/,
  );
  const theirs = await makeSqliteFile<Tables>(other, async (ours) => {
    await fill(ours);
    writeFileSync(other, "theirs");
  });
  assert.equal(theirs, false);
  assert.equal(readFileSync(other, "utf8"), "theirs");
  assert.deepEqual(readdirSync(place).toSorted(), ["new.db", "other.db"]);
});

test("a new store is its owner's alone also where a link leads to its place, and no folder is made there", {
  skip: process.platform === "win32",
}, async () => {
  const [own, elsewhere] = [mkdtempSync(join(folder, "own-")), mkdtempSync(join(folder, "disk-"))];
  symlinkSync(join(elsewhere, "kept.db"), join(own, "goodword.db"));
  const store = await openStore(`sqlite:${join(own, "goodword.db")}`);
  await store.close();
  assert.equal(statSync(join(elsewhere, "kept.db")).mode & 0o777, 0o600);
  symlinkSync(join(elsewhere, "away", "kept.db"), join(own, "other.db"));
  await assert.rejects(openStore(`sqlite:${join(own, "other.db")}`));
  assert.deepEqual(readdirSync(elsewhere), ["kept.db"]);
});

test("a pipe or a device in the place of the store is refused, and not waited for", {
  skip: process.platform === "win32",
}, async () => {
  const pipe = join(folder, "pipe.db");
  spawnSync("mkfifo", [pipe]);
  for (const path of [pipe, "/dev/null"])
    await assert.rejects(
      openStore(`sqlite:${path}`),
      /is a pipe or a device, and no file.*Set DATABASE_URL to sqlite:PATH/,
    );
  assert.throws(() => openSqliteReader(pipe), /is a pipe or a device/);
  assert.equal(storedRevision(`sqlite:${pipe}`), undefined);
});

test("a new store has a log from the start: no journal lies beside it for a moment, whoever looks", async () => {
  const own = mkdtempSync(join(folder, "new-"));
  const watching = watch(own);
  const changes = on(watching, "change") as AsyncIterator<[event: string, name: string]>;
  const store = await openStore(`sqlite:${join(own, "goodword.db")}`);
  await store.close();
  writeFileSync(join(own, "end"), "");
  const names = new Set<string>();
  while (!names.has("end")) names.add((await changes.next()).value[1]);
  watching.close();
  assert.ok(names.has("goodword.db-wal"));
  assert.ok(!names.has("goodword.db-journal"));
});
