/**
 * Readers of a bare server and of ours. Each asks for its document some 140 times a second, on a new connection each time
 * and without waiting for earlier answers, until the standard input ends. Lines of JSON say when a change was committed
 * to the store and when its edition arrived; the last one holds the times of all answers. `bench/change.ts` starts this
 * process: its own work must not delay readers, so it runs with real-time priority where the system allows it.
 *
 * An answer's time is counted from when its request was due, so that a stall of the whole machine is counted
 * (coordinated omission). A delay of up to two milliseconds is the timer's resolution and not counted. The process ends
 * with 1 as soon as an answer fails.
 *
 * With a large young generation (`feed-readers.ts`) it collects no garbage after its start, and reports whether it did:
 * each collection would delay one answer in a hundred by 5 to 10 ms.
 *
 *     node bench/reader.ts STORE BARE-URL URL
 */
import { connect } from "node:net";
import { PerformanceObserver } from "node:perf_hooks";
import { DatabaseSync } from "node:sqlite";
import { setTimeout as wait } from "node:timers/promises";
import { getHeapSpaceStatistics } from "node:v8";

/** A line of the output. All times are milliseconds of the machine's clock. */
export type Heard =
  | { readonly event: "committed" | "came"; readonly at: number }
  | {
      readonly event: "ended";
      /** For each address, when each request was due and how many milliseconds its answer took. */
      readonly answers: readonly (readonly (readonly [at: number, ms: number])[])[];
      /** Collections of garbage after the start. */
      readonly collections: number;
    };

const INTERVAL_MS = 7;
const LOOKING_MS = 2;
/** Resolution of a timer. */
const TIMER_MS = 2;
const MAX_HEAD_BYTES = 2_048;
/** A slower or incomplete answer is a fault. */
const MAX_ANSWER_MS = 10_000;
/** Garbage of the start is collected within this time. */
const SETTLING_MS = 1_000;
/** Numbers of eight bytes: V8 does not make larger arrays in the young generation. */
const ARRAY_LENGTH = 10_000;

const [store = "", ...addresses] = process.argv.slice(2);
const received = Buffer.alloc(65_536);
let isOver = false;
process.stdin.resume().once("end", () => {
  isOver = true;
});

/** Writes to both halves of the young generation once: the system provides a page at its first write, which takes time. */
function touchYoungGeneration(): void {
  const young = getHeapSpaceStatistics().find(({ space_name }) => space_name === "new_space");
  const halves = 2 * (young?.space_available_size ?? 0);
  for (let used = 0; used < halves; used += 8 * ARRAY_LENGTH) new Array(ARRAY_LENGTH).fill(used);
}

/** Asks once, and returns the head of the answer. */
function ask({ hostname, port, pathname, host }: URL): Promise<string> {
  return new Promise((resolve, reject) => {
    const fail = (what: string) => reject(new Error(`${host}${pathname}: ${what}`));
    let head = "";
    let bytes = 0;
    const onRead = (count: number): boolean => {
      if (!head.includes("\r\n\r\n")) head += received.toString("latin1", 0, Math.min(count, MAX_HEAD_BYTES));
      bytes += count;
      return true;
    };
    const socket = connect({ host: hostname, port: Number(port), onread: { buffer: received, callback: onRead } });
    socket.setTimeout(MAX_ANSWER_MS, () => socket.destroy(new Error("no answer")));
    socket.once("error", ({ message }) => fail(message));
    socket.once("close", () => {
      head = head.slice(0, head.indexOf("\r\n\r\n") + 4);
      const [, length] = /^content-length: (\d+)\r$/im.exec(head) ?? [];
      if (!head.startsWith("HTTP/1.1 200 ")) fail(`answered ${JSON.stringify(head)}`);
      else if (bytes !== head.length + Number(length)) fail(`${bytes} bytes instead of ${head.length} + ${length}`);
      else resolve(head);
    });
    socket.write(`GET ${pathname} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`);
  });
}

/** Asks at fixed times, and calls `onEdition` when the document has a newer date than before. */
async function read(
  address: string,
  firstAfterMs: number,
  onEdition: (at: number) => void,
): Promise<[number, number][]> {
  const url = new URL(address);
  const answers: [number, number][] = [];
  const underWay = new Set<Promise<void>>();
  let newest = "";

  async function askOnce(lateMs: number): Promise<void> {
    const before = clock() - (lateMs > TIMER_MS ? lateMs : 0);
    const head = await ask(url);
    const after = clock();
    answers.push([before, after - before]);
    const [, modified = ""] = /^last-modified: (.*)\r$/im.exec(head) ?? [];
    if (Date.parse(modified) <= Date.parse(newest)) return; // the same edition, or an answer that was overtaken
    if (newest !== "") onEdition(after);
    newest = modified;
  }

  for (let next = performance.now() + firstAfterMs; !isOver; next += INTERVAL_MS) {
    await wait(Math.max(0, next - performance.now()));
    const asked = askOnce(performance.now() - next).catch(fail);
    underWay.add(asked);
    void asked.then(() => underWay.delete(asked));
  }
  await Promise.all(underWay);
  return answers;
}

/** Reports each new revision of the store. */
async function watch(file: string): Promise<void> {
  using database = new DatabaseSync(file, { readOnly: true });
  const revision = database.prepare("SELECT number FROM revision"); // costs next to nothing, unlike the program's own way
  const number = () => revision.get()?.number;
  for (let last = number(); !isOver; await wait(LOOKING_MS)) {
    const now = number();
    if (now !== last) say({ event: "committed", at: clock() });
    last = now;
  }
}

function clock(): number {
  return performance.timeOrigin + performance.now();
}

/** Ends this process, and the bench with it: figures of a server that fails mean nothing. */
function fail(error: unknown): never {
  console.error(error);
  process.exit(1);
}

function say(line: Heard): void {
  process.stdout.write(`${JSON.stringify(line)}\n`);
}

touchYoungGeneration();
let collections = 0;
const settled = performance.now() + SETTLING_MS;
new PerformanceObserver((list) => {
  collections += list.getEntries().filter(({ startTime }) => startTime > settled).length;
}).observe({ entryTypes: ["gc"] });
const [bare = "", ours = ""] = addresses;
const [, ...answers] = await Promise.all([
  watch(store),
  read(bare, 0, () => {}),
  read(ours, INTERVAL_MS / 2, (at) => say({ event: "came", at })),
]);
await wait(0); // the observer is called later
say({ event: "ended", answers, collections });
