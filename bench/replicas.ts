/**
 * What a second worker brings on two cores: one and two workers over one PostgreSQL, in turns, for documents that are
 * ready and for searches. The load generator needs a core too. Where workers and generator together fill both cores, no
 * second worker can double the rate; what decides then is what a request costs: if it costs no more processor time with
 * two workers, two cores of their own carry twice as much. That ratio is printed beside the one of the rates. `wrk`, if
 * it is installed (Debian: apt-get install wrk), needs a fraction of what autocannon needs.
 *
 *     node bench/replicas.ts [seconds per measurement] [rounds]
 */
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { emptyDatabase, startPostgres } from "../test/support/postgres-server.ts";
import { type Served, serveProgram, temporaryFolder } from "../test/support/program.ts";
import { median } from "./figures.ts";
import { childrenOf, machine, processorSeconds } from "./processor.ts";

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

const CONNECTIONS = 32;
const HAS_WRK = spawnSync("wrk", ["--version"]).error === undefined;
const AUTOCANNON = join(import.meta.dirname, "../node_modules/autocannon/autocannon.js");

async function measure({ process: supervisor, url }: Served, load: (typeof LOADS)[number]): Promise<Measured> {
  const pids = [supervisor.pid ?? 0, ...childrenOf(supervisor.pid ?? 0)];
  const before = sum(pids.map(processorSeconds));
  const startedAt = performance.now();
  const headers = load.headers.flatMap((header) => ["-H", header]);
  const child = HAS_WRK
    ? spawn("wrk", ["-t", "1", "-c", `${CONNECTIONS}`, "-d", `${SECONDS}s`, ...headers, url + load.path])
    : spawn(process.execPath, [
        ...[AUTOCANNON, "--json", "-c", `${CONNECTIONS}`, "-d", `${SECONDS}`],
        ...headers,
        url + load.path,
      ]);
  const usage = watch(child);
  const parts: Buffer[] = [];
  child.stdout.on("data", (part: Buffer) => parts.push(part));
  await once(child, "close");
  const seconds = (performance.now() - startedAt) / 1000;
  const text = Buffer.concat(parts).toString();
  return {
    rate: HAS_WRK ? rateOfWrk(text) : rateOfAutocannon(text),
    workers: (sum(pids.map(processorSeconds)) - before) / seconds,
    generator: usage() / seconds,
  };
}

function rateOfWrk(text: string): number {
  if (/Socket errors|Non-2xx/.test(text)) throw new Error(text);
  return Number(/Requests\/sec:\s+([\d.]+)/.exec(text)?.[1]);
}

function rateOfAutocannon(text: string): number {
  const result = JSON.parse(text) as {
    readonly errors: number;
    readonly requests: { readonly total: number };
    readonly duration: number;
  };
  if (result.errors > 0) throw new Error(`${result.errors} errors`);
  return result.requests.total / result.duration;
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
console.log(`${machine()}, ${HAS_WRK ? "wrk" : "autocannon"}`);
console.log(`medians of ${ROUNDS} rounds of ${SECONDS} s, in turns; cores: seconds of processor a second`);
const COLUMNS = ["workers", "requests/s", "cores of workers", "of generator", "ms a request", "rates", "capacity"];
console.log(["load".padEnd(20), ...COLUMNS].join("  "));
for (const load of LOADS) {
  const results = new Map<number, Measured[]>([...programs.keys()].map((workers) => [workers, []]));
  for (let round = 0; round < ROUNDS; round++) {
    for (const [workers, program] of programs) results.get(workers)?.push(await measure(program, load));
  }
  const medianOf = (workers: number, value: (each: Measured) => number) =>
    median((results.get(workers) ?? []).map(value));
  const costOf = (workers: number) => medianOf(workers, (each) => (each.workers / each.rate) * 1000);
  for (const workers of results.keys()) {
    const figures = [
      workers,
      medianOf(workers, ({ rate }) => rate).toFixed(0),
      medianOf(workers, (each) => each.workers).toFixed(2),
      medianOf(workers, ({ generator }) => generator).toFixed(2),
      costOf(workers).toFixed(3),
      (medianOf(workers, ({ rate }) => rate) / medianOf(1, ({ rate }) => rate)).toFixed(2),
      ((workers * costOf(1)) / costOf(workers)).toFixed(2),
    ];
    console.log(
      [load.name.padEnd(20), ...figures.map((each, at) => `${each}`.padStart(COLUMNS[at]?.length ?? 0))].join("  "),
    );
  }
}
for (const program of programs.values()) await program.stop();
await server.stop();
