/** How claims pass from a process that is killed, stopped or cut off to another one, and when they do not. */
import assert from "node:assert/strict";
import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { setTimeout as wait } from "node:timers/promises";
import { type Claims, openClaims } from "../../src/store/claims.ts";
import { openStore } from "../../src/store/store.ts";
import { releaseEngines } from "../support/engines.ts";
import { emptyDatabase } from "../support/postgres-server.ts";
import { temporaryFolder } from "../support/program.ts";
import { until } from "../support/within.ts";

releaseEngines();

/** Starts a process that holds shards 1 and 2. */
async function startHolder(t: TestContext, url: string): Promise<ChildProcess> {
  const child = fork(join(import.meta.dirname, "..", "support", "claim-holder.ts"), [url]);
  t.after(() => child.kill("SIGKILL"));
  const [said] = await once(child, "message");
  assert.equal(said, "held");
  return child;
}

/** What the process knows of its claims. */
async function ask(child: ChildProcess): Promise<{ readonly certain: boolean; readonly lost: boolean }> {
  const answer = once(child, "message");
  child.send("how are they?");
  const [said] = await answer;
  return said;
}

async function openOther(t: TestContext, url: string): Promise<Claims> {
  const store = await openStore(url);
  const claims = openClaims(store);
  t.after(async () => {
    await claims.close();
    await store.close();
  });
  assert.deepEqual(await claims.take([1, 2]), []);
  return claims;
}

/** Tries until both shards are claimed. Reports how long that took. */
async function takeOver(t: TestContext, claims: Claims): Promise<void> {
  const since = performance.now();
  for (let taken = 0; taken < 2; await wait(20)) taken += (await claims.take([1, 2])).length;
  t.diagnostic(`taken over after ${Math.round(performance.now() - since)} ms`);
}

/** A proxy before the database. While it is cut, it swallows every byte and closes nothing. */
async function openCable(t: TestContext, url: string) {
  const { hostname, port } = new URL(url);
  const cable = { isCut: false, url: "" };
  const sockets: Socket[] = [];
  const server = createServer((client) => {
    const database = connect(Number(port), hostname);
    sockets.push(client, database);
    for (const [from, to] of [
      [client, database],
      [database, client],
    ] as const) {
      from.on("data", (bytes) => void (cable.isCut || to.write(bytes)));
      from.on("close", () => void (cable.isCut || to.destroy()));
      from.on("error", () => {});
    }
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  t.after(() => {
    server.close();
    for (const socket of sockets) socket.destroy();
  });
  const target = new URL(url);
  target.port = String((server.address() as AddressInfo).port);
  return Object.assign(cable, { url: target.href });
}

for (const engine of ["SQLite", "PostgreSQL"] as const) {
  test(`${engine}: what a killed process held is taken over at once`, async (t) => {
    using folder = temporaryFolder();
    const url = engine === "SQLite" ? `sqlite:${join(folder.path, "goodword.db")}` : await emptyDatabase();
    const holder = await startHolder(t, url);
    const other = await openOther(t, url);
    holder.kill("SIGKILL");
    await takeOver(t, other);
  });
}

test("PostgreSQL: what a stopped process held is taken over, and it knows that when it goes on", async (t) => {
  const url = await emptyDatabase();
  const holder = await startHolder(t, url);
  const other = await openOther(t, url);
  holder.kill("SIGSTOP");
  await takeOver(t, other);
  holder.kill("SIGCONT");
  assert.equal((await ask(holder)).certain, false);
  await until(async () => (await ask(holder)).lost);
});

test("PostgreSQL: what a process held whose network swallows every byte is taken over, and it knows that before", async (t) => {
  const url = await emptyDatabase();
  const cable = await openCable(t, url);
  const holder = await startHolder(t, cable.url);
  const other = await openOther(t, url);
  cable.isCut = true;
  await takeOver(t, other);
  assert.deepEqual(await ask(holder), { certain: false, lost: false });
  cable.isCut = false;
  await until(async () => (await ask(holder)).lost);
});

test("SQLite: a stopped process keeps what it held until it goes on or is killed", async (t) => {
  using folder = temporaryFolder();
  const url = `sqlite:${join(folder.path, "goodword.db")}`;
  const holder = await startHolder(t, url);
  const other = await openOther(t, url);
  holder.kill("SIGSTOP");
  for (let times = 0; times < 20; times++) assert.deepEqual(await other.take([1, 2]), []);
  holder.kill("SIGCONT");
  assert.deepEqual(await ask(holder), { certain: true, lost: false });
  holder.kill("SIGSTOP");
  holder.kill("SIGKILL");
  await takeOver(t, other);
});
