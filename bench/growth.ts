/**
 * How work grows with the number of reviews: the exponents of processor time from the fewest reviews to the most, for the
 * index, the first answer of the incremental endpoint over HTTP, and searches. Beside them the work of the machine alone:
 * the answer's bytes sent by a bare server, and the texts read once. Their exponents may exceed 1, because more reviews
 * fit into the processor's caches less well.
 *
 *     node bench/growth.ts [reviews …]
 */
import { once } from "node:events";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { Worker } from "node:worker_threads";
import type { Business } from "../src/business.ts";
import { openEdition } from "../src/edition/edition.ts";
import type { RenderedEdition } from "../src/edition/render-datasets.ts";
import { prefixTags, type ReviewIndex } from "../src/edition/review-index.ts";
import { search } from "../src/edition/search.ts";
import { finish } from "../src/edition/steps.ts";
import { buildWordIndex } from "../src/edition/word-index.ts";
import { makeDocumentHandler } from "../src/http/answer-document.ts";
import type { Review } from "../src/review.ts";
import { EMPTY_ANALYSIS } from "../test/support/empty-analysis.ts";
import { makeReviewIndex } from "../test/support/review-index.ts";
import { median, report, shown } from "./figures.ts";
import { inventedReview } from "./invented-reviews.ts";
import { machine } from "./processor.ts";

const SIZES = process.argv.length > 2 ? process.argv.slice(2).map(Number) : [1_000, 10_000, 100_000];
const ROUNDS = 3;
const MAX_EXPONENT = 1.1;
/** Processor time is told in steps of some milliseconds: work is repeated until it has taken this long. */
const MIN_MEASURED_MS = 100;
const business = { technicians: [], services: [] } as unknown as Business;
const WORKS = {
  index: "setting up the index",
  since: "a first answer of since, over HTTP",
  bare: "  the same bytes by a bare server",
  search: "three searches",
  reading: "  all texts read once",
};
const QUERIES = ["thermostat so we", "before lunch", "zebra"];

function reviewOf(number: number, count: number): Review {
  return {
    id: String(10 ** 9 - number).padStart(26, "0"),
    author: "Ann Sample",
    author_avatar_url: null,
    rating: 1 + (number % 5),
    date: new Date(Date.UTC(2026, 0, 1) - Math.floor((number * 3e11) / count)).toISOString().slice(0, 10),
    text: inventedReview(number).text,
    source: "google",
    source_url: null,
    owner_reply: null,
    verified: true,
  };
}

/** Milliseconds of this thread's processor time that the work takes once. */
async function processorMs(work: (times: number) => unknown): Promise<number> {
  for (let times = 1; ; times *= 4) {
    const before = process.threadCpuUsage();
    await work(times);
    const { user, system } = process.threadCpuUsage(before);
    const took = (user + system) / 1000;
    if (took >= MIN_MEASURED_MS) return took / times;
  }
}

/** The same of synchronous work. */
function repeated(work: () => unknown): Promise<number> {
  return processorMs((times) => {
    for (let run = 0; run < times; run++) work();
  });
}

const PATH = "/api/reviews/since/2025-01-01";
const BASE_URL = "http://localhost";

/** A thread that asks for the answer again and again on one connection, and throws it away. */
const ASKER = `
  const { parentPort } = require("node:worker_threads");
  const { Agent, get } = require("node:http");
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  parentPort.on("message", async ({ port, times }) => {
    let bytes = 0;
    for (let time = 0; time < times; time++)
      await new Promise((done) => get({ port, path: "${PATH}", agent }, (answer) =>
        answer.on("data", (part) => { bytes += part.length; }).on("end", done)));
    parentPort.postMessage(bytes);
  });`;
const asker = new Worker(ASKER, { eval: true });

/** Milliseconds of processor time for one answer of a server in this thread, and its bytes. */
async function servedMs(listener: RequestListener): Promise<{ readonly ms: number; readonly bytes: number }> {
  const server = createServer(listener).listen(0);
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  let bytes = 0;
  const ask = async (times: number) => {
    asker.postMessage({ port, times });
    const [received] = (await once(asker, "message")) as [number];
    bytes = received / times;
  };
  await ask(3); // opens the connection
  const ms = await processorMs(ask);
  server.closeAllConnections();
  server.close();
  return { ms, bytes };
}

