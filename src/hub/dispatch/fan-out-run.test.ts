import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { insertActive } from "../../../test/support/active-subscriptions.ts";
import { makeDocument } from "../../edition/document.ts";
import { beginFanOut, readFanOuts, startFanOut } from "../../store/fan-out-rows.ts";
import { openStore } from "../../store/store.ts";
import type { HostLimiter } from "../limits/host-limiter.ts";
import { openUnrecordedDeliveries } from "../limits/unrecorded-deliveries.ts";
import type { Deliveries, Delivery } from "./delivery.ts";
import { openFanOutRun } from "./fan-out-run.ts";
import { openFreshReads } from "./fresh-read.ts";

const TOPIC = "/feed.xml";
const document = makeDocument(TOPIC, "application/atom+xml", "new");

/** A fan-out that reaches a subscriber to whom an owed delivery is in progress: `sending` is its document's tag. */
async function reachBusySubscriber(t: TestContext, sending: string | undefined) {
  const store = await openStore("sqlite::memory:");
  t.after(store.close);
  await insertActive(store, ["https://a.test.localhost/x"]);
  await beginFanOut(store.database, TOPIC, { tag: "old", revision: 1 }, new Date());
  const next = { tag: document.tag, revision: 2 };
  await startFanOut(store.database, TOPIC, { previous: { tag: "old", revision: 1 }, next, now: new Date() });
  const { promise: settled, resolve: end } = Promise.withResolvers<boolean>();
  const { promise: reached, resolve: reach } = Promise.withResolvers<void>();
  const owed: string[] = [];
  const deliveries = {
    find(id: string) {
      reach();
      return { id, tag: sending, settled } as Partial<Delivery> as Delivery;
    },
  } as Partial<Deliveries> as Deliveries;
  const runs = (await readFanOuts(store)).map((fanOut) =>
    openFanOutRun(
      fanOut,
      document,
      {
        ...{ limiter: {} as HostLimiter, unrecorded: openUnrecordedDeliveries(256, () => 0).share(), store },
        ...{ now: () => new Date(), clock: () => 0, record: () => {} },
      },
      {
        deliveries,
        reads: openFreshReads(),
        onFault: (error) => assert.ifError(error),
        async write(id) {
          owed.push(id);
          return { before: undefined, after: undefined };
        },
      },
    ),
  );
  await reached;
  await settle();
  return { owed, end, settle, isIdle: () => runs.every((run) => run.isIdle()) };

  async function settle(): Promise<void> {
    for (let turns = 0; turns < 100; turns++) await new Promise(setImmediate);
    for (const run of runs) run.takeProgress()?.end(true);
  }
}

test("a subscriber whose owed delivery of the same document is being recorded is not owed it again", async (t) => {
  const { owed, end, settle, isIdle } = await reachBusySubscriber(t, document.tag);
  assert.equal(isIdle(), false, "the fan-out waits for the delivery");
  end(true);
  await settle();
  assert.deepEqual(owed, []);
  assert.equal(isIdle(), true);
});

test("it is owed again if that delivery could not be made", async (t) => {
  const { owed, end, settle, isIdle } = await reachBusySubscriber(t, document.tag);
  end(false);
  await settle();
  assert.equal(owed.length, 1);
  assert.equal(isIdle(), true);
});

test("a subscriber who is being sent an older document is owed the new one", async (t) => {
  for (const sending of ["older", undefined]) {
    const { owed } = await reachBusySubscriber(t, sending);
    assert.equal(owed.length, 1);
  }
});
