/**
 * Reading documents: nginx with the same bytes on disk, a bare `node:http` server with ready buffers, and goodword, in
 * turns in the same run, each on the same one core. Compared by the processor time of the server for a request, which
 * what else runs on the machine hardly moves; a ratio of 0.5 is twice the peer's time. Before anything is measured, each
 * server and the client have run long enough that their code is compiled.
 *
 *     node bench/read.ts [seconds per measurement] [rounds]
 */
import { type ChildProcess, spawn } from "node:child_process";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import autocannon from "autocannon";
import { serveProgram, temporaryFolder } from "../test/support/program.ts";
import { ask } from "../test/support/wire.ts";
import { openBareServer } from "./bare-peer.ts";
import { median, report, shown } from "./figures.ts";
import { openNginx } from "./nginx-peer.ts";
import { machine, processorSeconds } from "./processor.ts";

const SECONDS = Number(process.argv[2] ?? 3);
const ROUNDS = Number(process.argv[3] ?? 5);
const PATHS = ["/reviews.json", "/insights.json", "/api/feed.json", "/feed.xml", "/api/reviews/since/2026-06-01"];
const CODINGS = ["identity", "gzip", "br"];
/** How often each server is asked for its first document, in each of these ways, before anything is measured. */
const WARMING_ROUNDS = 4;
const WARMED = ["304", "identity", "gzip"];

/** Binds a process and its threads to one core where the machine can. */
function pin(child: ChildProcess): void {
  if (availableParallelism() > 1)
    spawn("taskset", ["-a", "-p", "-c", "0", String(child.pid)], { stdio: "ignore" }).on("error", () => {});
}

/** Microseconds of the server's processor time for one request. */
async function microseconds(child: ChildProcess, url: string, headers: Record<string, string>): Promise<number> {
  const before = processorSeconds(child.pid ?? 0);
  const result = await autocannon({ url, connections: 16, duration: SECONDS, headers });
  if (result.errors > 0 || result["5xx"] > 0 || result["4xx"] > 0) throw new Error(`${url} met errors`);
  return ((processorSeconds(child.pid ?? 0) - before) * 1e6) / result.requests.total;
}

using folder = temporaryFolder();
const program = await serveProgram(folder.path, { LOG_LEVEL: "info" });
pin(program.process);
using bare = await openBareServer(program.url, PATHS);
pin(bare.process);
const nginx = await openNginx(join(folder.path, "files"), { origin: program.url, paths: PATHS, codings: CODINGS });
if (nginx !== undefined) pin(nginx.process);

console.log(machine());
console.log(
  `µs of processor a request, medians of ${ROUNDS} rounds of ${SECONDS} s; ${nginx?.version ?? "no nginx here"}`,
);
console.log("document                        kind      bytes   nginx    bare  goodword   of nginx   of bare");
/** How many times our processor time a peer needs for a document, or for a 304 of it. */
interface Ratio {
  readonly document: string;
  readonly median: number;
  readonly rounds: readonly number[];
}
const ratios = {
  nginx: { documents: [] as Ratio[], unmodified: [] as Ratio[] },
  bare: { documents: [] as Ratio[], unmodified: [] as Ratio[] },
};
/** Microseconds that nginx, the bare server and goodword need for a document in turns, and its length. */
async function inTurns(index: number, kind: string, rounds: number) {
  const path = PATHS[index];
  const coding = kind === "304" ? "gzip" : kind;
  const asked = { "accept-encoding": coding };
  const probe = await ask(`${program.url}${path}`, { headers: asked });
  const fileUrl = `${nginx?.url}/${coding}/${index}`;
  const own = (etag: string | undefined) => (kind === "304" ? { ...asked, "if-none-match": etag ?? "" } : asked);
  const fileTag = nginx === undefined ? undefined : (await ask(fileUrl)).headers.etag;
  const rows: [number[], number[], number[]] = [[], [], []];
  for (let round = 0; round < rounds; round++) {
    if (nginx !== undefined) rows[0].push(await microseconds(nginx.process, fileUrl, own(fileTag)));
    rows[1].push(await microseconds(bare.process, `${bare.url}${path}`, own(probe.headers.etag)));
    rows[2].push(await microseconds(program.process, `${program.url}${path}`, own(probe.headers.etag)));
  }
  return { rows, bytes: kind === "304" ? 0 : probe.body.length };
}

for (let round = 0; round < WARMING_ROUNDS; round++) for (const kind of WARMED) await inTurns(0, kind, 1);
for (const [index, path] of PATHS.entries()) {
  for (const kind of [...CODINGS, "304"]) {
    const { rows, bytes } = await inTurns(index, kind, ROUNDS);
    const [theirs, bares, ours] = rows.map(median) as [number, number, number];
    const part = kind === "304" ? "unmodified" : "documents";
    const document = kind === "304" ? path : `${path}, ${kind}`;
    const ratioOf = (times: readonly number[]): Ratio => ({
      ...{ document, median: median(times) / ours },
      rounds: times.map((time, round) => time / (rows[2][round] ?? Number.NaN)),
    });
    ratios.nginx[part].push(ratioOf(rows[0]));
    ratios.bare[part].push(ratioOf(rows[1]));
    const figures = [theirs, bares, ours].map((value) => value.toFixed(1).padStart(7));
    const ratio = (peer: number) => (peer / ours).toFixed(2).padStart(9);
    console.log(
      `${path.padEnd(31)} ${kind.padEnd(8)} ${String(bytes).padStart(7)} ${figures.join(" ")}   ${ratio(theirs)} ${ratio(bares)}`,
    );
  }
}
for (const [part, what] of [
  ["documents", "GET of datasets, feeds and since"],
  ["unmodified", "304s"],
] as const) {
  const bares = ratios.bare[part];
  const work = "requests for the same processor time, × the peer's";
  if (nginx === undefined) {
    const samples = bares.map((ratio) => ratio.median);
    const peer = "bare node:http = 1 (no nginx here)";
    report({ work: `${what}: ${work}`, peer, unit: "", samples, of: `documents × ${ROUNDS} rounds` });
    continue;
  }
  const all = ratios.nginx[part];
  const bareOf = all.map(({ median }, at) => median / (bares[at]?.median ?? Number.NaN));
  const peerOf = (bare: number) => `${nginx.version} = 1; bare node:http: ${shown(bare)}`;
  report({
    work: `${what}: ${work}`,
    peer: peerOf(median(bareOf)),
    unit: "",
    samples: all.map((ratio) => ratio.median),
    of: `documents × ${ROUNDS} rounds`,
    atLeast: 0.6,
  });
  const [worst] = all.toSorted((a, b) => a.median - b.median);
  if (worst === undefined) continue;
  report({
    work: `${what}, the worst of them (${worst.document}): ${work}`,
    peer: peerOf(bareOf[all.indexOf(worst)] ?? Number.NaN),
    unit: "",
    samples: worst.rounds,
    value: worst.median,
    atLeast: 0.6,
  });
}
nginx?.process.kill();
await program.stop();
