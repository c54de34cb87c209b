/** A PostgreSQL that is stopped and started again: servers go on, wait, and lose nothing. */
import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { openStore } from "../../src/store/store.ts";
import { insertActive } from "../support/active-subscriptions.ts";
import { freePort } from "../support/free-port.ts";
import { emptyDatabase, type PostgresServer, startPostgres } from "../support/postgres-server.ts";
import { run, serveProgram, startProgram, temporaryFolder } from "../support/program.ts";
import { answer, openSubscribers, SUBSCRIBER_CERTIFICATE } from "../support/subscriber.ts";
import { roundsOf } from "../support/test-runs.ts";
import { until } from "../support/within.ts";

/** A few reviews: what an outage does depends on no number of them, and each of the processes renders them. */
const FIRST = "id,rating,date,text,source\na,4,2025-12-31,Good,google\n";
const WAITING = /cannot be reached: waiting/;

describe("while the database is away", () => {
  let server: PostgresServer;
  before(async () => {
    server = await startPostgres();
  });
  after(async () => await server.stop());

  test("reads are served, /readyz says degraded, imports and the hub say to try again, and all goes on by itself", async () => {
    using folder = temporaryFolder();
    const settings = { DATABASE_URL: await emptyDatabase(server), BASE_URL: "https://reviews.example" };
    writeFileSync(join(folder.path, "first.csv"), FIRST);
    assert.equal((await run(folder.path, ["import", "first.csv"], settings)).code, 0);
    await using first = await serveProgram(folder.path, settings);
    await using second = await serveProgram(folder.path, settings, ["--workers", "2"]);
    const servers = [first, second];
    const workersOf = () => [
      ...new Set(second.log.filter(({ reviews }) => reviews !== undefined).map(({ pid }) => pid)),
    ];
    await second.logged(() => workersOf().length === 2);
    const stateOf = async (url: string) => {
      const response = await fetch(`${url}/readyz`);
      return [response.status, ((await response.json()) as { status: string }).status];
    };
    for (const { url } of servers) assert.deepEqual(await stateOf(url), [200, "ready"]);

    await server.halt();
    for (const { url, logged } of servers) {
      await logged(({ msg }) => `${msg}`.startsWith("The database does not answer"));
      // The hub may have met the outage before the publisher has: what follows is asked until both know.
      await until(async () => {
        const state = await stateOf(url);
        if (state[1] !== "degraded") assert.deepEqual(state, [200, "ready"]);
        return state[1] === "degraded";
      });
      for (const path of [
        "/reviews.json",
        "/insights.json",
        "/feed.xml",
        "/",
        "/api/reviews/search?rating=5",
        "/metrics",
      ])
        assert.equal((await fetch(url + path)).status, 200, path);
      const refused = await fetch(`${url}/api/websub/hub`, {
        method: "POST",
        body: new URLSearchParams({
          "hub.mode": "subscribe",
          "hub.topic": "https://reviews.example/feed.xml",
          "hub.callback": "https://subscriber.example/callback",
        }),
      });
      assert.equal(refused.status, 503);
      assert.match(refused.headers.get("Retry-After") ?? "", /^\d+$/);
    }
    // A worker that is replaced meanwhile has nothing to serve, and takes no request from the other.
    process.kill(Number(workersOf()[0]), "SIGKILL");
    await second.logged(({ msg, pid }) => WAITING.test(`${msg}`) && !workersOf().includes(pid));
    for (let read = 0; read < 6; read++) {
      const response = await fetch(`${second.url}/reviews.json`, { headers: { Connection: "close" } });
      assert.equal(response.status, 200);
    }
    for (const { log } of servers) {
      const faults = log.filter(({ level, msg }) => Number(level) >= 50 && !/^The database/.test(`${msg}`));
      assert.deepEqual(faults, [], "an outage is told as such, and not as faults");
    }
    const figures = await (await fetch(`${first.url}/metrics`)).text();
    for (const figure of ["store_up", "edition_faults_total", "hub_faults_total"])
      assert.match(figures, new RegExp(`^goodword_${figure} 0$`, "m"));
    const failed = await run(folder.path, ["import", "first.csv"], settings);
    assert.equal(failed.code, 1);
    assert.match(failed.stderr, /The database cannot be reached .*Nothing was changed/);

    await server.resume();
    writeFileSync(join(folder.path, "more.csv"), "id,rating,date,text,source\nx,5,2026-01-01,Fine,google\n");
    const imported = await run(folder.path, ["import", "more.csv"], settings);
    assert.equal(imported.code, 0, imported.stderr);
    for (const { url, logged } of servers) {
      await logged(({ revision }) => revision === 2);
      await logged(({ msg }) => msg === "The database answers again");
      await until(async () => {
        const state = await stateOf(url);
        if (state[1] !== "ready") assert.deepEqual(state, [200, "degraded"]);
        return state[1] === "ready";
      });
    }
  });

  test("a process that starts says so and waits, also with workers, and stops when told to", async () => {
    using folder = temporaryFolder();
    const database = await emptyDatabase(server);
    writeFileSync(join(folder.path, "first.csv"), FIRST);
    assert.equal((await run(folder.path, ["import", "first.csv"], { DATABASE_URL: database })).code, 0);
    const port = `${await freePort()}`;
    await server.halt();
    await using processes = new AsyncDisposableStack();
    const start = (settings: Readonly<Record<string, string>>, ...args: readonly string[]) =>
      processes.use(startProgram(folder.path, { DATABASE_URL: database, ...settings }, args));
    const waiting = roundsOf([() => start({ PORT: port }), () => start({}, "--workers", "2")]).map((begin) => begin());
    const stopped = start({});
    for (const { logged } of [...waiting, stopped]) {
      const entry = await logged(({ msg }) => WAITING.test(`${msg}`));
      assert.doesNotMatch(JSON.stringify(entry), /:postgres@/);
    }
    const url = `http://localhost:${port}`;
    for (const [method, path] of [
      ["GET", "/readyz"],
      ["GET", "/reviews.json"],
      ["POST", "/api/websub/hub"],
      ["POST", "/mcp"],
    ] as const) {
      const response = await fetch(url + path, { method });
      assert.equal(response.status, 503, path);
      assert.match(response.headers.get("Retry-After") ?? "", /^\d+$/, path);
    }
    assert.equal((await fetch(`${url}/healthz`)).status, 200);
    const figures = await fetch(`${url}/metrics`);
    assert.equal(figures.status, 200);
    assert.match(await figures.text(), /^goodword_store_up 0$/m);
    assert.equal(await stopped.stop(), 0, "SIGTERM ends one that waits");
    await server.resume();
    for (const { published } of waiting) {
      const url = await published;
      let document = await fetch(`${url}/reviews.json`);
      await until(async () => {
        if (document.status === 503) document = await fetch(`${url}/reviews.json`); // of the other worker, say
        return document.status !== 503;
      });
      assert.equal(((await document.json()) as { reviews: unknown[] }).reviews.length > 0, true);
    }
    assert.equal(await waiting.at(-1)?.stop(), 0);
  });

  test("deliveries that it interrupts reach everybody later, and are charged to nobody", async (t) => {
    using folder = temporaryFolder();
    const certificate = join(folder.path, "authority.pem");
    writeFileSync(certificate, SUBSCRIBER_CERTIFICATE.certificate);
    const settings = {
      DATABASE_URL: await emptyDatabase(server),
      HUB_ALLOW_CALLBACKS: "127.0.0.0/8",
      HUB_RETRY_SECONDS: "0,0",
      NODE_EXTRA_CA_CERTS: certificate,
    };
    writeFileSync(join(folder.path, "first.csv"), FIRST);
    assert.equal((await run(folder.path, ["import", "first.csv"], settings)).code, 0);
    const subscribers = await openSubscribers();
    t.after(() => subscribers.close());
    const paths = Array.from({ length: 120 }, (_, index) => `/${index}`);
    for (const path of paths)
      subscribers.behave(path, (arrival, response) => void setTimeout(() => answer(arrival, response), 20));
    await using program = await serveProgram(folder.path, settings);
    const store = await openStore(settings.DATABASE_URL);
    t.after(() => store.close());
    const callbacks = paths.map((path, index) => `https://h${index % 30}.test.localhost:${subscribers.port}${path}`);
    await insertActive(store, callbacks);
    writeFileSync(join(folder.path, "more.csv"), "id,rating,date,text,source\nb,5,2026-01-01,Fine,google\n");
    assert.equal((await run(folder.path, ["import", "more.csv"], settings)).code, 0);
    await subscribers.until(() => subscribers.deliveries().length >= 40, "deliveries are under way");
    await server.halt();
    await program.logged(({ level }) => Number(level) >= 50);
    await server.resume();
    const served = () => new Set(subscribers.deliveries().map(({ target }) => target)).size;
    await subscribers.until(() => served() === paths.length, "everybody has the change", 90_000);
    await program.logged(({ msg }) => msg === "Hub: fan-out finished");
    const rows = await store.database.selectFrom("subscription").select(["failures", "due_at"]).execute();
    assert.deepEqual([rows.length, rows.filter(({ failures }) => failures !== 0)], [paths.length, []]);
    const newest = await (await fetch(`${program.url}/feed.xml`)).text();
    for (const path of paths) assert.equal(subscribers.deliveries(path).at(-1)?.body.toString(), newest);
    t.diagnostic(`${subscribers.deliveries().length - paths.length} of ${paths.length} deliveries were repeated`);
  });
});
