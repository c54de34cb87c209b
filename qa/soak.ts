/**
 * Mixed load on two servers that share a store: reads (whole, unmodified and given up halfway), searches, MCP calls,
 * subscriptions, renewals and their ends, subscribers that answer, fail or hang, imports and removals by the command
 * line. One server is killed or restarted every 23 seconds. The other one must answer all the time, and its memory must
 * not grow; in the last tenth of the time both are killed. The number of reviews is constant: imports change them, and a
 * removed one is replaced.
 *
 * At the end nothing may be lost: the newest import of each review is published, every removal holds although its
 * review was imported again, and every subscriber that answers is still subscribed and has the newest document.
 *
 *     node qa/soak.ts [MINUTES [sqlite|postgres]]
 */
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { statSync, writeFileSync } from "node:fs";
import { Agent, get } from "node:http";
import { loadavg } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { median } from "../bench/figures.ts";
import { machine, residentMb } from "../bench/processor.ts";
import { freePort } from "../test/support/free-port.ts";
import { emptyDatabase } from "../test/support/postgres-server.ts";
import { run, type Served, serveProgram, temporaryFolder } from "../test/support/program.ts";
import { openSubscribers, SUBSCRIBER_CERTIFICATE } from "../test/support/subscriber.ts";

const MINUTES = Number(process.argv[2] ?? 30);
const ENGINE = process.argv[3] ?? "sqlite";
const TOPICS = ["/feed.xml", "/api/feed.json", "/reviews.json"];
const SUBSCRIBERS = 60;
const READERS = 6;
const IMPORT_EVERY_MS = 4_000;
const REMOVE_EVERY_MS = 9_000;
const KILL_EVERY_MS = 23_000;
const SAMPLE_EVERY_MS = 2_000;
const REVIEWS = 300;
const ROWS_OF_AN_IMPORT = 6;
/** The share of the time after which both servers are interrupted. */
const BOTH_FROM = 0.9;
const SETTLE_MS = 120_000;
const WORDS = ["cold", "warm", "late", "polite", "filter", "invoice", "duct", "again"];

const counts = {
  reads: 0,
  unmodified: 0,
  searches: 0,
  calls: 0,
  imports: 0,
  removals: 0,
  subscribed: 0,
  unsubscribed: 0,
  /** Subscriptions refused with 429, or with 503 while the store was busy, and requested again. */
  refusedForNow: 0,
  /** Imports that a removal overtook: they changed nothing and were repeated. */
  repeatedImports: 0,
  givenUp: 0,
  kills: 0,
  restarts: 0,
  away: 0,
};
const faults: string[] = [];
/** Samples of the server that is not interrupted. */
const memory: { readonly mb: number; readonly storeMb: number }[] = [];
const startedAt = performance.now();
const endsAt = startedAt + MINUTES * 60_000;
const isGoingOn = () => performance.now() < endsAt;
const isEachInterrupted = () => performance.now() > startedAt + BOTH_FROM * MINUTES * 60_000;

using folder = temporaryFolder();
const certificateFile = join(folder.path, "authority.pem");
writeFileSync(certificateFile, SUBSCRIBER_CERTIFICATE.certificate);
writeFileSync(
  join(folder.path, "business.yaml"),
  "name: Soak Sample\ncategory: HVACBusiness\ntime_zone: America/Chicago\n",
);
/** One of the two servers. While it is killed or stopped on purpose, requests to it may fail. */
interface Server {
  readonly url: string;
  readonly settings: Readonly<Record<string, string>>;
  program?: Served;
  isAway: boolean;
}

const ports = [await freePort(), await freePort()] as const;
const common: Readonly<Record<string, string>> = {
  ...(ENGINE === "postgres" ? { DATABASE_URL: await emptyDatabase() } : {}),
  BASE_URL: `http://localhost:${ports[0]}`,
  HUB_ALLOW_CALLBACKS: "127.0.0.0/8",
  HUB_RETRY_SECONDS: "2,5",
  HUB_TIMEOUT_SECONDS: "3",
  NODE_EXTRA_CA_CERTS: certificateFile,
};
const serverAt = (port: number): Server => ({
  url: `http://localhost:${port}`,
  settings: { ...common, PORT: String(port) },
  isAway: true,
});
const steady = serverAt(ports[0]);
const interrupted = serverAt(ports[1]);
const subscribers = await openSubscribers();

/** Errors in the servers' logs, by message. They are printed and do not fail the run. */
const logged = new Map<string, number>();

function readLog(server: Server): void {
  for (const { level, msg, err } of server.program?.log ?? []) {
    if (Number(level) < 50) continue;
    const message = `${msg}: ${(err as { message?: string } | undefined)?.message ?? ""}`;
    logged.set(message, (logged.get(message) ?? 0) + 1);
  }
}

