/**
 * Kills over one PostgreSQL: three processes of the whole program under load, each ended with SIGKILL again and again
 * and started anew, the database restarted in between. Prints accepted requests and imports, what was lost (nothing may
 * be), notifications that came twice, and failed reads. `node bench/cluster-kills.ts [kills]`, 100 unless said.
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
import { freePort } from "../test/free-port.ts";
import { emptyDatabase, startPostgres } from "../test/postgres-server.ts";
import { run, type Served, serveProgram, temporaryFolder } from "../test/program.ts";
import { challengeOf, SUBSCRIBER_CERTIFICATE } from "../test/subscriber.ts";
import { machine } from "./processor.ts";

const KILLS = Number(process.argv[2] ?? 100);
const PROCESSES = 3;
const KILLS_FOR_A_RESTART = Math.max(1, Math.floor(KILLS / 5));
const BASE_URL = "https://reviews.example";
const TOPIC = "/feed.xml";

using folder = temporaryFolder();
const server = await startPostgres();
/** The hashes of what each callback was sent, in order: bodies would soon fill the memory. */
const told = new Map<string, string[]>();
const { certificate: cert, key } = SUBSCRIBER_CERTIFICATE;
const subscribers = createServer({ cert, key, keepAliveTimeout: 60_000 }, (request, response) => {
  const { method, url = "" } = request;
  if (method === "GET") return void response.end(challengeOf(url));
  const hash = createHash("sha256");
  request.on("data", (part: Buffer) => hash.update(part));
  request.on("end", () => {
    told.set(url, [...(told.get(url) ?? []), hash.digest("hex")]);
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
let imported = 0;
let restarts = 0;
let isOver = false;

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

async function importOn(): Promise<void> {
  while (!isOver) {
    if (await importOne()) accepted.imports += 1;
    await wait(500);
  }
}

await importOne();
accepted.imports += 1;
await Promise.all(Array.from({ length: PROCESSES }, (_, index) => start(index)));
const running = Promise.all([load(), load(), importOn()]);
for (let kill = 1; kill <= KILLS; kill += 1) {
  const index = kill % PROCESSES;
  await processes[index]?.kill();
  processes[index] = undefined;
  if (kill % KILLS_FOR_A_RESTART === 0) {
    restarts += 1;
    await server.halt();
    await wait(2_000);
    await server.resume();
  }
  await start(index);
  if (kill % 10 === 0) console.log(`${kill} kills`);
}
isOver = true;
await running;
await importOne();
accepted.imports += 1;

const [first] = processes;
const newestOf = async () => {
  const document = await fetch(`${first?.url}/reviews.json`);
  return ((await document.json()) as { reviews: unknown[] }).reviews.length;
};
while ((await newestOf()) < imported) await wait(200);
const feed = await (await fetch(`${first?.url}${TOPIC}`)).text();
const store = await openStore(settings.DATABASE_URL);
const activeRows = async () =>
  await store.database.selectFrom("subscription").select("callback").where("lease_ends_at", "is not", null).execute();
const newest = createHash("sha256").update(feed).digest("hex");
const toldTo = (path: string) => told.get(path) ?? [];
const stale = () => [...accepted.subscriptions].filter((path) => ![undefined, newest].includes(toldTo(path).at(-1)));
for (let seconds = 0; seconds < 120; seconds += 1) {
  if ((await activeRows()).length >= accepted.subscriptions.size && stale().length === 0) break;
  await wait(1_000);
}
const active = new Set((await activeRows()).map(({ callback }) => new URL(callback).pathname));
const sent = [...accepted.subscriptions].flatMap(toldTo).length;
const twice = [...accepted.subscriptions].reduce(
  (sum, path) => sum + toldTo(path).length - new Set(toldTo(path)).size,
  0,
);
const failures = await store.database.selectFrom("subscription").select("id").where("failures", ">", 0).execute();
console.log(machine());
console.log(
  `load average ${loadavg()
    .map((each) => each.toFixed(1))
    .join(" ")}`,
);
console.log(`${KILLS} kills, ${restarts} restarts of the database`);
console.log(`accepted: ${accepted.imports} imports, ${accepted.subscriptions.size} subscriptions`);
console.log(
  `lost: ${imported - (await newestOf())} imports, ${[...accepted.subscriptions].filter((path) => !active.has(path)).length} subscriptions, ${stale().length} without the newest content`,
);
console.log(`notifications: ${sent}, of them ${twice} twice; ${failures.length} subscriptions charged with a failure`);
console.log(
  `reads: ${reads.answered} answered, ${reads.failedOnKilled} failed on a killed process, ${reads.failedElsewhere} failed elsewhere`,
);
await store.close();
await Promise.all(processes.map((each) => each?.kill()));
subscribers.closeAllConnections();
subscribers.close();
await server.stop();
