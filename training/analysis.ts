/**
 * Measures the analysis of many reviews: texts per second on one core, what it adds to an import, and how long after the
 * import's commit the edition is rendered, with the analyses kept by the import and without them.
 *
 *     node training/analysis.ts [reviews]
 *
 * The texts are put together from the sentences of the bundled sample, one to seven of them; few are alike.
 */
import { createWriteStream, readFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { taxonomyOf } from "../src/analysis/trade-taxonomy.ts";
import { renderEdition } from "../src/edition/render-edition.ts";
import { importPaths } from "../src/import/importer.ts";
import { sentences } from "../src/insight/prose/pull-quote.ts";
import { analyseText } from "../src/insight/text-analysis.ts";
import { renderStore } from "../src/publication/publication.ts";
import { SAMPLE_FOLDER } from "../src/publication/sample.ts";
import { openStore, readSnapshot } from "../src/store/store.ts";

const WANTED = 5_000;
const COUNT = Number(process.argv[2] ?? 100_000);

const pool = readFileSync(join(SAMPLE_FOLDER, "reviews.jsonl"), "utf8")
  .trim()
  .split("\n")
  .map((line) => JSON.parse(line) as { rating: number; text: string | null })
  .flatMap(({ text }) => (text === null ? [] : sentences(text)));

/** A review whose every value follows from its number. */
function review(index: number): { id: string; author: string; rating: number; date: string; text: string } {
  let state = (index + 1) * 2_654_435_761;
  const next = (below: number) => {
    state = (Math.imul(state ^ (state >>> 15), 2_246_822_519) + index) >>> 0;
    return state % below;
  };
  const length = 1 + next(7);
  const text = Array.from({ length }, () => pool[next(pool.length)]).join(" ");
  const date = new Date(Date.UTC(2016, 0, 1 + (index % 3650))).toISOString().slice(0, 10);
  return { id: `review-${index}`, author: `Customer ${index % 5000}`, rating: 1 + next(5), date, text };
}

function* lines(): Generator<string> {
  for (let index = 0; index < COUNT; index += 1) yield `${JSON.stringify(review(index))}\n`;
}

async function timed<T>(work: () => T | Promise<T>): Promise<{ seconds: number; result: T }> {
  const start = performance.now();
  const result = await work();
  return { seconds: (performance.now() - start) / 1000, result };
}

const row = (what: string, seconds: number, rate = "") =>
  console.log(`${what.padEnd(52)} ${seconds.toFixed(1).padStart(6)} s  ${rate}`);
const perSecond = (seconds: number) => `${Math.round(COUNT / seconds).toLocaleString("en")} reviews/s`;

const taxonomy = taxonomyOf(undefined);
for (let index = 0; index < 2_000; index += 1) analyseText(review(COUNT + index).text, 3, taxonomy);
const reviews = Array.from({ length: COUNT }, (_, index) => review(index));
const characters = reviews.reduce((sum, { text }) => sum + text.length, 0);
console.log(
  `${COUNT.toLocaleString("en")} reviews of ${Math.round(characters / COUNT)} characters on average, from ${pool.length} sentences`,
);

const analysis = await timed(() => {
  let mentions = 0;
  for (const { text, rating } of reviews) mentions += analyseText(text, rating, taxonomy).aspects.length;
  return mentions;
});
row(
  `analysis alone, ${analysis.result.toLocaleString("en")} mentions`,
  analysis.seconds,
  `${perSecond(analysis.seconds)}, wanted ${WANTED.toLocaleString("en")}`,
);
if (COUNT / analysis.seconds < WANTED) process.exitCode = 1;

const folder = await mkdtemp(join(tmpdir(), "analysis-bench-"));
try {
  const file = join(folder, "reviews.jsonl");
  await pipeline(Readable.from(lines()), createWriteStream(file));
  const store = await openStore(`sqlite:${join(folder, "store.db")}`);
  const options = { source: "google", now: new Date("2026-11-01T00:00:00Z") };
  const first = await timed(() => importPaths(store, [file], options));
  row("import, analysis among it", first.seconds, perSecond(first.seconds));
  const again = await timed(() => importPaths(store, [file], options));
  row("the same import again", again.seconds, perSecond(again.seconds));

  const read = await timed(() => readSnapshot(store));
  row(`reading the store, ${read.result.analyses.size.toLocaleString("en")} analyses`, read.seconds);
  const settings = { baseUrl: "http://localhost:8080", sample: false, taxonomy };
  const warm = await timed(() => renderEdition(read.result, { ...settings }));
  row("rendering with the kept analyses, without codings", warm.seconds);
  const cold = await timed(() => renderEdition({ ...read.result, analyses: new Map() }, { ...settings }));
  row("the same without them", cold.seconds);
  const whole = await timed(() => renderStore(store, { baseUrl: settings.baseUrl }));
  row("from the commit to the edition, codings among it", whole.seconds);
  const next = await timed(() => renderStore(store, { baseUrl: settings.baseUrl }));
  row("the next edition of a running worker", next.seconds);
  await store.close();
} finally {
  await rm(folder, { recursive: true, force: true });
}
