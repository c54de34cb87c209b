/**
 * Measures an import of many rows: rows per second, processor time a row by phase, and the most memory above what the
 * idle process holds; then the whole command, on an empty store each time, and the same with reviews of few words, as
 * imports were first measured. `node bench/import.ts [rows] [csv|jsonl] [source]`. The limit is 300 MB above idle for
 * 200,000 rows of CSV. With a source that is not verified, such as yelp, nothing is analysed. Analysis while the file
 * is read counts as reading. All analyses are made when the import ends: a server only has to render them.
 */
import { createWriteStream } from "node:fs";
import { mkdtemp, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { importPaths, type Progress } from "../src/import/importer.ts";
import { openStore } from "../src/store/store.ts";
import { run } from "../test/support/program.ts";
import { median, report, shown } from "./figures.ts";
import { CSV_HEAD, csvLine, csvOfFewWords, inventedReview } from "./invented-reviews.ts";
import { machine } from "./processor.ts";

/** Measured first: the memory that generating the file leaves behind counts as the import's. */
const idle = process.memoryUsage.rss();
const MAX_MEGABYTES = 300;
const COMMAND_RUNS = 3;
/** Rows a second of the whole command. */
const MIN_RATE = 12_000;
const MEGABYTE = 1_000_000;
const rows = Number(process.argv[2] ?? 200_000);
const isLines = process.argv[3] === "jsonl";
const source = process.argv[4] ?? "google";
function* lines(): Generator<string> {
  if (!isLines) yield `${CSV_HEAD}\n`;
  for (let index = 0; index < rows; index += 1)
    yield `${isLines ? JSON.stringify(inventedReview(index)) : csvLine(index)}\n`;
}

/** Rows a second that SQLite takes in one transaction of prepared inserts, with a key. */
function bareInsert(file: string): number {
  const database = new DatabaseSync(file);
  database.exec(
    "create table review (id text primary key, author text, rating integer, created text, text text, url text, reply text, replied text)",
  );
  const records = Array.from({ length: rows }, (_, index) => Object.values(inventedReview(index)));
  const insert = database.prepare("insert into review values (?, ?, ?, ?, ?, ?, ?, ?)");
  const start = performance.now();
  database.exec("begin");
  for (const values of records) insert.run(...values);
  database.exec("commit");
  const seconds = (performance.now() - start) / 1000;
  database.close();
  return Math.round(rows / seconds);
}

/** Rows a second of the whole command, each time on an empty store. */
async function commandRates(parent: string, file: string): Promise<number[]> {
  const rates: number[] = [];
  for (let round = 0; round < COMMAND_RUNS; round++) {
    const own = await mkdtemp(join(parent, "command-"));
    const start = performance.now();
    const { code, stderr } = await run(own, ["import", file, "--source", source]);
    if (code !== 0) throw new Error(stderr);
    rates.push(rows / ((performance.now() - start) / 1000));
  }
  return rates;
}

console.log(machine());
const folder = await mkdtemp(join(tmpdir(), "import-bench-"));
try {
  const file = join(folder, isLines ? "reviews.jsonl" : "reviews.csv");
  await pipeline(Readable.from(lines()), createWriteStream(file));
  const store = await openStore(`sqlite:${join(folder, "store.db")}`);
  let peak = idle;
  const microseconds = new Map<string, number>();
  let phase = "reading";
  let last = process.cpuUsage();
  const watch = (progress?: Progress) => {
    peak = Math.max(peak, process.memoryUsage.rss());
    const { user, system } = process.cpuUsage(last);
    last = process.cpuUsage();
    microseconds.set(phase, (microseconds.get(phase) ?? 0) + user + system);
    phase = progress?.phase ?? "reading";
  };
  for (const round of ["first import", "same again"]) {
    const processor = process.cpuUsage();
    last = processor;
    microseconds.clear();
    const start = performance.now();
    const report = await importPaths(store, [file], { source, now: new Date(), onProgress: watch });
    watch();
    const seconds = (performance.now() - start) / 1000;
    const counts = `${report.added} added, ${report.changed} changed, ${report.unchanged} unchanged`;
    const { user, system } = process.cpuUsage(processor);
    const used = ((user + system) / 1e6).toFixed(1);
    console.log(
      `${round}: ${counts}; ${seconds.toFixed(1)} s (${used} of processor), ${Math.round(rows / seconds)} rows/s`,
    );
    const phases = [...microseconds].map(([name, spent]) => `${name} ${(spent / rows).toFixed(0)}`);
    console.log(`  processor time a row in µs: ${phases.join(", ")}`);
  }
  await store.close();
  const bare = bareInsert(join(folder, "bare.db"));
  console.log(`bare insert of the same rows into SQLite: ${bare} rows/s`);
  const above = (peak - idle) / MEGABYTE;
  console.log(`file ${((await stat(file)).size / MEGABYTE).toFixed(0)} MB, idle ${(idle / MEGABYTE).toFixed(0)} MB`);
  console.log(`peak ${above.toFixed(0)} MB above idle`);
  const rates = await commandRates(folder, file);
  console.log(`the whole command: ${Math.round(median(rates))} rows/s, median of ${COMMAND_RUNS}`);
  const few = join(folder, "few-words.csv");
  await writeFile(few, csvOfFewWords(rows));
  const fewRates = await commandRates(folder, few);
  console.log(`the whole command, reviews of few words: ${Math.round(median(fewRates))} rows/s`);
  const work = `import of ${shown(rows)} rows (${isLines ? "JSON lines" : "CSV"})`;
  report({
    work: `import of ${shown(rows)} rows (CSV) of few words, 420 texts, whole command`,
    peer: `bare insert of longer rows: ${shown(bare)} a second`,
    unit: "a second",
    samples: fewRates,
    atLeast: MIN_RATE,
  });
  report({
    work: `${work}, whole command`,
    peer: `bare insert: ${shown(bare)} a second`,
    unit: "a second",
    samples: rates,
    atLeast: MIN_RATE,
  });
  report({
    work: `${work}: most memory above idle`,
    peer: `idle: ${shown(idle / MEGABYTE, "MB")}`,
    unit: "MB",
    samples: [above],
    atMost: MAX_MEGABYTES,
  });
} finally {
  await rm(folder, { recursive: true, force: true });
}
