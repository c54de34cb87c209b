/** Starts the readers of `reader.ts`, and collects when they saw changes and how long they waited. */
import { spawn, spawnSync } from "node:child_process";
import { EventEmitter, once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { percentile } from "./figures.ts";
import type { Heard } from "./reader.ts";

/** Milliseconds that GETs took, from our server and from the bare one. */
export interface Waits {
  readonly ours: readonly number[];
  readonly bare: readonly number[];
}

/** A span of time, in milliseconds of the machine's clock. */
interface Span {
  readonly from: number;
  readonly to: number;
}

export interface FeedReaders {
  /** From the next commit until a reader has its edition. Call it before the import. */
  nextChange(): Promise<Span>;
  /** Stops the readers and returns a function for the waits in a span. */
  stop(): Promise<(span: Span) => Waits>;
}

/** Long enough for the import of 100,000 reviews. */
const TIMEOUT_MS = 120_000;

/** The readers' young generation: they make some 6 MB of garbage a second for half a minute, and need not collect it. */
const YOUNG_MB = 256;
const YOUNG_FLAGS = [`--min-semi-space-size=${YOUNG_MB}`, `--max-semi-space-size=${YOUNG_MB}`];

/** Real-time priority, where the system allows it (sched(7)): readers have machines of their own. */
const REAL_TIME = ["chrt", "--fifo", "1"];

/** Starts readers of a bare server and of ours. Waits reject when the readers end, or after two minutes. */
export function openFeedReaders(store: string, { bare, ours }: { bare: string; ours: string }): FeedReaders {
  const [chrt = "", ...priority] = REAL_TIME;
  const isRealTime = spawnSync(chrt, [...priority, process.execPath, "--version"]).status === 0;
  const script = join(import.meta.dirname, "reader.ts");
  const [command = "", ...args] = [...(isRealTime ? REAL_TIME : []), process.execPath, ...YOUNG_FLAGS, script];
  const reader = spawn(command, [...args, store, bare, ours], { stdio: ["pipe", "pipe", "inherit"] });
  const said = new EventEmitter();
  createInterface(reader.stdout).on("line", (line) => {
    const heard = JSON.parse(line) as Heard;
    said.emit(heard.event, heard);
  });
  const failed = new AbortController();
  reader.once("close", (code) => code === 0 || failed.abort(new Error(`The readers ended with ${code}`)));

  async function next<E extends Heard["event"]>(event: E): Promise<Extract<Heard, { event: E }>> {
    const signal = AbortSignal.any([failed.signal, AbortSignal.timeout(TIMEOUT_MS)]);
    const [heard] = await once(said, event, { signal });
    return heard;
  }

  return {
    nextChange: async () => {
      const [{ at: from }, { at: to }] = await Promise.all([next("committed"), next("came")]);
      if (to < from) throw new Error("An edition came before the change was committed");
      return { from, to };
    },
    stop: async () => {
      const ended = next("ended");
      reader.stdin.end();
      const { answers, collections } = await ended;
      const [theirs = [], own = []] = answers;
      if (collections > 0)
        console.log(`The readers collected garbage ${collections} times, which is counted as waits.`);
      if (!isRealTime)
        console.log("The readers' own waits for a processor are counted: chrt is missing, or not allowed.");
      return (span) => ({ ours: within(own, span), bare: within(theirs, span) });
    },
  };
}

/** The 99th percentile of waits. */
export function p99(waits: readonly Waits[], server: keyof Waits): number {
  return percentile(
    waits.flatMap((some) => some[server]),
    0.99,
  );
}

/** The waits of answers that were in progress at some time in the span. */
function within(answers: readonly (readonly [number, number])[], { from, to }: Span): number[] {
  return answers.filter(([at, ms]) => at + ms >= from && at <= to).map(([, ms]) => ms);
}
