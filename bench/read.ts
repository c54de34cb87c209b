/**
 * Reading the datasets, against a bare `node:http` server that sends the same bytes: requests per second of plain
 * GET, gzip, br and 304, each server on the same one core, measured in turns in the same run.
 *
 *     node bench/read.ts [seconds per measurement]
 */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import autocannon from "autocannon";
import { serveProgram, temporaryFolder } from "../test/program.ts";
import { ask } from "../test/wire.ts";

const SECONDS = Number(process.argv[2] ?? 3);
const ROUNDS = 5;
const LIMIT = 0.75;

const KINDS = {
  identity: { "accept-encoding": "identity" },
  gzip: { "accept-encoding": "gzip" },
  br: { "accept-encoding": "br" },
  "304": {},
} as const;

/** Binds a process and its threads to one core where the machine can. */
function pin(child: ChildProcess): void {
  if (availableParallelism() > 1)
    spawn("taskset", ["-a", "-p", "-c", "0", String(child.pid)], { stdio: "ignore" }).on("error", () => {});
}

async function requestsPerSecond(url: string, headers: Readonly<Record<string, string>>): Promise<number> {
  const result = await autocannon({ url, connections: 10, duration: SECONDS, headers });
  if (result.errors > 0 || result["5xx"] > 0 || result["4xx"] > 0) throw new Error(`${url} met errors`);
  return result.requests.average;
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}

using folder = temporaryFolder();
const program = await serveProgram(folder.path, { LOG_LEVEL: "info" });
pin(program.process);
const bare = spawn(process.execPath, [join(import.meta.dirname, "bare-server.ts"), program.url], {
  stdio: ["ignore", "pipe", "inherit"],
});
const [line] = (await once(bare.stdout, "data")) as [Buffer];
const bareUrl = `http://localhost:${line.toString().trim()}`;
pin(bare);

console.log(`Medians of ${ROUNDS} rounds of ${SECONDS} s, 10 connections, both servers on one core`);
console.log("document         kind       bytes   bare req/s  goodword req/s  ratio");
let lowest = Number.POSITIVE_INFINITY;
for (const path of ["/reviews.json", "/insights.json"]) {
  for (const [kind, asked] of Object.entries(KINDS)) {
    const probe = await ask(`${program.url}${path}`, { headers: asked });
    const headers: Record<string, string> =
      kind === "304" ? { "if-none-match": probe.headers.etag ?? "" } : { ...asked };
    const [ours, theirs]: [number[], number[]] = [[], []];
    for (let round = 0; round < ROUNDS; round++) {
      theirs.push(await requestsPerSecond(`${bareUrl}${path}`, headers));
      ours.push(await requestsPerSecond(`${program.url}${path}`, headers));
    }
    const ratio = median(ours.map((value, index) => value / (theirs[index] ?? 1)));
    lowest = Math.min(lowest, ratio);
    const bytes = kind === "304" ? 0 : probe.body.length;
    console.log(
      [
        path.padEnd(15),
        kind.padEnd(8),
        String(bytes).padStart(7),
        median(theirs).toFixed(0).padStart(12),
        median(ours).toFixed(0).padStart(15),
        ratio.toFixed(2).padStart(6),
      ].join(" "),
    );
  }
}
console.log(
  `Lowest ratio ${lowest.toFixed(2)}, wanted at least ${LIMIT}: ${lowest >= LIMIT ? "holds" : "does not hold"}`,
);
bare.kill();
await program.stop();