async function start(server: Server): Promise<void> {
  readLog(server);
  server.program = await serveProgram(folder.path, server.settings);
  server.isAway = false;
}

/** Asks one of the servers. Undefined if it was stopped on purpose before or during the answer. */
async function ask(
  path: string,
  init: RequestInit = {},
  server = Math.random() < 0.5 ? steady : interrupted,
): Promise<{ status: number; text: string; etag: string } | undefined> {
  const wasAway = server.isAway;
  const before = server.program;
  try {
    const response = await fetch(server.url + path, { ...init, signal: AbortSignal.timeout(30_000) });
    const text = await response.text();
    const wasStarting = response.status === 503 && (wasAway || server.isAway || before !== server.program);
    if (wasStarting) counts.away++;
    if (wasStarting) return undefined;
    return { status: response.status, text, etag: response.headers.get("ETag") ?? "" };
  } catch (error) {
    if (wasAway || server.isAway || before !== server.program) counts.away++;
    else faults.push(`${path}: ${error instanceof Error ? (error.cause ?? error) : error}`);
    return undefined;
  }
}

/** Closes the connection after the first bytes of a document. */
async function giveUp(turn: number): Promise<void> {
  const agent = new Agent({ keepAlive: false });
  await new Promise<void>((resolve) => {
    const request = get(`${steady.url}/reviews.json?turn=${turn}`, { agent }, (response) => {
      response.once("data", () => response.destroy()).once("close", () => resolve());
    });
    request.once("error", () => resolve());
  });
  counts.givenUp++;
}

async function repeat(work: (turn: number) => Promise<void>, everyMs: number): Promise<void> {
  for (let turn = 0; isGoingOn(); turn += 1) {
    try {
      await work(turn);
    } catch (error) {
      faults.push(String(error));
    }
    await wait(everyMs);
  }
}

/** The hash of each document by path and tag: the same tag must always mean the same bytes. */
const bodies = new Map<string, string>();
async function read(path: string, held: Map<string, string>): Promise<void> {
  const etag = held.get(path);
  const answer = await ask(path, {
    headers: { "Accept-Encoding": "identity", ...(etag ? { "If-None-Match": etag } : {}) },
  });
  if (answer === undefined) return;
  counts.reads++;
  if (answer.status === 304) return void counts.unmodified++;
  if (answer.status !== 200) return void faults.push(`${path} answered ${answer.status}`);
  const hash = createHash("sha256").update(answer.text).digest("hex");
  const earlier = bodies.get(path + answer.etag);
  if (earlier !== undefined && earlier !== hash) faults.push(`${path}: two bodies under the tag ${answer.etag}`);
  bodies.set(path + answer.etag, hash);
  held.set(path, answer.etag);
}

async function search(turn: number): Promise<void> {
  const answer = await ask(`/api/reviews/search?q=${WORDS[turn % WORDS.length]}&limit=5&rating=${1 + (turn % 5)}`);
  if (answer === undefined) return;
  counts.searches++;
  if (answer.status !== 200) faults.push(`search answered ${answer.status}`);
}

async function callTool(turn: number): Promise<void> {
  const message = {
    jsonrpc: "2.0",
    id: turn,
    method: "tools/call",
    params: {
      name: "search_reviews",
      arguments: { query: WORDS[turn % WORDS.length], limit: 3 },
      _meta: {
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientInfo": { name: "soak", version: "1" },
        "io.modelcontextprotocol/clientCapabilities": {},
      },
    },
  };
  const headers = {
    "Content-Type": "application/json",
    Accept: "application/json, text/event-stream",
    "MCP-Protocol-Version": "2026-07-28",
    "Mcp-Method": "tools/call",
    "Mcp-Name": "search_reviews",
  };
  const answer = await ask("/mcp", { method: "POST", headers, body: JSON.stringify(message) });
  if (answer === undefined) return;
  counts.calls++;
  if (answer.status !== 200 || answer.text.includes('"error"'))
    faults.push(`MCP answered ${answer.status}: ${answer.text.slice(0, 200)}`);
}

/** The behaviour of a subscriber. */
function behaviourOf(index: number): "well" | "fails" | "hangs" | "comes and goes" {
  if (index % 10 === 7) return "fails";
  if (index % 20 === 4) return "comes and goes";
  return index % 20 === 13 ? "hangs" : "well";
}

/** Subscribers whose request was accepted. One that answers well must stay subscribed. */
const accepted = new Set<number>();

