import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { ENGINES, type Engine, releaseEngines } from "../../test/support/engines.ts";
import { type GroupCommit, makeGroupCommit } from "./group-commit.ts";
import { raiseRevision, readRevision, type Store } from "./store.ts";

releaseEngines();

for (const engine of ENGINES) describe(`makeGroupCommit() over ${engine.name}`, () => testsOf(engine));

function testsOf(engine: Engine): void {
  async function withStore(run: (store: Store, write: GroupCommit) => Promise<void>): Promise<void> {
    const store = await engine.open();
    try {
      await run(store, makeGroupCommit(store));
    } finally {
      await store.close();
    }
  }

  test("commits what was asked for, in that order", () =>
    withStore(async (store, write) => {
      const writes = engine.name === "SQLite" ? 1200 : 60; // more than a transaction takes
      const numbers = await Promise.all(
        Array.from({ length: writes }, () =>
          write(async (transaction) => {
            await raiseRevision(transaction, new Date());
            return (await readRevision(transaction)).number;
          }),
        ),
      );
      assert.deepEqual(
        numbers,
        Array.from({ length: writes }, (_, index) => index + 1),
      );
      assert.equal((await readRevision(store.database)).number, writes);
    }));

  test("writes that take long are committed before others have waited long for what they lock", () =>
    withStore(async (store) => {
      let time = 0;
      const write = makeGroupCommit(store, () => time);
      const transactions = await Promise.all(
        Array.from({ length: 10 }, () =>
          write(async (transaction) => {
            await raiseRevision(transaction, new Date());
            time += 100;
            return transaction;
          }),
        ),
      );
      const lengths = [...Map.groupBy(transactions, (each) => each).values()].map(({ length }) => length);
      assert.deepEqual(lengths, [3, 3, 3, 1]);
      assert.equal((await readRevision(store.database)).number, 10);
    }));

  test("a write that fails undoes itself and no other", () =>
    withStore(async (store, write) => {
      const raise = () => write((transaction) => raiseRevision(transaction, new Date()));
      const fail = write(async (transaction) => {
        await raiseRevision(transaction, new Date());
        throw new Error("a fault");
      });
      const others = [raise(), raise()];
      await assert.rejects(fail, /a fault/);
      await Promise.all(others);
      assert.equal((await readRevision(store.database)).number, 2);
      await raise();
      assert.equal((await readRevision(store.database)).number, 3);
    }));

  test("a write that the database undid because of a deadlock is made again, and given up in the end", () =>
    withStore(async (store, write) => {
      let runs = 0;
      const deadlocked = (until: number) =>
        write(async (transaction) => {
          await raiseRevision(transaction, new Date());
          if (++runs < until) throw Object.assign(new Error("deadlock detected"), { code: "40P01" });
        });
      await deadlocked(3);
      assert.equal(runs, 3);
      assert.equal((await readRevision(store.database)).number, 1);
      await assert.rejects(deadlocked(Number.POSITIVE_INFINITY), /deadlock detected/);
      assert.equal(runs, 8);
      assert.equal((await readRevision(store.database)).number, 1);
    }));
}
