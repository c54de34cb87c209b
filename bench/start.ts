/**
 * A start to the first 200 on `/reviews.json`, first and again on the same store, and memory at rest, beside a bare
 * `node:http` server: milliseconds on the clock and of processor time, also what each second of rest takes. Then the
 * same with many reviews, and how much memory each of them needs at rest beside its own JSON.
 *
 *     node bench/start.ts [rounds] [seconds of rest] [reviews]
 */

import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, rmSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { freePort } from "../test/support/free-port.ts";
import { BIN, environmentOf, run, temporaryFolder } from "../test/support/program.ts";
import { ask } from "../test/support/wire.ts";
import { median, report, shown } from "./figures.ts";
import { machine, processorSeconds, residentMb } from "./processor.ts";
import { importTable, writeTable } from "./table-import.ts";

const ROUNDS = Number(process.argv[2] ?? 3);
/** After so long with nothing to do the collector has given back what the start left behind. */
const REST_MS = Number(process.argv[3] ?? 20) * 1000;
const MANY = Number(process.argv[4] ?? 100_000);

interface Start {
  readonly wallMs: number;
  readonly processorMs: number;
  readonly restMb: number;
  /** Milliseconds of processor time a second, in the second half of the rest. */
  readonly restMs: number;
  /** The length of `/reviews.json`. */
  readonly bytes: number;
}

const BARE = `require("node:http").createServer((q, r) => r.end("[]")).listen(Number(process.env.PORT), "127.0.0.1")`;

async function start(child: ChildProcess, port: string, restMs = REST_MS): Promise<Start> {
  const startedAt = performance.now();
  const url = `http://127.0.0.1:${port}/reviews.json`;
  let bytes = 0;
  while (bytes === 0) {
    const answer = await ask(url, { method: "HEAD" }).catch(() => undefined);
    if (answer?.status === 200) bytes = Number(answer.headers["content-length"]);
    else await wait(2);
  }
  const wallMs = performance.now() - startedAt;
  const processorMs = processorSeconds(child.pid ?? 0) * 1000;
  await wait(restMs / 2);
  while (!isKept()) await wait(100);
  const used = processorSeconds(child.pid ?? 0);
  await wait(restMs / 2);
  const perSecond = ((processorSeconds(child.pid ?? 0) - used) * 1e6) / (restMs / 2);
  const restMb = residentMb(child.pid ?? 0);
  child.kill("SIGTERM");
  await once(child, "exit");
  return { wallMs, processorMs, restMb, restMs: perSecond, bytes };
}

using folder = temporaryFolder();
const database = join(folder.path, "goodword.db");
const port = String(await freePort());
const settings = { ...environmentOf(folder.path), PORT: port, HOST: "127.0.0.1" };
/** Whether the edition is saved, from which the next start begins. */
const isKept = () => !existsSync(database) || existsSync(`${database}.edition`);
const goodword = () => start(spawn(process.execPath, [BIN, "serve"], { env: settings, stdio: "ignore" }), port);
/** It collects nothing when it has nothing to do, so it need not rest. */
const bare = () => start(spawn(process.execPath, ["-e", BARE], { env: settings, stdio: "ignore" }), port, 1_000);
const rows: Record<string, Start[]> = { "bare node:http": [], "goodword, first": [], "goodword, again": [] };
await run(folder.path, ["--version"]); // makes the bundle, which an installed program brings along
for (let round = 0; round < ROUNDS; round++) {
  rows["bare node:http"]?.push(await bare());
  removeStore();
  rows["goodword, first"]?.push(await goodword());
  rows["goodword, again"]?.push(await goodword());
}
console.log(machine());
console.log(`240 sample reviews, medians of ${ROUNDS} rounds`);
print(rows);

removeStore();
await importTable(folder.path, writeTable(folder.path, { from: 0, rows: MANY }));
const many: Record<string, Start[]> = { "goodword, first": [await goodword()], "goodword, again": [] };
for (let round = 0; round < ROUNDS; round++) many["goodword, again"]?.push(await goodword());
console.log(`${MANY} reviews`);
print(many);

const of = (table: typeof rows, name: string, member: keyof Start) => (table[name] ?? []).map((each) => each[member]);
const bareOf = (member: keyof Start, unit: string) =>
  `bare node:http: ${shown(median(of(rows, "bare node:http", member)), unit)}`;
for (const [table, size, name, atMost] of [
  [rows, 240, "first", 600],
  [rows, 240, "again", 300],
  [many, MANY, "again", 2_000],
] as const) {
  report({
    work: `start to the first 200, ${shown(size)} reviews, ${name === "first" ? "an empty store" : "again on the same store"}`,
    peer: bareOf("wallMs", "ms"),
    unit: "ms",
    samples: of(table, `goodword, ${name}`, "wallMs"),
    atMost,
  });
}
report({
  work: "memory at rest, 240 reviews",
  peer: bareOf("restMb", "MB"),
  unit: "MB",
  samples: ["goodword, first", "goodword, again"].flatMap((name) => of(rows, name, "restMb")),
  of: "starts",
  atMost: 130,
});
report({
  work: "processor time of a second at rest, 240 reviews",
  peer: bareOf("restMs", "ms"),
  unit: "ms",
  samples: ["goodword, first", "goodword, again"].flatMap((name) => of(rows, name, "restMs")),
  of: "starts",
});
const few = median(of(rows, "goodword, again", "restMb"));
report({
  work: `memory for each review, ${shown(MANY)} reviews`,
  peer: `its own JSON: ${shown(median(of(many, "goodword, again", "bytes")) / 1000 / MANY, "KB")}`,
  unit: "KB",
  samples: of(many, "goodword, again", "restMb").map((megabytes) => ((megabytes - few) * 1000) / MANY),
  atMost: 2.5,
});

function removeStore(): void {
  for (const ending of ["", "-wal", "-shm", ".edition"]) rmSync(`${database}${ending}`, { force: true });
}

function print(table: Readonly<Record<string, readonly Start[]>>): void {
  console.log("start             to 200 (ms)   processor (ms)   at rest (MB)   a second of it (ms)");
  for (const [name, starts] of Object.entries(table)) {
    const figure = (member: keyof Start, width: number) =>
      median(starts.map((each) => each[member]))
        .toFixed(0)
        .padStart(width);
    console.log(
      `${name.padEnd(17)} ${figure("wallMs", 11)} ${figure("processorMs", 16)} ${figure("restMb", 14)} ${figure("restMs", 21)}`,
    );
  }
}
