/** What PostgreSQL refuses is explained to the owner: what it was, what has become of the data, and what to do. */
import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { connect, createServer } from "node:net";
import { join } from "node:path";
import { test } from "node:test";
import { sql } from "kysely";
import pg from "pg";
import { faultLines } from "../../src/app/fault-message.ts";
import { parseBusinessFile } from "../../src/import/business-file.ts";
import { importPaths } from "../../src/import/importer.ts";
import { openStore, raiseRevision, readBusiness, readRevision, writeBusiness } from "../../src/store/store.ts";
import { releaseEngines } from "../support/engines.ts";
import { listening, through } from "../support/loopback.ts";
import { emptyDatabase } from "../support/postgres-server.ts";

releaseEngines();

const NOW = new Date("2026-01-02T03:04:05Z");
const SAMPLE = join(import.meta.dirname, "..", "..", "sample");

/** Runs statements on a database of the server. */
async function onDatabase(url: string, ...statements: readonly string[]): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    for (const statement of statements) await client.query(statement);
  } finally {
    await client.end();
  }
}

function withParts(url: string, parts: Partial<Pick<URL, "username" | "password" | "pathname" | "search">>): string {
  return Object.assign(new URL(url), parts).href;
}

/** What a command says that opens the store, runs some work and fails. */
async function saidOf(url: string, work: (store: Awaited<ReturnType<typeof openStore>>) => Promise<unknown>) {
  try {
    const store = await openStore(url);
    await work(store).finally(() => store.close());
  } catch (error) {
    return faultLines(error).join("\n");
  }
  return "";
}

const importSample = (store: Awaited<ReturnType<typeof openStore>>) => importPaths(store, [SAMPLE], { now: NOW });

test("a statement that takes too long and one that meets a lock are named with what to do", async () => {
  const url = await emptyDatabase();
  const inTransaction = (statement: string) =>
    saidOf(url, ({ database }) =>
      database.transaction().execute(async (transaction) => {
        await sql`set local statement_timeout = 50`.execute(transaction);
        await sql.raw(statement).execute(transaction);
      }),
    );
  assert.match(
    await inTransaction("select pg_sleep(9)"),
    /^The database stopped a statement .*statement timeout; SQLSTATE 57014\)\. Nothing was changed\. Look in pg_stat/,
  );
  assert.match(
    await inTransaction("do $$ begin raise exception 'odd' using errcode = 'P0042'; end $$"),
    /^The database refused a statement \(odd; SQLSTATE P0042\)\. Nothing was changed\./,
  );
});

test("a role without rights, without connections or with a wrong password is told what it lacks", async () => {
  const url = await emptyDatabase();
  const role = `goodword_test_${randomBytes(4).toString("hex")}`;
  const asRole = withParts(url, { username: role, password: "right" });
  await onDatabase(url, `create role ${role} login password 'right'`, "revoke create on schema public from public");
  try {
    assert.match(
      await saidOf(asRole, importSample),
      /^The role in DATABASE_URL lacks a right in the database \(.*42501\)\. Nothing was changed\. Make it the owner.*grant/,
    );
    await onDatabase(url, `alter role ${role} connection limit 0`);
    assert.match(
      await saidOf(asRole, importSample),
      /^The database accepts no more connections \(.*53300\)\. Nothing was changed\. .*max_connections/,
    );
    const refused = await saidOf(withParts(url, { username: `${role}x`, password: "wrong" }), importSample);
    assert.match(refused, /^The database refuses the user or the password .*Nothing was changed\. Correct/);
    assert.doesNotMatch(refused, /wrong/);
  } finally {
    await onDatabase(url, `drop role ${role}`);
  }
  const absent = await saidOf(withParts(url, { pathname: "/not_there" }), importSample);
  assert.match(absent, /^There is no database of the name .*3D000\)\. Nothing was changed\. .*create database NAME/);
});

test("a read-only database is named as such, new or with a store, and changes nothing", async () => {
  const url = await emptyDatabase();
  const readOnly = `alter database ${new URL(url).pathname.slice(1)} set default_transaction_read_only = on`;
  const message = /^The database accepts no changes: it is a replica.*25006\)\. Nothing was changed\. Name the primary/;
  await onDatabase(url, readOnly);
  assert.match(await saidOf(url, importSample), message);
  const other = await emptyDatabase();
  await (await openStore(other)).close();
  await onDatabase(other, readOnly.replace(/goodword_test_\w+/, new URL(other).pathname.slice(1)));
  assert.match(await saidOf(other, importSample), message);
  await using store = await openStore(other);
  assert.equal((await readRevision(store.database)).number, 0);
});

test("a database of a server without a locale holds every character", async () => {
  const url = await emptyDatabase();
  const name = `${new URL(url).pathname.slice(1)}_ascii`;
  await onDatabase(url, `create database ${name} encoding 'SQL_ASCII' lc_collate 'C' lc_ctype 'C' template template0`);
  await using store = await openStore(withParts(url, { pathname: `/${name}` }));
  await writeBusiness(store.database, parseBusinessFile("business.yaml", "name: Größe 冷房 👍\ntime_zone: UTC\n"));
  assert.equal((await readBusiness(store.database))?.name, "Größe 冷房 👍");
});

