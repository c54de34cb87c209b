/**
 * Kills over one PostgreSQL: three processes of the whole program under load, each ended with SIGKILL again and again
 * and started anew, the database restarted and processes held up in between. Prints accepted requests and imports, what was lost (nothing may
 * be), notifications that came twice, and failed reads, and before all that how soon each process serves an import. A
 * notification may come twice if it was sent in the last moments before a kill, because its delivery was not recorded
 * yet; any other that does, and anything lost, is a failure. `node bench/cluster-kills.ts [kills]`, 100 unless said.
 */
import { createHash } from "node:crypto";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { loadavg } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { openStore } from "../src/store/store.ts";
import { freePort } from "../test/support/free-port.ts";
import { emptyDatabase, startPostgres } from "../test/support/postgres-server.ts";
import { run, type Served, serveProgram, temporaryFolder } from "../test/support/program.ts";
import { challengeOf, SUBSCRIBER_CERTIFICATE } from "../test/support/subscriber.ts";
import { median, percentile } from "./figures.ts";
import { machine } from "./processor.ts";

const KILLS = Number(process.argv[2] ?? 100);
const PROCESSES = 3;
const KILLS_FOR_A_RESTART = Math.max(1, Math.floor(KILLS / 5));
const BASE_URL = "https://reviews.example";
const TOPIC = "/feed.xml";

using folder = temporaryFolder();
const server = await startPostgres();
/** What each callback was sent, in order, as hashes: bodies would soon fill the memory. */
const told = new Map<string, Sent[]>();

interface Sent {
  readonly hash: string;
  readonly at: number;
}
const { certificate: cert, key } = SUBSCRIBER_CERTIFICATE;
const subscribers = createServer({ cert, key, keepAliveTimeout: 60_000 }, (request, response) => {
  const { method, url = "" } = request;
  if (method === "GET") return void response.end(challengeOf(url));
  const hash = createHash("sha256");
  request.on("data", (part: Buffer) => hash.update(part));
  request.on("end", () => {
    told.set(url, [...(told.get(url) ?? []), { hash: hash.digest("hex"), at: performance.now() }]);
    response.writeHead(204).end();
  });
}).listen(0, "127.0.0.1");
await once(subscribers, "listening");
const { port: subscribersPort } = subscribers.address() as AddressInfo;
const certificate = join(folder.path, "authority.pem");
writeFileSync(certificate, SUBSCRIBER_CERTIFICATE.certificate);
const settings = {
  DATABASE_URL: await emptyDatabase(server),
  BASE_URL,
  HUB_ALLOW_CALLBACKS: "127.0.0.0/8",
  HUB_RETRY_SECONDS: "1,1",
  NODE_EXTRA_CA_CERTS: certificate,
};
const processes: (Served | undefined)[] = [];
const accepted = { imports: 0, subscriptions: new Set<string>() };
const reads = { answered: 0, failedOnKilled: 0, failedElsewhere: 0 };
/** When a process was killed, and from when to when the database was away or a process held up. */
const kills: number[] = [];
const outages: { readonly what: "database" | "process"; readonly from: number; readonly to: number }[] = [];
let imported = 0;
let isOver = false;

/** Deliveries are recorded twice a second; twice that is left to a busy machine. */
const UNRECORDED_MS = 2_000;
/** After an outage of the database: the lifetime of a claim that could not be renewed. */
const OUTAGE_MS = 10_000;
/** Longer than the lifetime of a claim. */
const HOLD_UP_MS = OUTAGE_MS + 3_000;

async function importOne(): Promise<boolean> {
  const day = String(1 + (imported % 28)).padStart(2, "0");
  const file = join(folder.path, "next.csv");
  writeFileSync(file, `id,rating,date,text,source\nr${imported},5,2026-01-${day},Fine ${imported},google\n`);
  const { code } = await run(folder.path, ["import", file], settings);
  if (code === 0) imported += 1;
  return code === 0;
}

async function start(index: number): Promise<void> {
  const port = `${await freePort()}`;
  processes[index] = await serveProgram(folder.path, { ...settings, PORT: port });
}

