/**
 * Search among invented reviews: 300 random questions to goodword's index, to a loop over the lower-cased texts, and to
 * SQLite FTS5 (trigram) with exact counts, in the same run, and over HTTP to goodword and to json-server. All must
 * count the same. Also how long a cheap GET takes beside one connection that searches without a break. A million
 * reviews take some eight minutes and 6 GB of memory.
 *
 *     node bench/search.ts [reviews]
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { text } from "node:stream/consumers";
import { Worker } from "node:worker_threads";
import type { Business } from "../src/business.ts";
import { renderHits, search } from "../src/edition/search.ts";
import { finish } from "../src/edition/steps.ts";
import { buildWordIndex } from "../src/edition/word-index.ts";
import type { Filter } from "../src/filter.ts";
import { renderStore } from "../src/publication/publication.ts";
import type { Review } from "../src/review.ts";
import { openStore } from "../src/store/store.ts";
import { EMPTY_ANALYSIS } from "../test/support/empty-analysis.ts";
import { temporaryFolder } from "../test/support/program.ts";
import { makeReviewIndex } from "../test/support/review-index.ts";
import { median, percentile, report, shown } from "./figures.ts";
import { jsonServerPath, openJsonServer } from "./json-server-peer.ts";
import { machine } from "./processor.ts";

const COUNT = Number(process.argv[2] ?? 100_000);
const QUESTIONS = 300;
/** Among a million reviews the questions are asked once: their peers need minutes for them. */
const ROUNDS = COUNT > 100_000 ? 1 : 3;
const ROUNDS_BESIDE = 3;
const SECONDS_BESIDE = 4;
const JSON_SERVER = "json-server";
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
const analyses = reviews.map(() => EMPTY_ANALYSIS);
const business = { technicians: [], services: [] } as unknown as Business;
const index = makeReviewIndex({ reviews, analyses });
index.wordIndex = finish(buildWordIndex(index));

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

/**
 * SQLite FTS5 with the same reviews, and exact counts. As fast as it was found to be (docs/performance.md): the question
 * is a phrase of the index, which is merged into one b-tree; stars and days are a narrow table, joined only where they
 * are asked for; statements are prepared once.
 */
function openFts(): (question: Filter) => number {
  const database = new DatabaseSync(":memory:");
  database.exec(`create table review (position integer primary key, rating integer, day text, text text);
create table fact (position integer primary key, rating integer, day text);
create virtual table words using fts5 (text, content = 'review', content_rowid = 'position', tokenize = 'trigram')`);
  database.exec("begin");
  const insert = database.prepare("insert into review values (?, ?, ?, ?)");
  for (const [position, { rating, date, text }] of reviews.entries()) insert.run(position, rating, date, text);
  database.exec(`insert into fact select position, rating, day from review;
insert into words (words) values ('rebuild'); commit; insert into words (words) values ('optimize')`);
  const statements = new Map<string, ReturnType<DatabaseSync["prepare"]>>();
  const prepared = (sql: string) => statements.getOrInsertComputed(sql, () => database.prepare(sql));
  return ({ query = "", rating, since }) => {
    const isPhrase = [...query].length >= 3; // the index has no shorter ones
    const conditions = [isPhrase ? "words match ?" : "words.text like ?"];
    const values: (string | number)[] = [isPhrase ? `"${query.replaceAll('"', '""')}"` : `%${query}%`];
    if (rating !== undefined) conditions.push("rating = ?") && values.push(rating);
    if (since !== undefined) conditions.push("day >= ?") && values.push(since);
    const join = conditions.length > 1 ? "join fact on position = words.rowid" : "";
    const from = `from words ${join} where ${conditions.join(" and ")}`;
    prepared(`select * from review where position in (select words.rowid ${from} order by words.rowid limit 20)`).all(
      ...values,
    );
    return Number(prepared(`select count(*) as matched ${from}`).get(...values)?.matched);
  };
}

/** Milliseconds of each question, round by round. */
interface Asked {
  readonly rounds: readonly (readonly number[])[];
  readonly matches: number;
}

/** Asks a function all questions, and prints a line. */
function measured(name: string, answer: (question: Filter) => number): Asked {
  for (const question of questions.slice(0, 30)) answer(question);
  let matches = 0;
  const rounds = Array.from({ length: ROUNDS }, () => {
    matches = 0;
    return questions.map((question) => {
      const startedAt = performance.now();
      matches += answer(question);
      return performance.now() - startedAt;
    });
  });
  console.log(line(name, rounds.flat(), matches));
  return { rounds, matches };
}

/** Lets a process of its own ask a server; see `search-load.ts`. */
async function asked(url: string, paths: readonly string[], ...args: readonly string[]) {
  const script = join(import.meta.dirname, "search-load.ts");
  const load = spawn(process.execPath, [script, url, ...args], { stdio: ["pipe", "pipe", "inherit"] });
  load.stdin.end(paths.join("\n"));
  return JSON.parse(await text(load.stdout)) as Readonly<Record<"times" | "counts" | "cheap" | "searching", number[]>>;
}

