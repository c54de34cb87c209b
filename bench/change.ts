/**
 * From the commit of a change until it is served, and how long a cheap GET waits while it is imported, until it is served
 * and in the second after that: with few and many reviews, for one more review and for many at once. The change is
 * imported by the command, which tells the server that it is coming. docs/interface.md §5 allows two seconds. It counts
 * as served when a reader has received it. The readers are a process of their own. They ask a bare server, a process that
 * does nothing but answer with the same bytes, beside ours: how long that one waits for a processor beside the same work
 * is the machine's part. All waits are compared with those of a server that has nothing to do, after its start.
 *
 *     node bench/change.ts [--starts=MOST] [REVIEWS[+MORE] …]
 *
 * For example 1000 240+100000: with MORE, changes of so many reviews instead of one.
 */
import { cpSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { freePort } from "../test/support/free-port.ts";
import { serveProgram, temporaryFolder } from "../test/support/program.ts";
import { openBareServer } from "./bare-peer.ts";
import { openFeedReaders, p99, type Span, type Waits } from "./feed-readers.ts";
import { median, report, shown } from "./figures.ts";
import { machine, processorSeconds, residentMb } from "./processor.ts";
import { untilQuiet } from "./quiet-process.ts";
import { importTable, writeTable } from "./table-import.ts";

const STARTS = "--starts=";
const ASKED = process.argv.slice(2);
const MOST_STARTS = Number(ASKED.find((argument) => argument.startsWith(STARTS))?.slice(STARTS.length) ?? 8);
const ASKED_CASES = ASKED.filter((argument) => !argument.startsWith(STARTS));
const CASES = ASKED_CASES.length > 0 ? ASKED_CASES : ["240", "1000", "100000", "100000+1000", "240+100000"];
const MANY = 100_000;
/** Until readers have asked so long, the servers' code is still being compiled. */
const SETTLING_MS = 2_000;
const [IDLE_MS, BETWEEN_MS, AFTERWARDS_MS, KEEPING_MS] = [2_500, 1_500, 1_000, 2_500];
const FEED = "/api/feed.json";
/** What readers of the feed may wait for at most, × idle. */
const MOST_TIMES_IDLE = 3;

/** What is changed. */
interface Case {
  /** The reviews that are there at each start. */
  readonly size: number;
  /** The reviews of a change. */
  readonly rows: number;
}

/** The parts of a change in which readers wait. */
const PARTS = {
  importing: "while it is imported", // from the start of the command: the server is told of it and prepares for it
  serving: "from commit until served",
  after: "in the second after", // subscribers are told, and codings are made
} as const;
type ChangePart = keyof typeof PARTS;

interface Change {
  readonly wallMs: number;
  readonly processorMs: number;
  readonly waits: Readonly<Record<ChangePart, Waits>>;
}

interface Start {
  readonly startMs: number;
  /** From then until the server had nothing to do. */
  readonly quietMs: number;
  readonly idle: Waits;
  readonly changes: readonly Change[];
  readonly resident: number;
}

/** Changes of one kind, and the waits of the idle server that theirs are compared with. */
interface Kind {
  readonly name: string;
  readonly changes: readonly Change[];
  readonly idle: readonly Waits[];
  /** Until when they are to be served. */
  readonly atMostMs: number;
}

/** Milliseconds of the machine's clock, which the readers' process shares. */
function clock(): number {
  return performance.timeOrigin + performance.now();
}

function caseOf(argument: string): Case {
  const [size = Number.NaN, rows = 1] = argument.split("+").map(Number);
  if (!(size > 0 && rows > 0)) throw new Error(`Not a number of reviews: ${argument}`);
  return { size, rows };
}

/** So many starts, each with so many changes: a few changes have too few answers beside them for a 99th percentile. */
function countsOf({ size, rows }: Case): { readonly starts: number; readonly changes: number } {
  if (rows > 1) return { starts: Math.min(3, MOST_STARTS), changes: rows < size ? 2 : 1 };
  return { starts: size < MANY ? MOST_STARTS : Math.min(5, MOST_STARTS), changes: 4 };
}

/** Makes a store of so many reviews in a folder, with the edition that a server at this port keeps beside it. */
async function prepareStore(folder: string, { size, port }: { size: number; port: string }): Promise<void> {
  await importTable(folder, writeTable(folder, { from: 0, rows: size }));
  await using program = await serveProgram(folder, { PORT: port });
  await wait(KEEPING_MS);
  await program.stop();
}

/**
 * Measures each start on the store that the one before left, from the edition that was kept of it. If more reviews are
 * added than there are, it is a copy of the first store, of which no edition is kept: a copied edition is not used.
 */
async function measureStarts({ size, rows }: Case): Promise<Start[]> {
  using folder = temporaryFolder();
  using imports = temporaryFolder();
  const port = String(await freePort()); // the same for all starts: an edition is kept for an address
  await prepareStore(folder.path, { size, port });
  const { starts, changes } = countsOf({ size, rows });
  const files = Array.from({ length: starts * changes }, (_, index) =>
    writeTable(imports.path, { from: size + index * rows, rows }),
  );
  const measured: Start[] = [];
  for (let number = 0; number < starts; number++) {
    using copy = temporaryFolder();
    const isGrowing = rows >= size;
    if (isGrowing) cpSync(folder.path, copy.path, { recursive: true });
    const store = isGrowing ? copy.path : folder.path;
    measured.push(await measureStart(store, port, files.slice(number * changes, (number + 1) * changes)));
  }
  return measured;
}

/** Starts the server on a store, and imports one file after the other when it has nothing else to do. */
async function measureStart(folder: string, port: string, files: readonly string[]): Promise<Start> {
  const startedAt = performance.now();
  await using program = await serveProgram(folder, { PORT: port }); // from the kept edition, as most starts
  const servedAt = performance.now();
  const pid = program.process.pid ?? 0;
  if (!(await untilQuiet(pid))) console.log("The server did not come to rest: what is called idle is not.");
  const quietMs = performance.now() - servedAt;
  using bare = await openBareServer(program.url, [FEED]);
  const addresses = { bare: `${bare.url}${FEED}`, ours: `${program.url}${FEED}` };
  const readers = openFeedReaders(join(folder, "goodword.db"), addresses);
  await wait(SETTLING_MS);
  const idle = { from: clock(), to: clock() + IDLE_MS };
  await wait(IDLE_MS);
  const changes: { readonly importedAt: number; readonly span: Span; readonly processorMs: number }[] = [];
  for (const file of files) {
    const processor = processorSeconds(pid);
    const importedAt = clock();
    const [change] = await Promise.all([
      readers.nextChange().then((span) => ({ span, processorMs: (processorSeconds(pid) - processor) * 1000 })),
      importTable(folder, file),
    ]);
    changes.push({ importedAt, ...change });
    await wait(BETWEEN_MS);
  }
  const waitsIn = await readers.stop();
  const resident = residentMb(pid);
  await program.stop();
  return {
    startMs: servedAt - startedAt,
    quietMs,
    idle: waitsIn(idle),
    resident,
    changes: changes.map(({ importedAt, span, processorMs }) => ({
      wallMs: span.to - span.from,
      processorMs,
      waits: {
        importing: waitsIn({ from: importedAt, to: span.from }),
        serving: waitsIn(span),
        after: waitsIn({ from: span.to, to: span.to + AFTERWARDS_MS }),
      },
    })),
  };
}

/** The changes of a case by their kind: the first after a start takes longer than the next ones. */
function kindsOf({ size, rows }: Case, starts: readonly Start[]): Kind[] {
  const idle = starts.map((start) => start.idle);
  if (rows > 1) {
    const atMostMs = rows < size ? 1_500 : 2_000; // of more than there was, docs/interface.md §5
    const changes = starts.flatMap((start) => start.changes);
    return [{ name: `${shown(rows)} more on ${shown(size)}`, changes, idle, atMostMs }];
  }
  const atMostMs = size < MANY ? 300 : 1_000;
  return [
    { order: "first after a start", changes: starts.flatMap(({ changes }) => changes.slice(0, 1)) },
    { order: "the next ones", changes: starts.flatMap(({ changes }) => changes.slice(1)) },
  ].map(({ order, changes }) => ({ name: `${shown(size)} reviews, ${order}`, changes, idle, atMostMs }));
}

/** The waits of changes in a part of them. */
function waitsOf(changes: readonly Change[], part: ChangePart): Waits[] {
  return changes.map(({ waits }) => waits[part]);
}

/**
 * The 99th percentile while servers are idle: the median of the starts, since what else the machine does beside one of
 * them would make all changes look quick.
 */
function idleMs(idle: readonly Waits[], server: keyof Waits): number {
  return median(idle.map((waits) => p99([waits], server)));
}

/** How many answers there are in all. */
function countOf(waits: readonly Waits[]): string {
  return shown(waits.reduce((sum, { ours }) => sum + ours.length, 0));
}

function printHead(): void {
  console.log("feed: 99th percentile in ms, and × idle, of goodword and of a bare server beside the same work");
  const parts = Object.values(PARTS).map((part) => part.padStart(26));
  console.log(`${" ".repeat(35)} to served  processor${parts.join("")}`);
  console.log(`${" ".repeat(35)}      (ms)       (ms)${"goodword  bare server".padStart(26).repeat(parts.length)}`);
}

/** A line about the starts: what was idle, and what the process needed. */
function printStarts({ size }: Case, starts: readonly Start[]): void {
  const of = (member: "startMs" | "quietMs" | "resident") => median(starts.map((start) => start[member])).toFixed(0);
  const idle = starts.map((start) => start.idle);
  console.log(
    `${shown(size)} reviews: ${starts.length} starts, served in ${of("startMs")} ms, at rest ${of("quietMs")} ms later; ` +
      `idle ${idleMs(idle, "ours").toFixed(1)} ms, bare server ${idleMs(idle, "bare").toFixed(1)} ms, ` +
      `${countOf(idle)} answers each; at the end ${of("resident")} MB`,
  );
}

/** A line of the table for people. */
function printKind({ name, changes, idle }: Kind): void {
  const of = (member: "wallMs" | "processorMs") => median(changes.map((change) => change[member])).toFixed(0);
  const cells = (Object.keys(PARTS) as ChangePart[]).flatMap((part) => {
    const waits = waitsOf(changes, part);
    return (["ours", "bare"] as const).map((server) => {
      const beside = p99(waits, server);
      return `${beside.toFixed(1).padStart(8)}${(beside / idleMs(idle, server)).toFixed(1).padStart(5)}`;
    });
  });
  const answers = (Object.keys(PARTS) as ChangePart[]).map((part) => countOf(waitsOf(changes, part)));
  console.log(
    `  ${name.padEnd(33)} ${of("wallMs").padStart(9)} ${of("processorMs").padStart(10)}${cells.join("")}   ${answers.join(", ")} answers`,
  );
}

/** Reports what an idle server's readers wait for, with which all others are compared. */
function reportIdle({ size, rows }: Case, starts: readonly Start[]): void {
  const idle = starts.map((start) => start.idle);
  report({
    work: `feed, idle, ${shown(size)} reviews${rows > 1 ? ` (before ${shown(rows)} more)` : ""}: 99 %`,
    peer: `bare server: ${shown(idleMs(idle, "bare"), "ms")}`,
    unit: "ms",
    samples: idle.map((waits) => p99([waits], "ours")),
    of: `starts, ${countOf(idle)} answers`,
  });
}

/** Reports changes of one kind. */
function reportKind({ name, changes, idle, atMostMs }: Kind): void {
  report({
    work: `from commit until served, ${name}`,
    peer: "the contract: 2,000 ms",
    unit: "ms",
    samples: changes.map(({ wallMs }) => wallMs),
    of: "changes",
    atMost: atMostMs,
  });
  const still = { ours: idleMs(idle, "ours"), bare: idleMs(idle, "bare") };
  for (const [part, when] of Object.entries(PARTS) as [ChangePart, string][]) {
    const waits = waitsOf(changes, part);
    report({
      work: `feed ${when}, ${name}: 99 %, × idle`,
      peer: `bare server beside the same work: ${shown(p99(waits, "bare") / still.bare)}`,
      unit: "",
      samples: waits.map((some) => p99([some], "ours") / still.ours),
      value: p99(waits, "ours") / still.ours,
      of: `changes, ${countOf(waits)} answers`,
      atMost: MOST_TIMES_IDLE,
    });
  }
  const longest = (server: keyof Waits) =>
    changes.map(({ waits }) => Math.max(...waits.serving[server], ...waits.after[server]));
  report({
    work: `feed, longest wait from commit until a second after, ${name}`,
    peer: `bare server beside the same work: ${shown(median(longest("bare")))} ms`,
    unit: "ms",
    samples: longest("ours"),
    of: "changes",
  });
}

console.log(machine());
printHead();
for (const measured of CASES.map(caseOf)) {
  const starts = await measureStarts(measured);
  printStarts(measured, starts);
  reportIdle(measured, starts);
  for (const kind of kindsOf(measured, starts)) {
    printKind(kind);
    reportKind(kind);
  }
}