/** Reads and subscribes at random processes. A fault on a process that was killed meanwhile is its own. */
async function load(): Promise<void> {
  for (let number = 0; !isOver; number += 1) {
    const target = processes[Math.floor(Math.random() * PROCESSES)];
    if (target === undefined) {
      await wait(20);
      continue;
    }
    try {
      if (number % 20 === 0) await subscribe(target.url, `/s${accepted.subscriptions.size}-${number}`);
      const response = await fetch(`${target.url}/reviews.json`);
      await response.arrayBuffer();
      if (response.status === 200) reads.answered += 1;
      else reads.failedElsewhere += 1;
    } catch {
      if (target.process.signalCode === "SIGKILL" || target.process.killed) reads.failedOnKilled += 1;
      else reads.failedElsewhere += 1;
    }
    await wait(20);
  }
}

async function subscribe(url: string, path: string): Promise<void> {
  const form = {
    "hub.mode": "subscribe",
    "hub.topic": BASE_URL + TOPIC,
    "hub.callback": `https://h${path.length}${path.at(-1)}.test.localhost:${subscribersPort}${path}`,
  };
  const { status } = await fetch(`${url}/api/websub/hub`, { method: "POST", body: new URLSearchParams(form) });
  if (status === 202) accepted.subscriptions.add(path);
}

/** How many reviews a process publishes. */
async function newestOf(process: Served | undefined): Promise<number> {
  const document = await fetch(`${process?.url}/reviews.json`);
  return ((await document.json()) as { reviews: unknown[] }).reviews.length;
}

/** Stops the process after `index`, as a machine that is suspended would, for longer than its claims are valid. */
async function holdUp(index: number): Promise<void> {
  const pid = processes[(index + 1) % PROCESSES]?.process.pid;
  if (pid === undefined) return;
  const from = performance.now();
  process.kill(pid, "SIGSTOP");
  await wait(HOLD_UP_MS);
  process.kill(pid, "SIGCONT");
  outages.push({ what: "process", from, to: performance.now() });
}

async function importOn(): Promise<void> {
  while (!isOver) {
    if (await importOne()) accepted.imports += 1;
    await wait(500);
  }
}

await importOne();
accepted.imports += 1;
await Promise.all(Array.from({ length: PROCESSES }, (_, index) => start(index)));
const delays: number[] = [];
for (let round = 0; round < 10; round += 1) {
  await importOne();
  accepted.imports += 1;
  const committedBy = performance.now();
  for (const each of processes) while ((await newestOf(each)) < imported) await wait(10);
  delays.push(performance.now() - committedBy);
}
const running = Promise.all([load(), load(), importOn()]);
for (let kill = 1; kill <= KILLS; kill += 1) {
  const index = kill % PROCESSES;
  kills.push(performance.now());
  await processes[index]?.kill();
  processes[index] = undefined;
  if (kill % KILLS_FOR_A_RESTART === 0) {
    const from = performance.now();
    await server.halt();
    await wait(2_000);
    await server.resume();
    outages.push({ what: "database", from, to: performance.now() });
  } else if (kill % KILLS_FOR_A_RESTART === Math.floor(KILLS_FOR_A_RESTART / 2)) await holdUp(index);
  await start(index);
  if (kill % 10 === 0) console.log(`${kill} kills`);
}
isOver = true;
await running;
await importOne();
accepted.imports += 1;

const [first] = processes;
while ((await newestOf(first)) < imported) await wait(200);
const feed = await (await fetch(`${first?.url}${TOPIC}`)).text();
const store = await openStore(settings.DATABASE_URL);
const activeRows = async () =>
  await store.database.selectFrom("subscription").select("callback").where("lease_ends_at", "is not", null).execute();
const newest = createHash("sha256").update(feed).digest("hex");
const toldTo = (path: string) => told.get(path) ?? [];
const stale = () =>
  [...accepted.subscriptions].filter((path) => ![undefined, newest].includes(toldTo(path).at(-1)?.hash));
