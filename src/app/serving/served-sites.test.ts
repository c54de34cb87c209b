import assert from "node:assert/strict";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, test } from "node:test";
import { emptyDatabase, stopPostgres } from "../../../test/support/postgres-server.ts";
import { temporaryFolder } from "../../../test/support/program.ts";
import { routesTo } from "../../../test/support/test-routes.ts";
import { askPatiently } from "../../../test/support/wire.ts";
import { until } from "../../../test/support/within.ts";
import { openEdition } from "../../edition/edition.ts";
import type { DocumentHandler } from "../../http/answer-document.ts";
import { type LoadShedding, makeLoadShedding } from "../../http/load-shedding.ts";
import { openServer } from "../../http/server.ts";
import { openHubOutbound } from "../../hub/hub-outbound.ts";
import { importPaths } from "../../import/importer.ts";
import { renderStore } from "../../publication/publication.ts";
import { openRenderer } from "../../publication/renderer.ts";
import { siteStoreUrl } from "../../store/engine/store-url.ts";
import { openStore } from "../../store/store.ts";
import { openLog } from "../terminal/log.ts";
import { openServedSites, type SitesLimits } from "./served-sites.ts";
import type { Routes } from "./site.ts";

const STEPS = Number(process.env.GOODWORD_TEST_STEPS ?? 80);
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
) {
  const stop = new AbortController();
  let [documents, routes]: [DocumentHandler, Routes | undefined] = [() => false, undefined];
  const onFault = (error: unknown) => assert.fail(String(error));
  const server = await openServer(async (...request) => (await routes?.(...request)) as Response, {
    ...{ host: "127.0.0.1", port: 0, maxConnections: 100, onFault },
    documents: (...exchange) => documents(...exchange),
  });
  const hub = { timeoutSeconds: 5, allowCallbacks: [] };
  const outbound = openHubOutbound({ settings: hub, log: () => {} });
  const sites = openServedSites(
    {
      ...{ folder, trusted: [], cacheControl: "no-cache" },
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
    get: async (host: string, path: string) =>
      await askPatiently(`http://127.0.0.1:${server.port}${path}`, { headers: { Host: host } }),
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

test("who asks for every site at once has no more of them opened than may be, and each answers", async () => {
  using folder = temporaryFolder();
  for (const site of SITES) await makeSite(folder.path, site);
  await using served = await serveFolder(folder.path, { maxOpen: 2, minOpenMs: 0 });
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

test("a site that nobody asks for rests: it has no store open, and its next answer is as before", async () => {
  using folder = temporaryFolder();
  const file = join(folder.path, "a.csv");
  writeFileSync(file, "id,author,rating,date,text,source\n1,Ann,5,2026-01-02,Cold again,google\n");
  mkdirSync(join(folder.path, "a"));
  const path = join(folder.path, "a", "data", "goodword.db");
  const store = await openStore(`sqlite:${path}`);
  await importPaths(store, [file], { now: new Date() });
  await store.close();
  await using served = await serveFolder(folder.path, { idleMs: 0, workIdleMs: 0 });
  const before = await served.get("a.test", "/reviews.json");
  assert.match(before.text, /Cold again/);
  await until(() => served.sites.open().length === 0 && !existsSync(`${path}-wal`));
  assert.ok(existsSync(`${path}.edition`));
  const after = await served.get("a.test", "/reviews.json");
  assert.deepEqual([after.text, after.headers.etag], [before.text, before.headers.etag]);
});
