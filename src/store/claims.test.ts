/** One process at a time holds a claim, on every engine; what ends it, and what does not. */
import assert from "node:assert/strict";
import { chownSync, existsSync, readdirSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { describe, type TestContext, test } from "node:test";
import { sql } from "kysely";
import { releaseEngines } from "../../test/support/engines.ts";
import { emptyDatabase } from "../../test/support/postgres-server.ts";
import { temporaryFolder } from "../../test/support/program.ts";
import { openTransactionPooler } from "../../test/support/transaction-pooler.ts";
import { type Claim, type Claims, FOLLOWING, openClaims, proveClaim } from "./claims.ts";
import { openSessionLocks } from "./engine/session-locks.ts";
import { openStore, type Store } from "./store.ts";

releaseEngines();

/** Two processes on one store; `url` undefined: on one in memory, in which both have the same connection. */
async function openTwo(t: TestContext, url: string | undefined) {
  const first = await openStore(url ?? "sqlite::memory:");
  const second = url === undefined ? first : await openStore(url);
  const [us, them] = [openClaims(first), openClaims(second)];
  t.after(async () => {
    await us.close();
    await them.close();
    await first.close();
    if (second !== first) await second.close();
  });
  return { store: first, us, them };
}

const ids = (claims: readonly Claim[]) => claims.map(({ id }) => id).toSorted((a, b) => a - b);

/** Takes until a claim is obtained. */
async function takeSoon(claims: Claims, id: number): Promise<Claim> {
  for (;;) {
    const [claim] = await claims.take([id]);
    if (claim !== undefined) return claim;
    await new Promise(setImmediate);
  }
}

/** Calls until the condition holds. */
async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await holds())) await new Promise(setImmediate);
}

const STORES: readonly { readonly name: string; readonly url: (folder: string) => Promise<string | undefined> }[] = [
  { name: "SQLite in memory", url: async () => undefined },
  { name: "SQLite", url: async (folder) => `sqlite:${join(folder, "goodword.db")}` },
  { name: "PostgreSQL", url: () => emptyDatabase() },
];

for (const { name, url } of STORES) {
  describe(`claims in ${name}:`, () => {
    test("a claim has one owner at a time, and one that lost it can prove nothing", async (t) => {
      using folder = temporaryFolder();
      const { store, us, them } = await openTwo(t, await url(folder.path));
      const ours = await us.take([1, 2]);
      assert.deepEqual(ids(ours), [1, 2]);
      assert.deepEqual(await us.take([1, 2]), [], "what is held is not taken once more");
      assert.deepEqual(await them.take([1, 2]), []);
      const [first] = ours as [Claim];
      assert.equal(first.isCertain(), true);
      assert.equal(await proveClaim(store.database, first), true);
      await us.release(ours);
      assert.deepEqual([first.isCertain(), first.lost.aborted], [false, true]);
      const theirs = await them.take([1, 2]);
      assert.deepEqual(ids(theirs), [1, 2]);
      assert.ok((theirs.find(({ id }) => id === first.id)?.token ?? 0) > first.token);
      assert.equal(await proveClaim(store.database, first), false);
      for (const claim of theirs) assert.equal(await proveClaim(store.database, claim), true);
      await us.release(ours);
      assert.deepEqual(await us.take([1, 2]), [], "what is another's is not released");
    });

    test("a late write under a former claim does not let go of a later claim of the same process", async (t) => {
      using folder = temporaryFolder();
      const { store, us, them } = await openTwo(t, await url(folder.path));
      const [former] = (await us.take([1])) as [Claim];
      await us.release([former]);
      await them.release(await them.take([1]));
      const later = await takeSoon(us, 1);
      assert.equal(await proveClaim(store.database, former), false);
      assert.deepEqual(await them.take([1]), []);
      assert.deepEqual([later.isCertain(), later.lost.aborted], [true, false]);
    });

    test("shards are delivered by one process while another one follows sources", async (t) => {
      using folder = temporaryFolder();
      const { us, them } = await openTwo(t, await url(folder.path));
      assert.equal((await us.take([3])).length, 1);
      assert.equal((await them.take([FOLLOWING])).length, 1);
    });

    test("a claim whose token another process has raised is lost as soon as it is proved", async (t) => {
      using folder = temporaryFolder();
      const { store, us } = await openTwo(t, await url(folder.path));
      const [claim] = (await us.take([1])) as [Claim];
      await store.database
        .updateTable("claim")
        .set({ token: claim.token + 1 })
        .where("id", "=", 1)
        .execute();
      assert.equal(await proveClaim(store.database, claim), false);
      assert.equal(claim.lost.aborted, true);
      assert.equal(claim.isCertain(), false);
      assert.equal((await takeSoon(us, 1)).token, claim.token + 2);
    });

    test("a process that closes its claims leaves them to the others", async (t) => {
      using folder = temporaryFolder();
      const { us, them } = await openTwo(t, await url(folder.path));
      const [claim] = (await us.take([1])) as [Claim];
      await us.close();
      assert.equal(claim.lost.aborted, true);
      await takeSoon(them, 1);
    });
  });
}

