import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { type TestContext, test } from "node:test";
import { insertActive } from "../../../test/support/active-subscriptions.ts";
import { makeDocument } from "../../edition/document.ts";
import { ownWords } from "../../lib/own-words.ts";
import { openClaims } from "../../store/claims.ts";
import { openFileLocks } from "../../store/engine/file-locks.ts";
import { beginFanOut, readFanOuts, startFanOut } from "../../store/fan-out-rows.ts";
import { makeGroupCommit } from "../../store/group-commit.ts";
import { openStore } from "../../store/store.ts";
import type { HostLimiter } from "../limits/host-limiter.ts";
import { openUnrecordedDeliveries } from "../limits/unrecorded-deliveries.ts";
import { openClaimedShards } from "./claimed-shards.ts";
import type { HubEvent } from "./hub-event.ts";
import { makeSecretSealing } from "./secret-sealing.ts";

const TOPIC = "/feed.xml";
const EVERY_SHARD = Array.from({ length: 16 }, (_, shard) => shard);
const document = makeDocument(TOPIC, "application/atom+xml", "new");
const START = Date.UTC(2026, 10, 1);
const gate = { isPaused: () => false, claim: () => true };

/** The shards of a store in which a fan-out has started, under a clock and a limiter of the test. */
async function openScene(t: TestContext, callbacks: readonly string[], own = document) {
  const store = await openStore("sqlite::memory:");
  t.after(store.close);
  await insertActive(store, callbacks);
  await beginFanOut(store.database, TOPIC, { tag: "old", revision: 1 }, new Date());
  const next = { tag: document.tag, revision: 2 };
  await startFanOut(store.database, TOPIC, { previous: { tag: "old", revision: 1 }, next, now: new Date() });
  const scene = {
    time: 0,
    isCertain: true,
    sent: 0,
    ended: 0,
    jobs: [] as (() => Promise<unknown>)[],
    events: [] as HubEvent[],
  };
  const limiter = {
    enter({ run }) {
      scene.jobs.push(() => run(gate));
      return { end: new Promise(() => {}), begunAt: undefined };
    },
    delayMs: () => 0,
    leave: () => {},
  } as Partial<HostLimiter> as HostLimiter;
  const locks = openFileLocks({ file: undefined, store }, () => "hub");
  const claims = openClaims(store, { ...locks, session: () => (scene.isCertain ? locks.session() : undefined) });
  t.after(claims.close);
  const claimed = openClaimedShards({
    ...{
      store,
      limiter,
      randomBytes,
      claims,
      wake: () => {},
      record: () => void scene.ended++,
      unrecorded: openUnrecordedDeliveries(256, () => scene.time).share(),
    },
    log: (event) => void scene.events.push(event),
    groupCommit: makeGroupCommit(store),
    now: () => new Date(START + scene.time),
    clock: () => scene.time,
    newest: () => undefined,
    settings: {
      baseUrl: "https://hub.example",
      retrySeconds: [1],
      secrets: makeSecretSealing([], randomBytes),
      subscriptionsOfSite: 9,
    },
    async send() {
      scene.sent++;
      return { kind: "local failure", reason: ownWords`none is wanted` };
    },
  });
  await turn();
  return { scene, claimed, store, turn };

  async function turn(): Promise<void> {
    await claimed.claim(EVERY_SHARD);
    const fanOuts = await readFanOuts(store);
    for (const work of claimed.works()) {
      const here = fanOuts.filter(({ shard }) => shard === work.claim.id);
      const current = { fanOuts: new Map(here.map((each) => [TOPIC, each])), documents: new Map([[TOPIC, own]]) };
      await work.turn(current, { verifications: true, deliveries: true });
    }
  }
}

test("nothing is delivered while claims are uncertain, and all that waits is when they are certain again", async (t) => {
  const { scene, claimed } = await openScene(t, ["https://a.test.localhost/x"]);
  while (scene.jobs.length === 0) await new Promise(setImmediate);
  scene.isCertain = false;
  assert.equal(await scene.jobs[0]?.(), "busy");
  assert.equal(scene.sent, 0, "another process may hold the shard and deliver this");
  assert.equal(claimed.works().length, EVERY_SHARD.length, "nothing is known to be lost");
  scene.isCertain = true;
  await scene.jobs[0]?.();
  assert.equal(scene.sent, 1);
});

test("a fan-out that began after the documents were read is not given an older one", async (t) => {
  const older = makeDocument(TOPIC, "application/atom+xml", "old");
  const { scene, claimed } = await openScene(t, ["https://a.test.localhost/x"], older);
  for (let turns = 0; turns < 100; turns++) await new Promise(setImmediate);
  assert.equal(scene.jobs.length, 0);
  assert.ok(claimed.works().every((work) => work.isIdle()));
});

test("a shard that another process has claimed is given up, and can be claimed again", async (t) => {
  const { scene, claimed, store, turn } = await openScene(t, ["https://a.test.localhost/x"]);
  while (scene.jobs.length === 0) await new Promise(setImmediate);
  const raised = await store.database
    .updateTable("claim")
    .set(({ eb }) => ({ token: eb("token", "+", 1) }))
    .where("id", "<", EVERY_SHARD.length)
    .returning("id")
    .execute();
  assert.equal(raised.length, EVERY_SHARD.length);
  await assert.rejects(async () => await scene.jobs[0]?.(), /Another process has claimed shard/);
  assert.equal(claimed.works().length, EVERY_SHARD.length - 1);
  await turn();
  assert.equal(claimed.works().length, EVERY_SHARD.length);
});

test("a shard is released when it has had nothing to do for a second", async (t) => {
  const { scene, claimed } = await openScene(t, []);
  while (scene.ended < EVERY_SHARD.length) await new Promise(setImmediate);
  for (const work of claimed.works()) for (const step of work.takeProgress()) step.end(true);
  await claimed.releaseIdle();
  scene.time = 999;
  await claimed.releaseIdle();
  assert.equal(claimed.works().length, EVERY_SHARD.length);
  scene.time = 1000;
  await claimed.releaseIdle();
  assert.deepEqual(claimed.works(), []);
  assert.equal(await claimed.claim(EVERY_SHARD), true);
});
