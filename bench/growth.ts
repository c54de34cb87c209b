/**
 * How the work on an edition grows with the number of reviews: processor time of setting up the index, of an answer of
 * the incremental endpoint and of searches, and the exponent of each from the smallest size to the largest. Beside them,
 * what memory alone asks for: the bytes of the answer copied, and the texts of the reviews read once. Their exponents
 * exceed 1 too, since more reviews fit into the processor's caches less well.
 *
 *     node bench/growth.ts [reviews …]
 */
import type { Business } from "../src/business.ts";
import { countSince, makeReviewIndex, recordSlice } from "../src/edition/review-index.ts";
import { search } from "../src/edition/search.ts";
import type { Analysis } from "../src/insights-document.ts";
import type { Review } from "../src/review.ts";
import { inventedText, machine } from "./processor.ts";

const SIZES = process.argv.length > 2 ? process.argv.slice(2).map(Number) : [1_000, 10_000, 100_000, 1_000_000];
const business = { technicians: [], services: [] } as unknown as Business;
const analysis = { technicians: [] as string[], services: [] as string[] } as unknown as Analysis;
const QUERIES = ["thermostat so we", "before lunch", "zebra"];

function reviewOf(number: number, count: number): Review {
  return {
    id: String(10 ** 9 - number).padStart(26, "0"),
    author: "Ann Sample",
    author_avatar_url: null,
    rating: 1 + (number % 5),
    date: new Date(Date.UTC(2026, 0, 1) - Math.floor((number * 3e11) / count)).toISOString().slice(0, 10),
    text: inventedText(number),
    source: "google",
    source_url: null,
    owner_reply: null,
    verified: true,
  };
}

/** Processor time is told in steps of some milliseconds: work is repeated until it has taken this long. */
const LEAST_MS = 100;

/** Milliseconds of processor time that the work takes once. */
function processorMs(work: () => unknown): number {
  for (let times = 1; ; times *= 4) {
    const before = process.threadCpuUsage();
    for (let run = 0; run < times; run++) work();
    const { user, system } = process.threadCpuUsage(before);
    const took = (user + system) / 1000;
    if (took >= LEAST_MS) return took / times;
  }
}

const figures = SIZES.map((size) => {
  const reviews = Array.from({ length: size }, (_, number) => reviewOf(number, size));
  const analyses = reviews.map(() => analysis);
  const index = makeReviewIndex({ reviews, analyses });
  const filters = QUERIES.map((query) => ({ query, limit: 20, offset: 0 }));
  const answer = Buffer.from(recordSlice(index, 0, countSince(index, "2025-01-01")));
  const { buffer, byteOffset, byteLength } = index.words;
  const texts = Buffer.from(buffer, byteOffset, byteLength);
  return {
    index: processorMs(() => makeReviewIndex({ reviews, analyses })),
    since: processorMs(() => Buffer.concat([recordSlice(index, 0, countSince(index, "2025-01-01"))])),
    copy: processorMs(() => Buffer.from(answer)),
    search: processorMs(() => filters.map((filter) => search(index, business, filter).matched)),
    reading: processorMs(() => texts.indexOf("zebra")),
  };
});

console.log(machine());
console.log(
  `milliseconds of processor time at    ${SIZES.map((size) => String(size).padStart(10)).join("")}   exponent`,
);
const rows = {
  index: "setting up the index",
  since: "an answer of since",
  copy: "  the same bytes copied",
  search: "three searches",
  reading: "  all texts read once",
} as const;
for (const [name, what] of Object.entries(rows) as [keyof typeof rows, string][]) {
  const values = figures.map((figure) => figure[name]);
  const [first = 1, last = 1] = [values[0], values.at(-1)];
  const exponent = Math.log(last / first) / Math.log((SIZES.at(-1) ?? 1) / (SIZES[0] ?? 1));
  console.log(
    `${what.padEnd(36)} ${values.map((value) => value.toFixed(3).padStart(10)).join("")} ${exponent.toFixed(2).padStart(10)}`,
  );
}