/** Subscribes the next subscriber, or renews. The hub removes those that fail. */
async function subscribe(turn: number): Promise<void> {
  const index = turn % SUBSCRIBERS;
  const path = `/s${index}`;
  const behaviour = behaviourOf(index);
  if (behaviour === "fails")
    subscribers.behave(path, ({ method }, response) => method === "POST" && response.writeHead(500).end());
  if (behaviour === "hangs") subscribers.behave(path, ({ method }) => method === "POST");
  const isLeaving = behaviour === "comes and goes" && Math.floor(turn / SUBSCRIBERS) % 2 === 1;
  const body = new URLSearchParams({
    "hub.mode": isLeaving ? "unsubscribe" : "subscribe",
    "hub.topic": steady.url + TOPICS[index % TOPICS.length],
    "hub.callback": `https://h${index}.test.localhost:${subscribers.port}${path}`,
  });
  const answer = await ask("/api/websub/hub", { method: "POST", body });
  if (answer === undefined) return;
  if (answer.status === 429 || answer.status === 503) counts.refusedForNow++;
  else if (answer.status !== 202) faults.push(`hub answered ${answer.status}: ${answer.text}`);
  else if (isLeaving) counts.unsubscribed++;
  else {
    counts.subscribed++;
    accepted.add(index);
  }
}

/** The generation of each review: when a review is removed, the next generation replaces it. */
const generations = new Map<number, number>();
const idOf = (number: number) => `soak-${number}-${generations.get(number) ?? 0}`;
/** The newest imported text of each id. */
const imported = new Map<string, string>();
const removed = new Set<string>();

/** Imports the next reviews with new texts, and a removed one, which must not come back. */
async function importMore(turn: number): Promise<void> {
  const file = join(folder.path, `more-${turn % 10}.jsonl`);
  const ids = Array.from({ length: ROWS_OF_AN_IMPORT }, (_, row) => idOf((turn * ROWS_OF_AN_IMPORT + row) % REVIEWS));
  const again = [...removed][turn % Math.max(1, removed.size)];
  const rows = [...ids, ...(again === undefined ? [] : [again])].map((id, row) => ({
    id,
    author: `Ann Sample ${row}`,
    rating: 1 + ((turn + row) % 5),
    date: "2026-01-02",
    text: `The ${WORDS[(turn + row) % WORDS.length]} visit number ${id} was ${WORDS[(turn * 3 + row) % WORDS.length]} in turn ${turn}.`,
    source: "google",
  }));
  writeFileSync(file, rows.map((row) => JSON.stringify(row)).join("\n"));
  for (;;) {
    const { code, stderr } = await run(folder.path, ["import", file], common);
    if (code === 0) break;
    if (!stderr.includes("during this import. Import again")) return void faults.push(`import: ${stderr}`);
    counts.repeatedImports++;
  }
  counts.imports++;
  for (const { id, text } of rows) imported.set(id, text);
}

async function removeOne(): Promise<void> {
  const answer = await ask("/reviews.json");
  if (answer?.status !== 200) return;
  const { reviews } = JSON.parse(answer.text) as { reviews: { id: string; text: string }[] };
  const review = reviews[Math.floor(Math.random() * reviews.length)];
  const [, id, number] = /visit number (soak-(\d+)-\d+) was/.exec(review?.text ?? "") ?? [];
  if (review === undefined || id === undefined || removed.has(id)) return;
  const { code, stderr } = await run(folder.path, ["remove", review.id], common);
  if (code !== 0) return void faults.push(`remove: ${stderr}`);
  counts.removals++;
  removed.add(id);
  generations.set(Number(number), (generations.get(Number(number)) ?? 0) + 1);
}

/** Kills a server, or stops it as a supervisor does, and starts it again. */
async function interrupt(turn: number): Promise<void> {
  if (turn === 0) return;
  for (const server of isEachInterrupted() ? [steady, interrupted] : [interrupted]) server.isAway = true;
  for (const server of [steady, interrupted].filter(({ isAway }) => isAway)) {
    if (turn % 3 === 0) {
      assert.equal(await server.program?.stop(), 0);
      counts.restarts++;
    } else {
      await server.program?.kill();
      counts.kills++;
    }
  }
  for (const server of [steady, interrupted].filter(({ isAway }) => isAway)) await start(server);
}

/** Megabytes of the embedded store with its write-ahead log; NaN for PostgreSQL. */
function storeMb(): number {
  if (ENGINE === "postgres") return Number.NaN;
  const sizes = ["goodword.db", "goodword.db-wal"].map(
    (name) => statSync(join(folder.path, name), { throwIfNoEntry: false })?.size ?? 0,
  );
  return sizes.reduce((sum, size) => sum + size, 0) / 1e6;
}

async function sampleMemory(): Promise<void> {
  const pid = steady.program?.process.pid;
  if (pid === undefined || steady.isAway || isEachInterrupted()) return;
  memory.push({ mb: residentMb(pid), storeMb: storeMb() });
}

