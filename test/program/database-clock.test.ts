/** Machines whose clocks are wrong by an hour: over PostgreSQL they agree on what is due, held and ended. */
import assert from "node:assert/strict";
import { fork } from "node:child_process";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { openClaims } from "../../src/store/claims.ts";
import { openDatabaseClock } from "../../src/store/database-clock.ts";
import { readFanOuts } from "../../src/store/fan-out-rows.ts";
import { openStore, raiseRevision } from "../../src/store/store.ts";
import { insertActive } from "../support/active-subscriptions.ts";
import { releaseEngines } from "../support/engines.ts";
import { emptyDatabase } from "../support/postgres-server.ts";
import { temporaryFolder } from "../support/program.ts";
import { openSubscribers, SUBSCRIBER_CERTIFICATE } from "../support/subscriber.ts";
import { until } from "../support/within.ts";

releaseEngines();

const HOUR_MS = 3_600_000;

/** A process with a hub whose clock is wrong. Gives its events. */
async function startSkewed(url: string, folder: string, skewMs: number) {
  const certificate = join(folder, "authority.pem");
  writeFileSync(certificate, SUBSCRIBER_CERTIFICATE.certificate);
  const child = fork(join(import.meta.dirname, "..", "support", "hub-process.ts"), [url, "http://localhost:8080"], {
    env: { ...process.env, NODE_EXTRA_CA_CERTS: certificate, GOODWORD_TEST_SKEW_MS: `${skewMs}` },
    execArgv: ["--import", join(import.meta.dirname, "..", "support", "skewed-clock.ts")],
  });
  const exited = once(child, "exit");
  const events: { readonly event: string }[] = [];
  child.on("message", (message: { readonly event?: string }) => {
    if (message.event !== undefined) events.push({ event: message.event });
  });
  await once(child, "message");
  return { child, events, exited };
}

test("the clock is the database's whatever the machine's says, and never ahead of it", async () => {
  await using store = await openStore(await emptyDatabase());
  const clock = await openDatabaseClock(store.database);
  const before = Date.now();
  const said = clock.now().getTime();
  assert.ok(said <= Date.now() && said > before - 60_000);
  clock.close();
});

for (const skewMs of [HOUR_MS, -HOUR_MS]) {
  test(`a process that is ${skewMs > 0 ? "ahead" : "behind"} by an hour takes no claim of another and ends no lease early`, async (t) => {
    using folder = temporaryFolder();
    const url = await emptyDatabase();
    const store = await openStore(url);
    const subscribers = await openSubscribers();
    t.after(async () => {
      await subscribers.close();
      await store.close();
    });
    const soon = new Date(Date.now() + HOUR_MS / 2);
    await insertActive(store, [`https://127.0.0.1:${subscribers.port}/hear`]);
    const { shard } = await store.database.selectFrom("subscription").select("shard").executeTakeFirstOrThrow();
    await store.database
      .updateTable("subscription")
      .set({ lease_ends_at: soon.toISOString(), due_at: new Date(Date.now() - 1000).toISOString() })
      .execute();
    const claims = openClaims(store);
    t.after(claims.close);
    const held = await claims.take([shard]);
    assert.equal(held.length, 1);

    const skewed = await startSkewed(url, folder.path, skewMs);
    t.after(() => skewed.child.kill("SIGKILL"));
    // It has looked for work once it has claimed another shard, in which something is due.
    const other = (shard + 1) % 16;
    const row = await store.database.selectFrom("subscription").selectAll().executeTakeFirstOrThrow();
    const callback = `https://127.0.0.1:${subscribers.port}/other`;
    await store.database
      .insertInto("subscription")
      .values({ ...row, id: "other", shard: other, callback, topic: "/reviews.json" })
      .execute();
    await subscribers.until(() => subscribers.deliveries("/other").length > 0, "the other shard was served");
    assert.equal(subscribers.deliveries("/hear").length, 0, "the shard that another holds was left alone");
    assert.equal(held[0]?.lost.aborted, false);
    await claims.release(held);
    await subscribers.until(
      () => subscribers.deliveries("/hear").length > 0,
      "a shard that was released is taken over",
    );
    const leases = await store.database.selectFrom("subscription").select("lease_ends_at").execute();
    assert.deepEqual(
      leases.map((lease) => lease.lease_ends_at),
      [soon.toISOString(), soon.toISOString()],
    );
    assert.ok(!skewed.events.some(({ event }) => event === "lease ended"));
  });
}

for (const skewMs of [2 * HOUR_MS, -2 * HOUR_MS]) {
  test(`two processes on one SQLite store, whose clock was set ${skewMs > 0 ? "ahead" : "back"} between their starts, notify each subscriber once`, async (t) => {
    using folder = temporaryFolder();
    const url = `sqlite:${join(folder.path, "goodword.db")}`;
    const store = await openStore(url);
    const subscribers = await openSubscribers();
    t.after(async () => {
      await subscribers.close();
      await store.close();
    });
    const paths = Array.from({ length: 60 }, (_, index) => `/${index}`);
    const origin = (index: number) => `https://h${index}.test.localhost:${subscribers.port}`;
    await insertActive(
      store,
      paths.map((path, index) => origin(index % 16) + path),
    );
    const later = { lease_ends_at: new Date(Date.now() + HOUR_MS).toISOString() };
    await store.database.updateTable("subscription").set(later).execute();
    const processes = [await startSkewed(url, folder.path, 0), await startSkewed(url, folder.path, skewMs)];
    t.after(() => {
      for (const { child } of processes) child.kill("SIGKILL");
    });
    const finished = () => processes.some(({ events }) => events.some(({ event }) => event === "fan-out finished"));
    await until(async () => (await readFanOuts(store)).length > 0);
    await raiseRevision(store.database, new Date());
    await subscribers.until(() => paths.every((path) => subscribers.deliveries(path).length > 0), "all were notified");
    await until(finished);
    const twice = paths.filter((path) => subscribers.deliveries(path).length !== 1);
    assert.deepEqual(twice, []);
    for (const { events } of processes) assert.ok(!events.some(({ event }) => event === "lease ended"));
    for (const { child } of processes) {
      child.kill("SIGKILL");
      await once(child, "exit"); // it may still write into the folder
    }
  });
}