test("a database in an encoding that lacks characters is refused before anything is written", async () => {
  const url = await emptyDatabase();
  const name = `${new URL(url).pathname.slice(1)}_latin1`;
  await onDatabase(url, `create database ${name} encoding 'LATIN1' lc_collate 'C' lc_ctype 'C' template template0`);
  const latin1 = withParts(url, { pathname: `/${name}` });
  assert.match(
    await saidOf(latin1, importSample),
    /^The encoding of the database \w+_latin1 is LATIN1, .*Nothing was changed\. .*create database NAME encoding 'UTF8'/,
  );
  await onDatabase(latin1, "create table kysely_migration (name text)"); // there was none
});

/** Passes everything on to the database, and cuts a connection that has sent what matches, before the answer. */
async function cutAfter(url: string, pattern: RegExp): Promise<{ url: string } & AsyncDisposable> {
  const { hostname, port } = new URL(url);
  const proxy = createServer((client) => {
    const server = connect(Number(port), hostname);
    for (const socket of [client, server]) socket.on("error", () => {});
    server.pipe(client);
    client.on("data", (bytes) => {
      const isLast = pattern.test(bytes.toString("latin1"));
      if (isLast) server.unpipe(client);
      server.write(bytes);
      if (isLast) server.resume().once("data", () => client.destroy());
    });
    client.once("close", () => server.destroy());
  });
  const listens = await listening(proxy);
  return { ...listens, url: through(url, listens) };
}

test("a connection that breaks during a commit leaves it unknown whether anything was changed, and says so", async () => {
  const url = await emptyDatabase();
  await using direct = await openStore(url);
  const { number } = await readRevision(direct.database);
  const raise = (store: Awaited<ReturnType<typeof openStore>>) =>
    store.database.transaction().execute((transaction) => raiseRevision(transaction, NOW));
  {
    await using cut = await cutAfter(url, /commit/i);
    const said = await saidOf(cut.url, raise);
    assert.match(said, /^The database cannot be reached .*not known whether it was made: goodword history/);
    assert.doesNotMatch(said, /Nothing was changed/);
    assert.equal((await readRevision(direct.database)).number, number + 1, "it was made, in fact");
  }
  await using cut = await cutAfter(url, /update "revision"/i);
  assert.match(await saidOf(cut.url, raise), /^The database cannot be reached .*Nothing was changed/);
  assert.equal((await readRevision(direct.database)).number, number + 1);
});

test("a full disk of the database is named, and so is an error that only its log explains", () => {
  const fault = (code: string, message: string) =>
    faultLines(Object.assign(new Error(message), { code, severity: "ERROR" })).join("\n");
  assert.equal(
    fault("53100", "could not extend file"),
    "The disk of the database is full (could not extend file; SQLSTATE 53100). Nothing was changed. Make room there, then try again",
  );
  assert.match(fault("XX001", "invalid page"), /^The files of the database are damaged.*Restore a backup into a new/);
});

test("tables of another program are recognised as such, and left alone", async () => {
  const url = await emptyDatabase();
  await onDatabase(
    url,
    "create table kysely_migration (name varchar(255) primary key, timestamp varchar(255) not null)",
    "insert into kysely_migration values ('2024-01-01-invoices', '2024-01-01T00:00:00.000Z')",
  );
  assert.match(
    await saidOf(url, importSample),
    /^DATABASE_URL leads to tables of another program: .*Nothing was changed/,
  );
  await onDatabase(url, "create schema ours");
  const ours = await openStore(withParts(url, { search: "?options=-c%20search_path%3Dours" }));
  await raiseRevision(ours.database, NOW);
  assert.equal((await readRevision(ours.database)).number, 1);
  await ours.close();
  const overwritten = await emptyDatabase();
  await (await openStore(overwritten)).close();
  await onDatabase(overwritten, "delete from kysely_migration"); // as a dump of an empty store has it
  assert.match(
    await saidOf(overwritten, importSample),
    /^The database has a table .*relation "revision" already exists.*older version was restored over it\. Name an empty/,
  );
  const withoutList = await emptyDatabase();
  await onDatabase(withoutList, "create table review (stars integer)");
  assert.match(
    await saidOf(withoutList, importSample),
    /^The database has a table .*Nothing was changed\. It belongs to/,
  );
});

test("two schemas of one database hold two stores, and one that is not there is named", async () => {
  const url = await emptyDatabase();
  const schema = (name: string) => withParts(url, { search: `?options=-c%20search_path%3D${name}` });
  await onDatabase(url, "create schema a", "create schema b");
  const first = await openStore(schema("a"));
  await raiseRevision(first.database, NOW);
  const second = await openStore(schema("b"));
  assert.equal((await readRevision(second.database)).number, 0);
  assert.equal((await readRevision(first.database)).number, 1);
  await Promise.all([first.close(), second.close()]);
  assert.match(
    await saidOf(schema("c"), importSample),
    /^The role in DATABASE_URL may use no schema .*3F000\)\. Nothing was changed/,
  );
});
