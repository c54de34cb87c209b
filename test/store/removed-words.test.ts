/** Removed means gone: after `remove` and `redact` no file of the store's folder holds a word of it, whatever the engine. */
import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import pg from "pg";
import { siteStoreUrl } from "../../src/store/engine/store-url.ts";
import { openStore } from "../../src/store/store.ts";
import { releaseEngines } from "../support/engines.ts";
import { beginnings, filesHolding } from "../support/files-holding.ts";
import { emptyDatabase } from "../support/postgres-server.ts";
import { run, serveProgram, temporaryFolder } from "../support/program.ts";
import { deriveReviewId } from "../support/review-id.ts";
import { until } from "../support/within.ts";

releaseEngines();

/** A word that stands nowhere else, not even in what an earlier run left on a server. */
const word = () => Array.from(randomBytes(10), (byte) => String.fromCharCode(97 + (byte % 26))).join("");

const REMOVED = {
  author: `Zoe ${word()} Ö${word()}`,
  text: `${word()} is overpriced, and never came, ü${word()}lich as it was. ${`Odd ${word()} stayed broken. `.repeat(150)}`,
  reply: `Yours, ${word()}`,
};
const REDACTED = { author: `Max ${word()}`, text: `Bad ${word()} in the attic` };
const EDITED = `${word()} is overpriced, rude words`;
const NOTE = `${word()} said so`;
const GONE = [...Object.values(REMOVED), ...Object.values(REDACTED), EDITED, NOTE];
const HEAD = "id,author,rating,date,text,owner_reply_text,owner_reply_date,source";

function csv(text: string, isWithIds = true): string {
  const others = Array.from(
    { length: 60 },
    (_, index) => `o${index},Ann ${index},5,2026-01-0${(index % 9) + 1},Cold again ${index},,,google`,
  );
  const removed = `r,${REMOVED.author},2,2026-02-02,"${text}","${REMOVED.reply}",2026-02-03,google`;
  const redacted = `d,${REDACTED.author},3,2026-02-03,"${REDACTED.text}",,,google`;
  const rows = [...others, removed, redacted];
  return [HEAD, ...(isWithIds ? rows : rows.map((row) => row.replace(/^[^,]*/, "")))].join("\n");
}

/**
 * Imports and withdraws, so that there are saved rows under other ids, and a correction of a review that is not stored;
 * serves, so that there is a cache of the edition; removes and redacts.
 */
async function removeFrom(databaseUrl: string, onImported: () => Promise<void> = async () => {}): Promise<void> {
  using folder = temporaryFolder();
  const settings = { DATABASE_URL: databaseUrl };
  const file = join(folder.path, "reviews.csv");
  const done = async (...command: string[]) => {
    const { code, stderr } = await run(folder.path, command, settings);
    assert.equal(code, 0, stderr);
  };
  const imported = async (content: string) => {
    writeFileSync(file, content);
    await done("import", file);
  };
  await imported(csv(EDITED));
  await done("correct", deriveReviewId("google", "r", "2026-02-02"), "pricing", "none", "--note", NOTE);
  await imported(csv(REMOVED.text));
  await done("withdraw", "--source", "google", "--yes");
  await imported(csv(REMOVED.text, false));
  await using program = await serveProgram(folder.path, settings);
  const store = await openStore(databaseUrl);
  const rows = await store.database.selectFrom("review").select(["id", "author"]).execute();
  await store.close();
  await onImported();
  const idOf = (name: string) => rows.find(({ author }) => author === name)?.id ?? "";
  const published = program.logged(({ revision }) => Number(revision) >= 7);
  const removing = await run(folder.path, ["remove", idOf(REMOVED.author)], settings);
  assert.deepEqual([removing.code, removing.stdout.includes("warning")], [0, false], removing.stderr + removing.stdout);
  const redacting = await run(folder.path, ["redact", "--author", "--text", idOf(REDACTED.author)], settings);
  assert.deepEqual([redacting.code, redacting.stdout.includes("warning")], [0, false], redacting.stderr);
  await published;
  assert.equal(await program.stop(), 0);
  const log = JSON.stringify(program.log);
  const wrong = beginnings(GONE).filter((beginning) => log.includes(beginning));
  assert.deepEqual(wrong, []);
}

test("removed words are in no file beside a SQLite store", async () => {
  using folder = temporaryFolder();
  const data = join(folder.path, "data");
  mkdirSync(data);
  await removeFrom(`sqlite:${join(data, "goodword.db")}`, async () => {
    assert.ok(filesHolding(data, GONE).length > 0, "they were there before");
  });
  assert.deepEqual(filesHolding(data, GONE), []);
});