/** Answers from an edition that was never read. */
function firstAnswers(reviewIndex: ReviewIndex): RequestListener {
  const rendered = { reviewIndex, documents: [], gone: [], revisedAt: new Date(), business };
  const parts = { baseUrl: BASE_URL, cacheControl: "no-cache", now: () => new Date(), onAnswer: () => {} };
  const answer = makeDocumentHandler({
    ...parts,
    edition: () => openEdition(rendered as unknown as RenderedEdition),
  });
  return (request, response) => {
    if (!answer(request, response)) throw new Error(`${request.url} has no ready answer`);
  };
}

/** Makes an edition, and returns a function that measures each work once, in milliseconds of processor time. */
function measurerOf(size: number) {
  const reviews = Array.from({ length: size }, (_, number) => reviewOf(number, size));
  const analyses = reviews.map(() => EMPTY_ANALYSIS);
  const makeWhole = () => {
    const index = makeReviewIndex({ reviews, analyses });
    index.wordIndex = finish(buildWordIndex(index)); // as the rendering thread does for large editions
    return index;
  };
  const made = makeWhole();
  const index = { ...made, prefixTags: prefixTags(made) }; // as the rendering thread provides them
  const filters = QUERIES.map((query) => ({ query, limit: 20, offset: 0 }));
  const { buffer, byteOffset, byteLength } = index.words;
  const texts = Buffer.from(buffer, byteOffset, byteLength);
  return async () => {
    const since = await servedMs(firstAnswers(index));
    const ready = Buffer.alloc(since.bytes, "x");
    const bare = await servedMs(
      (_, response) => void response.writeHead(200, { "Content-Length": since.bytes }).end(ready),
    );
    return {
      index: await repeated(makeWhole),
      since: since.ms,
      bare: bare.ms,
      search: await repeated(() => filters.map((filter) => search(index, business, filter).matched)),
      reading: await repeated(() => texts.indexOf("zebra")),
    };
  };
}

type Work = keyof typeof WORKS;

const measured: { readonly size: number; readonly rounds: readonly Readonly<Record<Work, number>>[] }[] = [];
for (const size of SIZES) {
  const measure = measurerOf(size);
  const rounds = [];
  for (let round = 0; round < ROUNDS; round++) rounds.push(await measure());
  measured.push({ size, rounds });
}
await asker.terminate();

/** Milliseconds of a work with each number of reviews. */
function costsOf(work: Work): number[] {
  return measured.map(({ rounds }) => median(rounds.map((round) => round[work])));
}

/** The exponent of the growth of a work from one size to a larger one. */
function exponent(costs: readonly number[], from: number, to: number): number {
  const of = (values: readonly number[]) => Math.log((values.at(to) ?? Number.NaN) / (values.at(from) ?? Number.NaN));
  return of(costs) / of(SIZES);
}

console.log(machine());
console.log(`medians of ${ROUNDS} rounds; milliseconds of processor time`);
console.log(`at ${" ".repeat(34)}${SIZES.map((size) => String(size).padStart(12)).join("")}   exponent   by step`);
for (const [work, title] of Object.entries(WORKS) as [Work, string][]) {
  const costs = costsOf(work);
  const steps = costs.slice(1).map((_, step) => exponent(costs, step, step + 1).toFixed(2));
  const cells = costs.map((ms) => ms.toFixed(3).padStart(12));
  console.log(
    `${title.padEnd(37)}${cells.join("")}${exponent(costs, 0, -1).toFixed(2).padStart(11)}   ${steps.join(", ")}`,
  );
}
const exponents = (["index", "since", "search"] as const).map((work) => exponent(costsOf(work), 0, -1));
report({
  work: `growth from ${shown(SIZES[0] ?? 0)} to ${shown(SIZES.at(-1) ?? 0)} reviews, the largest exponent`,
  peer: `linear = 1; all texts read once: ${shown(exponent(costsOf("reading"), 0, -1))}`,
  unit: "",
  samples: exponents,
  value: Math.max(...exponents),
  of: "works: index, first answer of since, three searches",
  atMost: MAX_EXPONENT,
});
