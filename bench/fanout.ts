/**
 * What it costs the store to notify a million subscribers: rows in a real store, a change, and callbacks that answer at
 * once, so that what is measured is bookkeeping and not the network. Prints the time and by how much the store grew.
 *
 *     node bench/fanout.ts [subscriptions] [sqlite|postgres]
 */
import { createHash, randomBytes } from "node:crypto";
import { mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { sql } from "kysely";
import { makeDocument } from "../src/edition/document.ts";
import type { CallbackAnswer } from "../src/hub/callback/callback.ts";
import { openDispatcher } from "../src/hub/dispatch/dispatcher.ts";
import { makeSecretSealing } from "../src/hub/dispatch/secret-sealing.ts";
import { makeCircuitBreaker } from "../src/hub/limits/circuit-breaker.ts";
import { HOST_LIMITER_LIMITS, makeHostLimiter } from "../src/hub/limits/host-limiter.ts";
import { DELIVERY_BREAKER, HUB_LIMITS } from "../src/hub/limits/hub-limits.ts";
import { SHARDS } from "../src/store/fan-out-rows.ts";
import { makeGroupCommit } from "../src/store/group-commit.ts";
import { openStore, type Store } from "../src/store/store.ts";
import { emptyDatabase, startPostgres } from "../test/support/postgres-server.ts";
import { machine, processorSecondsOfAll } from "./processor.ts";

const SUBSCRIPTIONS = Number(process.argv[2] ?? 1_000_000);
const HOSTS = 50_000;
const TOPIC = "/reviews.json";

const ENGINE = process.argv[3] ?? "sqlite";

const folder = mkdtempSync(join(tmpdir(), "goodword-fanout-"));
const file = join(folder, "hub.db");
const server = ENGINE === "postgres" ? await startPostgres({ isDurable: true }) : undefined;
try {
  console.log(`${machine()}, ${ENGINE}`);
  const store = await openStore(server === undefined ? `sqlite:${file}` : await emptyDatabase(server));
  const startedAt = performance.now();
  await fill(store);
  console.log(`filled in ${((performance.now() - startedAt) / 1000).toFixed(0)} s`);
  await measure(store);
  await store.close();
} finally {
  await server?.stop();
  rmSync(folder, { recursive: true });
}

async function fill({ database }: Store): Promise<void> {
  const lease_ends_at = new Date(Date.now() + 864_000_000).toISOString();
  await database.transaction().execute(async (transaction) => {
    for (let start = 0; start < SUBSCRIPTIONS; start += 500) {
      const rows = Array.from({ length: 500 }, (_, offset) => {
        const index = start + offset;
        const origin = `https://h${index % HOSTS}.example`;
        const callback = `${origin}/callback/${index}?token=${index}`;
        const id = createHash("sha256").update(callback).digest("hex").slice(0, 32);
        const shard = (index % HOSTS) % SHARDS;
        return { id, shard, topic: TOPIC, callback, origin, site: origin, version: 0, lease_ends_at, failures: 0 };
      });
      await transaction.insertInto("subscription").values(rows).execute();
    }
  });
}

async function measure(store: Store): Promise<void> {
  let revision = 1;
  let document = makeDocument(TOPIC, "application/json", "first");
  let delivered = 0;
  let failing = false;
  let reached = Promise.withResolvers<void>();
  const clock = () => performance.now();
  const breaker = makeCircuitBreaker({ ...HUB_LIMITS, ...DELIVERY_BREAKER }, clock);
  const breakers = { deliveries: breaker, verifications: breaker, addresses: breaker };
  const answered = { kind: "answered", body: new Uint8Array(), complete: true, retryAfter: undefined } as const;
  const send = async (): Promise<CallbackAnswer> => {
    await new Promise(setImmediate); // without it no timer would run, and the claims would end
    delivered++;
    if (delivered === SUBSCRIPTIONS) reached.resolve();
    return { ...answered, status: failing && delivered % 50 === 0 ? 500 : 204 };
  };
  const dispatcher = openDispatcher({
    store,
    groupCommit: makeGroupCommit(store),
    send,
    limiter: makeHostLimiter(HOST_LIMITER_LIMITS, breakers, clock),
    settings: {
      baseUrl: "https://reviews.example",
      retrySeconds: [3600, 3600],
      secrets: makeSecretSealing([], randomBytes),
    },
    now: () => new Date(),
    randomBytes,
    log: ({ event, error }) => {
      if (event === "fault") throw error;
    },
    newest: (topic) => (topic === TOPIC ? { document, topicVersion: { tag: document.tag, revision } } : undefined),
    owner: "bench",
    clock,
    intervalMs: 0,
    claimMs: 4000,
  });
  dispatcher.start();
  while ((await unfinishedShards(store)) === undefined) await new Promise(setImmediate);

  for (const round of ["first change", "second change", "third change, 2 % fail"]) {
    failing = round.includes("fail");
    delivered = 0;
    reached = Promise.withResolvers();
    const before = await size(store);
    const cpu = process.cpuUsage();
    const databaseBefore = databaseSeconds();
    const startedAt = clock();
    document = makeDocument(TOPIC, "application/json", round);
    revision++;
    dispatcher.wake();
    await reached.promise;
    while ((await unfinishedShards(store)) !== 0) await wait(50);
    const seconds = (clock() - startedAt) / 1000;
    const used = process.cpuUsage(cpu);
    const busy = (used.user + used.system) / 1e6;
    const ofDatabase =
      server === undefined ? "" : `, ${(databaseSeconds() - databaseBefore).toFixed(1)} s of the database's`;
    const grown = ((await size(store)) - before) / 1e6;
    console.log(
      `${round}: ${SUBSCRIPTIONS} subscriptions in ${seconds.toFixed(1)} s (${busy.toFixed(1)} s of CPU${ofDatabase}), ` +
        `${Math.round(SUBSCRIPTIONS / seconds)}/s, store grew by ${grown.toFixed(2)} MB of ${((before + grown) / 1e6).toFixed(0)} MB`,
    );
  }
  await dispatcher.close(1000);
}

function databaseSeconds(): number {
  return server === undefined ? 0 : processorSecondsOfAll(server.pid());
}

/** Counts the shards in which the topic's fan-out has not finished; undefined before the first. */
async function unfinishedShards({ database }: Store): Promise<number | undefined> {
  const rows = await database.selectFrom("fan_out").select(["finished"]).where("topic", "=", TOPIC).execute();
  return rows.length === 0 ? undefined : rows.filter(({ finished }) => finished === 0).length;
}

/** Bytes of the store once everything is in its file, or in the database's tables. */
async function size({ database }: Store): Promise<number> {
  if (server !== undefined) {
    const bytes = sql<{ bytes: string }>`select pg_database_size(current_database()) as bytes`;
    return Number((await bytes.execute(database)).rows[0]?.bytes);
  }
  await sql`pragma wal_checkpoint(truncate)`.execute(database);
  return statSync(file).size;
}
