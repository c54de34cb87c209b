/** Restores backups in a process that is killed when it takes too long or too much. */
import { type ChildProcess, fork } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { residentMb } from "../../bench/processor.ts";
import type { Reading } from "./backup-reader.ts";

/** What a restore may take of time and memory. The process that reads a backup ends itself before. */
export const [MAX_MS, MAX_MB] = [35_000, 1_000];
/** How long an answer is waited for that is too late, and how often the memory is looked at. */
const [GIVEN_UP_MS, LOOK_MS] = [2 * MAX_MS, 50];

/** Restores backups in a process that is killed when it takes too long or too much. */
export class BoundedReader {
  readonly #temporary: string;
  #process: ChildProcess | undefined;
  mostMb = 0;
  mostMs = 0;

  constructor(temporary: string) {
    this.#temporary = temporary;
    mkdirSync(temporary);
    process.once("exit", () => this.#process?.kill("SIGKILL"));
  }

  /** The files that were not deleted. */
  left(): string[] {
    return readdirSync(this.#temporary);
  }

  async read(
    path: string,
  ): Promise<{ readonly reading: Reading | undefined; readonly ms: number; readonly mb: number }> {
    this.#process ??= fork(join(import.meta.dirname, "backup-reader.ts"), {
      env: { ...process.env, TMPDIR: this.#temporary, NODE_COMPILE_CACHE: `${this.#temporary}-compiled` },
    });
    const child = this.#process;
    const { promise, resolve } = Promise.withResolvers<Reading | undefined>();
    const ended = () => resolve(undefined);
    child.once("exit", ended).once("message", resolve);
    const began = performance.now();
    let mb = 0;
    let isDone = false;
    const done = promise.finally(() => (isDone = true));
    child.send(path);
    while (!isDone) {
      await Promise.race([done, wait(LOOK_MS)]);
      mb = Math.max(mb, memoryOf(Number(child.pid)));
      if (isDone || (performance.now() - began < GIVEN_UP_MS && mb < MAX_MB)) continue;
      for (const pid of [...childrenOf(Number(child.pid)), Number(child.pid)]) kill(pid);
    }
    const reading = await promise;
    child.off("exit", ended).off("message", resolve);
    if (reading === undefined) this.#process = undefined;
    const ms = performance.now() - began;
    this.mostMb = Math.max(this.mostMb, mb);
    this.mostMs = Math.max(this.mostMs, ms);
    return { reading, ms, mb };
  }
}

function kill(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // It has ended.
  }
}

function childrenOf(pid: number): number[] {
  try {
    return readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").split(" ").filter(Boolean).map(Number);
  } catch {
    return [];
  }
}

/** Resident memory of a process with those that it started. */
function memoryOf(pid: number): number {
  return [pid, ...childrenOf(pid)].reduce((sum, each) => {
    try {
      return sum + residentMb(each);
    } catch {
      return sum; // it has ended
    }
  }, 0);
}
