/** Processor time of processes, and what the machine is: what the benches share, invented reviews among it. */
import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { cpus, loadavg, totalmem } from "node:os";

const TICKS_PER_SECOND = Number(execFileSync("getconf", ["CLK_TCK"], { encoding: "utf8" }));

/** Seconds of processor time that a process has used so far, all of its threads (Linux). */
export function processorSeconds(pid: number): number {
  return ticks(pid, [11, 12]) / TICKS_PER_SECOND;
}

/** The same of the threads that are running, to the nanosecond: for measurements of milliseconds. */
export function threadSeconds(pid: number): number {
  const tasks = readdirSync(`/proc/${pid}/task`);
  const nanoseconds = tasks.map((task) =>
    Number(readFileSync(`/proc/${pid}/task/${task}/schedstat`, "utf8").split(" ")[0]),
  );
  return nanoseconds.reduce((sum, each) => sum + each, 0) / 1e9;
}

/** Seconds of processor time of a process and all that it has started, also of what has ended since. */
export function processorSecondsOfAll(pid: number): number {
  const running = childrenOf(pid).reduce((sum, child) => sum + processorSeconds(child), 0);
  return running + ticks(pid, [11, 12, 13, 14]) / TICKS_PER_SECOND;
}

function ticks(pid: number, fields: readonly number[]): number {
  const all = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ").at(-1)?.split(" ") ?? [];
  return fields.reduce((sum, field) => sum + Number(all[field]), 0);
}

/** The processes that a process has started and that are running. */
export function childrenOf(pid: number): number[] {
  const text = readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").trim();
  return text === "" ? [] : text.split(" ").map(Number);
}

/** Resident memory of a process in MB. */
export function residentMb(pid: number): number {
  const [, kilobytes = "0"] = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8")) ?? [];
  return Number(kilobytes) / 1024;
}

/** The machine and the day, for the head of a table. */
export function machine(): string {
  const { model } = cpus()[0] ?? { model: "unknown processor" };
  const memory = Math.round(totalmem() / 2 ** 30);
  const load = loadavg()[0]?.toFixed(1);
  return `${new Date().toISOString().slice(0, 10)}, ${cpus().length} × ${model.trim()}, ${memory} GB, Node ${process.versions.node}, load ${load} at the start`;
}
