import assert from "node:assert/strict";
import { test } from "node:test";
import { openClaims } from "../../store/claims.ts";
import type { GroupCommit } from "../../store/group-commit.ts";
import { makeGroupCommit } from "../../store/group-commit.ts";
import { openStore } from "../../store/store.ts";
import type { Subscription } from "../../subscription.ts";
import { ClaimLost, makeFencedWrite } from "./fenced-write.ts";

test("a write is repeated until the store takes it, and given up after an abort or when the claim is lost", async (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const store = await openStore("sqlite::memory:");
  t.after(store.close);
  const [claim] = await openClaims(store).take([2]);
  assert.ok(claim);
  const aborter = new AbortController();
  const commit = makeGroupCommit(store);
  const faults: unknown[] = [];
  let isAway = true;
  const groupCommit: GroupCommit = async (write) => {
    if (isAway) throw new Error("the database is away");
    return await commit(write);
  };
  const write = makeFencedWrite(claim, {
    ...{ groupCommit, signal: aborter.signal, onChange: () => {} },
    onFault: (error) => void faults.push(error),
  });
  const settle = async () => {
    for (let turns = 0; turns < 50; turns++) await new Promise(setImmediate);
  };
  let done = false;
  const writing = write("none", (current) => current).then(() => {
    done = true;
  });
  for (const waitMs of [100, 200, 400, 800, 1600, 1600]) {
    await settle();
    t.mock.timers.tick(waitMs);
  }
  await settle();
  assert.deepEqual([done, faults.length], [false, 7]);
  isAway = false;
  t.mock.timers.tick(1600);
  await settle();
  assert.equal(done, true);
  await writing;
  isAway = true;
  aborter.abort();
  await assert.rejects(
    write("none", (current) => current),
    /the database is away/,
  );
  isAway = false;
  await store.database
    .updateTable("claim")
    .set({ token: claim.token + 1 })
    .where("id", "=", 2)
    .execute();
  await assert.rejects(
    write("none", (current) => current),
    ClaimLost,
  );
});

test("the writes of a subscription are made in their order, though the first one has to be repeated", async (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const store = await openStore("sqlite::memory:");
  t.after(store.close);
  const [claim] = await openClaims(store).take([2]);
  assert.ok(claim);
  const commit = makeGroupCommit(store);
  let [faults, commits] = [0, 0];
  const groupCommit: GroupCommit = async (write) => {
    if (++commits === 1) throw new Error("its answer is lost");
    return await commit(write);
  };
  const onFault = () => void faults++;
  const write = makeFencedWrite(claim, {
    ...{ groupCommit, signal: new AbortController().signal, onChange: () => {}, onFault },
  });
  const made: string[] = [];
  const noted = (what: string) => (current: Subscription | undefined) => {
    made.push(what);
    return current;
  };
  const writes = [write("one", noted("owed")), write("one", noted("acknowledged"))];
  while (faults === 0) await new Promise(setImmediate);
  await write("two", noted("another's"));
  t.mock.timers.tick(100);
  await Promise.all(writes);
  assert.deepEqual(made, ["another's", "owed", "acknowledged"]);
});
