import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { type TestContext, test } from "node:test";
import { insertActive } from "../../../test/support/active-subscriptions.ts";
import { makeDocument } from "../../edition/document.ts";
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
async function openScene(t: TestContext, callbacks: readonly string[]) {
  const store = await openStore("sqlite::memory:");
  t.after(store.close);
  await insertActive(store, callbacks);
  await beginFanOut(store.database, TOPIC, { tag: "old", revision: 1 }, new Date());
  const next = { tag: document.tag, revision: 2 };
  await startFanOut(store.database, TOPIC, { previous: { tag: "old", revision: 1 }, next, now: new Date() });
  const scene = { time: 0, sent: 0, ended: 0, jobs: [] as (() => Promise<unknown>)[], events: [] as HubEvent[] };
  const limiter = {
    enter({ run }) {
      scene.jobs.push(() => run(gate));
      return { end: new Promise(() => {}), begunAt: undefined };
    },
    delayMs: () => 0,
    leave: () => {},
  } as Partial<HostLimiter> as HostLimiter;
  const claimed = openClaimedShards({
    ...{
      store,
      limiter,
      randomBytes,
      claimMs: 4000,
      owner: "this process",
      wake: () => {},
      record: () => void scene.ended++,
      unrecorded: openUnrecordedDeliveries(256, () => scene.time),
    },
    log: (event) => void scene.events.push(event),
    groupCommit: makeGroupCommit(store),
    now: () => new Date(START + scene.time),
    clock: () => scene.time,
    newest: () => undefined,
    settings: { baseUrl: "https://hub.example", retrySeconds: [1], secrets: makeSecretSealing([], randomBytes) },
    async send() {
      scene.sent++;
      return { kind: "local failure", reason: "none is wanted" };
    },
  });
  await turn();
  return { scene, claimed, turn };

  async function turn(): Promise<void> {
    await claimed.claim(EVERY_SHARD);
    const fanOuts = await readFanOuts(store);
    for (const work of claimed.works()) {
      const here = fanOuts.filter(({ shard }) => shard === work.claim.shard);
      const current = { fanOuts: new Map(here.map((each) => [TOPIC, each])), documents: new Map([[TOPIC, document]]) };
      await work.turn(current, { verifications: true, deliveries: true });
    }
  }
}

test("a process that was held up beyond its claims delivers nothing more, and gives them up", async (t) => {
  const { scene, claimed } = await openScene(t, ["https://a.test.localhost/x"]);
  while (scene.jobs.length === 0) await new Promise(setImmediate);
  scene.time = 4000;
  await scene.jobs[0]?.();
  assert.equal(scene.sent, 0, "the claim has ended, so another process may deliver this");
  await claimed.claim([]);
  assert.deepEqual(claimed.works(), []);
});

test("a delivery that its ended claim prevented is made under the next claim", async (t) => {
  const { scene, claimed, turn } = await openScene(t, ["https://a.test.localhost/x"]);
  while (scene.jobs.length === 0) await new Promise(setImmediate);
  scene.time = 4000;
  await scene.jobs[0]?.();
  await claimed.renew(); // it comes too late for the delivery, but before any other process has claimed the shard
  await turn();
  for (let rounds = 0; scene.jobs.length === 1 && rounds < 1000; rounds++) await new Promise(setImmediate);
  await scene.jobs[1]?.();
  assert.equal(scene.sent, 1);
});

test("a shard that was given up while its claim was being renewed is free at once", async (t) => {
  const { scene, claimed } = await openScene(t, ["https://a.test.localhost/x"]);
  while (scene.jobs.length === 0) await new Promise(setImmediate);
  const renewal = claimed.renew();
  scene.time = 4000;
  await scene.jobs[0]?.();
  await renewal;
  assert.equal(claimed.works().length, EVERY_SHARD.length - 1);
  assert.equal(await claimed.claim(EVERY_SHARD), true);
  assert.equal(claimed.works().length, EVERY_SHARD.length);
});
