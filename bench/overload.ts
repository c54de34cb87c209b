/**
 * Several times more costly requests than one core can answer, sent at fixed times without waiting for answers (an open
 * loop): searches, pages of the list and MCP calls, no two of them equal, by many clients and a greedy one, with a
 * dataset read beside them. First the cost of a request is measured, which gives the capacity. Then: the share that is
 * answered, its latency, the dataset's latency, memory, and the time until latencies are as before. Not part of
 * `npm run bench`.
 *
 *     node bench/overload.ts [reviews] [seconds] [times the capacity]
 */
import { spawn } from "node:child_process";
import { writeFileSync } from "node:fs";
import { Agent, request } from "node:http";
import { connect, type Socket } from "node:net";
import { availableParallelism, loadavg } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { run, type Served, serveProgram, temporaryFolder } from "../test/support/program.ts";
import { percentile } from "./figures.ts";
import { machine, processorSeconds, residentMb } from "./processor.ts";

const REVIEWS = Number(process.argv[2] ?? 20_000);
const SECONDS = Number(process.argv[3] ?? 20);
const TIMES = Number(process.argv[4] ?? 4);
const CLIENTS = 40;
/** The address of the greedy client, which sends half of all requests. */
const GREEDY = "127.0.0.200";
const TIMEOUT_MS = 30_000;
const CALM_PER_SECOND = 4;
const [WARM_UP_REQUESTS, MEASURED_REQUESTS] = [300, 500];
const WORDS =
  "cold warm quick late polite honest furnace filter quote invoice duct thermostat weekend tidy again".split(" ");

interface Answered {
  readonly status: number;
  readonly ms: number;
  readonly isGreedy: boolean;
}

const agent = new Agent({ keepAlive: true, maxSockets: Number.POSITIVE_INFINITY, maxFreeSockets: 512 });
let sent = 0;

/** The next costly request. */
function nextRequest(): { readonly path: string; readonly body?: string } {
  sent += 1;
  const words = `${WORDS[sent % WORDS.length]}${sent % 90}`;
  if (sent % 5 === 0) return { path: `/reviews?query=${words}&offset=${sent % 40}` };
  if (sent % 5 !== 1) return { path: `/api/reviews/search?query=${words}&offset=${sent % 1000}&limit=20` };
  const params = {
    name: "search_reviews",
    arguments: { query: words, limit: 10, offset: sent % 1000 },
    _meta: ENVELOPE,
  };
  return { path: "/mcp", body: JSON.stringify({ jsonrpc: "2.0", id: sent, method: "tools/call", params }) };
}

const ENVELOPE = {
  "io.modelcontextprotocol/protocolVersion": "2026-07-28",
  "io.modelcontextprotocol/clientInfo": { name: "overload", version: "1" },
  "io.modelcontextprotocol/clientCapabilities": {},
};
const MCP_HEADERS = {
  "Content-Type": "application/json",
  Accept: "application/json, text/event-stream",
  "MCP-Protocol-Version": "2026-07-28",
  "Mcp-Method": "tools/call",
  "Mcp-Name": "search_reviews",
};

/** Sends a request; resolves with status 0 when there is no answer. */
function send(port: number, path: string, localAddress: string, body?: string): Promise<Answered> {
  const startedAt = performance.now();
  const { promise, resolve } = Promise.withResolvers<Answered>();
  const end = (status: number) =>
    resolve({ status, ms: performance.now() - startedAt, isGreedy: localAddress === GREEDY });
  const post = body === undefined ? {} : { method: "POST", headers: MCP_HEADERS };
  const outgoing = request({ agent, host: "127.0.0.1", port, path, localAddress, ...post }, (response) => {
    response
      .resume()
      .on("end", () => end(response.statusCode ?? 0))
      .on("error", () => end(0));
  });
  outgoing.setTimeout(TIMEOUT_MS, () => outgoing.destroy()).on("error", () => end(0));
  outgoing.end(body);
  return promise;
}

/** Sends `count` costly requests, four at a time. */
async function ask(server: Served, count: number): Promise<void> {
  let left = count;
  const askOn = async () => {
    for (; left > 0; left -= 1) {
      const { path, body } = nextRequest();
      await send(server.port, path, "127.0.0.1", body);
    }
  };
  await Promise.all(Array.from({ length: 4 }, askOn));
}

