import assert from "node:assert/strict";
import { createHook } from "node:async_hooks";
import { once } from "node:events";
import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { type AddressInfo, connect, createServer as createTcpServer, type Socket } from "node:net";
import { join } from "node:path";
import { pipeline } from "node:stream";
import { after, test } from "node:test";
import type { Worker } from "node:worker_threads";
import { sql } from "kysely";
import pg from "pg";
import { ENGINES } from "../../../test/support/engines.ts";
import { listening, through } from "../../../test/support/loopback.ts";
import { emptyDatabase, stopPostgres } from "../../../test/support/postgres-server.ts";
import { temporaryFolder } from "../../../test/support/program.ts";
import { routesTo } from "../../../test/support/test-routes.ts";
import { type Asked, askPatiently } from "../../../test/support/wire.ts";
import { until } from "../../../test/support/within.ts";
import { openEdition } from "../../edition/edition.ts";
import type { DocumentHandler } from "../../http/answer-document.ts";
import { type LoadShedding, makeLoadShedding } from "../../http/load-shedding.ts";
import { openServer } from "../../http/server.ts";
import { openHubOutbound } from "../../hub/hub-outbound.ts";
import { importPaths } from "../../import/importer.ts";
import { parseAddressRanges } from "../../outbound/address-class.ts";
import { renderStore } from "../../publication/publication.ts";
import { openRenderer } from "../../publication/renderer.ts";
import { schemaOf, siteStoreUrl } from "../../store/engine/store-url.ts";
import { openStore } from "../../store/store.ts";
import { openLog } from "../terminal/log.ts";
import { pollMsOf } from "./open-sites.ts";
import { openServedSites, type SitesLimits } from "./served-sites.ts";
import type { Routes } from "./site.ts";
import { makeSiteWatches } from "./site-watches.ts";

const STEPS = Number(process.env.GOODWORD_TEST_STEPS ?? 15);
const SEED = Number(process.env.GOODWORD_TEST_SEED ?? 7);
const SITES = ["a", "b", "c", "d", "e"];
const DOCUMENTS = ["/reviews.json", "/insights.json", "/api/feed.json", "/feed.xml", "/", "/reviews", "/llms.txt"];
const MADE = [
  "/api/reviews/search?query=words",
  "/api/reviews/since/2026-01-01",
  "/reviews?rating=5",
  "/nothing",
  "/api/x",
];
const PATHS = [...DOCUMENTS, ...MADE, "/about", "/provenance.json", "/sitemap.xml", "/.well-known/openapi.json"];

after(stopPostgres);

/** Numbers below `max` that a seed repeats (mulberry32). */
function chance(seed: number): (max: number) => number {
  let state = seed;
  return (max) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % max;
  };
}

/** Serves the sites of a folder in this process. */
async function serveFolder(
  folder: string,
  limits: Partial<SitesLimits>,
  shedding: LoadShedding = makeLoadShedding({ clock: () => 0, work: () => 0, nextTurn: setImmediate }),
  DATABASE_URL = "",
  onFault: (error: unknown) => void = (error) => assert.fail(String(error)),
) {
  const stop = new AbortController();
  let [documents, routes]: [DocumentHandler, Routes | undefined] = [() => false, undefined];
  const server = await openServer(async (...request) => (await routes?.(...request)) as Response, {
    ...{ host: "127.0.0.1", port: 0, maxConnections: 100, onFault },
    documents: (...exchange) => documents(...exchange),
  });
  const hub = { timeoutSeconds: 5, allowCallbacks: [] };
  const outbound = openHubOutbound({ settings: hub, log: () => {} });
  const sites = openServedSites(
    {
      ...{ folder, trusted: parseAddressRanges(["127.0.0.1"]), cacheControl: "no-cache" },
      environment: { SITES_BASE_URL: "http://{site}.test", DATABASE_URL },
      ...{
        log: openLog(process.env.GOODWORD_TEST_LOG ?? "silent", false),
        stop: stop.signal,
        limits,
      },
    },
    {
      ...{ renderer: openRenderer(), outbound: async () => outbound, prepare: server.prepare, onFault },
      shedding,
      ...{ clientAddress: () => "127.0.0.1", onAnswer: () => {}, onFollowEvent: () => {}, onNoticeEvent: () => {} },
    },
  );
  ({ documents, routes } = sites);
  return {
    sites,
    get: async (host: string, path: string, { headers, ...asked }: Asked = {}) =>
      await askPatiently(`http://127.0.0.1:${server.port}${path}`, { ...asked, headers: { Host: host, ...headers } }),
    async [Symbol.asyncDispose]() {
      stop.abort();
      await Promise.all([server.close(1_000), sites.stop(1_000)]);
      await Promise.all([sites.close(), outbound.close()]);
    },
  };
}