console.log(machine());
const first = await run(folder.path, ["import", "business.yaml"], common);
assert.equal(first.code, 0, first.stderr);
await start(steady);
await start(interrupted);
await Promise.all([
  ...Array.from({ length: READERS }, (_, reader) => {
    const held = new Map<string, string>();
    return repeat(
      (turn) => read(["/reviews.json", "/insights.json", "/feed.xml", "/"][(turn + reader) % 4] ?? "/", held),
      20,
    );
  }),
  repeat(search, 50),
  repeat(callTool, 100),
  repeat(subscribe, 300),
  repeat(importMore, IMPORT_EVERY_MS),
  repeat(removeOne, REMOVE_EVERY_MS),
  repeat(interrupt, KILL_EVERY_MS),
  repeat(giveUp, 1_000),
  repeat(sampleMemory, SAMPLE_EVERY_MS),
]);

const expected = new Map([...imported].filter(([id]) => !removed.has(id)));
const settlingAt = performance.now();
await settle();
const settledAfter = (performance.now() - settlingAt) / 1000;
report();
await steady.program?.stop();
await interrupted.program?.stop();
await subscribers.close();
process.exit(faults.length === 0 ? 0 : 1);

/** Waits until both servers publish what was imported and not removed, and every subscriber has it. */
async function settle(): Promise<void> {
  const giveUpAt = performance.now() + SETTLE_MS;
  for (;;) {
    const wrong = await findFaults();
    if (wrong.length === 0) return;
    if (performance.now() > giveUpAt) return void faults.push(...wrong);
    await wait(500);
  }
}

async function findFaults(): Promise<string[]> {
  const wrong: string[] = [];
  for (const server of [steady, interrupted]) {
    const answer = await ask("/reviews.json", {}, server);
    if (answer?.status !== 200) return ["/reviews.json is not answered"];
    const published = new Map(
      (JSON.parse(answer.text) as { reviews: { text: string }[] }).reviews.map(({ text }) => [
        /visit number (\S+) was/.exec(text)?.[1] ?? "",
        text,
      ]),
    );
    for (const [id, text] of expected) if (published.get(id) !== text) wrong.push(`lost: ${text}`);
    for (const id of removed) if (published.has(id)) wrong.push(`came back: ${published.get(id)}`);
  }
  const newest = new Map<string, string>();
  for (const topic of TOPICS) newest.set(topic, (await ask(topic, {}, steady))?.text ?? "");
  const { stdout } = await run(folder.path, ["subscriptions", "--json"], common);
  const active = new Set(
    (JSON.parse(stdout) as { callback_host: string; state: string }[])
      .filter(({ state }) => state === "active")
      .map(({ callback_host }) => callback_host),
  );
  for (const index of accepted) {
    if (behaviourOf(index) !== "well") continue;
    if (!active.has(`h${index}.test.localhost:${subscribers.port}`)) {
      wrong.push(`subscriber ${index} is no longer subscribed`);
      continue;
    }
    const last = subscribers.deliveries(`/s${index}`).at(-1)?.body.toString();
    if (last !== newest.get(TOPICS[index % TOPICS.length] ?? "")) wrong.push(`subscriber ${index} has not the newest`);
  }
  return wrong;
}

function report(): void {
  readLog(steady);
  readLog(interrupted);
  const quarters = [0, 1, 2, 3].map((quarter) => {
    const part = memory.slice(
      Math.floor((memory.length * quarter) / 4),
      Math.floor((memory.length * (quarter + 1)) / 4),
    );
    return { mb: median(part.map(({ mb }) => mb)), storeMb: median(part.map(({ storeMb }) => storeMb)) };
  });
  const [, second, , last] = quarters;
  console.log(`${MINUTES} minutes on ${ENGINE}, load ${loadavg()[0]?.toFixed(1)} at the end`);
  console.log(
    Object.entries(counts)
      .map(([name, count]) => `${name} ${count}`)
      .join(", "),
  );
  console.log(
    `${expected.size} reviews expected and published, ${removed.size} removed, ${subscribers.deliveries().length} notifications arrived, all was told ${settledAfter.toFixed(1)} s after the load`,
  );
  console.log(
    `of the server that was not interrupted, medians of each quarter: MB resident ${quarters.map(({ mb }) => mb.toFixed(0)).join(", ")}; MB of store ${quarters.map(({ storeMb }) => storeMb.toFixed(1)).join(", ")}`,
  );
  for (const [message, count] of logged) console.log(`logged ${count} times: ${message}`);
  if (second === undefined || last === undefined || last.mb > 1.15 * second.mb + 10) faults.push("memory grew");
  console.log(
    faults.length === 0
      ? "Nothing was lost."
      : `${faults.length} faults:\n${[...new Set(faults)].slice(0, 20).join("\n")}`,
  );
}
