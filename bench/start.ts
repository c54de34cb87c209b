/**
 * The second start on a store to the first 200 on `/reviews.json`, and memory at rest: a bare `node:http` server, the
 * sample and many reviews, in turns.
 *
 *     node bench/start.ts [rounds] [reviews]
 */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { setTimeout as wait } from "node:timers/promises";
import { freePort } from "../test/support/free-port.ts";
import { BIN, environmentOf, serveProgram, temporaryFolder } from "../test/support/program.ts";
import { ask } from "../test/support/wire.ts";
import { median, report, shown } from "./figures.ts";
import { importTable, writeTable } from "./invented-reviews.ts";
import { DEPLOYED, machine, residentMb } from "./processor.ts";
import { untilQuiet } from "./quiet-process.ts";

const ROUNDS = Number(process.argv[2] ?? 3);
const MANY = Number(process.argv[3] ?? 100_000);
const LOOKING_MS = 2;
const BARE = `require("node:http").createServer((q, r) => r.end("[]")).listen(Number(process.env.PORT), "127.0.0.1")`;

interface Start {
  readonly ms: number;
  readonly restMb: number;
}

const port = String(await freePort()); // one for all: a saved edition is for one address

/** The server's last collection of garbage is ten seconds after its last edition. */
const REST_MS = 12_000;

async function start(folder: string, args: readonly string[]): Promise<Start> {
  const startedAt = performance.now();
  const env = environmentOf(folder, { ...DEPLOYED, PORT: port, HOST: "127.0.0.1" });
  const child = spawn(process.execPath, args, { env, stdio: "ignore" });
  await untilServed(child);
  const ms = performance.now() - startedAt;
  await untilQuiet(child.pid ?? 0);
  await wait(REST_MS);
  const restMb = residentMb(child.pid ?? 0);
  child.kill("SIGTERM");
  await once(child, "exit");
  return { ms, restMb };
}

async function untilServed(child: ChildProcess): Promise<void> {
  const url = `http://127.0.0.1:${port}/reviews.json`;
  for (; child.exitCode === null; await wait(LOOKING_MS)) {
    const answer = await ask(url, { method: "HEAD" }).catch(() => undefined);
    if (answer?.status === 200) return;
  }
  throw new Error("The server ended");
}

/** A first start, after which the next ones find the edition saved. */
async function startFirst(folder: string): Promise<void> {
  await using program = await serveProgram(folder, { PORT: port, HOST: "127.0.0.1" });
  await untilQuiet(program.process.pid ?? 0);
  await program.stop();
}

using few = temporaryFolder();
using many = temporaryFolder();
await importTable(many.path, writeTable(many.path, { from: 0, rows: MANY }));
for (const { path } of [few, many]) await startFirst(path);
const rounds: { bare: Start; few: Start; many: Start }[] = [];
for (let round = 0; round < ROUNDS; round++) {
  rounds.push({
    bare: await start(few.path, ["-e", BARE]),
    few: await start(few.path, [BIN, "serve"]),
    many: await start(many.path, [BIN, "serve"]),
  });
}

const medianOf = (name: "bare" | "few" | "many", member: keyof Start) =>
  median(rounds.map((round) => round[name][member]));
console.log(machine());
console.log(`medians of ${ROUNDS} rounds                  to 200 (ms)   at rest (MB)`);
for (const [name, title] of Object.entries({ bare: "bare node:http", few: "240 reviews", many: `${MANY} reviews` })) {
  const [ms, restMb] = (["ms", "restMb"] as const).map((member) => medianOf(name as "bare" | "few" | "many", member));
  console.log(`${title.padEnd(32)} ${ms?.toFixed(0).padStart(16)} ${restMb?.toFixed(0).padStart(14)}`);
}
for (const [name, reviews, atMost] of [
  ["few", 240, 5],
  ["many", MANY, 12],
] as const) {
  report({
    work: `second start to the first 200, ${shown(reviews)} reviews, × the peer's`,
    peer: `bare node:http = 1 (${shown(medianOf("bare", "ms"), "ms")})`,
    unit: "",
    samples: rounds.map((round) => round[name].ms / round.bare.ms),
    of: `rounds; ${shown(medianOf(name, "ms"), "ms")}`,
    atMost,
  });
}
report({
  work: "memory at rest, 240 reviews",
  peer: `bare node:http: ${shown(medianOf("bare", "restMb"), "MB")}`,
  unit: "MB",
  samples: rounds.map((round) => round.few.restMb),
  atMost: 155,
});
report({
  work: `memory of each review at rest, ${shown(MANY)} reviews`,
  peer: `memory with 240 reviews: ${shown(medianOf("few", "restMb"), "MB")}`,
  unit: "KB",
  samples: rounds.map((round) => ((round.many.restMb - round.few.restMb) * 1000) / MANY),
  atMost: 2.2,
});
