/**
 * The second start on a store to the first 200 on `/reviews.json`, and memory at rest: a bare `node:http` server, the
 * sample and many reviews, the starts in turns.
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

/** The server's last collection of garbage is ten seconds after its last edition. */
const REST_MS = 12_000;

type Server = "bare" | "few" | "many";

/** The same for all starts: a saved edition is for one address. */
const ports: Readonly<Record<Server, string>> = {
  bare: String(await freePort()),
  few: String(await freePort()),
  many: String(await freePort()),
};

/** Starts a server, calls `measure` once it serves, and stops it. Returns the milliseconds to the first 200. */
async function start(server: Server, measure: (pid: number) => Promise<void> = async () => {}): Promise<number> {
  const [folder, args] = commands[server];
  const startedAt = performance.now();
  const env = environmentOf(folder, { ...DEPLOYED, PORT: ports[server], HOST: "127.0.0.1" });
  const child = spawn(process.execPath, args, { env, stdio: "ignore" });
  await untilServed(child, server);
  const ms = performance.now() - startedAt;
  await measure(child.pid ?? 0);
  child.kill("SIGTERM");
  await once(child, "exit");
  return ms;
}

/** Resident memory of a started server at rest, in MB. */
async function memoryAtRest(server: Server): Promise<number> {
  let megabytes = Number.NaN;
  await start(server, async (pid) => {
    if (server === "bare") await untilQuiet(pid, 1);
    else {
      await untilQuiet(pid);
      await wait(REST_MS);
    }
    megabytes = residentMb(pid);
  });
  return megabytes;
}

async function untilServed(child: ChildProcess, server: Server): Promise<void> {
  const url = `http://127.0.0.1:${ports[server]}/reviews.json`;
  for (; child.exitCode === null; await wait(LOOKING_MS)) {
    const answer = await ask(url, { method: "HEAD" }).catch(() => undefined);
    if (answer?.status === 200) return;
  }
  throw new Error("The server ended");
}

/** A start until the server is at rest, with all that is then saved: the edition and V8's code. */
async function startToRest(folder: string, server: Server): Promise<void> {
  await using program = await serveProgram(folder, { ...DEPLOYED, PORT: ports[server], HOST: "127.0.0.1" });
  await untilQuiet(program.process.pid ?? 0);
  await program.stop();
}

using few = temporaryFolder();
using many = temporaryFolder();
await importTable(many.path, writeTable(many.path, { from: 0, rows: MANY }));
// The first start renders, the second one finds the edition saved: V8's code for both is saved afterwards.
await Promise.all([startToRest(few.path, "few"), startToRest(many.path, "many")]);
await startToRest(few.path, "few");
const commands: Readonly<Record<Server, readonly [folder: string, args: readonly string[]]>> = {
  bare: [few.path, ["-e", BARE]],
  few: [few.path, [BIN, "serve"]],
  many: [many.path, [BIN, "serve"]],
};
const rounds: Record<Server, number>[] = [];
for (let round = 0; round < ROUNDS; round++)
  rounds.push({ bare: await start("bare"), few: await start("few"), many: await start("many") });
const [bareMb, fewMb, manyMb] = await Promise.all([memoryAtRest("bare"), memoryAtRest("few"), memoryAtRest("many")]);
const restMb = { bare: bareMb, few: fewMb, many: manyMb };

const medianMs = (server: Server) => median(rounds.map((round) => round[server]));
console.log(machine());
console.log(`                                  to 200 (ms; median of ${ROUNDS})   at rest (MB)`);
for (const [name, title] of [
  ["bare", "bare node:http"],
  ["few", "240 reviews"],
  ["many", `${MANY} reviews`],
] as const) {
  const cells = [medianMs(name).toFixed(0).padStart(28), restMb[name].toFixed(0).padStart(14)];
  console.log(`${title.padEnd(32)} ${cells.join(" ")}`);
}
for (const [name, reviews, atMost] of [
  ["few", 240, 5],
  ["many", MANY, 12],
] as const) {
  report({
    work: `second start to the first 200, ${shown(reviews)} reviews, × the peer's`,
    peer: `bare node:http = 1 (${shown(medianMs("bare"), "ms")})`,
    unit: "",
    samples: rounds.map((round) => round[name] / round.bare),
    of: `rounds; ${shown(medianMs(name), "ms")}`,
    atMost,
  });
}
report({
  work: "memory at rest, 240 reviews",
  peer: `bare node:http: ${shown(restMb.bare, "MB")}`,
  unit: "MB",
  samples: [restMb.few],
  atMost: 155,
});
report({
  work: `memory of each review at rest, ${shown(MANY)} reviews`,
  peer: `memory with 240 reviews: ${shown(restMb.few, "MB")}`,
  unit: "KB",
  samples: [((restMb.many - restMb.few) * 1000) / MANY],
  atMost: 2.2,
});