test("whatever hosts, changes and rests follow one another, each answer is that of its site alone, byte for byte", async () => {
  using folder = temporaryFolder();
  const pick = chance(SEED);
  const database = process.env.GOODWORD_TEST_ENGINE === "PostgreSQL" ? await emptyDatabase() : "";
  const urlOf = (site: string) => siteStoreUrl(database, site, join(folder.path, site, "data", "goodword.db"));
  /** Each version of a site, served alone. */
  const versions = new Map<string, ReturnType<typeof routesTo>[]>(SITES.map((site) => [site, []]));
  /** The oldest version that may still be answered. */
  const seen = new Map<string, number>();
  let number = 0;

  async function change(site: string): Promise<void> {
    const file = join(folder.path, `${site}.csv`);
    const text = `Words ${++number} of ${site}`;
    writeFileSync(
      file,
      `id,author,rating,date,text,source\n${pick(4)},Author of ${site},${1 + pick(5)},2026-01-02,${text},google\n`,
    );
    mkdirSync(join(folder.path, site), { recursive: true });
    const store = await openStore(urlOf(site));
    try {
      await importPaths(store, [file], { now: new Date() });
      const edition = openEdition(await renderStore(store, { baseUrl: `http://${site}.test` }));
      versions.get(site)?.push(routesTo(edition));
    } finally {
      await store.close();
    }
  }

  async function look(
    site: string,
    path: string,
    get: (host: string, path: string) => ReturnType<typeof askPatiently>,
  ) {
    const known = versions.get(site) ?? [];
    const { text } = await get(`${site}.test`, path);
    const first = seen.get(`${site} ${path}`) ?? 0;
    let at = known.length;
    do at--;
    while (at >= first && (await textOf(known[at], site, path)) !== text);
    assert.ok(at >= first, `${site} ${path} is as no version of it: ${text.slice(0, 300)}`);
    seen.set(`${site} ${path}`, at);
  }

  async function textOf(routes: ReturnType<typeof routesTo> | undefined, site: string, path: string): Promise<string> {
    return (await (await routes?.(new Request(`http://${site}.test${path}`)))?.text()) ?? "";
  }

  for (const site of SITES) await change(site);
  await using served = await serveFolder(folder.path, { maxOpen: 2, workIdleMs: 0, minOpenMs: 0 }, undefined, database);
  for (let step = 0; step < STEPS; step++) {
    const site = SITES[pick(SITES.length)] ?? "";
    const kind = pick(20);
    if (kind === 0) await change(site);
    else if (kind === 1) {
      const host = [`${site}.test.evil`, `x-${site}.test`, `${site}`, `${site}.test:80, b.test`, ""][pick(5)] ?? "";
      const { status, text } = await served.get(host, "/reviews.json");
      assert.ok(status === 421 || status === 400, `${host} ${status}`);
      assert.doesNotMatch(text, /Words|Author|test/);
    } else {
      const others = Array.from({ length: pick(4) }, () => SITES[pick(SITES.length)] ?? "");
      await Promise.all([site, ...others].map((each) => look(each, PATHS[pick(PATHS.length)] ?? "", served.get)));
    }
  }
});

