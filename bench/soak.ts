/**
 * Mixed load for as long as is asked: reads, searches, MCP calls, subscribers that answer, fail or hang, imports,
 * removals, restarts and kills. At the end nothing may be lost: every import is published, every removal holds, every
 * subscriber that answers has the newest document, and memory has not grown.
 *
 *     npm run soak [-- MINUTES [sqlite|postgres]]
 */
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { freePort } from "../test/free-port.ts";
import { emptyDatabase } from "../test/postgres-server.ts";
import { run, type Served, serveProgram, temporaryFolder } from "../test/program.ts";
import { openSubscribers, SUBSCRIBER_CERTIFICATE } from "../test/subscriber.ts";
import { machine, median, residentMb } from "./processor.ts";

const MINUTES = Number(process.argv[2] ?? 30);
const ENGINE = process.argv[3] ?? "sqlite";
const TOPICS = ["/feed.xml", "/api/feed.json", "/reviews.json"];
const SUBSCRIBERS = 60;
const READERS = 6;
const IMPORT_EVERY_MS = 4_000;
const REMOVE_EVERY_MS = 9_000;
const KILL_EVERY_MS = 23_000;
const SAMPLE_EVERY_MS = 2_000;
const SETTLE_MS = 120_000;
const WORDS = ["cold", "warm", "late", "polite", "filter", "invoice", "duct", "again"];

const counts = {
  reads: 0,
  unmodified: 0,
  searches: 0,
  calls: 0,
  imports: 0,
  removals: 0,
  kills: 0,
  restarts: 0,
  away: 0,
};
const faults: string[] = [];
const memory: { readonly at: number; readonly mb: number }[] = [];
const endsAt = performance.now() + MINUTES * 60_000;
const isGoingOn = () => performance.now() < endsAt;

using folder = temporaryFolder();
const certificateFile = join(folder.path, "authority.pem");
writeFileSync(certificateFile, SUBSCRIBER_CERTIFICATE.certificate);
writeFileSync(
  join(folder.path, "business.yaml"),
  "name: Soak Sample\ncategory: HVACBusiness\ntime_zone: America/Chicago\n",
);
const port = await freePort();
const settings: Record<string, string> = {
  ...(ENGINE === "postgres" ? { DATABASE_URL: await emptyDatabase() } : {}),
  PORT: String(port),
  BASE_URL: `http://localhost:${port}`,
  HUB_ALLOW_CALLBACKS: "127.0.0.0/8",
  HUB_RETRY_SECONDS: "2,5",
  HUB_TIMEOUT_SECONDS: "3",
  NODE_EXTRA_CA_CERTS: certificateFile,
};
const url = `http://localhost:${port}`;
const subscribers = await openSubscribers();
let program: Served | undefined;
/** While the program is killed or stopped on purpose, requests may fail. */
let isAway = true;

async function start(): Promise<void> {
  program = await serveProgram(folder.path, settings);
  isAway = false;
}

/** Asks; undefined while the program is away, or when it went away during the answer. */
async function ask(
  path: string,
  init: RequestInit = {},
): Promise<{ status: number; text: string; etag: string } | undefined> {
  const wasAway = isAway;
  const before = program;
  try {
    const response = await fetch(url + path, { ...init, signal: AbortSignal.timeout(30_000) });
    const text = await response.text();
    return { status: response.status, text, etag: response.headers.get("ETag") ?? "" };
  } catch (error) {
    if (wasAway || isAway || before !== program) counts.away++;
    else faults.push(`${path}: ${error}`);
    return undefined;
  }
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

/** Reads a document under the tag it was given last. The same tag must always mean the same bytes. */
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
  const known = bodies.get(path + answer.etag);
  if (known !== undefined && known !== hash) faults.push(`${path}: two bodies under the tag ${answer.etag}`);
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

/** Who answers well, fails, or never answers. */
function behaviourOf(index: number): "well" | "fails" | "hangs" {
  if (index % 10 === 7) return "fails";
  return index % 20 === 13 ? "hangs" : "well";
}

/** Subscribes again and again, as a renewal; a subscriber that fails is removed by and by. */
async function subscribe(turn: number): Promise<void> {
  const index = turn % SUBSCRIBERS;
  const path = `/s${index}`;
  const behaviour = behaviourOf(index);
  if (behaviour === "fails")
    subscribers.behave(path, ({ method }, response) => method === "POST" && response.writeHead(500).end());
  if (behaviour === "hangs") subscribers.behave(path, ({ method }) => method === "POST");
  const body = new URLSearchParams({
    "hub.mode": "subscribe",
    "hub.topic": url + TOPICS[index % TOPICS.length],
    "hub.callback": `https://h${index}.test.localhost:${subscribers.port}${path}`,
  });
  const answer = await ask("/api/websub/hub", { method: "POST", body });
  if (answer !== undefined && answer.status !== 202 && answer.status !== 429)
    faults.push(`hub answered ${answer.status}: ${answer.text}`);
}

const imported = new Set<string>();
const removed = new Map<string, string>();

async function importMore(turn: number): Promise<void> {
  const file = join(folder.path, `more-${turn}.jsonl`);
  const rows = Array.from({ length: 5 }, (_, row) => {
    const id = `soak-${turn}-${row}`;
    const text = `The ${WORDS[(turn + row) % WORDS.length]} visit number ${id} was ${WORDS[(turn * 3 + row) % WORDS.length]}.`;
    return {
      id,
      author: `Ann Sample ${turn}`,
      rating: 1 + ((turn + row) % 5),
      date: "2026-01-02",
      text,
      source: "google",
    };
  });
  writeFileSync(file, rows.map((row) => JSON.stringify(row)).join("\n"));
  const { code, stderr } = await run(folder.path, ["import", file], settings);
  if (code !== 0) return void faults.push(`import: ${stderr}`);
  counts.imports++;
  for (const { text } of rows) imported.add(text);
}

async function removeOne(): Promise<void> {
  const answer = await ask("/reviews.json");
  if (answer?.status !== 200) return;
  const { reviews } = JSON.parse(answer.text) as { reviews: { id: string; text: string }[] };
  const review = reviews[Math.floor(reviews.length / 2)];
  if (review === undefined || removed.has(review.id) || !imported.has(review.text)) return;
  const { code, stderr } = await run(folder.path, ["remove", review.id], settings);
  if (code !== 0) return void faults.push(`remove: ${stderr}`);
  counts.removals++;
  removed.set(review.id, review.text);
}

/** Kills the program, or stops it as a supervisor does, and starts it again. */
async function interrupt(turn: number): Promise<void> {
  if (turn === 0) return;
  isAway = true;
  if (turn % 3 === 0) {
    assert.equal(await program?.stop(), 0);
    counts.restarts++;
  } else {
    await program?.kill();
    counts.kills++;
  }
  await start();
}

async function sampleMemory(): Promise<void> {
  const pid = program?.process.pid;
  if (pid === undefined || isAway) return;
  memory.push({ at: performance.now(), mb: residentMb(pid) });
}

console.log(machine());
const first = await run(folder.path, ["import", "business.yaml"], settings);
assert.equal(first.code, 0, first.stderr);
await start();
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
  repeat(sampleMemory, SAMPLE_EVERY_MS),
]);