interface Measured {
  readonly answers: readonly Answered[];
  readonly cheap: readonly Answered[];
  readonly peakMb: number;
  /** Processor time of the server while requests were sent. */
  readonly processorSeconds: number;
}

/** A connection on which requests are pipelined, which costs the generator so little that it is not the bottleneck. */
class Pipeline {
  readonly #socket: Socket;
  readonly #sentAt: number[] = [];
  readonly answers: Answered[] = [];

  constructor(port: number, localAddress: string) {
    const isGreedy = localAddress === GREEDY;
    this.#socket = connect({ host: "127.0.0.1", port, localAddress, noDelay: true });
    this.#socket.on("error", () => this.#socket.destroy());
    this.#socket.on("data", (part: Buffer) => {
      const now = performance.now();
      for (let at = part.indexOf("HTTP/1.1 "); at !== -1; at = part.indexOf("HTTP/1.1 ", at + 9)) {
        const status = Number(part.toString("latin1", at + 9, at + 12));
        this.answers.push({ status, ms: now - (this.#sentAt.shift() ?? now), isGreedy });
      }
    });
  }

  write(path: string, body = ""): void {
    this.#sentAt.push(performance.now());
    const headers = Object.entries(MCP_HEADERS).map(([name, value]) => `${name}: ${value}\r\n`);
    const post = `${headers.join("")}Content-Length: ${Buffer.byteLength(body)}\r\n`;
    this.#socket.write(
      `${body === "" ? "GET" : "POST"} ${path} HTTP/1.1\r\nHost: localhost\r\n${body === "" ? "" : post}\r\n${body}`,
    );
  }

  get waiting(): number {
    return this.#socket.destroyed ? 0 : this.#sentAt.length;
  }

  /** Ends the connection; requests without an answer have the status 0. */
  end(): readonly Answered[] {
    this.#socket.destroy();
    const lost = this.#sentAt.map(() => ({ status: 0, ms: 0, isGreedy: false }));
    return [...this.answers, ...lost];
  }
}

/** Sends costly requests at an even rate, and a cheap one twenty times a second. */
async function offer(server: Served, perSecond: number, seconds: number): Promise<Measured> {
  const greedy = Array.from({ length: CLIENTS }, () => new Pipeline(server.port, GREEDY));
  const others = Array.from({ length: CLIENTS }, (_, client) => new Pipeline(server.port, `127.0.0.${1 + client}`));
  const cheap = new Pipeline(server.port, "127.0.0.250");
  const startedAt = performance.now();
  const before = processorSeconds(server.process.pid ?? 0);
  let [due, cheapDue, peakMb] = [0, 0, 0];
  for (;;) {
    const elapsed = (performance.now() - startedAt) / 1000;
    if (elapsed >= seconds) break;
    for (; due < elapsed * perSecond; due += 1) {
      const { path, body } = nextRequest();
      const lines = due % 2 === 0 ? greedy : others;
      lines[Math.floor(due / 2) % CLIENTS]?.write(path, body);
    }
    for (; cheapDue < elapsed * 20; cheapDue += 1) cheap.write("/api/feed.json");
    peakMb = Math.max(peakMb, residentMb(server.process.pid ?? 0));
    await wait(5);
  }
  const spent = processorSeconds(server.process.pid ?? 0) - before;
  const giveUpAt = performance.now() + TIMEOUT_MS;
  const all = [...greedy, ...others];
  while (performance.now() < giveUpAt && [...all, cheap].some(({ waiting }) => waiting > 0)) await wait(20);
  return { answers: all.flatMap((line) => line.end()), cheap: cheap.end(), peakMb, processorSeconds: spent };
}

function tell(name: string, perSecond: number, seconds: number, measured: Measured): void {
  const { answers, cheap, peakMb } = measured;
  const good = answers.filter(({ status }) => status === 200);
  const refused = answers.filter(({ status }) => status === 503).length;
  const broken = answers.length - good.length - refused;
  const ms = good.map((answer) => answer.ms);
  const greedy = good.filter(({ isGreedy }) => isGreedy).length / Math.max(1, good.length);
  const cheapMs = cheap.map((answer) => answer.ms);
  const lost = cheap.filter(({ status }) => status !== 200).length;
  const figures = [
    perSecond.toFixed(0),
    (good.length / seconds).toFixed(0),
    ((100 * refused) / Math.max(1, answers.length)).toFixed(0),
    broken,
    percentile(ms, 0.5).toFixed(0),
    percentile(ms, 0.99).toFixed(0),
    (100 * greedy).toFixed(0),
    percentile(cheapMs, 0.5).toFixed(0),
    percentile(cheapMs, 0.99).toFixed(0),
    lost,
    peakMb.toFixed(0),
    ((100 * measured.processorSeconds) / seconds).toFixed(0),
    (good.length / measured.processorSeconds).toFixed(0),
  ];
  console.log(name.padEnd(22) + figures.map((figure) => String(figure).padStart(9)).join(""));
}