test("whatever host is named, and whatever a proxy forwards, the answer is of a site, or says that there is none", async () => {
  using folder = temporaryFolder();
  await makeSite(folder.path, "a");
  await using served = await serveFolder(folder.path, {});
  assert.equal((await served.get("a.test", "/reviews.json")).status, 200);
  const pick = chance(SEED);
  const parts = ["a.test", "a", "1", "08", "0x7f", "256", ".", ".", "..", "-", "_", ":", "80", "99999", "[", "::", "]"];
  const paths = [
    "/reviews.json",
    "/api/reviews/search?query=words",
    "/mcp",
    "/ask?domain=a.test",
    "/x/../y",
    "/nothing",
  ];
  const random = () => Array.from({ length: 1 + pick(6) }, () => parts[pick(parts.length)]).join("");
  for (let step = 0; step < 300; step++) {
    const [host, path] = [random(), paths[pick(paths.length)] ?? ""];
    const forwarded = ["a.test", "", random()][pick(3)] ?? "";
    const { status } = await served.get(host, path, {
      headers: forwarded === "" ? {} : { "X-Forwarded-Host": forwarded },
    });
    assert.ok([200, 400, 404, 405, 421].includes(status), `${status}: ${host} ${forwarded} ${path}`);
  }
  for (const path of ["/reviews.json", "/api/reviews/search?query=words"])
    assert.equal((await served.get("backend.1", path, { headers: { "X-Forwarded-Host": "a.test" } })).status, 200);
});

test("a process whose one database is away says so, whatever sites rest, until it is back", async () => {
  using folder = temporaryFolder();
  mkdirSync(join(folder.path, "a"));
  const database = await emptyDatabase();
  const { hostname, port } = new URL(database);
  const forwarding = createTcpServer((client) => {
    const upstream = connect(Number(port), hostname);
    for (const socket of [client, upstream]) socket.on("error", () => {}).on("close", () => upstream.destroy());
    client.pipe(upstream).pipe(client);
  });
  await using forward = await listening(forwarding);
  await using served = await serveFolder(folder.path, { tickMs: 20 }, undefined, through(database, forward));
  const readiness = async () => JSON.parse((await served.get("x.test", "/readyz")).text) as Record<string, unknown>;
  assert.equal((await readiness()).status, "ready");
  await forward.close();
  await until(async () => (await readiness()).status === "degraded");
  assert.match(String((await readiness()).reason), /^The store does not answer/);
  assert.equal(served.sites.isDatabaseUp(), false);
  await once(forwarding.listen(forward.port, "127.0.0.1"), "listening");
  await until(async () => (await readiness()).status === "ready");
  assert.equal(served.sites.isDatabaseUp(), true);
});

test("who asks for every site at once has no more of them opened than may be, and each answers", async () => {
  using folder = temporaryFolder();
  for (const site of SITES) await makeSite(folder.path, site);
  await using served = await serveFolder(folder.path, { maxOpen: 2, minOpenMs: 60_000 }); // more than one waits for room
  let most = 0;
  const watching = setInterval(() => {
    most = Math.max(most, served.sites.open().length);
  }, 1);
  const answers = await Promise.all(SITES.map((site) => served.get(`${site}.test`, "/reviews.json")));
  clearInterval(watching);
  for (const [at, { status, text }] of answers.entries()) {
    assert.equal(status, 200, text);
    assert.match(text, new RegExp(`Words of ${SITES[at]}"`));
  }
  assert.ok(most <= 2, `${most} were open`);
});

