/**
 * Search among invented reviews: random questions to goodword's index, to SQLite FTS5 (trigram) with exact counts, and to
 * a loop over the lower-cased texts. All must count the same. A million reviews take some six minutes and 6 GB of memory.
 *
 *     node bench/search.ts [reviews]
 */
import { DatabaseSync } from "node:sqlite";
import type { Business } from "../src/business.ts";
import { renderHits, search } from "../src/edition/search.ts";
import { finish } from "../src/edition/steps.ts";
import { buildWordIndex } from "../src/edition/word-index.ts";
import type { Filter } from "../src/filter.ts";
import type { Review } from "../src/review.ts";
import { EMPTY_ANALYSIS } from "../test/support/empty-analysis.ts";
import { makeReviewIndex } from "../test/support/review-index.ts";
import { median, percentile, report, shown } from "./figures.ts";
import { machine } from "./processor.ts";

const COUNT = Number(process.argv[2] ?? 100_000);
const QUESTIONS = 300;
/** A peer needs minutes for a round among a million reviews. */
const ROUNDS = COUNT > 100_000 ? 1 : 3;
const WARM_UP_QUESTIONS = 30;
const LETTERS = "etaoinshrdlucmfwypvbgk";

let seed = 7;
/** Pseudo-random numbers from 0 to 1 (a linear congruential generator). */
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
 * SQLite FTS5 with the same reviews and exact counts, in the fastest form that was found: the question is a phrase of the
 * index, the index is merged into one b-tree, stars and days are in a narrow table that is joined only when needed, and
 * statements are prepared once.
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
    const isPhrase = [...query].length >= 3; // shorter ones have no trigram
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

/** The milliseconds of each question, round by round, and how many matches a round counted. */
interface Asked {
  readonly rounds: readonly (readonly number[])[];
  readonly matches: number;
}

/** Asks all questions in each round, and prints a line. */
function measure(name: string, answer: (question: Filter) => number, count = ROUNDS): Asked {
  for (const question of questions.slice(0, WARM_UP_QUESTIONS)) answer(question);
  let matches = 0;
  const rounds = Array.from({ length: count }, () => {
    matches = 0;
    return questions.map((question) => {
      const startedAt = performance.now();
      matches += answer(question);
      return performance.now() - startedAt;
    });
  });
  const cells = [0.5, 0.9, 0.99, 1].map((part) => percentile(rounds.flat(), part).toFixed(2).padStart(9));
  console.log(`${name.padEnd(27)} ${cells.join(" ")} ${String(matches).padStart(10)}`);
  return { rounds, matches };
}

console.log(machine());
console.log(
  `${COUNT} reviews, ${(index.words.byteLength / 1e6).toFixed(0)} MB of text; ${QUESTIONS} random questions; ms`,
);
console.log(`${" ".repeat(31)}median      90 %      99 %   longest    matches`);
const ours = measure("goodword", (question) => {
  const hits = search(index, business, question);
  renderHits(index, hits); // the peer reads its rows, too
  return hits.matched;
});
const theirs = measure("SQLite FTS5 (trigram)", openFts());
const loop = measure("a loop over all texts", byLoop, 1); // no row has it: it proves the counts
if (ours.matches !== loop.matches || theirs.matches !== loop.matches) throw new Error("The counts differ");
for (const [name, part] of Object.entries({ median: 0.5, "99 %": 0.99 })) {
  const [own = [], peer = []] = [ours, theirs].map(({ rounds }) => rounds.map((times) => percentile(times, part)));
  report({
    work: `search, ${shown(COUNT)} reviews: ${name}`,
    peer: `SQLite FTS5 (trigram): ${shown(median(peer), "ms")}`,
    unit: "ms",
    samples: own,
    of: `rounds × ${QUESTIONS} questions`,
    atMost: median(peer),
  });
}