test("a claim outlives any clock: processes whose clocks are a day apart take nothing from each other", async (t) => {
  using folder = temporaryFolder();
  const { us, them } = await openTwo(t, `sqlite:${join(folder.path, "goodword.db")}`);
  const [claim] = (await us.take([1])) as [Claim];
  t.mock.timers.enable({ apis: ["Date"], now: Date.now() + 86_400_000 });
  assert.deepEqual(await them.take([1]), []);
  t.mock.timers.setTime(Date.now() - 2 * 86_400_000);
  assert.deepEqual(await them.take([1]), []);
  assert.equal(claim.isCertain(), true);
});

test("on SQLite another command that holds the write lock takes no claim", async (t) => {
  using folder = temporaryFolder();
  const path = join(folder.path, "goodword.db");
  const { store, us, them } = await openTwo(t, `sqlite:${path}`);
  const [claim] = (await us.take([1])) as [Claim];
  const command = new DatabaseSync(path);
  command.exec("begin immediate");
  const proving = store.database.transaction().execute((transaction) => proveClaim(transaction, claim));
  assert.deepEqual(await them.take([1]), []);
  assert.equal(claim.isCertain(), true);
  command.exec("rollback");
  command.close();
  assert.equal(await proving, true);
});

test("on SQLite a lock that root made belongs to the store's owner", { skip: process.getuid?.() !== 0 }, async (t) => {
  using folder = temporaryFolder();
  const file = join(folder.path, "goodword.db");
  const { us } = await openTwo(t, `sqlite:${file}`);
  chownSync(file, 65_534, 65_534);
  assert.equal((await us.take([1])).length, 1);
  assert.equal(statSync(`${file}-hub-lock`).uid, 65_534);
});

test("on SQLite a lock file that is a link is refused, and what it leads to stays as it was", async (t) => {
  using folder = temporaryFolder();
  const file = join(folder.path, "goodword.db");
  const { us } = await openTwo(t, `sqlite:${file}`);
  const victim = join(folder.path, "victim");
  writeFileSync(victim, "", { mode: 0o644 });
  symlinkSync(victim, `${file}-hub-lock`);
  if (process.getuid?.() === 0) chownSync(file, 65_534, 65_534);
  await assert.rejects(us.take([1]), /goodword\.db-hub-lock is no file of its own/);
  const { uid, mode } = statSync(victim);
  assert.deepEqual([uid, mode & 0o777], [process.getuid?.(), 0o644]);
});

test("on SQLite a lock file that cannot be locked keeps the process from no other lock for good", async (t) => {
  using folder = temporaryFolder();
  const file = join(folder.path, "goodword.db");
  const { us, them } = await openTwo(t, `sqlite:${file}`);
  symlinkSync(file, `${file}-hub-lock`);
  await assert.rejects(us.take([FOLLOWING, 1]), /is no file of its own/);
  await them.release(await them.take([FOLLOWING]));
  rmSync(`${file}-hub-lock`);
  assert.deepEqual(ids(await us.take([FOLLOWING, 1])), [1, FOLLOWING]);
});

test("on SQLite a process whose lock file is deleted locks the new one, or loses its claim", async (t) => {
  using folder = temporaryFolder();
  const file = join(folder.path, "goodword.db");
  const { us, them } = await openTwo(t, `sqlite:${file}`);
  const [ours] = (await us.take([1])) as [Claim];
  rmSync(`${file}-hub-lock`);
  await until(() => existsSync(`${file}-hub-lock`));
  await until(() => ours.isCertain());
  assert.deepEqual(await them.take([1]), []);
  rmSync(`${file}-hub-lock`);
  const [theirs] = (await them.take([1])) as [Claim];
  await until(() => ours.lost.aborted);
  assert.equal(theirs.isCertain(), true);
});