test("a site whose answer is being made stays open for it, whoever asks for others", async () => {
  using folder = temporaryFolder();
  for (const site of SITES) await makeSite(folder.path, site);
  const mayAnswer = Promise.withResolvers<boolean>();
  const isAsked = Promise.withResolvers<void>();
  const admit = async () => {
    isAsked.resolve();
    return await mayAnswer.promise;
  };
  const shedding = { ...makeLoadShedding({ clock: () => 0, work: () => 0, nextTurn: setImmediate }), admit };
  await using served = await serveFolder(folder.path, { maxOpen: 2, minOpenMs: 60_000 }, shedding);
  const searching = served.get("a.test", "/api/reviews/search?query=words");
  await isAsked.promise;
  const [site] = served.sites.open();
  for (const other of ["b", "c", "d"]) assert.equal((await served.get(`${other}.test`, "/reviews.json")).status, 200);
  assert.ok(site !== undefined && served.sites.open().includes(site));
  mayAnswer.resolve(true);
  assert.equal((await searching).status, 200);
});

test("a chain's pages wait for their turn as other costly pages do", async () => {
  using folder = temporaryFolder();
  writeFileSync(join(folder.path, "chain.yaml"), "name: Chain\nbase_url: http://chain.test\n");
  const asked: string[] = [];
  const shedding = { ...makeLoadShedding({ clock: () => 0, work: () => 0, nextTurn: setImmediate }) };
  await using served = await serveFolder(folder.path, {}, { ...shedding, admit: (client) => asked.push(client) > 1 });
  const { status, headers } = await served.get("chain.test", "/");
  assert.deepEqual([status, headers["retry-after"]], [503, "2"]);
  assert.equal((await served.get("chain.test", "/places.json")).status, 200);
  assert.deepEqual(asked, ["127.0.0.1", "127.0.0.1"]);
});

/** Makes a site with one review, which names it. */
async function makeSite(folder: string, site: string): Promise<void> {
  mkdirSync(join(folder, site), { recursive: true });
  const file = join(folder, `${site}.csv`);
  writeFileSync(file, `id,author,rating,date,text,source\n1,Ann,5,2026-01-02,Words of ${site},google\n`);
  const store = await openStore(`sqlite:${join(folder, site, "data", "goodword.db")}`);
  await importPaths(store, [file], { now: new Date() });
  await store.close();
}

/** The site's store. */
function storeUrlOf(folder: string, site: string, database: string): string {
  return siteStoreUrl(database, site, join(folder, site, "data", "goodword.db"));
}

/** Imports a file's content into a site. */
async function importContent(folder: string, site: string, { name, content, database }: Imported): Promise<void> {
  mkdirSync(join(folder, site, "data"), { recursive: true });
  writeFileSync(join(folder, name), content);
  await using store = await openStore(storeUrlOf(folder, site, database));
  await importPaths(store, [join(folder, name)], { now: new Date() });
}

interface Imported {
  readonly name: string;
  readonly content: string;
  readonly database: string;
}

const saying = (words: string) => `id,author,rating,date,text,source\n1,Ann,5,2026-01-02,${words},google\n`;

/** Counts the timers and the threads of this process that have begun since. */
function countBegun() {
  const timers = new Set<number>();
  const threads = new Set<Worker>();
  const hook = createHook({
    init: (id, type) => void (type === "Timeout" && timers.add(id)),
    destroy: (id) => void timers.delete(id),
  }).enable();
  const onThread = (thread: Worker) => {
    threads.add(thread);
    thread.once("exit", () => threads.delete(thread));
  };
  process.on("worker", onThread);
  return {
    timers: () => timers.size,
    threads: () => threads.size,
    [Symbol.dispose]() {
      hook.disable();
      process.off("worker", onThread);
    },
  };
}

