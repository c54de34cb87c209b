import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { connect, createServer } from "node:net";
import { after, before, describe, test } from "node:test";
import { type Kysely, sql } from "kysely";
import pg from "pg";
import { releaseEngines } from "../../../test/support/engines.ts";
import { listening, through } from "../../../test/support/loopback.ts";
import { emptyDatabase, type PostgresServer, startPostgres } from "../../../test/support/postgres-server.ts";
import { isDatabaseAway } from "./database-outage.ts";
import { openPostgres, rewriteTables } from "./postgres.ts";

releaseEngines();

interface Tables {
  note: { id: string; words: string };
  other: { id: string };
}

const NOTE = [{ table: "note", index: "note_pkey" }];

describe("rewriteTables()", () => {
  let database: Kysely<Tables>;
  let other: pg.Client;
  let server: PostgresServer;
  before(async () => {
    server = await startPostgres(); // a transaction in any database of a shared one would hold the rewriting up, too
    const url = await emptyDatabase(server);
    database = await openPostgres<Tables>(url);
    other = new pg.Client({ connectionString: url, application_name: "a reader" });
    await other.connect();
  });
  after(async () => {
    await other.end();
    await database.destroy();
    await server.stop();
  });

  /** Whether deleted words stand in the file of the table. */
  async function isInFile(): Promise<boolean> {
    await sql`checkpoint`.execute(database);
    const found = sql<{ at: number }>`
      select position('whimsical'::bytea in pg_read_binary_file(pg_relation_filepath('note'))) as at`;
    return Number((await found.execute(database)).rows[0]?.at) > 0;
  }

  test("waits for those who use a table or see what was deleted, leaves nothing queued, and clears its file", async () => {
    await sql`create table note (id text primary key, words text)`.execute(database);
    await sql`create table other (id text)`.execute(database);
    await sql`insert into note values ('a', 'whimsical'), ('b', 'kept')`.execute(database);
    for (const seen of ["note", "other"]) {
      await other.query(`begin isolation level repeatable read; select * from ${seen}`);
      await sql`delete from note where words = 'whimsical'`.execute(database);
      assert.equal(await isInFile(), true);
      await assert.rejects(rewriteTables(database, NOTE, 0), {
        message: /^another program keeps a transaction open in the database: process \d+ \(a reader\) of pg_stat/,
      });
      const queued = sql`select * from pg_locks where not granted and database = (select oid from pg_database where datname = current_database())`;
      assert.deepEqual((await queued.execute(database)).rows, []);
      assert.equal(await isInFile(), true);
      await other.query("commit");
      await rewriteTables(database, NOTE);
      assert.equal(await isInFile(), false);
      await sql`insert into note values ('a', 'whimsical')`.execute(database);
    }
    assert.equal((await database.selectFrom("note").selectAll().execute()).length, 2);
  });

  test("is not done while a lock is held by what no process stands for", async (t) => {
    const { rows } = await other.query("show max_prepared_transactions");
    if (rows[0].max_prepared_transactions === "0") return t.skip("this server prepares no transactions");
    await other.query("begin; lock table note in access share mode; prepare transaction 'held'");
    await assert.rejects(rewriteTables(database, NOTE, 0), {
      message: "another program keeps a transaction open in the database",
    });
    await other.query("commit prepared 'held'");
    await rewriteTables(database, NOTE);
  });

  test("waits for a transaction in another database, which keeps what was deleted after it began", async () => {
    const elsewhere = new pg.Client({ connectionString: await emptyDatabase(server) });
    await elsewhere.connect();
    await elsewhere.query("begin; select pg_current_xact_id()");
    await sql`delete from note where words = 'whimsical'`.execute(database);
    await assert.rejects(rewriteTables(database, NOTE, 0), /^Error: another program keeps a transaction open/);
    await elsewhere.query("commit");
    await elsewhere.end();
    await rewriteTables(database, NOTE);
    assert.equal(await isInFile(), false);
    await sql`insert into note values ('a', 'whimsical')`.execute(database);
  });

  test("waits for a writer that may still see what was deleted", async () => {
    await other.query("begin; insert into other values ('x')");
    await sql`update note set words = words`.execute(database);
    await assert.rejects(rewriteTables(database, NOTE, 0), /a reader/);
    await other.query("commit");
    await rewriteTables(database, NOTE);
  });

  test("asks for its lock for a second and a half at most, so that readers behind it go on", async () => {
    await other.query("begin; lock table note in access share mode");
    const rewriting = rewriteTables(database, NOTE, 0);
    await assert.rejects(rewriting, /a reader/);
    assert.equal((await database.selectFrom("note").selectAll().execute()).length, 2);
    await other.query("commit");
  });
});

