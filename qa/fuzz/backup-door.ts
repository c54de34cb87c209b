/**
 * The door of the restore: damaged and crafted backups. Each must end within a time and 1 GB, in the right rows or in a refusal
 * of the program's own words, and leave nothing behind.
 */
import assert from "node:assert/strict";
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import fc from "fast-check";
import { removeReviews } from "../../src/maintenance/removal.ts";
import { beginFanOut } from "../../src/store/fan-out-rows.ts";
import { RESTORED_TABLES } from "../../src/store/history/backup-parts.ts";
import { saveIntents } from "../../src/store/intent-rows.ts";
import { backupStore } from "../../src/store/store.ts";
import { changeSubscription } from "../../src/store/subscription-rows.ts";
import { intent, subscription } from "../../test/support/hub-rows.ts";
import { openSandbox } from "../../test/support/import-sandbox.ts";
import { temporaryFolder } from "../../test/support/program.ts";
import type { Reading } from "./backup-reader.ts";
import { BoundedReader, MAX_MB, MAX_MS } from "./bounded-reader.ts";
import { type Door, doorOf, FAULT, oddText } from "./door.ts";
import { DAMAGES, damaged, type Spot } from "./sqlite-damage.ts";

/** A machine that does something else may be slow once. */
const ATTEMPTS = 3;
/** The words of the program for what it does not take. */
const REFUSAL = new RegExp(
  `^Cannot restore "backup.db": (?:${[
    "it was not read to its end within",
    "it is (?:damaged|empty|not a database|a database of another program)\\b",
    "it cannot be opened, or is a folder",
    "it holds (?:a [a-z]+ .* that goodword does not make|what goodword does not write|more keys of one removal)",
    "it has no row in the table revision",
    "its business cannot be used",
    "a log lies beside it",
    "another program has added statistics",
    "there is no room for a copy",
    "The store was written by a newer goodword",
  ].join("|")}).*The store is as it was\\.$`,
  "s",
);

const WHOLE = "the backup as it is";
/** What another program can have a file define or hold, as SQL. */
const STATEMENTS = [
  "analyze",
  "vacuum",
  "drop table revision; create view revision as select 1 as id, 1 as number, '2026-01-01T00:00:00Z' as revised_at",
  `drop table revision; create view revision as with recursive n (id) as (select 1 union all select id + 1 from n)
   select id, id as number, '' as revised_at from n`,
  "drop table business",
  "drop index review_order",
  "create table other (x, y as (hex(zeroblob(x))))",
  "create virtual table other using fts5 (x)",
  "create trigger other after insert on review begin delete from review; end",
  "alter table review add column x text default 'x'",
  "alter table review rename column author to writer",
  "pragma auto_vacuum = full; vacuum",
  "pragma page_size = 65536; vacuum",
  "pragma journal_mode = wal",
  "pragma user_version = 7",
  "insert into kysely_migration values ('x', '')",
  `with recursive n (i) as (select 1 union all select i + 1 from n where i < 200000)
   insert into kysely_migration select 'x' || i, '' from n`,
  `analyze; with recursive n (i) as (select 1 union all select i + 1 from n where i < 200000)
   insert into sqlite_stat1 select 'review', 'review_order', '9 9 9' from n`,
  `with recursive n (i) as (select 1 union all select i + 1 from n where i < 200000)
   insert into analysis select 'x' || i, '{}' from n`,
  "update review set text = hex(zeroblob(7000000)) where rowid = 1",
  "update business set file = hex(zeroblob(7000000))",
  "delete from revision",
  "insert into revision select id + 1, number, revised_at from revision",
  "delete from review where rowid % 2 = 0",
];
const VALUES = fc.oneof(
  fc.constantFrom("null", "-1", "0", "1.5", "9223372036854775807", "x'00'", "x'ff'", "zeroblob(1000000)", "rowid"),
  oddText.map((text) => `'${text.replaceAll("'", "''").replaceAll("\0", "")}'`),
);

interface Input {
  readonly backup: string;
  readonly statement: string | undefined;
  readonly damages: readonly (Spot & { readonly kind: string })[];
  readonly beside: readonly [suffix: string, content: Uint8Array] | undefined;
}

