/**
 * Reading documents, each request with a head that was never sent before: its own `X-Forwarded-For` and `User-Agent`, as
 * behind any proxy. goodword, a bare `node:http` server and fastify with the same bytes ready, and nginx with the same
 * bytes on disk, in turns in the same run, each on the same one core. Compared by the processor time of the server for a
 * request, which the rest of the machine hardly moves: a ratio of 0.5 is twice the peer's time. Before anything is
 * measured, each server and the client have run long enough that their code is compiled.
 *
 *     node bench/read.ts [requests per measurement] [rounds]
 */
import { type ChildProcess, spawn } from "node:child_process";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { serveProgram, temporaryFolder } from "../test/support/program.ts";
import { ask } from "../test/support/wire.ts";
import { openBareServer } from "./bare-peer.ts";
import { median, report, shown } from "./figures.ts";
import { askOften } from "./head-client.ts";
import { openNginx } from "./nginx-peer.ts";
import { machine, threadSeconds } from "./processor.ts";
import { untilQuiet } from "./quiet-process.ts";

const REQUESTS = Number(process.argv[2] ?? 1_500);
const ROUNDS = Number(process.argv[3] ?? 5);
const PATHS = ["/reviews.json", "/insights.json", "/api/feed.json", "/feed.xml", "/api/reviews/since/2026-06-01"];
const KINDS = ["identity", "gzip", "304"] as const;
type Kind = (typeof KINDS)[number];
const WARM_UP_REQUESTS = 5_000;
/** Lower limits of requests per processor second, as a share of the bare server's. */
const [MIN_MEDIAN_RATIO, MIN_WORST_RATIO] = [0.8, 0.7];

interface Server {
  readonly name: string;
  readonly process: ChildProcess;
  readonly urlOf: (pathIndex: number, coding: string) => string;
}

/** Binds a process and its threads to one core where the machine can. */
function pin(child: ChildProcess): void {
  if (availableParallelism() > 1)
    spawn("taskset", ["-a", "-p", "-c", "0", String(child.pid)], { stdio: "ignore" }).on("error", () => {});
}

/** Microseconds of the server's processor time for one request. */
async function microseconds(server: Server, pathIndex: number, kind: Kind, count = REQUESTS): Promise<number> {
  const coding = kind === "304" ? "gzip" : kind;
  const url = server.urlOf(pathIndex, coding);
  const accept = { "accept-encoding": coding };
  const { etag = "" } = (await ask(url, { headers: accept })).headers;
  const headers = `Accept-Encoding: ${coding}\r\n${kind === "304" ? `If-None-Match: ${etag}\r\n` : ""}`;
  const pid = server.process.pid ?? 0;
  let before = 0;
  const onStart = () => {
    before = threadSeconds(pid);
  };
  await askOften(new URL(url), { headers, status: kind === "304" ? 304 : 200, count, onStart });
  return ((threadSeconds(pid) - before) * 1e6) / count;
}

using folder = temporaryFolder();
const program = await serveProgram(folder.path, { LOG_LEVEL: "info" });
using bare = await openBareServer(program.url, PATHS);
using fastify = await openBareServer(program.url, PATHS, "fastify");
const codings = KINDS.filter((kind) => kind !== "304");
const nginx = await openNginx(join(folder.path, "files"), { origin: program.url, paths: PATHS, codings });
await untilQuiet(program.process.pid ?? 0); // a renderer that works in the background is not the cost of a request
const byPath = (origin: string) => (pathIndex: number) => `${origin}${PATHS[pathIndex]}`;
const servers: readonly Server[] = [
  { name: "goodword", process: program.process, urlOf: byPath(program.url) },
  { name: "bare node:http", process: bare.process, urlOf: byPath(bare.url) },
  { name: "fastify", process: fastify.process, urlOf: byPath(fastify.url) },
  ...(nginx === undefined
    ? []
    : [
        {
          name: nginx.version,
          process: nginx.process,
          urlOf: (index: number, of: string) => `${nginx.url}/${of}/${index}`,
        },
      ]),
];
for (const server of servers) {
  pin(server.process);
  for (const kind of KINDS) await microseconds(server, 0, kind, WARM_UP_REQUESTS);
}

interface Row {
  readonly pathIndex: number;
  readonly kind: Kind;
  /** For each server the microseconds of each round. */
  readonly times: readonly number[][];
}
const rows: readonly Row[] = PATHS.keys()
  .flatMap((pathIndex) => KINDS.map((kind) => ({ pathIndex, kind, times: servers.map((): number[] => []) })))
  .toArray();
for (let round = 0; round < ROUNDS; round++) {
  for (const { pathIndex, kind, times } of rows) {
    for (const [index, server] of servers.entries()) times[index]?.push(await microseconds(server, pathIndex, kind));
  }
}

/**
 * A peer's time divided by ours: how many requests we answer in the time of one of the peer's. The median of all rounds,
 * in each of which the two were measured one after the other.
 */
function ratioTo(peer: number, { times }: Row): number {
  const [ours = [], theirs = []] = [times[0], times[peer]];
  return median(theirs.map((time, round) => time / (ours[round] ?? Number.NaN)));
}

console.log(machine());
console.log(`µs of processor a request, medians of ${ROUNDS} rounds of ${REQUESTS} requests`);
console.log(`${" ".repeat(40)}${servers.map(({ name }) => name.padStart(15)).join("")}   of bare`);
for (const row of rows) {
  const cells = row.times.map((times) => median(times).toFixed(1).padStart(15));
  const ratio = ratioTo(1, row).toFixed(2);
  console.log(`${`${PATHS[row.pathIndex]} ${row.kind}`.padEnd(40)}${cells.join("")}${ratio.padStart(10)}`);
}
const bareRatios = rows.map((row) => ratioTo(1, row));
const others = servers.slice(2).map(({ name }, index) => {
  const ratios = rows.map((row, at) => (bareRatios[at] ?? Number.NaN) / ratioTo(index + 2, row));
  return `; ${name}: ${shown(median(ratios))}`;
});
const figure = {
  peer: `bare node:http = 1${others.join("")}`,
  unit: "",
  samples: bareRatios,
  of: `documents and 304s × ${ROUNDS} rounds`,
};
const work = "GET and 304 with a head never sent before: requests for the same processor time, × the peer's";
report({ work, ...figure, atLeast: MIN_MEDIAN_RATIO });
report({ work: `${work}, the worst`, ...figure, value: Math.min(...bareRatios), atLeast: MIN_WORST_RATIO });
nginx?.process.kill();
await program.stop();
