/**
 * The import of many reviews by the command, each time into an empty store, and the analysis of their texts on one core.
 * Peers are bare inserts into SQLite and VADER, which only scores the sentiment of a text. With `--against` the peer is
 * another version of the program, in turns: a folder with its source and its packages.
 *
 *     node bench/import.ts [reviews] [--against=FOLDER]
 */
import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { parseArgs } from "node:util";
import vader from "vader-sentiment";
import { environmentOf, temporaryFolder } from "../test/support/program.ts";
import { median, report, shown } from "./figures.ts";
import { inventedReview, writeTable } from "./invented-reviews.ts";
import { machine } from "./processor.ts";

const { values, positionals } = parseArgs({ options: { against: { type: "string" } }, allowPositionals: true });
const REVIEWS = Number(positionals[0] ?? 100_000);
const [IMPORT_ROUNDS, ANALYSIS_ROUNDS] = [2, 3];
const ANALYSED_TEXTS = Math.min(8_000, REVIEWS);
const WARM_UP_ROWS = 1_000;
const ROOT = join(import.meta.dirname, "..");

/** A version of the program. */
interface Version {
  readonly analyse: (text: string, rating: number) => unknown;
  /** Reviews a second of the import command. */
  readonly importRate: (file: string, rows?: number) => number;
}

async function versionIn(root: string): Promise<Version> {
  const { analyseText }: typeof import("../src/insight/text-analysis.ts") = await import(
    join(root, "src/insight/text-analysis.ts")
  );
  const { taxonomyOf }: typeof import("../src/analysis/trade-taxonomy.ts") = await import(
    join(root, "src/analysis/trade-taxonomy.ts")
  );
  const taxonomy = taxonomyOf(undefined);
  return {
    analyse: (text, rating) => analyseText(text, rating, taxonomy),
    importRate: (file, rows = REVIEWS) => {
      using folder = temporaryFolder();
      const args = [join(root, "bin/goodword.js"), "import", file, "--source", "google"];
      const options = { cwd: folder.path, env: environmentOf(folder.path), stdio: "pipe" } as const;
      return rateOf(rows, () => void execFileSync(process.execPath, args, options));
    },
  };
}

/** How many of `count` items the work did each second. */
function rateOf(count: number, work: () => void, clock = () => performance.now()): number {
  const startedAt = clock();
  work();
  return (count * 1000) / (clock() - startedAt);
}

/** Milliseconds of processor time of this thread. */
const threadMs = () => process.threadCpuUsage().user / 1000;

/** Rows a second that SQLite inserts in one transaction, by one prepared statement into a table with a key. */
function insertRate(file: string): number {
  using database = new DatabaseSync(file);
  database.exec("create table review (id text primary key, author, rating, created, text, url, reply, replied)");
  const insert = database.prepare("insert into review values (?, ?, ?, ?, ?, ?, ?, ?)");
  const rows = Array.from({ length: REVIEWS }, (_, index) => Object.values(inventedReview(index)));
  return rateOf(REVIEWS, () => {
    database.exec("begin");
    for (const values of rows) insert.run(...values);
    database.exec("commit");
  });
}

/** The rates of two versions or peers in turns. */
function inTurns(count: number, ours: () => number, theirs: () => number): { ours: number[]; theirs: number[] } {
  const rounds = Array.from({ length: count }, () => ({ ours: ours(), theirs: theirs() }));
  return { ours: rounds.map((round) => round.ours), theirs: rounds.map((round) => round.theirs) };
}

/** Reports rates beside a peer's with a limit in items a second, or beside another version's with a limit of the ratio. */
function compare(
  work: string,
  { ours, theirs }: ReturnType<typeof inTurns>,
  { peer, atLeast, atLeastOfOther }: { peer: string; atLeast: number; atLeastOfOther: number },
): void {
  const peerRate = shown(median(theirs));
  console.log(`${work}: ${shown(median(ours))} a second; ${values.against ?? peer}: ${peerRate} a second`);
  if (values.against === undefined) {
    const unit = "a second";
    report({ work, peer: `${peer}: ${peerRate} a second`, unit, samples: ours, atLeast });
  } else {
    const samples = ours.map((rate, round) => rate / (theirs[round] ?? Number.NaN));
    const of = `rounds; ${shown(median(ours))} a second`;
    report({
      work: `${work}, × the peer's`,
      peer: "the other version = 1",
      unit: "",
      samples,
      of,
      atLeast: atLeastOfOther,
    });
  }
}

console.log(machine());
using folder = temporaryFolder();
const own = await versionIn(ROOT);
const other = values.against === undefined ? undefined : await versionIn(values.against);
const file = writeTable(folder.path, { from: 0, rows: REVIEWS });
let tables = 0;
// V8's code is saved by the first import, which need not be a large one.
const small = writeTable(folder.path, { from: REVIEWS, rows: WARM_UP_ROWS });
for (const version of [own, other]) version?.importRate(small, WARM_UP_ROWS);
compare(
  `import of ${shown(REVIEWS)} reviews`,
  inTurns(
    IMPORT_ROUNDS,
    () => own.importRate(file),
    () => other?.importRate(file) ?? insertRate(join(folder.path, `bare-${tables++}.db`)),
  ),
  { peer: "bare inserts", atLeast: 12_000, atLeastOfOther: 0.8 },
);
const texts = Array.from({ length: ANALYSED_TEXTS }, (_, index) => inventedReview(index));
const analysisRate = (analyse: Version["analyse"]) =>
  rateOf(texts.length, () => void texts.map(({ text, rating }) => analyse(text, rating)), threadMs);
const byVader: Version["analyse"] = (text) => vader.SentimentIntensityAnalyzer.polarity_scores(text);
const peer = other?.analyse ?? byVader;
for (const analyse of [own.analyse, peer]) analysisRate(analyse); // V8 compiles the code
compare(
  "analysis of texts, by processor time",
  inTurns(
    ANALYSIS_ROUNDS,
    () => analysisRate(own.analyse),
    () => analysisRate(peer),
  ),
  { peer: "VADER", atLeast: 5_000, atLeastOfOther: 0.95 },
);