/** The same of a server. */
async function measuredOverHttp(name: string, url: string, pathOf: (question: Filter) => string): Promise<Asked> {
  const { times, counts } = await asked(url, questions.map(pathOf));
  const matches = counts.reduce((sum, count) => sum + count, 0);
  console.log(line(name, times, matches));
  return { rounds: [times], matches };
}

/** The row of a table for people. */
function line(name: string, times: readonly number[], last: number): string {
  const at = (part: number) => percentile(times, part).toFixed(2).padStart(9);
  return `${name.padEnd(27)} ${at(0.5)} ${at(0.9)} ${at(0.99)} ${at(1)} ${String(last).padStart(10)}`;
}

/** Reports the same questions to goodword and a peer, or why there is none; fails where the counts differ. */
function compare(work: string, ours: Asked, peer: string, theirs: Asked | string): void {
  for (const [measure, part] of Object.entries({ median: 0.5, "99 %": 0.99 })) {
    const of = (asked: Asked) => asked.rounds.map((times) => percentile(times, part));
    const figure = { work: `${work}: ${measure}`, unit: "ms", samples: of(ours), of: `× ${QUESTIONS} questions` };
    if (typeof theirs === "string") report({ ...figure, peer: `${peer}, left out: ${theirs}` });
    else report({ ...figure, peer: `${peer}: ${shown(median(of(theirs)), "ms")}`, atMost: median(of(theirs)) });
  }
  if (typeof theirs !== "string" && theirs.matches !== ours.matches) throw new Error(`${peer} counts otherwise`);
}

console.log(machine());
console.log(
  `${COUNT} reviews, ${(index.words.byteLength / 1e6).toFixed(0)} MB of text; ${QUESTIONS} random questions; milliseconds`,
);
const size = `search, ${shown(COUNT)} reviews`;
console.log(`${" ".repeat(31)}median      90 %      99 %   longest    matches`);
const own = measured("goodword", (question) => {
  const hits = search(index, business, question);
  renderHits(index, hits); // the peer reads its rows, too
  return hits.matched;
});
const loop = "a loop over all texts";
compare(size, own, loop, measured(loop, byLoop));

const store = await openStore("sqlite::memory:");
const edition = { ...(await renderStore(store, { baseUrl: "http://localhost" })), reviewIndex: index };
await store.close();
const server = new Worker(new URL("search-server.ts", import.meta.url), { workerData: edition });
const [port] = (await once(server, "message")) as [number];
const url = `http://127.0.0.1:${port}`;
const ours = await measuredOverHttp("goodword over HTTP", url, pathOf);
await besideSearches(); // before the reviews are written as JSON, which leaves this process's collector busy
await server.terminate();
await compareWithJsonServer();
const fts = "SQLite FTS5 (trigram)";
compare(size, own, fts, measured(fts, openFts()));

async function compareWithJsonServer(): Promise<void> {
  using folder = temporaryFolder();
  const peer = await openJsonServer(folder.path, reviews);
  if (typeof peer === "string") {
    compare(`${size}, over HTTP`, ours, JSON_SERVER, peer);
  } else {
    using running = peer;
    compare(`${size}, over HTTP`, ours, JSON_SERVER, await measuredOverHttp(JSON_SERVER, running.url, jsonServerPath));
  }
}

/** How long a cheap GET takes alone, and beside one connection that searches without a break. */
async function besideSearches(): Promise<void> {
  const paths = questions.map(pathOf);
  const rounds: { alone: number[]; beside: number[]; searching: number[]; delay: number }[] = [];
  for (let round = 0; round < ROUNDS_BESIDE; round++) {
    const document = ["/api/feed.json", String(SECONDS_BESIDE)];
    const { cheap: alone } = await asked(url, [], ...document);
    server.postMessage(true);
    const { cheap: beside, searching } = await asked(url, paths, ...document);
    server.postMessage(false);
    const [delay] = (await once(server, "message")) as [number];
    rounds.push({ alone, beside, searching, delay });
  }
  for (const [name, member] of Object.entries({
    "a cheap GET alone": "alone",
    "a cheap GET beside searches": "beside",
    "the searches beside it": "searching",
  } as const)) {
    const times = rounds.flatMap((round) => round[member]);
    console.log(line(name, times, times.length));
  }
  const delays = rounds.map(({ delay }) => delay);
  console.log(`longest delay of the event loop ${Math.max(...delays).toFixed(1)} ms`);
  const p99 = (member: "alone" | "beside") => rounds.map((round) => percentile(round[member], 0.99));
  const of = `rounds of ${SECONDS_BESIDE} s`;
  report({
    work: `${size}: a cheap GET beside them, 99 %`,
    peer: `alone: ${shown(median(p99("alone")), "ms")}`,
    unit: "ms",
    samples: p99("beside"),
    of,
    atMost: 10,
  });
  const peer = "the limit";
  const value = Math.max(...delays);
  report({
    ...{ work: `${size}: longest stall of the event loop`, peer, unit: "ms", samples: delays, value, of },
    atMost: 50,
  });
}

/** The address of a search. */
function pathOf({ limit, offset, ...asked }: Filter): string {
  return `/api/reviews/search?${new URLSearchParams(Object.entries(asked).map(([name, value]) => [name, String(value)]))}`;
}