test("a site rests once nobody has asked for it for five minutes", async (t) => {
  using folder = temporaryFolder();
  for (const site of ["a", "b"])
    await importContent(folder.path, site, { name: `${site}.csv`, content: saying(`Words of ${site}`), database: "" });
  await using served = await serveFolder(folder.path, { tickMs: 20 });
  const now = performance.now.bind(performance);
  let ahead = 0;
  t.mock.method(performance, "now", () => now() + ahead);
  const answer = async (site: string) => assert.equal((await served.get(`${site}.test`, "/reviews.json")).status, 200);
  await answer("a");
  await answer("b");
  assert.equal(served.sites.open().length, 2);
  ahead = 200_000;
  await answer("b");
  ahead = 310_000;
  await until(() => served.sites.open().length === 1);
  ahead = 390_000;
  await answer("a"); // b was asked 190 seconds ago: less than five minutes
  assert.equal(served.sites.open().length, 2);
});

for (const { name: engine, url } of ENGINES) {
  test(`sites that nobody asks for hold no store, connection, thread or timer, show changes with their next answer, and wake for what is due: ${engine}`, async () => {
    using folder = temporaryFolder();
    const database = engine === "SQLite" ? "" : await url();
    const put = async (site: string, name: string, content: string) =>
      await importContent(folder.path, site, { name, content, database });
    for (const site of SITES) await put(site, `${site}.csv`, saying(`First words of ${site}`));
    writeFileSync(join(folder.path, "a", "goodword.env"), "SOURCES_ALLOW=127.0.0.0/8\n");
    const limits = { idleMs: 0, workIdleMs: 0, tickMs: 20, sweepTicks: 1_000_000 }; // changes are told, or nobody looks
    await using served = await serveFolder(folder.path, limits, undefined, database);
    using begun = countBegun();
    const answerOf = async (site: string) => await served.get(`${site}.test`, "/reviews.json");
    const first = await Promise.all(SITES.map(answerOf));
    for (const [at, { text }] of first.entries()) assert.match(text, new RegExp(`First words of ${SITES[at]}`));
    await until(() => served.sites.open().length === 0 && begun.threads() === 0);
    await until(() => begun.timers() < SITES.length); // a few of the process, none of each site
    for (const site of engine === "SQLite" ? SITES : []) {
      const file = join(folder.path, site, "data", "goodword.db");
      await until(() => !existsSync(`${file}-wal`)); // no connection has it open
      assert.ok(existsSync(`${file}.edition`));
    }
    if (engine !== "SQLite") await until(async () => (await connectionsTo(database)) <= 1); // that of the rounds
    const again = await answerOf("b");
    assert.deepEqual([again.text, again.headers.etag], [first[1]?.text, first[1]?.headers.etag]);
    await put("c", "c.csv", saying("Newer words of c"));
    assert.match((await answerOf("c")).text, /Newer words of c/);

    assert.equal((await served.get("own.test", "/reviews.json")).status, 421);
    writeFileSync(join(folder.path, "e", "goodword.env"), "BASE_URL=http://own.test\n");
    await until(async () => (await served.get("own.test", "/reviews.json")).status === 200);

    if (engine !== "SQLite") await spoil(database, "d"); // which keeps no other from being looked at
    const asked = Promise.withResolvers<void>();
    const source = createServer((_request, response) => {
      asked.resolve();
      response.writeHead(404).end();
    });
    await using feed = await listening(source);
    const followed = `sources: [{ url: "http://127.0.0.1:${feed.port}/" }]`;
    await until(() => served.sites.open().length === 0);
    await put("a", "business.yaml", `name: A\ntime_zone: UTC\n${followed}\n`);
    await asked.promise;
  });
}

