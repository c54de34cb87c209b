/**
 * From the commit of a change until it is served, and how long readers of a feed wait meanwhile: from the start of the
 * import command until a second after the edition. docs/interface.md §5 allows two seconds. A change counts as served
 * when a reader has received it. The readers are a process of their own, and also ask a bare server with the same bytes:
 * its waits beside the same work are the machine's part.
 *
 *     node bench/change.ts [starts] [many]
 */
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { freePort } from "../test/support/free-port.ts";
import { serveProgram, temporaryFolder } from "../test/support/program.ts";
import { openBareServer } from "./bare-peer.ts";
import { openFeedReaders, p99, type Waits } from "./feed-readers.ts";
import { median, report, shown } from "./figures.ts";
import { importTable, writeTable } from "./invented-reviews.ts";
import { DEPLOYED, machine } from "./processor.ts";
import { MAX_BUSY_WITH_READERS_MS, QUIET_WINDOWS, untilQuiet } from "./quiet-process.ts";

const STARTS = Number(process.argv[2] ?? 2);
const MANY = Number(process.argv[3] ?? 100_000);
/** The time in which the servers' code is compiled, after readers have begun to ask. */
const WARM_UP_MS = 2_000;
const AFTERWARDS_MS = 1_000;
const FEED = "/api/feed.json";
const [MAX_WAIT_MS, MAX_TIMES_BARE] = [15, 4];

/** One file for each change after a start: its kind and its number of reviews. */
type Start = readonly { readonly kind: Kind; readonly rows: number }[];

/** Starts on one store, one after the other. */
interface Case {
  /** The reviews of the store before the first one. */
  readonly size: number;
  readonly starts: readonly Start[];
}

/** What is changed, and the limit of milliseconds until it is served. */
interface Kind {
  readonly name: string;
  /** Undefined where the contract's two seconds are the only limit, which no row repeats. */
  readonly atMostMs?: number;
}

interface Change {
  readonly kind: Kind;
  /** From the commit until it is served. */
  readonly ms: number;
  readonly waits: Waits;
}

const FIRST_OF_FEW = { name: "1 more on 1,000, the first after a start", atMostMs: 300 };
const NEXT_OF_FEW = { name: "1 more on 1,000, the next ones", atMostMs: 300 };
const FIRST_OF_MANY = { name: `1 more on ${shown(MANY)}, the first after a start` };
const NEXT_OF_MANY = { name: `1 more on ${shown(MANY)}, the next ones`, atMostMs: 1_000 };
const THOUSAND = { name: `1,000 more on ${shown(MANY)}`, atMostMs: 1_500 };
const ALL_AT_ONCE = { name: `${shown(MANY)} more on 240`, atMostMs: 3_000 };
const KINDS: readonly Kind[] = [FIRST_OF_FEW, NEXT_OF_FEW, FIRST_OF_MANY, NEXT_OF_MANY, THOUSAND, ALL_AT_ONCE];

const oneMore = (kind: Kind) => ({ kind, rows: 1 });
const OF_FEW = [FIRST_OF_FEW, NEXT_OF_FEW, NEXT_OF_FEW, NEXT_OF_FEW].map(oneMore);
const OF_MANY = [...[FIRST_OF_MANY, NEXT_OF_MANY, NEXT_OF_MANY].map(oneMore), { kind: THOUSAND, rows: 1_000 }];
const CASES: readonly Case[] = [
  { size: 1_000, starts: Array.from({ length: STARTS }, () => OF_FEW) },
  { size: 240, starts: [[{ kind: ALL_AT_ONCE, rows: MANY }], OF_MANY] }, // the first makes the store of the second
];

/** Milliseconds of the machine's clock, which the readers' process shares. */
function clock(): number {
  return performance.timeOrigin + performance.now();
}

