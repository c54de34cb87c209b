/**
 * A start to the first 200 on `/reviews.json`, first and again on the same store, and memory at rest, beside a bare
 * `node:http` server: milliseconds on the clock and of processor time.
 *
 *     node bench/start.ts [rounds] [seconds of rest]
 */

import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { freePort } from "../test/free-port.ts";
import { BIN, environmentOf, temporaryFolder } from "../test/program.ts";
import { ask } from "../test/wire.ts";
import { machine, median, processorSeconds, residentMb } from "./processor.ts";

const ROUNDS = Number(process.argv[2] ?? 3);
/** After so long with nothing to do the collector has given back what the start left behind. */
const REST_MS = Number(process.argv[3] ?? 20) * 1000;

interface Start {
  readonly wallMs: number;
  readonly processorMs: number;
  readonly restMb: number;
}

const BARE = `require("node:http").createServer((q, r) => r.end("[]")).listen(Number(process.env.PORT), "127.0.0.1")`;

async function start(child: ChildProcess, port: string): Promise<Start> {
  const startedAt = performance.now();
  const url = `http://127.0.0.1:${port}/reviews.json`;
  while ((await ask(url).catch(() => undefined))?.status !== 200) await wait(2);
  const wallMs = performance.now() - startedAt;
  const processorMs = processorSeconds(child.pid ?? 0) * 1000;
  await wait(REST_MS);
  const restMb = residentMb(child.pid ?? 0);
  child.kill("SIGTERM");
  await once(child, "exit");
  return { wallMs, processorMs, restMb };
}

using folder = temporaryFolder();
const port = String(await freePort());
const settings = { ...environmentOf(folder.path), PORT: port, HOST: "127.0.0.1" };
const goodword = () => start(spawn(process.execPath, [BIN, "serve"], { env: settings, stdio: "ignore" }), port);
const bare = () => start(spawn(process.execPath, ["-e", BARE], { env: settings, stdio: "ignore" }), port);
const rows: Record<string, Start[]> = { "bare node:http": [], "goodword, first": [], "goodword, again": [] };
for (let round = 0; round < ROUNDS; round++) {
  rows["bare node:http"]?.push(await bare());
  for (const ending of ["", "-wal", "-shm", ".edition"])
    rmSync(join(folder.path, `goodword.db${ending}`), { force: true });
  rows["goodword, first"]?.push(await goodword());
  rows["goodword, again"]?.push(await goodword());
}
console.log(machine());
console.log(`240 sample reviews, medians of ${ROUNDS} rounds; limits: 600 ms first, 300 ms again, 130 MB`);
console.log("start             to 200 (ms)   processor (ms)   at rest (MB)");
for (const [name, starts] of Object.entries(rows)) {
  const figure = (member: keyof Start, width: number) =>
    median(starts.map((each) => each[member]))
      .toFixed(0)
      .padStart(width);
  console.log(`${name.padEnd(17)} ${figure("wallMs", 11)} ${figure("processorMs", 16)} ${figure("restMb", 14)}`);
}