export async function backupDoor(): Promise<Door> {
  const folder = temporaryFolder();
  process.once("exit", () => folder[Symbol.dispose]());
  const backups = await makeBackups(folder.path);
  const reader = new BoundedReader(join(folder.path, "temporary"));
  const outcomes = new Map<string, number>();
  const rowsOf = new Map<string, Reading["tables"]>();
  const read = async (path: string) => {
    let outcome = await reader.read(path);
    for (let left = ATTEMPTS - 1; outcome.reading === undefined && left > 0; left -= 1)
      outcome = await reader.read(path);
    return outcome;
  };
  for (const [name, content] of backups) {
    const { reading, ...cost } = await read(writtenTo(folder.path, content));
    assert.ok(reading !== undefined, `${name} is read: ${JSON.stringify(cost)}`);
    assert.equal(reading.fault ?? reading.refusal, undefined, `${name} is restored: ${JSON.stringify(cost)}`);
    rowsOf.set(name, reading.tables);
  }

  const law = async ({ backup, statement, damages, beside }: Input) => {
    const crafted = craft(folder.path, backups.get(backup) ?? Buffer.alloc(0), statement);
    const content = damaged(crafted, damages);
    const path = writtenTo(folder.path, content);
    if (beside !== undefined) writeFileSync(`${path}${beside[0]}`, beside[1]);
    const files = readdirSync(join(folder.path, "backups"));
    const { reading, mb, ms } = await read(path);
    const keepsRows = statement === undefined && damages.every(({ kind }) => DAMAGES[kind]?.keepsRows === true);
    const isSame = JSON.stringify(reading?.tables) === JSON.stringify(rowsOf.get(backup));
    count(outcomes, outcomeOf(reading, isSame));
    assert.ok(reading !== undefined, `no answer in ${ms.toFixed(0)} ms, ${mb.toFixed(0)} MB`);
    assert.ok(
      ms < MAX_MS && mb < MAX_MB,
      `it takes ${ms.toFixed(0)} ms, ${mb.toFixed(0)} MB: ${JSON.stringify(reading.refusal)}`,
    );
    if (reading.refusal !== undefined) assert.match(reading.refusal, REFUSAL);
    const [, seconds = 0] = /not read to its end within (\d+) seconds/.exec(reading.refusal ?? "") ?? [];
    assert.ok(ms >= Number(seconds) * 1_000, `it was given up after ${ms.toFixed(0)} ms: ${reading.refusal}`);
    if (reading.fault !== undefined) assert.doesNotMatch(reading.fault, FAULT);
    assert.equal(reading.fault, undefined);
    if (reading.tables !== undefined && keepsRows)
      assert.ok(isSame, `other rows: ${differences(reading, rowsOf.get(backup))}`);
    assert.deepEqual(reader.left(), [], "left files behind");
    assert.deepEqual(readdirSync(join(folder.path, "backups")), files, "left files beside the backup");
    assert.ok(readFileSync(path).equals(content), "changed the backup");
  };

  const number = fc.oneof(fc.nat(40), fc.nat());
  const spot = fc.record({
    kind: fc.constantFrom(...Object.keys(DAMAGES)),
    ...{ where: number, to: number, bytes: fc.uint8Array({ minLength: 1, maxLength: 9 }) },
    value: fc.oneof(fc.nat(300), fc.nat(), fc.constantFrom(0x7f_ff_ff_ff, 0xff_ff_ff_ff, 0x80_00_00_00, 65_535)),
  });
  const columns = columnsOf(folder.path, backups);
  const definition = fc
    .tuple(fc.constantFrom("type", "name", "tbl_name", "rootpage", "sql"), fc.nat(100), fc.nat(100), VALUES)
    .map(([column, row, other, value]) => {
      const given = row % 3 === 0 ? value : `(select ${column} from sqlite_schema limit 1 offset ${other % 70})`;
      return `pragma writable_schema = on; update sqlite_schema set ${column} = ${given} where rowid = ${row}`;
    });
  const cell = fc
    .tuple(fc.constantFrom(...columns), VALUES)
    .map(([[table, column], value]) => `update "${table}" set "${column}" = ${value}`);
  const statement = fc.oneof(
    { weight: 12, arbitrary: fc.constant(undefined) },
    { weight: 2, arbitrary: definition },
    { weight: 2, arbitrary: cell },
    { weight: 1, arbitrary: fc.constantFrom(...STATEMENTS) },
  );
  const beside = fc.tuple(fc.constantFrom("-wal", "-shm", "-journal"), fc.uint8Array({ maxLength: 600 }));
  const input: fc.Arbitrary<Input> = fc.record({
    backup: fc.constantFrom(...backups.keys()),
    statement,
    damages: fc.oneof(
      { weight: 5, arbitrary: fc.array(spot, { minLength: 1, maxLength: 1 }) },
      { weight: 2, arbitrary: fc.array(spot, { maxLength: 4 }) },
    ),
    beside: fc.oneof({ weight: 30, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary: beside }),
  });
  return {
    ...doorOf("backup", 40, input, law),
    summary() {
      const most = `at most ${reader.mostMb.toFixed(0)} MB and ${reader.mostMs.toFixed(0)} ms`;
      const counts = [...outcomes].toSorted(([, one], [, other]) => other - one);
      return [most, ...counts.map(([what, times]) => `${times} × ${what}`)].join("\n  ");
    },
  };
}

