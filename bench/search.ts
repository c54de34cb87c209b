/**
 * Search among invented reviews: 300 random questions to goodword's index, to a loop over the lower-cased texts, and to
 * SQLite FTS5 (trigram) with exact counts, in the same run. The three must count the same. Then over HTTP: how long a
 * cheap GET takes beside one connection that searches without a break.
 *
 *     node bench/search.ts [reviews]
 */
import { spawn } from "node:child_process";
import { join } from "node:path";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { DatabaseSync } from "node:sqlite";
import { text } from "node:stream/consumers";
import { renderStore } from "../src/app/publishing/edition-worker-thread.ts";
import type { Business } from "../src/business.ts";
import { openEdition } from "../src/edition/edition.ts";
import { makeReviewIndex } from "../src/edition/review-index.ts";
import { search } from "../src/edition/search.ts";
import type { Filter } from "../src/filter.ts";
import { makeDocumentAnswers } from "../src/http/document-answers.ts";
import { makeLoadShedding } from "../src/http/load-shedding.ts";
import { makeRoutes } from "../src/http/routes.ts";
import { openServer } from "../src/http/server.ts";
import type { Analysis } from "../src/insights-document.ts";
import type { Review } from "../src/review.ts";
import { openStore } from "../src/store/store.ts";
import { machine, percentile } from "./processor.ts";

const COUNT = Number(process.argv[2] ?? 100_000);
const QUESTIONS = 300;
const SECONDS_BESIDE = 10;
const LETTERS = "etaoinshrdlucmfwypvbgk";

let seed = 7;
/** The same numbers in each run (a linear congruential generator). */
function random(): number {
  seed = (Math.imul(seed, 1_103_515_245) + 12_345) & 0x7fffffff;
  return seed / 0x7fffffff;
}
const pick = <T>(list: readonly T[], power = 1): T => list[Math.floor(list.length * random() ** power)] as T;

const vocabulary = Array.from({ length: 8_000 }, () =>
  Array.from({ length: 3 + Math.floor(random() * 7) }, () => pick([...LETTERS])).join(""),
);
const reviews: Review[] = Array.from({ length: COUNT }, (_, number) => ({
  id: String(10 ** 9 - number).padStart(26, "0"),
  author: "Ann Sample",
  author_avatar_url: null,
  rating: 1 + Math.floor(random() * 5),
  date: new Date(Date.UTC(2026, 0, 1) - Math.floor((number * 3e11) / COUNT)).toISOString().slice(0, 10),
  text: Array.from({ length: 20 + Math.floor(random() * 100) }, () => pick(vocabulary, 4)).join(" "),
  source: "google",
  source_url: null,
  owner_reply: null,
  verified: true,
}));
const analyses = reviews.map(() => ({ technicians: [] as string[], services: [] as string[] }) as unknown as Analysis);
const business = { technicians: [], services: [] } as unknown as Business;
const index = makeReviewIndex({ reviews, analyses });

const questions: Filter[] = Array.from({ length: QUESTIONS }, () => {
  const words = pick(reviews).text?.split(" ") ?? [];
  const at = Math.floor(random() * words.length);
  return {
    limit: 20,
    offset: 0,
    query: words.slice(at, at + (random() < 0.6 ? 1 : 2)).join(" "),
    ...(random() < 0.3 ? { rating: 1 + Math.floor(random() * 5) } : {}),
    ...(random() < 0.2 ? { since: pick(reviews).date } : {}),
  };
});

const database = new DatabaseSync(":memory:");
database.exec(`create table review (position integer primary key, rating integer, day text, text text);
create virtual table words using fts5 (text, content = 'review', content_rowid = 'position', tokenize = 'trigram')`);
database.exec("begin");
const insert = database.prepare("insert into review values (?, ?, ?, ?)");
for (const [position, { rating, date, text }] of reviews.entries()) insert.run(position, rating, date, text);
database.exec("insert into words (words) values ('rebuild'); commit");

function byFts({ query = "", rating, since }: Filter): number {
  const conditions = ["words.text like ?"];
  const values: (string | number)[] = [`%${query}%`];
  if (rating !== undefined) conditions.push("rating = ?") && values.push(rating);
  if (since !== undefined) conditions.push("day >= ?") && values.push(since);
  const from = `from words join review on position = words.rowid where ${conditions.join(" and ")}`;
  database.prepare(`select review.* ${from} order by position limit 20`).all(...values);
  return Number(database.prepare(`select count(*) as matched ${from}`).get(...values)?.matched);
}

