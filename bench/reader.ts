/**
 * Readers of a bare server and of ours: each document is asked for some 140 times a second, on a new connection each time
 * and however long earlier answers take, until the standard input ends, as it also does when the bench is killed. Lines
 * of JSON say when a change was committed to the store and when its edition came; the last one says what all answers took.
 * `bench/change.ts` starts it, so that what else the bench does is not waited for. Readers have machines of their own:
 * where the system allows it, this process runs before all others (`feed-readers.ts`), so that its own waits for a
 * processor are not counted.
 *
 * An answer's time is counted from when it was due to be asked for, if this process was late to ask: otherwise the times
 * at which the whole machine stands still would be left out (coordinated omission). Up to two milliseconds late are a
 * timer's resolution and not counted; they would make the idle server's answers look slow. The process ends with 1 as
 * soon as an answer fails.
 *
 * It collects no garbage once it has settled, if it is started with a young generation that is large enough
 * (`feed-readers.ts`), and says whether it did: collecting took it 5 to 10 ms every two seconds, idle or not, and one
 * answer in a hundred waited for just that.
 *
 *     node bench/reader.ts STORE BARE-URL URL
 */
import { connect } from "node:net";
import { PerformanceObserver } from "node:perf_hooks";
import { DatabaseSync } from "node:sqlite";
import { setTimeout as wait } from "node:timers/promises";
import { getHeapSpaceStatistics } from "node:v8";

/** What a line says. All times are milliseconds of the machine's clock. */
export type Heard =
  | { readonly event: "committed" | "came"; readonly at: number }
  | {
      readonly event: "ended";
      /** For each address, when each answer was asked for or due, and how many milliseconds it took. */
      readonly answers: readonly (readonly (readonly [at: number, ms: number])[])[];
      /** How often it has collected garbage since it settled. */
      readonly collections: number;
    };

const INTERVAL_MS = 7;
const LOOKING_MS = 2;
/** How late a timer may be. */
const TIMER_MS = 2;
/** How much of each piece of an answer is searched for the end of its head. */
const LONGEST_HEAD = 2_048;
/** An answer that takes longer is a fault, as is one that comes incomplete. */
const LONGEST_ANSWER_MS = 10_000;
/** When what the start leaves behind has been collected. */
const SETTLING_MS = 1_000;
/** Numbers of eight bytes each: V8 does not make larger arrays in the young generation. */
const ROOM_AT_A_TIME = 10_000;

const [store = "", ...addresses] = process.argv.slice(2);
const received = Buffer.alloc(65_536);
let isOver = false;
process.stdin.resume().once("end", () => {
  isOver = true;
});

/**
 * Writes to the whole young generation once, both of its halves, so that the system has provided all of its pages: where
 * a page is written first, whoever writes waits for it.
 */
function useRoom(): void {
  const young = getHeapSpaceStatistics().find(({ space_name }) => space_name === "new_space");
  const halves = 2 * (young?.space_available_size ?? 0);
  for (let used = 0; used < halves; used += 8 * ROOM_AT_A_TIME) new Array(ROOM_AT_A_TIME).fill(used);
}

/** Asks once, and gives the head of the answer. */
function ask({ hostname, port, pathname, host }: URL): Promise<string> {
  return new Promise((resolve, reject) => {
    const fail = (what: string) => reject(new Error(`${host}${pathname}: ${what}`));
    let head = "";
    let bytes = 0;
    const onRead = (count: number): boolean => {
      if (!head.includes("\r\n\r\n")) head += received.toString("latin1", 0, Math.min(count, LONGEST_HEAD));
      bytes += count;
      return true;
    };
    const socket = connect({ host: hostname, port: Number(port), onread: { buffer: received, callback: onRead } });
    socket.setTimeout(LONGEST_ANSWER_MS, () => socket.destroy(new Error("no answer")));
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

/** Asks again and again, and calls `onEdition` whenever the document has another date than in the answer before. */
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
    if (Date.parse(modified) <= Date.parse(newest)) return; // the same edition, or one that was asked for before
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

/** Looks again and again whether the store's revision is another than before. */
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

/** Ends this process, and the bench with it: what is measured of a server that fails says nothing. */
function fail(error: unknown): never {
  console.error(error);
  process.exit(1);
}

function say(line: Heard): void {
  process.stdout.write(`${JSON.stringify(line)}\n`);
}

useRoom();
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
await wait(0); // collections are told of later
say({ event: "ended", answers, collections });