test("what is claimed anew while a session is resumed keeps its lock", async (t) => {
  const store = await openStore("sqlite::memory:");
  const locked = new Set<number>();
  let session = 1;
  let former: Claim | undefined;
  let later: Claim | undefined;
  const claims = openClaims(store, {
    async take(ids) {
      const wanted = ids.filter((id) => !locked.has(id));
      for (const id of wanted) locked.add(id);
      if (former === undefined || later !== undefined) return { session, ids: wanted };
      // Another process was there, which a late write shows; then the number is claimed once more.
      const lost = former;
      former = undefined;
      await sql`update claim set token = token + 1`.execute(store.database);
      assert.equal(await proveClaim(store.database, lost), false);
      [later] = await claims.take([1]);
      return { session, ids: wanted };
    },
    async release(ids) {
      for (const id of ids) locked.delete(id);
    },
    session: () => session,
    beat: async () => {},
    close: async () => {},
  });
  t.after(async () => {
    await claims.close();
    await store.close();
  });
  [former] = await claims.take([1]);
  session = 2;
  locked.clear(); // the locks end with their session
  await until(() => later !== undefined);
  for (let turn = 0; turn < 100; turn++) await new Promise(setImmediate);
  assert.deepEqual([...locked], [1]);
  assert.equal(later?.isCertain(), true);
});

test("on SQLite every name of a store leads to the same locks, in private, empty files beside it", async (t) => {
  using folder = temporaryFolder();
  const path = join(folder.path, "goodword.db");
  const { us } = await openTwo(t, `sqlite:${path}`);
  assert.equal((await us.take([1])).length, 1);
  symlinkSync(path, join(folder.path, "named.db"));
  const { us: them } = await openTwo(t, `sqlite:${join(folder.path, "named.db")}`);
  assert.deepEqual(await them.take([1]), []);
  const locks = readdirSync(folder.path).filter((name) => name.includes("lock"));
  assert.deepEqual(locks, ["goodword.db-hub-lock"]);
  const { mode, size } = statSync(join(folder.path, "goodword.db-hub-lock"));
  assert.deepEqual([mode & 0o777, size], [0o600, 0]);
});

/** Ends the sessions of the store that hold advisory locks, as a database that restarts does. */
async function endSessions({ database }: Store): Promise<void> {
  await sql`select pg_terminate_backend(pid) from pg_locks
    where locktype = 'advisory' and pid <> pg_backend_pid() and ${IS_OURS}`.execute(database);
}

/** Of `pg_locks`, which shows those of the whole server: that a lock belongs to the database that is asked. */
const IS_OURS = sql`database = (select oid from pg_database where datname = current_database())`;

/** Claims of a process on a new PostgreSQL store that has no session while `isCut`, and a second process. */
async function openCut(t: TestContext) {
  const cut = { isCut: false };
  const { store, them } = await openTwo(t, await emptyDatabase());
  const locks = openSessionLocks(store.database, "claim");
  const us = openClaims(store, { ...locks, beat: async () => void (cut.isCut || (await locks.beat())) });
  t.after(us.close);
  return { cut, store, us, them };
}

test("a session that ended is taken up again with the same token, if nobody else was there", async (t) => {
  const { cut, store, us } = await openCut(t);
  const [claim] = (await us.take([1])) as [Claim];
  let resumed = 0;
  us.onResumed(() => {
    resumed++;
  });
  cut.isCut = true;
  await endSessions(store);
  await until(() => !claim.isCertain());
  assert.equal(claim.lost.aborted, false);
  cut.isCut = false;
  await until(() => claim.isCertain());
  assert.equal(resumed, 1);
  assert.equal(await proveClaim(store.database, claim), true);
});

test("a claim is lost if another process was there while its session was away, even if it has left", async (t) => {
  const { cut, store, us, them } = await openCut(t);
  const [one, two] = (await us.take([1, 2])).toSorted((a, b) => a.id - b.id) as [Claim, Claim];
  cut.isCut = true;
  await endSessions(store);
  await them.release([await takeSoon(them, 1)]);
  cut.isCut = false;
  await until(() => one.lost.aborted);
  await until(() => two.isCertain());
  assert.equal(one.isCertain(), false);
  assert.ok((await takeSoon(us, 1)).token > one.token);
});

