/**
 * From the commit of one more review until it is served, and how long a cheap GET waits meanwhile: with few and many
 * reviews, for the first change after a start and for the next ones. The review is imported by the command, which tells
 * the server that a change is coming. docs/interface.md §5 allows two seconds. It counts as served when a reader has
 * received it. The readers are a process of their own. They ask a bare server, a process that does nothing but answer
 * with the same bytes, beside ours: how long that one waits for a processor beside the same work is the machine's part.
 *
 *     node bench/change.ts [reviews …]
 */
import { spawn } from "node:child_process";
import { EventEmitter, once } from "node:events";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as wait } from "node:timers/promises";
import { freePort } from "../test/free-port.ts";
import { run, serveProgram, temporaryFolder } from "../test/program.ts";
import { openBareServer } from "./bare-peer.ts";
import { type Figure, median, percentile, report, shown } from "./figures.ts";
import { csvOf, machine, processorSeconds, residentMb } from "./processor.ts";
import type { Heard } from "./reader.ts";

const SIZES = process.argv.length > 2 ? process.argv.slice(2).map(Number) : [240, 1_000, 100_000];
/** So many reviews have a change of a thousand more measured, too. */
const MANY = 100_000;
/** So many starts, each with so many changes: a few of them have too few answers beside them for a 99th percentile. */
const [STARTS, STARTS_OF_MANY, CHANGES] = [10, 5, 4];
const [SETTLING_MS, IDLE_MS, BETWEEN_MS, AFTERWARDS_MS] = [3_000, 2_500, 1_500, 1_000];
const LONGEST_WAIT_MS = 60_000;
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
  /** The waits from the start of the import command until the commit: the server, which is told of it, prepares for it. */
  readonly importing: Waits;
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

interface Readers {
  /** When the next change was committed, and when a reader had its edition. Call it before the change is imported. */
  nextChange(): Promise<Span>;
  /** Stops them and gives what they waited for in a span. */
  stop(): Promise<(span: Span) => Waits>;
}

/** Starts readers of a bare server and of ours. What is waited for fails if their process ends, or after a minute. */
function openReaders(store: string, bare: string, ours: string): Readers {
  const reader = spawn(process.execPath, [join(import.meta.dirname, "reader.ts"), store, bare, ours], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  const said = new EventEmitter();
  createInterface(reader.stdout).on("line", (line) => {
    const heard = JSON.parse(line) as Heard;
    said.emit(heard.event, heard);
  });
  reader.once("close", (code) => code === 0 || said.emit("error", new Error(`the readers ended with ${code}`)));

  async function next<E extends Heard["event"]>(event: E): Promise<Extract<Heard, { event: E }>> {
    const [heard] = await once(said, event, { signal: AbortSignal.timeout(LONGEST_WAIT_MS) });
    return heard;
  }

  return {
    nextChange: async () => {
      const [{ at: from }, { at: to }] = await Promise.all([next("committed"), next("came")]);
      if (to < from) throw new Error("an edition came before the change was committed");
      return { from, to };
    },
    stop: async () => {
      const ended = next("ended");
      reader.stdin.end();
      const { answers, isFavoured } = await ended;
      const [theirs = [], own = []] = answers;
      if (!isFavoured)
        console.log("The readers' own waits for a processor are counted: their priority could not be raised.");
      return (span) => ({ ours: within(own, span), bare: within(theirs, span) });
    },
  };
}

/** The waits of answers that were under way in a span, also of those that began before it or ended after it. */
function within(answers: readonly (readonly [number, number])[], { from, to }: Span): number[] {
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
  using bare = await openBareServer(program.url, [FEED]);
  const readers = openReaders(join(folder, "goodword.db"), `${bare.url}${FEED}`, `${program.url}${FEED}`);
  const pid = program.process.pid ?? 0;
  await wait(SETTLING_MS);
  const idle = { from: clock(), to: clock() + IDLE_MS };
  await wait(IDLE_MS);
  const changes: { readonly importedAt: number; readonly span: Span; readonly processorMs: number }[] = [];
  for (let number = 0; number < CHANGES; number++) {
    const file = join(folder, "more.csv");
    writeFileSync(file, csvOf(next + number * rows, rows));
    const processor = processorSeconds(pid);
    const importedAt = clock();
    const [change] = await Promise.all([
      readers.nextChange().then((span) => ({ span, processorMs: (processorSeconds(pid) - processor) * 1000 })),
      importRows(folder, file),
    ]);
    changes.push({ importedAt, ...change });
    await wait(BETWEEN_MS);
  }
  const waitsIn = await readers.stop();
  const resident = residentMb(pid);
  await program.stop(); // keeps its edition
  return {
    startMs,
    idleWaits: waitsIn(idle),
    resident,
    changes: changes.map(({ importedAt, span, processorMs }) => ({
      importing: waitsIn({ from: importedAt, to: span.from }),
      wallMs: span.to - span.from,
      processorMs,
      waits: waitsIn(span),
      afterwards: waitsIn({ from: span.to, to: span.to + AFTERWARDS_MS }),
    })),
  };
}

/** Imports reviews by the command. @throws Error with what it said if it refuses them. */
async function importRows(folder: string, file: string): Promise<void> {
  const { code, stderr } = await run(folder, ["import", file, "--source", "google"]);
  if (code !== 0) throw new Error(stderr);
}

/** The 99th percentile of the waits. */
function p99(waits: readonly Waits[], server: keyof Waits): number {
  return percentile(
    waits.flatMap((some) => some[server]),
    0.99,
  );
}

console.log(machine());
console.log(
  "                                                          feed p99 (ms), × idle, while it is imported, meanwhile and after:",
);
console.log(
  "one more review     to served (ms)   processor (ms)    goodword  bare server   goodword  bare server   goodword  bare server  resident",
);
for (const size of SIZES) {
  using folder = temporaryFolder();
  const port = String(await freePort()); // the same for all starts: an edition is kept for an address
  const reviews = join(folder.path, "reviews.csv");
  writeFileSync(reviews, csvOf(0, size));
  await importRows(folder.path, reviews);
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
    for (const [when, waits, isLimited] of [
      ["while it is imported", part.map((change) => change.importing), false], // the command's work is most of that
      ["meanwhile", part.map((change) => change.waits), true],
      ["in the second after", part.map((change) => change.afterwards), true],
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
        ...(isLimited ? { atMost: 3 } : {}),
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
