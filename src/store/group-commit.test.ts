import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { insertActive } from "../../test/support/active-subscriptions.ts";
import { openCommitCutter } from "../../test/support/commit-cutter.ts";
import { ENGINES, type Engine, releaseEngines } from "../../test/support/engines.ts";
import { emptyDatabase } from "../../test/support/postgres-server.ts";
import { fail, type Subscription } from "../subscription.ts";
import { type GroupCommit, makeGroupCommit } from "./group-commit.ts";
import { openStore, raiseRevision, readRevision, type Store, storeOver } from "./store.ts";
import { changeSubscription } from "./subscription-rows.ts";
import type { Database } from "./tables.ts";

releaseEngines();

test("writes are refused while very many wait for a database that does not answer", async () => {
  const database = { transaction: () => ({ execute: () => new Promise(() => {}) }) } as unknown as Database;
  const write = makeGroupCommit(storeOver(database));
  for (let waiting = 0; waiting < 20_000; waiting++) void write(async () => {});
  await assert.rejects(
    write(async () => {}),
    /too many writes are waiting/,
  );
});

/** A store some of whose commits fail: before they take effect, or after, so that only the answer is lost. */
function withLostCommits(store: Store) {
  let losses = 0;
  let lost: "answer" | "commit" = "answer";
  const lossy = {
    ...store,
    database: {
      transaction: () => ({
        async execute<T>(run: (transaction: Database) => Promise<T>): Promise<T> {
          const isLost = losses-- > 0;
          const result = await store.database.transaction().execute(async (transaction) => {
            const value = await run(transaction);
            if (isLost && lost === "commit") throw new Error("Connection terminated unexpectedly");
            return value;
          });
          if (isLost) throw new Error("Connection terminated unexpectedly");
          return result;
        },
      }),
    } as Database,
  };
  return {
    lossy,
    lose(what: typeof lost, times: number) {
      [lost, losses] = [what, times];
    },
  };
}

for (const engine of ENGINES) describe(`makeGroupCommit() over ${engine.name}`, () => testsOf(engine));

function testsOf(engine: Engine): void {
  async function withStore(run: (store: Store, write: GroupCommit) => Promise<void>): Promise<void> {
    await using store = await engine.open();
    await run(store, makeGroupCommit(store));
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

  for (const writes of [1, 3]) {
    test(`${writes} writes whose COMMIT takes effect, but whose answer is lost, are made once`, () =>
      withStore(async (store) => {
        const { lossy, lose } = withLostCommits(store);
        const write = makeGroupCommit(lossy);
        const raise = () =>
          write(async (transaction) => {
            await raiseRevision(transaction, new Date());
            return (await readRevision(transaction)).number;
          });
        lose("answer", 2);
        const numbers = Array.from({ length: writes }, (_, index) => index + 1);
        assert.deepEqual(await Promise.all(numbers.map(raise)), numbers);
        assert.equal((await readRevision(store.database)).number, writes);
        lose("commit", 2);
        assert.deepEqual(
          await Promise.all(numbers.map(raise)),
          numbers.map((number) => number + writes),
        );
        assert.equal((await readRevision(store.database)).number, 2 * writes);
      }));
  }

  test("marks of writers that started a month ago are deleted", () =>
    withStore(async (store, write) => {
      const mark = (writer: string, startedAt: Date) => ({ writer, number: 1, started_at: startedAt.toISOString() });
      const [old, recent] = [new Date(Date.now() - 31 * 86_400_000), new Date(Date.now() - 29 * 86_400_000)];
      await store.database
        .insertInto("commit_mark")
        .values([mark("old", old), mark("recent", recent)])
        .execute();
      await write((transaction) => raiseRevision(transaction, new Date()));
      const marks = await store.database.selectFrom("commit_mark").select("writer").execute();
      assert.deepEqual([marks.length, marks.some(({ writer }) => writer === "recent")], [2, true]);
    }));

  test("no write is repeated by itself when the database is unreachable: all are rejected at once", () =>
    withStore(async (store, write) => {
      let runs = 0;
      const away = () =>
        write(async () => {
          runs++;
          throw Object.assign(new Error("refused"), { code: "ECONNREFUSED" });
        });
      const writes = await Promise.allSettled([away(), away(), away()]);
      const statuses = writes.map(({ status }) => status);
      assert.deepEqual(statuses, ["rejected", "rejected", "rejected"]);
      assert.equal(runs, 1);
      await write((transaction) => raiseRevision(transaction, new Date()));
      assert.equal((await readRevision(store.database)).number, 1);
    }));
}

for (const failing of [1, 2]) {
  test(`a strike counts once for each of ${failing} subscribers when PostgreSQL's answer to COMMIT is cut off`, async () => {
    await using proxy = await openCommitCutter(await emptyDatabase());
    await using store = await openStore(proxy.url);
    const paths = Array.from({ length: failing }, (_, index) => `https://a.test.localhost/${index}`);
    await insertActive(store, paths);
    const write = makeGroupCommit(store);
    const rows = await store.database.selectFrom("subscription").select("id").execute();
    for (const strike of [1, 2]) {
      proxy.cut(2); // that of the try after it as well
      const failed = (current: Subscription | undefined) => fail(current, { now: new Date(), waitsSeconds: [60, 600] });
      const changes = await Promise.all(
        rows.map(({ id }) => write((transaction) => changeSubscription(transaction, id, failed))),
      );
      assert.deepEqual(
        changes.map(({ after }) => after?.lease?.failures),
        rows.map(() => strike),
      );
    }
    assert.equal(proxy.lost, 4);
    const stored = await store.database.selectFrom("subscription").select("failures").execute();
    assert.deepEqual(
      stored.map(({ failures }) => failures),
      rows.map(() => 2),
    );
  });
}
