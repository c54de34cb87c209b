/**
 * From the commit of one more review until it is served, and how long a cheap GET waits meanwhile: with few and many
 * reviews, for the first change after a start and for the next ones. The review is imported by the command, which tells
 * the server that a change is coming. docs/interface.md §5 allows two seconds. A bare server, a process that does
 * nothing but answer with the same bytes, is asked in turns with it: how long it waits for a processor beside the same
 * work is the machine's part.
 *
 *     node bench/change.ts [reviews …]
 */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { openStore, readRevision } from "../src/store/store.ts";
import { freePort } from "../test/free-port.ts";
import { run, serveProgram, temporaryFolder } from "../test/program.ts";
import { ask } from "../test/wire.ts";
import { openBareServer } from "./bare-peer.ts";
import { median, percentile, report, shown } from "./figures.ts";
import { csvOf, machine, processorSeconds, residentMb } from "./processor.ts";

const SIZES = process.argv.length > 2 ? process.argv.slice(2).map(Number) : [240, 1_000, 100_000];
/** So many reviews have a change of a thousand more measured, too. */
const MANY = 100_000;
/** So many starts, each with so many changes: a few of them have too few answers beside them for a 99th percentile. */
const [STARTS, CHANGES] = [5, 8];
const [IDLE_MS, BETWEEN_MS] = [2_000, 1_500];
const [PAUSE_MS, LOOKING_MS] = [1, 5];
const FEED = "/api/feed.json";

/** Milliseconds that GETs of the feed take. */
interface Waits {
  readonly ours: number[];
  readonly bare: number[];
}

interface Change {
  readonly wallMs: number;
  readonly processorMs: number;
  readonly waits: Waits;
}

interface Urls {
  readonly ours: string;
  readonly bare: string;
}

/** Asks for the feed, here and there in turns, until `isOver`. */
async function feedWaits(urls: Urls, isOver: () => boolean): Promise<Waits> {
  const waits: Waits = { ours: [], bare: [] };
  while (!isOver()) {
    for (const server of ["bare", "ours"] as const) {
      const before = performance.now();
      await ask(`${urls[server]}${FEED}`);
      waits[server].push(performance.now() - before);
      await wait(PAUSE_MS);
    }
  }
  return waits;
}

interface Start {
  readonly startMs: number;
  readonly idleWaits: Waits;
  readonly changes: readonly Change[];
  readonly resident: number;
}

/** Starts the server on a store in `folder` and imports reviews from number `next` on, `rows` in each change. */
async function changeAfterStart(
  folder: string,
  { port, next, rows = 1 }: { readonly port: string; readonly next: number; readonly rows?: number },
): Promise<Start> {
  const startedAt = performance.now();
  await using program = await serveProgram(folder, { PORT: port }); // from the kept edition, as most starts
  const startMs = performance.now() - startedAt;
  const store = await openStore(`sqlite:${join(folder, "goodword.db")}`);
  using bare = await openBareServer(program.url, [FEED]);
  const urls = { ours: program.url, bare: bare.url };
  const pid = program.process.pid ?? 0;
  const tag = async () => (await ask(`${program.url}/reviews.json`, { method: "HEAD" })).headers.etag;
  const idleUntil = performance.now() + IDLE_MS;
  const idleWaits = await feedWaits(urls, () => performance.now() > idleUntil);
  const changes: Change[] = [];
  for (let number = 0; number < CHANGES; number++) {
    const file = join(folder, "more.csv");
    writeFileSync(file, csvOf(next + number * rows, rows));
    const before = await tag();
    const processor = processorSeconds(pid);
    const { number: revision } = await readRevision(store.database);
    const importing = run(folder, ["import", file, "--source", "google"]);
    while ((await readRevision(store.database)).number === revision) await wait(LOOKING_MS);
    const committed = performance.now();
    let isServed = false;
    const waits = feedWaits(urls, () => isServed);
    while ((await tag()) === before) await wait(LOOKING_MS);
    isServed = true;
    const wallMs = performance.now() - committed;
    changes.push({ wallMs, processorMs: (processorSeconds(pid) - processor) * 1000, waits: await waits });
    await importing;
    await wait(BETWEEN_MS);
  }
  await store.close();
  const resident = residentMb(pid);
  await program.stop(); // keeps its edition
  return { startMs, idleWaits, changes, resident };
}

