/** Processor time and memory of processes (Linux), and a description of the machine. */
import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { cpus, loadavg, totalmem } from "node:os";

/** The environment of a server in the files of `deploy/`. */
export const DEPLOYED = {
  MALLOC_TRIM_THRESHOLD_: "262144",
  MALLOC_MMAP_THRESHOLD_: "32768",
  NODE_OPTIONS: "--v8-pool-size=1",
};

const TICKS_PER_SECOND = Number(execFileSync("getconf", ["CLK_TCK"], { encoding: "utf8" }));

/** Seconds of processor time that a process has used so far in all of its threads, in steps of a tick (10 ms). */
export function processorSeconds(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ").at(-1)?.split(" ") ?? [];
  const [user, system] = fields.slice(11, 13).map(Number);
  return ((user ?? 0) + (system ?? 0)) / TICKS_PER_SECOND;
}

/** The same without threads that have ended, to the nanosecond: for measurements of milliseconds. */
export function threadSeconds(pid: number): number {
  const tasks = readdirSync(`/proc/${pid}/task`);
  const nanoseconds = tasks.map((task) =>
    Number(readFileSync(`/proc/${pid}/task/${task}/schedstat`, "utf8").split(" ")[0]),
  );
  return nanoseconds.reduce((sum, each) => sum + each, 0) / 1e9;
}

/** Resident memory of a process in MB. */
export function residentMb(pid: number): number {
  const [, kilobytes = "0"] = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8")) ?? [];
  return Number(kilobytes) / 1024;
}

/** The day, the machine and its load, for the head of a table. */
export function machine(): string {
  const { model } = cpus()[0] ?? { model: "unknown processor" };
  const memory = Math.round(totalmem() / 2 ** 30);
  const load = loadavg()[0]?.toFixed(1);
  return `${new Date().toISOString().slice(0, 10)}, ${cpus().length} × ${model.trim()}, ${memory} GB, Node ${process.versions.node}, load ${load} at the start`;
}