test("whatever happens to a site's files or folders is told", {
  skip: process.platform !== "linux" && "folders are watched on Linux alone",
}, async (t) => {
  using folder = temporaryFolder();
  const [site, data] = [join(folder.path, "a"), join(folder.path, "a", "data")];
  const place = { name: "a", folder: site, storeUrl: `sqlite:${join(data, "goodword.db")}` };
  mkdirSync(site);
  const watches = makeSiteWatches();
  t.after(() => watches.keep([]));
  assert.ok(watches.mayDiffer(place), "it was never looked at");
  assert.ok(!watches.mayDiffer(place));
  const write = (path: string) => writeFileSync(join(site, path), "x", { flag: "a" });
  const changes: Readonly<Record<string, () => void>> = {
    "settings come": () => write("goodword.env"),
    "settings change": () => write("goodword.env"),
    "a business comes": () => write("business.yaml"),
    "the folder of the store is made later": () => mkdirSync(data),
    "the store comes": () => write("data/goodword.db"),
    "the store changes": () => write("data/goodword.db"),
    "its log comes": () => write("data/goodword.db-wal"),
    "its log changes": () => write("data/goodword.db-wal"),
    "the folder of the store goes": () => renameSync(data, `${folder.path}/old-data`),
    "another comes in its place": () => mkdirSync(data),
    "the other's store comes": () => write("data/goodword.db"),
    "the site is made anew": () => {
      rmSync(site, { recursive: true });
      mkdirSync(data, { recursive: true });
    },
    "the new site's store comes": () => write("data/goodword.db"),
  };
  for (const [name, change] of Object.entries(changes)) {
    change();
    await until(() => watches.mayDiffer(place)).catch(() => assert.fail(name));
    assert.ok(!watches.mayDiffer(place), name);
  }
});

test("a site that cannot be watched is looked at each time", () => {
  const place = { name: "a", folder: "a", storeUrl: "sqlite:a/data/goodword.db" };
  const refuse = (code: string) => {
    throw Object.assign(new Error(code), { code });
  };
  const watcher = { on: () => watcher as never, close() {} };
  const kinds = {
    nowhere: makeSiteWatches((_path, _options, _onChange) => refuse("ENOSPC")),
    store: makeSiteWatches((path) => (path === "a" ? watcher : refuse("EMFILE"))),
    later: makeSiteWatches((path) => (path === "a" ? watcher : refuse("ENOENT"))),
    fault: makeSiteWatches(() => ({ ...watcher, on: (_event: string, onFault: () => void) => onFault() as never })),
  };
  const seen = Object.entries(kinds).map(([kind, watches]) => [
    kind,
    watches.mayDiffer(place),
    watches.mayDiffer(place),
  ]);
  const expected = { nowhere: true, store: true, later: false, fault: true };
  assert.deepEqual(
    seen,
    Object.entries(expected).map(([kind, isSeen]) => [kind, true, isSeen]),
  );
});

async function connectionsTo(database: string): Promise<number> {
  const found = await queryOn(
    database,
    "select count(*) from pg_stat_activity where datname = current_database() and application_name like 'goodword%'",
  );
  return Number(found.rows[0].count);
}

/** Takes a table away that a site's store must have. */
async function spoil(database: string, site: string): Promise<void> {
  await queryOn(database, `drop table "${schemaOf(site)}".notice_delivery`);
}

async function queryOn(database: string, text: string) {
  const client = new pg.Client(database);
  await client.connect();
  try {
    return await client.query(text);
  } finally {
    await client.end();
  }
}

test("a site that only readers ask has no hub, no agents' sessions and no timers of theirs until one is needed", async () => {
  using folder = temporaryFolder();
  await makeSite(folder.path, "a");
  await using served = await serveFolder(folder.path, {});
  await served.get("a.test", "/reviews.json");
  await served.get("a.test", "/api/reviews/search?query=words");
  const [site] = served.sites.open();
  await site?.settled();
  assert.equal(site?.isWorking(), false);
  const headers = { "Content-Type": "application/x-www-form-urlencoded" };
  const refused = await served.get("a.test", "/api/websub/hub", { method: "POST", body: "hub.mode=none", headers });
  assert.equal(refused.status, 400);
  assert.equal(site?.isWorking(), true);
});

