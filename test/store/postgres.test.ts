/** Many processes over one PostgreSQL: they publish the same, accept each other's sessions, and outlive its absence. */
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { test } from "node:test";
import { pathToFileURL } from "node:url";
import { sql } from "kysely";
import pg from "pg";
import { importPaths } from "../../src/import/importer.ts";
import { MIGRATIONS } from "../../src/store/migrations.ts";
import { sessionKeys } from "../../src/store/session-keys.ts";
import { openStore, readSnapshot, type Store } from "../../src/store/store.ts";
import { ENGINES, releaseEngines } from "../support/engines.ts";
import { emptyDatabase } from "../support/postgres-server.ts";
import { run, serveProgram, temporaryFolder } from "../support/program.ts";
import { EXPORT_SETS } from "../support/shared-data.ts";
import { openTransactionPooler } from "../support/transaction-pooler.ts";
import { until } from "../support/within.ts";

releaseEngines();

const NOW = new Date("2026-01-02T03:04:05Z");
/** One review: what servers of one database do depends on no number of them, and each renders them. */
const FIRST = "a,Ann,5,2026-01-02,Cold again within the hour,google";
const SAMPLE = join(import.meta.dirname, "..", "..", "sample");

async function published(store: Store) {
  const { business, reviews, analyses } = await readSnapshot(store);
  return { business, reviews: [...reviews], analyses: new Map([...analyses].toSorted(([a], [b]) => (a < b ? -1 : 1))) };
}

for (const { name, takeout } of EXPORT_SETS) {
  test(`${name} is published alike from both engines, also when it is imported again in another time zone`, async () => {
    const found = [];
    for (const { open } of ENGINES) {
      await using store = await open();
      const before = await importPaths(store, [takeout], { now: NOW });
      const again = await importPaths(store, [join(SAMPLE, "business.yaml"), takeout], { now: NOW });
      found.push({ before, again, published: await published(store) });
    }
    assert.deepEqual(found[1], found[0]);
  });
}

test("ten processes that open an empty database at once bring it up to date together", async () => {
  const url = await emptyDatabase();
  const moduleOf = (name: string) =>
    JSON.stringify(pathToFileURL(join(import.meta.dirname, "..", "..", "src", "store", name)).href);
  const script = `
    import { once } from "node:events";
    import { openPostgres } from ${moduleOf("engine/postgres.ts")};
    import { migrate } from ${moduleOf("migrations.ts")};
    process.send("ready");
    await once(process, "message");
    const database = await openPostgres(${JSON.stringify(url)});
    await migrate(database);
    const { number } = await database.selectFrom("revision").select("number").executeTakeFirstOrThrow();
    console.log(number);
    await database.destroy();
    process.disconnect();`;
  const processes = Array.from({ length: 10 }, () =>
    spawn(process.execPath, ["--input-type=module", "--eval", script], { stdio: ["ignore", "pipe", "inherit", "ipc"] }),
  );
  const outputs = processes.map(({ stdout }) => text(stdout as Readable));
  await Promise.all(processes.map((child) => once(child, "message"))); // nobody is late because it had more to load
  for (const child of processes) child.send("go");
  assert.deepEqual(await Promise.all(outputs), Array(10).fill("0\n"));
});

test("ten processes that open an empty database at once through a pooler leave no lock behind on its connections", async () => {
  await using pooler = await openTransactionPooler(await emptyDatabase(), 3);
  const stores = await Promise.all(Array.from({ length: 10 }, () => openStore(pooler.url)));
  const [{ database }] = stores as [Store];
  const { rows: applied } = await sql<{ name: string }>`select name from kysely_migration order by name`.execute(
    database,
  );
  const names = applied.map(({ name }) => name);
  assert.deepEqual(names, Object.keys(MIGRATIONS));
  const { rows: locks } = await sql`
    select * from pg_locks join pg_database on pg_database.oid = pg_locks.database
    where locktype = 'advisory' and datname = current_database()`.execute(database); // others hold theirs on the server
  assert.deepEqual(locks, []);
  await Promise.all(stores.map((store) => store.close()));
});

