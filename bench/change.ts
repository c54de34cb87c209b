/**
 * From the commit of one more review until it is served, and how long a cheap GET waits meanwhile: with few and many
 * reviews, for the first change after a start and for the next ones. The review is imported by the command, which tells
 * the server that a change is coming. docs/interface.md §5 allows two seconds. The reader is a process of its own. It
 * asks a bare server, a process that does nothing but answer with the same bytes, beside ours: how long that one waits
 * for a processor beside the same work is the machine's part.
 *
 *     node bench/change.ts [reviews …]
 */
import { spawn } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { setTimeout as wait } from "node:timers/promises";
import { openStore, readRevision } from "../src/store/store.ts";
import { freePort } from "../test/free-port.ts";
import { run, serveProgram, temporaryFolder } from "../test/program.ts";
import { ask } from "../test/wire.ts";
import { openBareServer } from "./bare-peer.ts";
import { type Figure, median, percentile, report, shown } from "./figures.ts";
import { csvOf, machine, processorSeconds, residentMb } from "./processor.ts";

const SIZES = process.argv.length > 2 ? process.argv.slice(2).map(Number) : [240, 1_000, 100_000];
/** So many reviews have a change of a thousand more measured, too. */
const MANY = 100_000;
/** So many starts, each with so many changes: a few of them have too few answers beside them for a 99th percentile. */
const [STARTS, STARTS_OF_MANY, CHANGES] = [10, 5, 4];
const [SETTLING_MS, IDLE_MS, BETWEEN_MS, AFTERWARDS_MS] = [1_500, 2_500, 1_500, 1_000];
const LOOKING_MS = 5;
const FEED = "/api/feed.json";

/** Milliseconds that GETs of the feed took, here and there. */
interface Waits {
  readonly ours: readonly number[];
  readonly bare: readonly number[];
}

/** A span of time, in milliseconds of the machine's clock. */
interface Span {
  readonly from: number;
  readonly to: number;
}

interface Change {
  readonly wallMs: number;
  readonly processorMs: number;
  /** The waits until it was served. */
  readonly waits: Waits;
  /** Those of the second after that, in which subscribers are told and codings are made. */
  readonly afterwards: Waits;
}

interface Start {
  readonly startMs: number;
  readonly idleWaits: Waits;
  readonly changes: readonly Change[];
  readonly resident: number;
}

/** Milliseconds of the machine's clock, which the reader's process shares. */
function clock(): number {
  return performance.timeOrigin + performance.now();
}

/** Starts a reader, and gives the function that stops it and tells what it waited for in a span. */
function openReader(ours: string, bare: string): () => Promise<(span: Span) => Waits> {
  const reader = spawn(process.execPath, [join(import.meta.dirname, "reader.ts"), `${bare}${FEED}`, `${ours}${FEED}`], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  const printed = text(reader.stdout);
  return async () => {
    reader.stdin.end();
    const [theirs = [], own = []] = JSON.parse(await printed) as [number, number][][];
    return (span) => ({ ours: within(own, span), bare: within(theirs, span) });
  };
}

/** The waits of answers that were under way in a span, also of those that began before it or ended after it. */
function within(answers: readonly [number, number][], { from, to }: Span): number[] {
  return answers.filter(([at, ms]) => at + ms >= from && at <= to).map(([, ms]) => ms);
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
  const stopReader = openReader(program.url, bare.url);
  const pid = program.process.pid ?? 0;
  const tag = async () => (await ask(`${program.url}/reviews.json`, { method: "HEAD" })).headers.etag;
  await wait(SETTLING_MS);
  const idle = { from: clock(), to: clock() + IDLE_MS };
  await wait(IDLE_MS);
  const changes: { readonly span: Span; readonly processorMs: number }[] = [];
  for (let number = 0; number < CHANGES; number++) {
    const file = join(folder, "more.csv");
    writeFileSync(file, csvOf(next + number * rows, rows));
    const before = await tag();
    const processor = processorSeconds(pid);
    const { number: revision } = await readRevision(store.database);
    const importing = run(folder, ["import", file, "--source", "google"]);
    while ((await readRevision(store.database)).number === revision) await wait(LOOKING_MS);
    const from = clock();
    while ((await tag()) === before) await wait(LOOKING_MS);
    changes.push({ span: { from, to: clock() }, processorMs: (processorSeconds(pid) - processor) * 1000 });
    await importing;
    await wait(BETWEEN_MS);
  }
  const waitsIn = await stopReader();
  await store.close();
  const resident = residentMb(pid);
  await program.stop(); // keeps its edition
  return {
    startMs,
    idleWaits: waitsIn(idle),
    resident,
    changes: changes.map(({ span, processorMs }) => ({
      wallMs: span.to - span.from,
      processorMs,
      waits: waitsIn(span),
      afterwards: waitsIn({ from: span.to, to: span.to + AFTERWARDS_MS }),
    })),
  };
}

/** The 99th percentile of the waits. */
function p99(waits: readonly Waits[], server: keyof Waits): number {
  return percentile(
    waits.flatMap((some) => some[server]),
    0.99,
  );
}

console.log(machine());
console.log("                                                          feed p99 (ms), × idle, meanwhile and after:");
console.log(
  "one more review     to served (ms)   processor (ms)    goodword  bare server   goodword  bare server  resident",
);
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
  const count = size < MANY ? STARTS : STARTS_OF_MANY;
  for (let number = 0; number < count; number++) {
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
    const figures: Figure[] = [];
    const of = (member: "wallMs" | "processorMs") => median(part.map((change) => change[member])).toFixed(0);
    const idleOf = { ours: p99(idle, "ours"), bare: p99(idle, "bare") };
    const shownTimes: string[] = [];
    for (const [when, waits] of [
      ["meanwhile", part.map((change) => change.waits)],
      ["in the second after", part.map((change) => change.afterwards)],
    ] as const) {
      const [ours, theirs] = [p99(waits, "ours"), p99(waits, "bare")];
      for (const [beside, still] of [
        [ours, idleOf.ours],
        [theirs, idleOf.bare],
      ] as const)
        shownTimes.push(`${beside.toFixed(1).padStart(7)} ${(beside / still).toFixed(1).padStart(4)}`);
      figures.push({
        work: `feed ${when}, ${shown(size)} reviews, ${name}: 99 %, × idle`,
        peer: `bare server beside the same work: ${shown(theirs / idleOf.bare)}`,
        unit: "",
        samples: waits.map((some) => p99([some], "ours") / idleOf.ours),
        value: ours / idleOf.ours,
        of: "changes",
        atMost: 3,
      });
    }
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
    for (const figure of figures) report(figure);
    const longest = (server: keyof Waits) =>
      part.map(({ waits, afterwards }) => Math.max(...waits[server], ...afterwards[server]));
    report({
      work: `feed, longest wait until a second after, ${shown(size)} reviews, ${name}`,
      peer: `bare server beside the same work: ${shown(median(longest("bare")))} ms`,
      unit: "ms",
      samples: longest("ours"),
      of: "changes",
    });
  }
  if (size < MANY) continue;
  const { changes } = await changeAfterStart(folder.path, { port, next: size + count * CHANGES, rows: 1_000 });
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