const folded = reviews.map(({ text }) => (text ?? "").toLowerCase());
function byLoop({ query = "", rating, since }: Filter): number {
  let matched = 0;
  for (const [position, review] of reviews.entries()) {
    if (rating !== undefined && review.rating !== rating) continue;
    if (since !== undefined && review.date < since) continue;
    if (folded[position]?.includes(query)) matched++;
  }
  return matched;
}

function measured(name: string, answer: (question: Filter) => number): string {
  for (const question of questions.slice(0, 30)) answer(question);
  let sum = 0;
  const times = questions.map((question) => {
    const startedAt = performance.now();
    sum += answer(question);
    return performance.now() - startedAt;
  });
  times.sort((a, b) => a - b);
  const at = (share: number) => (times[Math.floor(QUESTIONS * share)] ?? 0).toFixed(2).padStart(9);
  return `${name.padEnd(24)} ${at(0.5)} ${at(0.9)} ${at(0.99)} ${String(sum).padStart(12)}`;
}

console.log(machine());
console.log(`${COUNT} reviews, ${(index.words.byteLength / 1e6).toFixed(0)} MB of text; milliseconds`);
console.log("300 random questions        median      90 %      99 %      matches");
console.log(measured("goodword", (question) => search(index, business, question).matched));
console.log(measured("loop over all texts", byLoop));
console.log(measured("SQLite FTS5 (trigram)", byFts));

await besideSearches();

/** How long a cheap GET takes alone, and beside one connection that searches without a break. */
async function besideSearches(): Promise<void> {
  const store = await openStore("sqlite::memory:");
  const edition = openEdition({ ...(await renderStore(store, "http://localhost")), reviewIndex: index });
  await store.close();
  const shedding = makeLoadShedding({
    clock: () => performance.now(),
    work: () => process.threadCpuUsage().user / 1000,
    nextTurn: (run) => void setImmediate(run),
  });
  const reading = {
    edition: () => edition,
    baseUrl: "http://localhost",
    cacheControl: "no-cache",
    now: () => new Date(),
    onAnswer: () => {},
  };
  const onFault = (error: unknown) => console.error(error);
  const routes = makeRoutes({
    ...reading,
    ...{ shedding, onFault, clientAddress: () => "127.0.0.1" },
    mcp: async () => new Response(null),
    hub: async () => new Response(null),
  });
  const documents = makeDocumentAnswers(reading);
  const server = await openServer(routes, { host: "127.0.0.1", port: 0, onFault, documents });
  const script = join(import.meta.dirname, "search-load.ts");
  const load = spawn(
    process.execPath,
    [script, `http://127.0.0.1:${server.port}`, "/api/feed.json", String(SECONDS_BESIDE)],
    { stdio: ["pipe", "pipe", "inherit"] },
  );
  const delay = monitorEventLoopDelay({ resolution: 1 });
  setTimeout(() => delay.enable(), SECONDS_BESIDE * 1000 + 500).unref();
  load.stdin.end(questions.map(pathOf).join("\n"));
  const { alone, beside, searching } = JSON.parse(await text(load.stdout)) as Record<string, number[]>;
  console.log("\nover HTTP                   median      90 %      99 %  longest        count");
  for (const [name, times = []] of [
    ["a cheap GET alone", alone],
    ["beside searches", beside],
    ["the searches", searching],
  ] as const) {
    const at = (part: number) => percentile(times, part).toFixed(2).padStart(9);
    console.log(`${name.padEnd(24)} ${at(0.5)} ${at(0.9)} ${at(0.99)} ${at(1)} ${String(times.length).padStart(10)}`);
  }
  console.log(`longest delay of the event loop ${(delay.max / 1e6).toFixed(1)} ms; limits: 10 ms at 99 %, 50 ms`);
  await server.close(0);
}

/** The address of a search. */
function pathOf({ limit, offset, ...asked }: Filter): string {
  return `/api/reviews/search?${new URLSearchParams(Object.entries(asked).map(([name, value]) => [name, String(value)]))}`;
}
