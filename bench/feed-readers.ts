/** The readers of `reader.ts` as the bench sees them: what they noticed of a change, and how long they waited. */
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
export interface Span {
  readonly from: number;
  readonly to: number;
}

export interface FeedReaders {
  /** When the next change was committed, and when a reader had its edition. Call it before the change is imported. */
  nextChange(): Promise<Span>;
  /** Stops them and returns what gives the waits in a span. */
  stop(): Promise<(span: Span) => Waits>;
}

/** The import of a hundred thousand reviews is waited for, too. */
const LONGEST_WAIT_MS = 120_000;

/** The young generation of the readers, who make some 6 MB of garbage a second for at most half a minute. */
const ROOM_MB = 256;
const ROOM_FLAGS = [`--min-semi-space-size=${ROOM_MB}`, `--max-semi-space-size=${ROOM_MB}`];

/** Readers have processors of their own: on Linux, whoever may lets this process run before all others (`man sched`). */
const AHEAD_OF_ALL = ["chrt", "--fifo", "1"];

/** Starts readers of a bare server and of ours. What is waited for fails if their process does, or after two minutes. */
export function openFeedReaders(store: string, { bare, ours }: { bare: string; ours: string }): FeedReaders {
  const [program = "", ...ahead] = AHEAD_OF_ALL;
  const isFavoured = spawnSync(program, [...ahead, process.execPath, "--version"]).status === 0;
  const script = join(import.meta.dirname, "reader.ts");
  const [command = "", ...args] = [...(isFavoured ? AHEAD_OF_ALL : []), process.execPath, ...ROOM_FLAGS, script];
  const reader = spawn(command, [...args, store, bare, ours], { stdio: ["pipe", "pipe", "inherit"] });
  const said = new EventEmitter();
  createInterface(reader.stdout).on("line", (line) => {
    const heard = JSON.parse(line) as Heard;
    said.emit(heard.event, heard);
  });
  const failed = new AbortController();
  reader.once("close", (code) => code === 0 || failed.abort(new Error(`The readers ended with ${code}`)));

  async function next<E extends Heard["event"]>(event: E): Promise<Extract<Heard, { event: E }>> {
    const signal = AbortSignal.any([failed.signal, AbortSignal.timeout(LONGEST_WAIT_MS)]);
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
      if (!isFavoured)
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

/** The waits of answers that were under way in a span, also of those that began before it or ended after it. */
function within(answers: readonly (readonly [number, number])[], { from, to }: Span): number[] {
  return answers.filter(([at, ms]) => at + ms >= from && at <= to).map(([, ms]) => ms);
}