/** Seconds until three costly requests in a row are answered within twice the calm's latency. */
async function recovery(server: Served, calmMs: number): Promise<number> {
  const startedAt = performance.now();
  for (let inTime = 0; inTime < 3; ) {
    const { path, body } = nextRequest();
    const { status, ms } = await send(server.port, path, "127.0.0.1", body);
    inTime = status === 200 && ms <= 2 * calmMs ? inTime + 1 : 0;
    if (performance.now() - startedAt > 60_000) return Number.POSITIVE_INFINITY;
    await wait(50);
  }
  return (performance.now() - startedAt) / 1000;
}

using folder = temporaryFolder();
const lines = Array.from({ length: REVIEWS }, (_, number) => {
  const text = Array.from(
    { length: 40 },
    (_, word) => `${WORDS[(number * 7 + word * 13) % WORDS.length]}${(number * word) % 90}`,
  ).join(" ");
  const date = new Date(Date.UTC(2026, 0, 1) - number * 3_600_000).toISOString().slice(0, 10);
  const review = { id: `overload-${number}`, author: "Ann Sample", rating: 1 + (number % 5), date, text };
  return JSON.stringify({ ...review, source: "google" });
});
const file = join(folder.path, "reviews.jsonl");
writeFileSync(file, lines.join("\n"));
writeFileSync(
  join(folder.path, "business.yaml"),
  "name: Overload Sample\ncategory: HVACBusiness\ntime_zone: America/Chicago\n",
);
const imported = await run(folder.path, ["import", file, join(folder.path, "business.yaml")]);
if (imported.code !== 0) throw new Error(imported.stderr);
const server = await serveProgram(folder.path);
const pid = server.process.pid ?? 0;
if (availableParallelism() > 1)
  spawn("taskset", ["-a", "-p", "-c", "0", String(pid)], { stdio: "ignore" }).on("error", () => {});

console.log(machine());
await ask(server, WARM_UP_REQUESTS);
const before = processorSeconds(pid);
await ask(server, MEASURED_REQUESTS);
const cost = (processorSeconds(pid) - before) / MEASURED_REQUESTS;
const offered = TIMES / cost;
const calmSeconds = Math.max(8, SECONDS / 2);
const calm = await offer(server, CALM_PER_SECOND, calmSeconds);
console.log(
  `${REVIEWS} reviews; a costly request takes ${(1000 * cost).toFixed(1)} ms of processor, so a core answers ${(1 / cost).toFixed(0)} a second; ${TIMES} times that is offered, half of it by one client`,
);
const head = [
  "offered/s",
  "answered",
  "refused %",
  "broken",
  "median ms",
  "p99",
  "greedy %",
  "cheap ms",
  "p99",
  "lost",
  "MB",
  "core %",
  "per core",
];
console.log(" ".repeat(22) + head.map((name) => name.padStart(9)).join(""));
tell("calm", CALM_PER_SECOND, calmSeconds, calm);
const over = await offer(server, offered, SECONDS);
tell(`${TIMES} × the capacity`, offered, SECONDS, over);
const calmMs = percentile(
  calm.answers.map(({ ms }) => ms),
  0.9,
);
const recovered = await recovery(server, calmMs);
tell("after", CALM_PER_SECOND, SECONDS / 2, await offer(server, CALM_PER_SECOND, SECONDS / 2));
const again = await offer(server, offered, 2 * SECONDS);
tell("again, twice as long", offered, 2 * SECONDS, again);
tell("after", CALM_PER_SECOND, SECONDS / 2, await offer(server, CALM_PER_SECOND, SECONDS / 2));
console.log(`as before ${recovered.toFixed(1)} s after the first; load ${loadavg()[0]?.toFixed(1)} at the end`);
agent.destroy();
await server.stop();