test("an import through a pooler in transaction mode publishes what one without it does", async () => {
  const found = [];
  const direct = await emptyDatabase();
  await using pooler = await openTransactionPooler(await emptyDatabase(), 2);
  for (const url of [direct, pooler.url]) {
    await using store = await openStore(url);
    const report = await importPaths(store, [SAMPLE], { now: NOW });
    found.push({ report, published: await published(store) });
  }
  assert.deepEqual(found[1], found[0]);
});

test("two servers over one database give the same documents under the same tags, and both show an import", async () => {
  using folder = temporaryFolder();
  const settings = { DATABASE_URL: await emptyDatabase(), BASE_URL: "https://reviews.example" };
  const file = join(folder.path, "reviews.csv");
  const imported = async (...rows: readonly string[]) => {
    writeFileSync(file, `id,author,rating,date,text,source\n${rows.join("\n")}\n`);
    assert.equal((await run(folder.path, ["import", file], settings)).code, 0);
  };
  await imported(FIRST);
  await using first = await serveProgram(folder.path, settings);
  await using second = await serveProgram(folder.path, settings);
  await imported(FIRST, "b,Bo,2,2026-01-03,Came late and was too expensive,google");
  for (const { logged } of [first, second]) await logged(({ revision }) => revision === 2);
  assert.deepEqual(await tagsOf(first.url), await tagsOf(second.url));
});

test("a server on a read-only database says so, serves, and starts its hub when changes are accepted", async () => {
  using folder = temporaryFolder();
  const url = await emptyDatabase();
  const store = await openStore(url);
  writeFileSync(join(folder.path, "first.csv"), `id,author,rating,date,text,source\n${FIRST}\n`);
  await importPaths(store, [join(folder.path, "first.csv")], { now: NOW });
  await sessionKeys(store, NOW, randomBytes); // as a server on the primary has made them
  await store.close();
  await using admin = await connect(url, "postgres");
  const database = new URL(url).pathname.slice(1);
  const setReadOnly = async (value: "on" | "off") => {
    await admin.client.query(`alter database ${database} set default_transaction_read_only = ${value}`);
    await admin.client.query("select pg_terminate_backend(pid) from pg_stat_activity where datname = $1", [database]);
  };
  await setReadOnly("on");
  await using server = await serveProgram(folder.path, { DATABASE_URL: url, BASE_URL: "https://reviews.example" });
  await server.logged(({ level, msg }) => level === 40 && /accepts no changes: it is a replica/.test(`${msg}`));
  const readiness = async () =>
    (await (await fetch(`${server.url}/readyz`)).json()) as { status: string; reason?: string };
  const subscribe = () =>
    fetch(`${server.url}/api/websub/hub`, {
      method: "POST",
      body: new URLSearchParams({
        "hub.mode": "subscribe",
        "hub.topic": "https://reviews.example/feed.xml",
        "hub.callback": "https://subscriber.example/callback",
      }),
    });
  const { status, reason } = await readiness();
  assert.equal(status, "degraded");
  assert.match(reason ?? "", /accepts no changes/);
  assert.match(await (await fetch(`${server.url}/metrics`)).text(), /^goodword_store_writable 0$/m);
  assert.equal((await fetch(`${server.url}/reviews.json`)).status, 200);
  const refused = await subscribe();
  assert.equal(refused.status, 503);
  assert.match(refused.headers.get("Retry-After") ?? "", /^\d+$/);
  await setReadOnly("off");
  await server.logged(({ msg }) => msg === "The database accepts changes");
  let accepted = await subscribe();
  await until(async () => {
    if (accepted.status === 503) accepted = await subscribe(); // until the publisher has looked again
    return accepted.status !== 503;
  });
  assert.equal(accepted.status, 202);
  await until(async () => (await readiness()).status === "ready");
});

async function tagsOf(url: string): Promise<(string | null)[]> {
  const paths = [
    "/reviews.json",
    "/insights.json",
    "/api/feed.json",
    "/feed.xml",
    "/",
    "/api/reviews/since/2026-01-01",
  ];
  return await Promise.all(paths.map(async (path) => (await fetch(url + path)).headers.get("ETag")));
}

async function connect(url: string, database: string) {
  const address = new URL(url);
  address.pathname = `/${database}`;
  const client = new pg.Client({ connectionString: address.href });
  await client.connect();
  return { client, [Symbol.asyncDispose]: () => client.end() };
}