/** Measures the starts of a case, one after the other on the same store. */
async function measureCase({ size, starts }: Case): Promise<Change[]> {
  using folder = temporaryFolder();
  const port = String(await freePort()); // the same for all starts: a saved edition is for one address
  await importTable(folder.path, writeTable(folder.path, { from: 0, rows: size }));
  const first = await serveProgram(folder.path, { PORT: port });
  await untilQuiet(first.process.pid ?? 0);
  await first.stop();
  const measured: Change[] = [];
  let from = size;
  for (const changes of starts) {
    measured.push(...(await measureStart(folder.path, port, from, changes)));
    for (const { rows } of changes) from += rows;
  }
  return measured;
}

/** Starts the server from its saved edition and imports one file after the other, each when the server is at rest. */
async function measureStart(folder: string, port: string, firstRow: number, changes: Start): Promise<Change[]> {
  await using program = await serveProgram(folder, { ...DEPLOYED, PORT: port });
  const pid = program.process.pid ?? 0;
  if (!(await untilQuiet(pid))) console.log("The server did not come to rest before the first change.");
  using bare = await openBareServer(program.url, [FEED]);
  const addresses = { bare: `${bare.url}${FEED}`, ours: `${program.url}${FEED}` };
  const readers = openFeedReaders(join(folder, "goodword.db"), addresses);
  await wait(WARM_UP_MS);
  const made: { readonly kind: Kind; readonly ms: number; readonly from: number; readonly to: number }[] = [];
  let row = firstRow;
  for (const [index, { kind, rows }] of changes.entries()) {
    if (index > 0) await untilQuiet(pid, QUIET_WINDOWS, MAX_BUSY_WITH_READERS_MS);
    const file = writeTable(folder, { from: row, rows });
    row += rows;
    const importedAt = clock();
    const [change] = await Promise.all([readers.nextChange(), importTable(folder, file)]);
    made.push({ kind, ms: change.to - change.from, from: importedAt, to: change.to + AFTERWARDS_MS });
    await wait(AFTERWARDS_MS);
  }
  const waitsIn = await readers.stop();
  await program.stop();
  return made.map(({ kind, ms, ...span }) => ({ kind, ms, waits: waitsIn(span) }));
}

console.log(machine());
console.log(`to served, and the 99th percentile of a feed's readers: goodword, bare server (ms)`);
const changes: Change[] = [];
for (const measured of CASES) changes.push(...(await measureCase(measured)));
const kinds = KINDS.map((kind) => {
  const own = changes.filter((change) => change.kind === kind);
  const waits = own.map((change) => change.waits);
  return { kind, samples: own.map(({ ms }) => ms), ours: p99(waits, "ours"), bare: p99(waits, "bare") };
});
for (const { kind, samples, ours, bare } of kinds) {
  const cells = [median(samples).toFixed(0), ours.toFixed(1), bare.toFixed(1)].map((cell) => cell.padStart(8));
  console.log(`${kind.name.padEnd(44)}${cells.join("")}   ${samples.map(Math.round).join(", ")}`);
  if (kind.atMostMs === undefined) continue;
  report({
    work: `from commit until served, ${kind.name}`,
    peer: "the contract: 2,000 ms",
    unit: "ms",
    samples,
    of: "changes",
    atMost: kind.atMostMs,
  });
}
const answers = changes.reduce((sum, { waits }) => sum + waits.ours.length, 0);
const of = `kinds of change, ${shown(answers)} answers`;
const [ours, ratios] = [kinds.map((each) => each.ours), kinds.map((each) => each.ours / each.bare)];
const work = "99 % of a feed's readers wait meanwhile, the worst kind of change";
const peer = `bare server beside the same work: ${shown(Math.max(...kinds.map(({ bare }) => bare)), "ms")}`;
report({ work, peer, unit: "ms", samples: ours, value: Math.max(...ours), of, atMost: MAX_WAIT_MS });
report({
  work: `${work}, × the peer's`,
  peer: "bare server beside the same work = 1",
  unit: "",
  samples: ratios,
  value: Math.max(...ratios),
  of,
  atMost: MAX_TIMES_BARE,
});
