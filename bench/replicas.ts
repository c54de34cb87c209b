/**
 * What a second worker brings on two cores: requests a second of one and of two workers over one PostgreSQL, in turns,
 * for documents that are ready and for searches. The load generator needs a core too, so besides the rate it says what
 * share of the processor each side had: where workers and generator together fill both cores, no second worker can
 * double the rate, and the rate that is left for the workers is what is compared.
 *
 *     node bench/replicas.ts [seconds per measurement] [rounds]
 */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { emptyDatabase, startPostgres } from "../test/postgres-server.ts";
import { type Served, serveProgram, temporaryFolder } from "../test/program.ts";
import { childrenOf, machine, median, processorSeconds } from "./processor.ts";

const SECONDS = Number(process.argv[2] ?? 5);
const ROUNDS = Number(process.argv[3] ?? 3);
const LOADS = [
  { name: "/reviews.json, br", path: "/reviews.json", headers: ["Accept-Encoding: br"] },
  { name: "/reviews.json, 304", path: "/reviews.json", headers: ["If-None-Match: *"] },
  { name: "search", path: "/api/reviews/search?query=the&limit=100", headers: [] },
];

interface Measured {
  readonly rate: number;
  /** Seconds of processor for each second, of all workers and of the generator. */
  readonly workers: number;
  readonly generator: number;
}

const AUTOCANNON = join(import.meta.dirname, "../node_modules/autocannon/autocannon.js");

async function measure({ process: supervisor, url }: Served, load: (typeof LOADS)[number]): Promise<Measured> {
  const pids = [supervisor.pid ?? 0, ...childrenOf(supervisor.pid ?? 0)];
  const before = sum(pids.map(processorSeconds));
  const startedAt = performance.now();
  const args = ["--json", "-c", "32", "-d", String(SECONDS), ...load.headers.flatMap((header) => ["-H", header])];
  const child = spawn(process.execPath, [AUTOCANNON, ...args, url + load.path], {
    stdio: ["ignore", "pipe", "ignore"],
  });
  const usage = watch(child);
  const parts: Buffer[] = [];
  child.stdout.on("data", (part: Buffer) => parts.push(part));
  await once(child, "close");
  const seconds = (performance.now() - startedAt) / 1000;
  const result = JSON.parse(Buffer.concat(parts).toString()) as {
    readonly errors: number;
    readonly requests: { readonly total: number };
    readonly duration: number;
  };
  if (result.errors > 0) throw new Error(`${load.path} met ${result.errors} errors`);
  return {
    rate: result.requests.total / result.duration,
    workers: (sum(pids.map(processorSeconds)) - before) / seconds,
    generator: usage() / seconds,
  };
}

/** The seconds of processor that a child has used, as last seen. */
function watch(child: ChildProcess): () => number {
  let seconds = 0;
  const timer = setInterval(() => {
    try {
      seconds = processorSeconds(child.pid ?? 0);
    } catch {
      // it has just ended
    }
  }, 50);
  child.once("exit", () => clearInterval(timer));
  return () => seconds;
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

using folder = temporaryFolder();
const server = await startPostgres();
const DATABASE_URL = await emptyDatabase(server);
const programs = new Map<number, Served>();
for (const workers of [1, 2]) {
  programs.set(workers, await serveProgram(folder.path, { DATABASE_URL, WORKERS: String(workers), LOG_LEVEL: "info" }));
}
console.log(machine());
console.log(`medians of ${ROUNDS} rounds of ${SECONDS} s, in turns; cores: seconds of processor a second`);
console.log(
  "load                 workers   requests/s   cores of workers   of generator   ratio   requests a core-second",
);
for (const load of LOADS) {
  const results = new Map<number, Measured[]>([...programs.keys()].map((workers) => [workers, []]));
  for (let round = 0; round < ROUNDS; round++) {
    for (const [workers, program] of programs) results.get(workers)?.push(await measure(program, load));
  }
  const rateOf = (workers: number) => median((results.get(workers) ?? []).map(({ rate }) => rate));
  for (const [workers, measured] of results) {
    const cores = median(measured.map((each) => each.workers));
    const generator = median(measured.map((each) => each.generator));
    const ratio = workers === 1 ? "" : (rateOf(workers) / rateOf(1)).toFixed(2);
    console.log(
      `${load.name.padEnd(20)} ${String(workers).padStart(7)} ${rateOf(workers).toFixed(0).padStart(12)} ${cores.toFixed(2).padStart(18)} ${generator.toFixed(2).padStart(14)} ${ratio.padStart(7)} ${(rateOf(workers) / cores).toFixed(0).padStart(24)}`,
    );
  }
}
for (const program of programs.values()) await program.stop();
await server.stop();