/** The 99th percentile of the waits. */
function p99(waits: readonly Waits[], server: keyof Waits): number {
  return percentile(
    waits.flatMap((some) => some[server]),
    0.99,
  );
}

console.log(machine());
console.log("                                                              feed p99 (ms), × idle:");
console.log("one more review     to served (ms)   processor (ms)     goodword        bare server    resident (MB)");
for (const size of SIZES) {
  using folder = temporaryFolder();
  const port = String(await freePort()); // the same for all starts: an edition is kept for an address
  const reviews = join(folder.path, "reviews.csv");
  writeFileSync(reviews, csvOf(0, size));
  const imported = await run(folder.path, ["import", reviews, "--source", "google"]);
  if (imported.code !== 0) throw new Error(imported.stderr);
  await using first = await serveProgram(folder.path, { PORT: port });
  await wait(IDLE_MS);
  await first.stop();
  const starts: Start[] = [];
  for (let number = 0; number < STARTS; number++) {
    starts.push(await changeAfterStart(folder.path, { port, next: size + number * CHANGES }));
  }
  console.log(
    `${String(size).padStart(7)}, started again in ${median(starts.map(({ startMs }) => startMs)).toFixed(0)} ms`,
  );
  const idle = starts.map(({ idleWaits }) => idleWaits);
  const resident = median(starts.map(({ resident }) => resident)).toFixed(0);
  for (const [name, part] of [
    ["first after a start", starts.flatMap(({ changes }) => changes.slice(0, 1))],
    ["the next ones", starts.flatMap(({ changes }) => changes.slice(1))],
  ] as const) {
    const of = (member: "wallMs" | "processorMs") => median(part.map((change) => change[member])).toFixed(0);
    const waits = part.map((change) => change.waits);
    const times = (["ours", "bare"] as const).map((server) => {
      const beside = p99(waits, server);
      return { beside, ofIdle: beside / p99(idle, server) };
    });
    const shownTimes = times.map(
      ({ beside, ofIdle }) => `${beside.toFixed(1).padStart(8)} ${ofIdle.toFixed(1).padStart(6)}`,
    );
    console.log(
      `${String(size).padStart(7)}, ${name.padEnd(19)} ${of("wallMs").padStart(6)} ${of("processorMs").padStart(15)} ${shownTimes.join(" ")} ${resident.padStart(14)}`,
    );
    report({
      work: `from commit until served, ${shown(size)} reviews, ${name}`,
      peer: "the contract: 2,000 ms",
      unit: "ms",
      samples: part.map(({ wallMs }) => wallMs),
      of: "changes",
      atMost: size < MANY ? 300 : 1_000,
    });
    const [ours, theirs] = times;
    const idleOurs = p99(idle, "ours");
    report({
      work: `feed meanwhile, ${shown(size)} reviews, ${name}: 99 %, × idle`,
      peer: `bare server beside the same work: ${shown(theirs?.ofIdle ?? Number.NaN)}`,
      unit: "",
      samples: part.map((change) => p99([change.waits], "ours") / idleOurs),
      value: ours?.ofIdle ?? Number.NaN,
      of: "changes",
      atMost: 3,
    });
  }
  if (size < MANY) continue;
  const { changes } = await changeAfterStart(folder.path, { port, next: size + STARTS * CHANGES, rows: 1_000 });
  const times = changes.map(({ wallMs }) => wallMs);
  console.log(`${String(size).padStart(7)}, 1,000 more         ${median(times).toFixed(0).padStart(7)}`);
  report({
    work: `from commit until served, 1,000 more on ${shown(size)}`,
    peer: "the contract: 2,000 ms",
    unit: "ms",
    samples: times,
    of: "changes",
    atMost: 1_500,
  });
}