test("a site whose hub could not be opened for one request is opened anew for a later one", async () => {
  using folder = temporaryFolder();
  await makeSite(folder.path, "a");
  await using store = await openStore(storeUrlOf(folder.path, "a", ""));
  const definition = await sql<{ made: string }>`select sql as made from sqlite_schema where name = 'session_key'`
    .execute(store.database)
    .then(({ rows: [row] }) => row?.made ?? "");
  const faults: unknown[] = [];
  await using served = await serveFolder(folder.path, {}, undefined, "", (error) => faults.push(error));
  const headers = { "Content-Type": "application/x-www-form-urlencoded" };
  const ask = async () =>
    (await served.get("a.test", "/api/websub/hub", { method: "POST", body: "hub.mode=none", headers })).status;
  assert.equal((await served.get("a.test", "/reviews.json")).status, 200);
  await sql`drop table session_key`.execute(store.database);
  assert.equal(await ask(), 500);
  assert.equal(faults.length, 1);
  await sql.raw(definition).execute(store.database);
  await until(async () => (await ask()) === 400);
});

test("a site that was opened in an outage of the database answers its hub's first request after it", async () => {
  using folder = temporaryFolder();
  const database = new URL(await emptyDatabase());
  const target = { host: database.hostname, port: Number(database.port) };
  const sockets = new Set<Socket>();
  let [isAway, refused] = [false, 0];
  const between = createTcpServer((socket) => {
    sockets.add(socket.on("error", () => {}));
    if (isAway) refused++;
    if (isAway) return void socket.destroy();
    pipeline(socket, connect(target), socket, () => {});
  });
  using ended = new DisposableStack();
  ended.defer(() => {
    between.close();
    for (const socket of sockets) socket.destroy();
  });
  between.listen(0, "127.0.0.1");
  await once(between, "listening");
  Object.assign(database, { hostname: "127.0.0.1", port: String((between.address() as AddressInfo).port) });
  for (const site of ["a", "b"])
    await importContent(folder.path, site, { name: `${site}.csv`, content: saying(site), database: database.href });
  await using served = await serveFolder(folder.path, { maxOpen: 1, minOpenMs: 0 }, undefined, database.href);
  const statusOf = async (site: string) => (await served.get(`${site}.test`, "/reviews.json")).status;
  assert.deepEqual([await statusOf("a"), await statusOf("b")], [200, 200]); // now "a" rests, and is known
  const before = served.sites.open();
  isAway = true;
  for (const socket of sockets) socket.destroy();
  // Whatever changes of its files in the outage, what was published is not taken for lost.
  writeFileSync(join(folder.path, "a", "business.yaml"), "name: A\ntime_zone: UTC\n");
  const answer = statusOf("a");
  await until(() => served.sites.open().some((site) => !before.includes(site)));
  refused = 0;
  await until(() => refused > 1); // its store's first connection is one of them
  isAway = false;
  await answer;
  await until(async () => (await statusOf("a")) === 200);
  const headers = { "Content-Type": "application/x-www-form-urlencoded" };
  const asked = { method: "POST", body: "hub.mode=none", headers };
  assert.equal((await served.get("a.test", "/api/websub/hub", asked)).status, 400);
});