const expected = new Set([...imported].filter((text) => ![...removed.values()].includes(text)));
await settle();
report();
await program?.stop();
await subscribers.close();
process.exit(faults.length === 0 ? 0 : 1);

/** Waits until what is published is what was imported and not removed, and every subscriber has been told. */
async function settle(): Promise<void> {
  const giveUpAt = performance.now() + SETTLE_MS;
  for (;;) {
    const wrong = await whatIsMissing();
    if (wrong.length === 0) return;
    if (performance.now() > giveUpAt) return void faults.push(...wrong);
    await wait(500);
  }
}

async function whatIsMissing(): Promise<string[]> {
  const wrong: string[] = [];
  const answer = await ask("/reviews.json");
  if (answer?.status !== 200) return ["/reviews.json is not answered"];
  const published = new Set(
    (JSON.parse(answer.text) as { reviews: { text: string }[] }).reviews.map(({ text }) => text),
  );
  for (const text of expected) if (!published.has(text)) wrong.push(`lost: ${text}`);
  for (const text of removed.values()) if (published.has(text)) wrong.push(`came back: ${text}`);
  const newest = new Map<string, string>();
  for (const topic of TOPICS) newest.set(topic, (await ask(topic))?.text ?? "");
  const { stdout } = await run(folder.path, ["subscriptions", "--json"], settings);
  const active = new Set((JSON.parse(stdout) as { callback_host: string }[]).map(({ callback_host }) => callback_host));
  for (let index = 0; index < SUBSCRIBERS; index += 1) {
    if (behaviourOf(index) !== "well" || !active.has(`h${index}.test.localhost:${subscribers.port}`)) continue;
    const deliveries = subscribers.deliveries(`/s${index}`);
    const last = deliveries.at(-1)?.body.toString();
    if (last !== newest.get(TOPICS[index % TOPICS.length] ?? "")) wrong.push(`subscriber ${index} has not the newest`);
  }
  return wrong;
}

function report(): void {
  const half = memory.slice(Math.floor(memory.length / 2));
  const early = half.slice(0, Math.floor(half.length / 2)).map(({ mb }) => mb);
  const late = half.slice(Math.floor(half.length / 2)).map(({ mb }) => mb);
  const delivered = subscribers.deliveries().length;
  console.log(`${MINUTES} minutes on ${ENGINE}`);
  console.log(
    Object.entries(counts)
      .map(([name, count]) => `${name} ${count}`)
      .join(", "),
  );
  console.log(
    `${expected.size} reviews expected and published, ${removed.size} removed, ${delivered} notifications arrived`,
  );
  console.log(
    `MB resident, medians of the third and the last quarter: ${median(early).toFixed(0)}, ${median(late).toFixed(0)}`,
  );
  if (median(late) > 1.25 * median(early) + 20) faults.push("memory grew");
  console.log(
    faults.length === 0
      ? "Nothing was lost."
      : `${faults.length} faults:\n${[...new Set(faults)].slice(0, 20).join("\n")}`,
  );
}
