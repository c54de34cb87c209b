import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { openClaims } from "../../store/claims.ts";
import { beginFanOut, readFanOuts, startFanOut } from "../../store/fan-out-rows.ts";
import { makeGroupCommit } from "../../store/group-commit.ts";
import { openStore } from "../../store/store.ts";
import type { Database } from "../../store/tables.ts";
import type { HostLimiter } from "../limits/host-limiter.ts";
import { openUnrecordedDeliveries } from "../limits/unrecorded-deliveries.ts";
import { openProgressRecording, type ProgressStep } from "./progress-recording.ts";

const TOPIC = "/feed.xml";

/** The recording of two shards, each of which has something new to record whenever it is asked. */
async function openScene(t: TestContext) {
  const store = await openStore("sqlite::memory:");
  t.after(store.close);
  await beginFanOut(store.database, TOPIC, { tag: "old", revision: 1 }, new Date());
  const change = { previous: { tag: "old", revision: 1 }, next: { tag: "new", revision: 2 }, now: new Date() };
  await startFanOut(store.database, TOPIC, change);
  const claims = await openClaims(store).take([2, 3]);
  const fanOuts = await readFanOuts(store);
  const scene = { time: 0, isAway: false, transactions: new Set<Database>(), ended: [] as boolean[], resumed: 0 };
  const commit = makeGroupCommit(store);
  const unrecorded = openUnrecordedDeliveries(256, () => scene.time).share();
  const recording = openProgressRecording(
    {
      ...{ clock: () => scene.time, unrecorded, log: () => {} },
      limiter: { resume: () => scene.resumed++ } as Partial<HostLimiter> as HostLimiter,
      groupCommit: (write) =>
        commit(async (transaction) => {
          if (scene.isAway) throw new Error("the database is away");
          scene.transactions.add(transaction);
          return await write(transaction);
        }),
    },
    () =>
      claims.map((claim) => ({
        claim,
        takeProgress(): ProgressStep[] {
          const from = fanOuts.find(({ shard }) => shard === claim.id);
          assert.ok(from);
          const to = { cursor: "a", unfinished: [], finished: false };
          return [{ from, to, end: (isRecorded) => void scene.ended.push(isRecorded) }];
        },
      })),
  );
  return { scene, recording, unrecorded, claims, store, settle };

  async function settle(): Promise<void> {
    for (let turns = 0; turns < 50; turns++) await new Promise(setImmediate);
  }
}

test("the progress of several shards is recorded in one transaction, and then deliveries begin again", async (t) => {
  const { scene, recording, store, settle } = await openScene(t);
  recording.request("soon");
  await settle();
  assert.equal(scene.transactions.size, 0, "it waits for others");
  recording.tick();
  await settle();
  assert.deepEqual([scene.transactions.size, scene.ended, scene.resumed], [1, [true, true], 1]);
  assert.equal((await readFanOuts(store)).filter(({ cursor }) => cursor === "a").length, 2);
});

test("progress is recorded once a delivery has been unrecorded for 200 ms, and every half second", async (t) => {
  const { scene, recording, unrecorded, settle } = await openScene(t);
  const delivery = {};
  unrecorded.add(delivery);
  const recorded = async (time: number) => {
    scene.time = time;
    recording.tick();
    await settle();
    return scene.ended.length;
  };
  assert.deepEqual([await recorded(199), await recorded(200)], [0, 2]);
  unrecorded.remove([delivery]);
  assert.deepEqual([await recorded(699), await recorded(700)], [2, 4]);
});

test("progress is recorded at once when it is urgent, however many ask", async (t) => {
  const { scene, recording, settle } = await openScene(t);
  for (let times = 0; times < 10; times++) recording.request("now");
  await settle();
  assert.deepEqual(
    [scene.ended.length, scene.transactions.size],
    [4, 2],
    "once, and once more for those who asked later",
  );
});

test("progress that cannot be recorded is left for the next time, not tried again at once", async (t) => {
  const { scene, recording, settle } = await openScene(t);
  scene.isAway = true;
  for (const times of [1, 2]) {
    recording.request("now");
    recording.request("now");
    await settle();
    assert.deepEqual(
      scene.ended,
      Array.from({ length: 2 * times }, () => false),
    );
  }
  scene.isAway = false;
  recording.request("now");
  await settle();
  assert.deepEqual(scene.ended.slice(4), [true, true]);
});

test("nothing is recorded of a shard whose claim is lost", async (t) => {
  const { scene, recording, store, claims } = await openScene(t);
  await store.database
    .updateTable("claim")
    .set(({ eb }) => ({ token: eb("token", "+", 1) }))
    .where("id", "=", 2)
    .execute();
  await recording.flush();
  assert.deepEqual(
    scene.ended,
    claims.map(({ id }) => id !== 2),
  );
});