test("sites of a database that accepts no changes are served, and their agents and subscribers wait until it does", async () => {
  using folder = temporaryFolder();
  const database = await emptyDatabase();
  // As on a replica that a server without subscribers has never been on.
  await importContent(folder.path, "a", { name: "a.csv", content: saying("a"), database });
  const client = new pg.Client(database);
  await client.connect();
  await using _ = { [Symbol.asyncDispose]: async () => await client.end() };
  const name = new URL(database).pathname.slice(1);
  const setReadOnly = async (mode: string) => {
    await client.query(`alter database ${name} set default_transaction_read_only = ${mode}`);
    await client.query(
      "select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()",
    );
  };
  await setReadOnly("on");
  await using served = await serveFolder(folder.path, {}, undefined, database);
  const initialize = {
    ...{ jsonrpc: "2.0", id: 1, method: "initialize" },
    params: { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "test", version: "1" } },
  };
  const headers = { "Content-Type": "application/json", Accept: "application/json, text/event-stream" };
  const asked = { method: "POST", body: JSON.stringify(initialize), headers };
  const form = { "Content-Type": "application/x-www-form-urlencoded" };
  const subscribing = { method: "POST", body: "hub.mode=none", headers: form };
  const statusOf = async (path: string, asking?: Asked) => (await served.get("a.test", path, asking)).status;
  assert.equal(await statusOf("/reviews.json"), 200);
  for (const [path, asking] of [
    ["/mcp", asked],
    ["/api/websub/hub", subscribing],
  ] as const) {
    const { status, text } = await served.get("a.test", path, asking);
    assert.equal(status, 503, path);
    assert.match(text, /The store accepts no changes/, path);
  }
  const readiness = async () => (await served.get("nobody.test", "/readyz")).text;
  await until(async () => /"degraded".*The store accepts no changes/.test(await readiness()));
  assert.equal(await statusOf("/reviews.json"), 200);
  await setReadOnly("off");
  await until(async () => (await readiness()).includes('"ready"'));
  await until(async () => (await statusOf("/mcp", asked)) === 200);
  await until(async () => (await statusOf("/api/websub/hub", subscribing)) === 400);
});

test("the first answer of a site that rests is its cached edition also on PostgreSQL, and a damaged one is rendered over", async () => {
  using folder = temporaryFolder();
  const database = await emptyDatabase();
  for (const site of ["a", "b"])
    await importContent(folder.path, site, { name: `${site}.csv`, content: saying(site), database });
  await using served = await serveFolder(folder.path, { maxOpen: 1, minOpenMs: 0 }, undefined, database);
  await using store = await openStore(siteStoreUrl(database, "a", ""));
  const answers = async (site: string) =>
    await Promise.all(["/reviews.json", "/", "/feed.xml"].map((path) => served.get(`${site}.test`, path)));
  const answered = async (site: string) =>
    (await answers(site)).map(({ status, text, headers }) => [status, text, headers.etag]);
  const cached = async () => await store.database.selectFrom("edition_cache").selectAll().executeTakeFirst();
  const rendered = await answered("a");
  assert.equal(rendered[0]?.[0], 200);
  await answered("b"); // now "a" rests
  const row = await cached();
  assert.ok(row !== undefined);
  const rename = async (from: string, to: string) =>
    await sql`alter table ${sql.id(from)} rename to ${sql.id(to)}`.execute(store.database);
  await rename("review", "away"); // nothing can be rendered
  assert.deepEqual(await answered("a"), rendered);
  await rename("away", "review");
  await answered("b");
  await store.database.updateTable("edition_cache").set({ body: "damaged" }).execute();
  assert.deepEqual(await answered("a"), rendered);
  await answered("b");
  assert.equal((await cached())?.hash, row.hash);
});

test("a removal that was cut short is completed once its site is opened", async () => {
  using folder = temporaryFolder();
  await makeSite(folder.path, "a");
  await using store = await openStore(storeUrlOf(folder.path, "a", ""));
  const pending = async () => await store.database.selectFrom("pending_erasure").selectAll().execute();
  await store.database.insertInto("pending_erasure").values({ id: 1, since: "2026-01-02T03:04:05.000Z" }).execute();
  await using served = await serveFolder(folder.path, {});
  assert.equal((await served.get("a.test", "/reviews.json")).status, 200);
  await until(async () => (await pending()).length === 0);
});

test("pollMsOf() asks the sites that readers have just used first, however many are open", () => {
  const [recent, idle] = [{ askedAt: 95_000 }, { askedAt: 50_000 }];
  const open = [recent, ...Array.from({ length: 199 }, () => idle)];
  assert.equal(pollMsOf(recent, open, 100_000), 100);
  assert.equal(pollMsOf(idle, open, 100_000), 1_000);
  const all = Array.from({ length: 200 }, () => recent);
  assert.equal(pollMsOf(recent, all, 100_000), 1_000);
});