test("a claim that a write has proved is taken only when that write is over", async (t) => {
  const { store, us, them } = await openTwo(t, await emptyDatabase());
  const [claim] = (await us.take([1])) as [Claim];
  await store.database.transaction().execute(async (transaction) => {
    assert.equal(await proveClaim(transaction, claim), true);
    await us.close();
    for (let times = 0; times < 20; times++) assert.deepEqual(await them.take([1]), []);
    const { rows } = await sql<{ token: number }>`select token from claim where id = 1`.execute(transaction);
    assert.equal(rows[0]?.token, claim.token);
  });
  assert.ok((await takeSoon(them, 1)).token > claim.token);
});

test("a process that hangs in a transaction in which it proved a claim is cut off, and its claim is free", async (t) => {
  const { store, us, them } = await openTwo(t, await emptyDatabase());
  const [claim] = (await us.take([1])) as [Claim];
  const hanging = store.database.transaction().execute(async (transaction) => {
    await proveClaim(transaction, claim);
    await us.close();
    await takeSoon(them, 1);
    await sql`select 1`.execute(transaction);
  });
  await assert.rejects(hanging);
});

test("a session is certain for three seconds after it was heard of, by the steadier and the other clock", async (t) => {
  const store = await openStore(await emptyDatabase());
  const at = { steady: 0, wall: 0 };
  const locks = openSessionLocks(store.database, "claim", { steady: () => at.steady, wall: () => at.wall });
  t.after(async () => {
    await locks.close();
    await store.close();
  });
  const { session, ids: taken } = await locks.take([1]);
  assert.deepEqual(taken, [1]);
  for (const pass of [{ steady: 3000 }, { wall: 3000 }, { wall: -3000 }]) {
    at.steady += (pass.steady ?? 0) - 1;
    assert.equal(locks.session(), session);
    at.steady += 1;
    at.wall += pass.wall ?? 0; // as after the machine was suspended, which stops the steady clock
    assert.equal(locks.session(), undefined);
    await locks.beat();
    assert.equal(locks.session(), session, "nothing was lost");
  }
});

test("the session keeps no snapshot, no transaction id and no table, and ends when it is silent", async (t) => {
  const store = await openStore(await emptyDatabase());
  const locks = openSessionLocks(store.database, "claim", { maxSilenceMs: 4000 });
  const others = openSessionLocks(store.database, "claim");
  t.after(async () => {
    await locks.close();
    await others.close();
    await store.close();
  });
  await locks.take([1]);
  await locks.beat();
  const { rows } = await sql`select backend_xmin, backend_xid,
      (select count(*)::int from pg_locks where pg_locks.pid = activity.pid and locktype = 'relation') as tables
    from pg_stat_activity activity
    where pid in (select pid from pg_locks where locktype = 'advisory' and ${IS_OURS})`.execute(store.database);
  assert.deepEqual(rows, [{ backend_xmin: null, backend_xid: null, tables: 0 }]);
  await until(async () => {
    await others.beat();
    return (await others.take([1])).ids.length > 0;
  });
  assert.equal(locks.session(), undefined);
});

test("stores in two schemas of a database have locks of their own", async (t) => {
  const url = await emptyDatabase();
  const root = await openStore(url);
  await sql`create schema reviews`.execute(root.database);
  await root.close();
  const { us } = await openTwo(t, url);
  const { us: others } = await openTwo(t, `${url}?options=-c%20search_path%3Dreviews`);
  assert.equal((await us.take([1])).length, 1);
  assert.equal((await others.take([1])).length, 1);
});

test("claims hold through a pooler in transaction mode, and leave nothing behind on its connections", async (t) => {
  const url = await emptyDatabase();
  await using pooler = await openTransactionPooler(url, 4);
  const { store, us, them } = await openTwo(t, pooler.url);
  const ours = await us.take([1, 2]);
  assert.deepEqual(ids(ours), [1, 2]);
  for (let times = 0; times < 5; times++) assert.deepEqual(await them.take([1, 2]), []);
  assert.equal(await proveClaim(store.database, ours[0] as Claim), true);
  await us.release(ours);
  assert.deepEqual(ids(await them.take([1, 2])), [1, 2]);
});