for (let seconds = 0; seconds < 120; seconds += 1) {
  if ((await activeRows()).length >= accepted.subscriptions.size && stale().length === 0) break;
  await wait(1_000);
}
const active = new Set((await activeRows()).map(({ callback }) => new URL(callback).pathname));
const sent = [...accepted.subscriptions].flatMap(toldTo).length;
/**
 * How long before the next kill each delivery was made that was made again, 0 for those around an outage, and how long
 * after the first delivery the second one came.
 */
const repeated: { readonly kill: number; readonly beforeMs: number; readonly afterMs: number }[] = [];
for (const path of accepted.subscriptions) {
  for (const same of Map.groupBy(toldTo(path), ({ hash }) => hash).values()) {
    for (const [number, { at }] of same.slice(0, -1).entries()) {
      const again = same[number + 1]?.at ?? at;
      const isOfOutage = outages.some(({ from, to }) => at < to + OUTAGE_MS && again > from - UNRECORDED_MS);
      // What was on its way at the kill may arrive a little after it.
      const kill = kills.findIndex((each) => each > at - UNRECORDED_MS && each < again);
      const beforeMs = isOfOutage ? 0 : kill < 0 ? Infinity : Math.max(0, (kills[kill] ?? 0) - at);
      repeated.push({ kill, beforeMs, afterMs: again - at });
    }
  }
}
const unexplained = repeated.filter(({ beforeMs }) => beforeMs > UNRECORDED_MS);
const ofEachKill = [...Map.groupBy(repeated, ({ kill }) => kill).values()].map(({ length }) => length);
const failures = await store.database.selectFrom("subscription").select("id").where("failures", ">", 0).execute();
console.log(machine());
console.log(
  `load average ${loadavg()
    .map((each) => each.toFixed(1))
    .join(" ")}`,
);
const { database = [], process: heldUp = [] } = Object.groupBy(outages, ({ what }) => what);
console.log(`${KILLS} kills, ${database.length} restarts of the database, ${heldUp.length} processes held up`);
console.log(
  `an import is served by all ${PROCESSES} processes after ${median(delays).toFixed(0)} ms, at most ${Math.max(...delays).toFixed(0)} ms`,
);
console.log(`accepted: ${accepted.imports} imports, ${accepted.subscriptions.size} subscriptions`);
const lost = {
  imports: imported - (await newestOf(first)),
  subscriptions: [...accepted.subscriptions].filter((path) => !active.has(path)).length,
  newest: stale().length,
};
console.log(
  `lost: ${lost.imports} imports, ${lost.subscriptions} subscriptions, ${lost.newest} without the newest content`,
);
const known = repeated.filter(({ beforeMs }) => beforeMs <= UNRECORDED_MS).map(({ beforeMs }) => beforeMs);
console.log(
  `notifications: ${sent}, of them ${repeated.length} repeated, at most ${Math.max(0, ...ofEachKill)} after one kill; ` +
    `half of these were made ${median(known).toFixed(0)} ms before the kill, 99 of 100 at most ${percentile(known, 0.99).toFixed(0)} ms; ` +
    `${unexplained.length} more than ${UNRECORDED_MS} ms before one; ${failures.length} subscriptions charged with a failure`,
);
for (const [kill, those] of Map.groupBy(unexplained, (each) => each.kill)) {
  const [before, after] = [those.map(({ beforeMs }) => beforeMs), those.map(({ afterMs }) => afterMs)];
  console.log(
    `${those.length} of these at kill ${kill + 1}: ${median(before).toFixed(0)} ms before it, again after ${median(after).toFixed(0)} ms`,
  );
}
console.log(
  `reads: ${reads.answered} answered, ${reads.failedOnKilled} failed on a killed process, ${reads.failedElsewhere} failed elsewhere`,
);
if (
  unexplained.length + failures.length + reads.failedElsewhere + lost.imports + lost.subscriptions + lost.newest >
  0
) {
  console.log("This is more than may be.");
  process.exitCode = 1;
}
await store.close();
await Promise.all(processes.map((each) => each?.kill()));
subscribers.closeAllConnections();
subscribers.close();
await server.stop();
