/**
 * How work grows with the number of reviews: processor time of setting up the index, of the first answer of the
 * incremental endpoint over HTTP, of searches, of an import, of an edition made anew and of a start from the kept one,
 * and the exponent of each from the smallest size to the largest. The exponents of the steps between the sizes stand
 * beside it, because what each work costs at least makes it smaller. Beside them, what the machine alone asks for: the
 * bytes of the answer sent by a bare server, and the texts of the reviews read once. Their exponents exceed 1 too, since
 * more reviews fit into the processor's caches less well. A store of more than 100,000 reviews is made once, not in each
 * round, since its import alone takes a minute or more.
 *
 *     node bench/growth.ts [reviews …]
 */
import { once } from "node:events";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { Worker } from "node:worker_threads";
import type { Business } from "../src/business.ts";
import { openEdition } from "../src/edition/edition.ts";
import type { RenderedEdition } from "../src/edition/render-edition.ts";
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
import { storeCosts } from "./store-growth.ts";

const SIZES = process.argv.length > 2 ? process.argv.slice(2).map(Number) : [1_000, 10_000, 100_000, 1_000_000];
const ROUNDS = 3;
/** A store of more reviews is measured in one round. */
const MOST_IN_ROUNDS = 100_000;
const business = { technicians: [], services: [] } as unknown as Business;
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

/** Processor time is told in steps of some milliseconds: work is repeated until it has taken this long. */
const LEAST_MS = 100;

/** Milliseconds of this thread's processor time that the work takes once. */
async function processorMs(work: (times: number) => unknown): Promise<number> {
  for (let times = 1; ; times *= 4) {
    const before = process.threadCpuUsage();
    await work(times);
    const { user, system } = process.threadCpuUsage(before);
    const took = (user + system) / 1000;
    if (took >= LEAST_MS) return took / times;
  }
}

/** The same of work that takes no turns. */
function repeated(work: () => unknown): Promise<number> {
  return processorMs((times) => {
    for (let run = 0; run < times; run++) work();
  });
}

const PATH = "/api/reviews/since/2025-01-01";
const BASE_URL = "http://localhost";

/** Asks for the answer so many times in a row on one connection, and throws it away: in a thread of its own. */
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

/** Answers from an edition that nobody has asked before. */
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

/** Sets up an edition of so many reviews, and returns what measures it once. */
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

/** Milliseconds of processor time that work took with so many reviews, in each round. */
interface Cost {
  readonly size: number;
  readonly rounds: readonly number[];
}

/** What the rounds with one number of reviews measured, as costs of each work. */
function costsOf<Name extends string>(
  measured: readonly { readonly size: number; readonly rounds: readonly Readonly<Record<Name, number>>[] }[],
  name: Name,
): Cost[] {
  return measured.map(({ size, rounds }) => ({ size, rounds: rounds.map((round) => round[name]) }));
}

/** The exponent with which something grows from one size to another. */
function exponent(from: { size: number; ms: number }, to: { size: number; ms: number }): number {
  return Math.log(to.ms / from.ms) / Math.log(to.size / from.size);
}

/** The exponents from the smallest size, of which the median counts, to the largest, in each of its rounds. */
function exponentsOf(costs: readonly Cost[]): number[] {
  const [smallest, largest] = [costs[0], costs.at(-1)];
  if (smallest === undefined || largest === undefined) return [];
  const from = { size: smallest.size, ms: median(smallest.rounds) };
  return largest.rounds.map((ms) => exponent(from, { size: largest.size, ms }));
}

/** The exponents from each size to the next, of the medians. */
function stepsOf(costs: readonly Cost[]): string {
  const medians = costs.map(({ size, rounds }) => ({ size, ms: median(rounds) }));
  return medians
    .slice(1)
    .map((to, index) => exponent(medians[index] ?? to, to).toFixed(2))
    .join(", ");
}

await storeCosts(SIZES[0] ?? 0, 1); // loads the code of an import
const stored = []; // before the arrays of a million reviews, which keep the collector busy
for (const size of SIZES) stored.push({ size, rounds: await storeCosts(size, size > MOST_IN_ROUNDS ? 1 : ROUNDS) });
const asked = [];
for (const size of SIZES) {
  const measure = measurerOf(size);
  const rounds = [];
  for (let round = 0; round < ROUNDS; round++) rounds.push(await measure());
  asked.push({ size, rounds });
}
await asker.terminate();

const [bare, reading] = [costsOf(asked, "bare"), costsOf(asked, "reading")];
const ONE = "work that grows with the reviews: 1";
const works: readonly { readonly what: string; readonly costs: readonly Cost[]; readonly peer?: string }[] = [
  { what: "setting up the index", costs: costsOf(asked, "index"), peer: ONE },
  {
    what: "a first answer of since, over HTTP",
    costs: costsOf(asked, "since"),
    peer: `the same bytes by a bare server: ${shown(median(exponentsOf(bare)))} (by step ${stepsOf(bare)})`,
  },
  { what: "  the same bytes by a bare server", costs: bare },
  {
    what: "three searches",
    costs: costsOf(asked, "search"),
    peer: `all texts read once: ${shown(median(exponentsOf(reading)))} (by step ${stepsOf(reading)})`,
  },
  { what: "  all texts read once", costs: reading },
  { what: "an import", costs: costsOf(stored, "import"), peer: ONE },
  { what: "an edition made anew", costs: costsOf(stored, "render"), peer: ONE },
  { what: "a start from the kept edition", costs: costsOf(stored, "start"), peer: ONE },
];

console.log(machine());
console.log(
  `medians of ${ROUNDS} rounds, a store of more than ${shown(MOST_IN_ROUNDS)} of one; milliseconds of processor time`,
);
console.log(`at ${" ".repeat(34)}${SIZES.map((size) => String(size).padStart(12)).join("")}   exponent   by step`);
for (const { what, costs } of works) {
  const values = SIZES.map((size) => costs.find((cost) => cost.size === size)).map((cost) =>
    (cost === undefined ? "" : median(cost.rounds).toFixed(3)).padStart(12),
  );
  const overall = median(exponentsOf(costs)).toFixed(2).padStart(10);
  console.log(`${what.padEnd(36)} ${values.join("")} ${overall}   ${stepsOf(costs)}`);
}
for (const { what, costs, peer } of works) {
  if (peer === undefined) continue;
  const range = `from ${shown(costs[0]?.size ?? 0)} to ${shown(costs.at(-1)?.size ?? 0)} reviews`;
  report({
    work: `growth of ${what}, ${range}, exponent`,
    peer,
    unit: "",
    samples: exponentsOf(costs),
    of: `${costs.at(-1)?.rounds.length === 1 ? "round" : "rounds"}; by step ${stepsOf(costs)}`,
    atMost: 1.15,
  });
}