/** Passes everything between a client and the database at `url`, of which the first answer that holds `part` is altered. */
async function openAltering(url: string, part: string, alter: (answer: Buffer, at: number) => void) {
  const { hostname, port } = new URL(url);
  let isAltered = false;
  const server = createServer((client) => {
    const upstream = connect(Number(port), hostname);
    for (const socket of [client, upstream]) socket.on("error", () => {});
    client.pipe(upstream);
    upstream.on("end", () => client.end()).on("close", () => client.destroy());
    client.on("close", () => upstream.destroy());
    upstream.on("data", (answer: Buffer) => {
      const at = isAltered ? -1 : answer.indexOf(part, 0, "latin1");
      isAltered ||= at !== -1;
      if (at !== -1) alter(answer, at);
      client.write(answer);
    });
  });
  const listens = await listening(server);
  return { ...listens, url: through(url, listens) };
}

describe("an answer of the database that cannot be read", () => {
  const alterations: [what: string, part: string, alter: (answer: Buffer, at: number) => void][] = [
    ["a row whose value is longer than it", "whimsical", (answer, at) => answer.writeInt32BE(99_999, at - 4)],
    ["a way to log in that there is not", "R\0\0\0", (answer, at) => answer.writeInt32BE(77, at + 5)],
  ];
  for (const [what, part, alter] of alterations)
    test(`breaks its connection, and does not end the process: ${what}`, async () => {
      await using proxy = await openAltering(await emptyDatabase(), part, alter);
      const database = await openPostgres(proxy.url);
      const query = sql<{ word: string; number: number }>`select 'whimsical' as word, 1 as number`;
      await assert.rejects(query.execute(database), (error) => isDatabaseAway(error));
      assert.deepEqual((await query.execute(database)).rows, [{ word: "whimsical", number: 1 }]);
      await database.destroy();
    });
});

/** Passes everything on until the database falls silent: then it takes all and answers nothing. */
async function openSilencing(url: string) {
  const { hostname, port } = new URL(url);
  const silence = { isSilent: false };
  const server = createServer((client) => {
    const upstream = connect(Number(port), hostname);
    for (const socket of [client, upstream]) socket.on("error", () => {});
    client.on("data", (bytes: Buffer) => void (silence.isSilent || upstream.write(bytes)));
    upstream.on("data", (bytes: Buffer) => client.write(bytes));
    client.on("close", () => upstream.destroy());
  });
  const listens = await listening(server);
  return Object.assign(silence, listens, { url: through(url, listens) });
}

test("cutConnections() ends every wait for a database that is silent, also of what connects afterwards", async () => {
  await using proxy = await openSilencing(await emptyDatabase());
  const script = `
    import { once } from "node:events";
    import { connectOutsidePool, cutConnections, openPostgres } from ${JSON.stringify(import.meta.resolve("./postgres.ts"))};
    import { sql } from ${JSON.stringify(import.meta.resolve("kysely"))};
    const database = await openPostgres(${JSON.stringify(proxy.url)});
    const query = () => sql\`select 1\`.execute(database).then(() => "answered", (error) => error.message);
    const { client } = await connectOutsidePool(database);
    const first = await query();
    process.send(first);
    await once(process, "message");
    const waiting = [query(), query(), client.query("select 1").catch((error) => error.message)];
    setTimeout(cutConnections, 100);
    process.send([...(await Promise.all(waiting)), await query(), await database.destroy()]);
    process.disconnect();`;
  const child = spawn(process.execPath, ["--input-type=module", "--eval", script], {
    stdio: ["ignore", "inherit", "inherit", "ipc"],
  });
  assert.deepEqual(await once(child, "message"), ["answered", undefined]);
  proxy.isSilent = true;
  const ended = once(child, "exit");
  child.send("go");
  const [said] = await once(child, "message");
  assert.equal(said.length, 5);
  for (const reason of said.slice(0, 4)) assert.match(reason, /^Connection terminated/);
  assert.deepEqual(await ended, [0, null]);
});