test("removed words are in no file of a PostgreSQL server: tables, statistics and write-ahead log", async (t) => {
  const url = await emptyDatabase();
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const data = String((await client.query("show data_directory")).rows[0].data_directory);
  const { rows } = await client.query("select oid from pg_database where datname = current_database()");
  const databases = join(data, "base");
  const own = join(databases, String(rows[0].oid));
  const isRead = (file: string) => !file.startsWith(databases) || file.startsWith(own); // not those of other tests
  if (!existsSync(data)) return t.skip("the server's folder is on another machine");
  /** The file of the cached edition, whose words are compressed, and whether the write-ahead log leaves them out. */
  const cacheFile = async () =>
    (
      await client.query(
        `select pg_relation_filenode(oid) as file, relpersistence = 'u' as unlogged
         from pg_class where oid = 'site_plumber.edition_cache'::regclass`,
      )
    ).rows[0];
  let before: { readonly file: number; readonly unlogged: boolean } | undefined;
  await removeFrom(siteStoreUrl(url, "plumber", ""), async () => {
    const cached = "select 1 from site_plumber.edition_cache where revision > 0";
    await until(async () => (await client.query(cached)).rows.length > 0);
    before = await cacheFile();
    await client.query("analyze");
    await client.query("checkpoint");
    assert.ok(filesHolding(own, GONE).length > 0, "they were there before");
  });
  await client.query("checkpoint");
  assert.equal(before?.unlogged, true);
  assert.notEqual((await cacheFile()).file, before.file, "it was rewritten");
  await client.end();
  assert.deepEqual(filesHolding(data, GONE, isRead), []);
});

test("a removal warns if the user of the database may not clear the write-ahead log, and says nothing once it may", async () => {
  using folder = temporaryFolder();
  const url = new URL(await emptyDatabase());
  const role = word();
  const client = new pg.Client({ connectionString: url.href });
  await client.connect();
  await client.query(
    `create role ${role} login password 'plain'; alter database "${url.pathname.slice(1)}" owner to ${role}`,
  );
  [url.username, url.password] = [role, "plain"];
  const settings = { DATABASE_URL: url.href };
  writeFileSync(join(folder.path, "reviews.csv"), csv(REMOVED.text));
  assert.equal((await run(folder.path, ["import", "reviews.csv"], settings)).code, 0);
  const removed = async (author: string) => {
    const { rows } = await client.query("select id from review where author = $1", [author]);
    return await run(folder.path, ["remove", rows[0].id], settings);
  };
  assert.match((await removed("Ann 1")).stdout, /^warning: PostgreSQL's write-ahead log may hold the words/m);
  await client.query(
    `grant pg_checkpoint, pg_monitor to ${role}; grant execute on function pg_switch_wal() to ${role}`,
  );
  const { code, stdout, stderr } = await removed("Ann 2");
  await client.end();
  assert.deepEqual([code, stdout.includes("warning")], [0, false], stdout + stderr);
});

/** Columns of text that hold ids, hashes, times and words of the program: statistics of them reveal nothing. */
const WORDLESS = [
  ...["id", "type", "at", "facts"].map((name) => `notice.${name}`),
  ...["notice_review.notice", "notice_review.id", "notice_review.is_edited"],
  ...["notice", "address", "due_at"].map((name) => `notice_delivery.${name}`),
  ...["address", "last_at", "last_type", "digest_schedule", "digest_at"].map((name) => `notice_address.${name}`),
  ...["trouble.key", "trouble.since"],
  ...[
    "id",
    "source_key",
    "natural_key",
    "source",
    "date",
    "reply_date",
    "written_at",
    "replied_at",
    "updated_at",
    "language",
  ].map((column) => `review.${column}`),
  ...["id", "topic", "origin", "site", "lease_ends_at", "due_at", "acknowledged"].map(
    (column) => `subscription.${column}`,
  ),
  ...["id", "pair", "client", "topic", "origin", "site", "mode", "known_tag", "asked_at", "due_at"].map(
    (column) => `intent.${column}`,
  ),
  ...["topic", "tag", "started_at", "cursor", "unfinished"].map((column) => `fan_out.${column}`),
  ...["clock_reference.boot", "commit_mark.writer", "commit_mark.started_at"],
  ...["edition_cache.revised_at", "edition_cache.maker", "edition_cache.hash"],
  ...["revision.revised_at", "analysis.key", "session_key.made_at", "saved_row.id", "saved_row.became"],
  ...["followed_source.key", "followed_source.last_at", "followed_source.next_at"],
  ...["removal.id", "removal.what", "removal.at", "removal_key.id", "removal_key.kind", "removal_key.key"],
  ...["id", "aspect", "was", "is", "at", "text_key"].map((column) => `correction.${column}`),
  ...["edit.id", "edit.edited_at", "published_review.id", "sequence_end.key", "sequence_end.at"],
  ...["removal.source", "withdrawn_review.source", "saved_row.withdrawn_source", "change.places_before"],
  ...["source_place.source", "source_place.kind", "source_place.id", "published_change.at", "published_change.kind"],
  ...["source_import.source", "source_import.first_at", "source_import.last_at"],
  ...["source", "id", "place", "at", "made_at"].map((column) => `sighting.${column}`),
  ...["id", "source", "had_last_at", "lacked_first_at", "returned_at"].map((column) => `vanished_review.${column}`),
  ...["pending_erasure.since", "withdrawn_review.id", "import_outcome.outcome", "import_outcome.last_at"],
  ...["change.at", "change.command", "kysely_migration.name", "kysely_migration.timestamp"],
];

test("every column with words is without statistics in PostgreSQL, and so is a new one until it is listed here", async () => {
  const url = await emptyDatabase();
  await (await openStore(url)).close();
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query(`
    select relname || '.' || attname as name from pg_attribute join pg_class on pg_class.oid = attrelid
    where relnamespace = 'public'::regnamespace and relkind = 'r' and attnum > 0 and not attisdropped
      and atttypid in ('text'::regtype, 'varchar'::regtype) and attstattarget is distinct from 0`);
  await client.end();
  const wrong = rows.map(({ name }) => name).filter((name) => !WORDLESS.includes(name));
  assert.deepEqual(wrong, []);
});