/** What came of a backup, in words that many have in common. */
function outcomeOf(reading: Reading | undefined, isSame: boolean): string {
  if (reading === undefined) return "no answer";
  if (reading.fault !== undefined) return "failed later";
  if (reading.refusal === undefined) return isSame ? WHOLE : "other rows";
  const [, reason = reading.refusal] = /^Cannot restore "backup.db": (.*?)(?:[;.(]|$)/s.exec(reading.refusal) ?? [];
  return reason
    .replace(/(holds an? \w+) .* (that goodword)/s, "$1 … $2")
    .replace(/: .* in the table/s, ": … in the table");
}

function count(counts: Map<string, number>, what: string): void {
  counts.set(what, (counts.get(what) ?? 0) + 1);
}

function differences(reading: Reading, whole: Reading["tables"]): string {
  return RESTORED_TABLES.filter((table) => String(reading.tables?.[table]) !== String(whole?.[table]))
    .map((table) => `${table} ${whole?.[table]?.length} to ${reading.tables?.[table]?.length}`)
    .join();
}

function writtenTo(folder: string, content: Buffer): string {
  const own = join(folder, "backups");
  rmSync(own, { recursive: true, force: true });
  mkdirSync(own);
  const path = join(own, "backup.db");
  writeFileSync(path, content);
  return path;
}

/** What a statement makes of a backup; the backup as it is where SQLite does not run it. */
function craft(folder: string, content: Buffer, statement: string | undefined): Buffer {
  if (statement === undefined) return content;
  const path = writtenTo(folder, content);
  const database = new DatabaseSync(path, { defensive: false });
  try {
    database.exec("pragma synchronous = off");
    database.exec(statement);
  } catch {
    // A statement of random words may be none.
  } finally {
    database.close();
  }
  return readFileSync(path);
}

function columnsOf(folder: string, backups: ReadonlyMap<string, Buffer>): (readonly [string, string])[] {
  const [content = Buffer.alloc(0)] = backups.values();
  using database = new DatabaseSync(writtenTo(folder, content));
  const ask = database.prepare("select name from pragma_table_info(?)");
  return RESTORED_TABLES.flatMap((table) => ask.all(table).map(({ name }) => [table, String(name)] as const));
}

/** Backups with rows in every table that a restore reads: as goodword writes them, in small pages, and with free pages. */
async function makeBackups(folder: string): Promise<ReadonlyMap<string, Buffer>> {
  await using box = await openSandbox("sqlite:");
  const sample = join(import.meta.dirname, "..", "..", "sample");
  const reviews = readFileSync(join(sample, "reviews.jsonl"), "utf8").trim().split("\n").slice(0, 40);
  const long = { ...(JSON.parse(reviews[0] ?? "") as object), id: "long", text: "It took them long. ".repeat(2_000) };
  const lines = [...reviews, JSON.stringify(long)];
  await box.take([
    box.write("business.yaml", readFileSync(join(sample, "business.yaml"))),
    box.write("r.jsonl", lines.join("\n")),
  ]);
  await box.take(box.write("r.jsonl", lines.slice(0, 40).join("\n").replaceAll("technician", "engineer")));
  const [first, second, third] = await box.rows();
  const now = new Date("2026-02-03T04:05:06Z");
  await removeReviews(box.store, [first?.id ?? ""], { what: ["review"], now });
  await removeReviews(box.store, [second?.id ?? ""], { what: ["author", "text"], now });
  const { database } = box.store;
  await beginFanOut(database, "/feed.xml", { tag: '"x"', revision: 2 }, now);
  for (let index = 0; index < 30; index += 1) {
    const id = `${index}`.padStart(8, "0");
    const subscribed = subscription(id);
    await changeSubscription(database, id, () => subscribed);
    await saveIntents(database, [intent(id)]);
  }
  const [id, source, at] = [third?.id ?? "", "google", now.toISOString()];
  const words = { aspect: "speed", was: "negative", is: "none", evidence_from: 0, evidence_to: 4 } as const;
  const times = { had_last_at: at, lacked_first_at: at, returned_at: null };
  await database
    .insertInto("session_key")
    .values({ number: 1, secret: "ab".repeat(32), made_at: at })
    .execute();
  await database.insertInto("withdrawn_review").values({ id, source, withdrawn_by: 1 }).execute();
  await database.insertInto("source_place").values({ source, kind: "place", id: "1" }).execute();
  await database
    .insertInto("vanished_review")
    .values({ id, change: 1, source, rating: 5, until_change: null, ...times })
    .execute();
  await database
    .insertInto("correction")
    .values({ id, at, note: "No", text_key: "ab".repeat(32), ...words })
    .execute();
  for (const table of RESTORED_TABLES) {
    const row = await database.selectFrom(table).selectAll().limit(1).executeTakeFirst();
    assert.ok(row !== undefined, `${table} has rows`);
  }
  const made = join(folder, "made.db");
  await backupStore(box.store, made);
  const own = readFileSync(made);
  return new Map([
    ["of goodword", own],
    ["in pages of 512 bytes", craft(folder, own, "pragma page_size = 512; vacuum")],
    [
      "with free pages",
      craft(
        folder,
        own,
        `pragma page_size = 1024; pragma auto_vacuum = incremental; vacuum;
      create table other as select * from review, (select 1 from review limit 9); drop table other`,
      ),
    ],
  ]);
}
