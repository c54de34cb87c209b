/**
 * Many sites in one process: what they take at rest, how soon one answers that rests, what imports elsewhere cost a site
 * in use, how soon a change is served, the connections of two processes on PostgreSQL, and an archive of many places.
 * The stores are copies of one, so a new site costs a file.
 *
 *     node bench/sites.ts [sites on SQLite] [sites on PostgreSQL]
 */
import { createHash } from "node:crypto";
import { constants, cpSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { Agent, request } from "node:http";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { setTimeout as wait } from "node:timers/promises";
import { deserialize } from "node:v8";
import { zstdDecompressSync } from "node:zlib";
import pg from "pg";
import { saveEditionRow } from "../src/publication/edition-row.ts";
import { editionOfBytes } from "../src/publication/serialised-edition.ts";
import { openPostgres } from "../src/store/engine/postgres.ts";
import { siteStoreUrl } from "../src/store/engine/store-url.ts";
import type { Tables } from "../src/store/tables.ts";
import { emptyDatabase, stopPostgres } from "../test/support/postgres-server.ts";
import { run, startProgram, temporaryFolder } from "../test/support/program.ts";
import { copySchema, importInto, makeSitesFolder } from "../test/support/sites.ts";
import { zipOf } from "../test/support/zip-writer.ts";
import { median, percentile, report, shown } from "./figures.ts";
import { csvOf, importTable, inventedReview, writeTable } from "./invented-reviews.ts";
import { DEPLOYED, machine, processorSeconds, residentMb } from "./processor.ts";
import { untilQuiet } from "./quiet-process.ts";

const [COUNT, POSTGRES_COUNT] = [Number(process.argv[2] ?? 1_000), Number(process.argv[3] ?? 1_000)];
const REVIEWS = 200;
/** Sites that are opened one after the other: more than may be open at once. */
const ASKED = 300;
/** The interval between first answers of each of two processes, which take turns: twenty a second in all. */
const ARRIVAL_MS = 100;
const [REST_MS, RESTS, HALVES] = [30_000, 3, "half-minutes"];
/** How long a site in use is asked, ten times a second, beside fifty imports a minute and without. */
const [WARM_MS, ASK_EVERY_MS, IMPORT_EVERY_MS] = [60_000, 20, 1_200];
const CHANGES = 20;
const [PLACES, PLACE_REVIEWS] = [50, 200];

const agent = new Agent({ keepAlive: true, maxSockets: 64 });

/** Asks a site for a document; `ms` is how long it took. */
async function get(port: number, site: string, path = "/reviews.json") {
  const startedAt = performance.now();
  const { promise, resolve, reject } = Promise.withResolvers<{ readonly status: number; readonly body: string }>();
  const outgoing = request({ agent, host: "127.0.0.1", port, path, headers: { Host: `${site}.test` } }, (incoming) => {
    text(incoming).then((body) => resolve({ status: incoming.statusCode ?? 0, body }), reject);
  });
  outgoing.on("error", reject).end();
  return { ...(await promise), ms: performance.now() - startedAt };
}

/** The milliseconds in which each of the sites answers, one after the other. @throws Error if one does not. */
async function firstAnswers(port: number, names: readonly string[]): Promise<number[]> {
  const found: number[] = [];
  for (const name of names) found.push(await answerMs(port, name));
  return found;
}

async function answerMs(port: number, name: string): Promise<number> {
  const { status, ms, body } = await get(port, name);
  if (status !== 200) throw new Error(`${name}: ${status} ${body.slice(0, 200)}`);
  return ms;
}

/** The same, each asked at a time of its own, whether or not earlier ones have answered. */
async function answersInTime(port: number, names: readonly string[], firstAt: number): Promise<number[]> {
  const asking = names.map(async (name, at) => {
    await wait(Math.max(0, firstAt + at * ARRIVAL_MS - performance.now()));
    return await answerMs(port, name);
  });
  return await Promise.all(asking);
}

async function serve(folder: string, settings: Readonly<Record<string, string>> = {}) {
  const startedAt = performance.now();
  const program = startProgram(folder, { ...DEPLOYED, ...settings }, ["--sites", "sites"]);
  const { port } = (await program.logged((entry) => typeof entry.port === "number")) as { port: number };
  return { program, port, startedAt, pid: program.process.pid ?? 0 };
}

const named = (count: number) => Array.from({ length: count }, (_, at) => `site-${at}`);

/** Makes sites of 200 reviews each. */
async function makeSites(folder: string, count: number): Promise<readonly string[]> {
  const sites = makeSitesFolder(folder);
  const [first = "", ...others] = named(count);
  mkdirSync(join(sites, first, "data"), { recursive: true });
  await importInto(`sqlite:${join(sites, first, "data", "goodword.db")}`, [tableWithSource(folder, 0, REVIEWS)]);
  for (const other of others)
    cpSync(join(sites, first), join(sites, other), { recursive: true, mode: constants.COPYFILE_FICLONE });
  return [first, ...others];
}

/** A table whose rows say that they are from Google, which is verified. */
function tableWithSource(folder: string, from: number, count: number): string {
  const file = join(folder, `table-${from}.csv`);
  const [head = "", ...rows] = csvOf(from, count).trimEnd().split("\n");
  writeFileSync(file, `${[`${head},source`, ...rows.map((row) => `${row},google`)].join("\n")}\n`);
  return file;
}

/** The memory of a process with one site of as many reviews. */
async function peerMemory(): Promise<number> {
  using folder = temporaryFolder();
  await importTable(folder.path, writeTable(folder.path, { from: 0, rows: REVIEWS }));
  const { serveProgram } = await import("../test/support/program.ts");
  await using served = await serveProgram(folder.path, DEPLOYED);
  await untilQuiet(served.process.pid ?? 0);
  return residentMb(served.process.pid ?? 0);
}

/** The milliseconds in which the cache file of each of the sites is read, verified and made an edition again. */
function cacheReadings(folder: string, names: readonly string[]): number[] {
  return names.map((name) => {
    const startedAt = performance.now();
    const bytes = readFileSync(join(folder, "sites", name, "data", "goodword.db.edition"));
    const end = bytes.indexOf("\n");
    const { hash } = JSON.parse(bytes.toString("utf8", 0, end)) as { readonly hash: string };
    const content = bytes.subarray(end + 1);
    if (createHash("sha256").update(content).digest("base64url") !== hash) throw new Error(`The cache of ${name}`);
    deserialize(content);
    return performance.now() - startedAt;
  });
}

/** Waits until the sites have been looked at: until nothing but the round of looking is left. @throws Error after ten minutes. */
async function untilSurveyed(pid: number): Promise<void> {
  const deadline = performance.now() + 600_000;
  for (let before = processorSeconds(pid), calm = 0; calm < 3; ) {
    if (performance.now() > deadline) throw new Error("The process does not come to rest");
    await wait(4_000);
    const now = processorSeconds(pid);
    calm = now - before < 0.4 ? calm + 1 : 0;
    before = now;
  }
}

async function measureEmbedded(): Promise<void> {
  using folder = temporaryFolder();
  const names = await makeSites(folder.path, COUNT);
  const asked = names.slice(0, ASKED);
  const one = await peerMemory();
  const rendered = await serve(folder.path);
  await using firstProgram = rendered.program;
  const withoutCache = await firstAnswers(rendered.port, asked); // makes the caches
  await untilQuiet(rendered.pid);
  await firstProgram.stop();

  const served = await serve(folder.path);
  await using _ = served.program;
  await firstAnswers(served.port, asked.slice(0, 1));
  const startMs = performance.now() - served.startedAt;
  const of = "starts";
  const size = `${shown(COUNT)} sites of ${REVIEWS} reviews`;
  report({ work: `${size}: start to first answer`, peer: "10 s", unit: "ms", samples: [startMs], of, atMost: 10_000 });
  await untilSurveyed(served.pid);
  const [percents = []] = await atRest([served.pid]);
  const memory = residentMb(served.pid);
  const peer = `one process with one site: ${shown(one, "MB")}`;
  report({ work: `${size}: memory at rest`, peer, unit: "MB", samples: [memory], of, atMost: 1_500 });
  report({
    work: `${size}: processor at rest`,
    peer: "1 % of a core",
    unit: "%",
    samples: percents,
    of: HALVES,
    atMost: 1,
  });
  const work = "first answer of a site that rests, 99th percentile";
  const cached = await firstAnswers(served.port, asked.slice(1));
  const read = cacheReadings(folder.path, asked.slice(1));
  const alone = `reading its cache file: ${shown(percentile(read, 0.99), "ms")}, median ${shown(median(read), "ms")}`;
  const peerOfFirst = `${alone}; rendered at first: ${shown(percentile(withoutCache, 0.99), "ms")}`;
  const few = {
    peer: `${peerOfFirst}; median of the answers: ${shown(median(cached), "ms")}`,
    unit: "ms",
    of: "sites",
  };
  report({ work, ...few, samples: cached, value: percentile(cached, 0.99), atMost: 100 });

  const [warm = "", ...elsewhere] = asked.slice(-51);
  await measureWarm(folder.path, served.port, warm, elsewhere);
  await measureChanges(folder.path, served.port, warm);
}

/** The processor time of each process in half-minutes one after the other, in percent of a core. */
async function atRest(pids: readonly number[]): Promise<number[][]> {
  const found: number[][] = pids.map(() => []);
  for (let round = 0; round < RESTS; round++) {
    const before = pids.map(processorSeconds);
    await wait(REST_MS);
    for (const [at, pid] of pids.entries())
      found[at]?.push(((processorSeconds(pid) - (before[at] ?? 0)) / REST_MS) * 100_000);
  }
  return found;
}

/** Asks a site in use again and again; resolves to the milliseconds of each answer. */
async function askWarm(port: number, site: string): Promise<number[]> {
  const found: number[] = [];
  for (const end = performance.now() + WARM_MS; performance.now() < end; await wait(ASK_EVERY_MS))
    found.push((await get(port, site, "/api/feed.json")).ms);
  return found;
}

async function measureWarm(folder: string, port: number, warm: string, elsewhere: readonly string[]): Promise<void> {
  const alone = await askWarm(port, warm);
  const imports: Promise<unknown>[] = [];
  const timer = setInterval(() => {
    const at = imports.length;
    const file = tableWithSource(folder, 100_000 + at, 1);
    imports.push(run(folder, ["import", file, "--site", elsewhere[at % elsewhere.length] ?? "", "--sites", "sites"]));
  }, IMPORT_EVERY_MS);
  const beside = await askWarm(port, warm);
  clearInterval(timer);
  await Promise.all(imports);
  const [one, other] = [percentile(alone, 0.99), percentile(beside, 0.99)];
  const work = `99th percentile on a site in use, ${imports.length} imports in a minute elsewhere: × without them`;
  const peer = `without: ${shown(one, "ms")}, median ${shown(median(alone), "ms")}; with: ${shown(other, "ms")}, ${shown(median(beside), "ms")}`;
  report({ work, peer, unit: "×", samples: [other / one], of: `rounds, ${beside.length} answers`, atMost: 3 });
}

/** From the commit of a change until a site in use serves it. */
async function measureChanges(folder: string, port: number, warm: string): Promise<void> {
  const samples: number[] = [];
  for (let change = 0; change < CHANGES; change++) {
    const number = 200_000 + change;
    const file = tableWithSource(folder, number, 1);
    await importInto(`sqlite:${join(folder, "sites", warm, "data", "goodword.db")}`, [file]);
    const committedAt = performance.now();
    const { author, created } = inventedReview(number);
    const isNew = ({ body }: { readonly body: string }) =>
      body.includes(`"${author}"`) && body.includes(created.slice(0, 10));
    const count = REVIEWS + change + 1;
    while (!(await get(port, warm)).body.includes(`"review_count":${count},`)) await wait(5);
    samples.push(performance.now() - committedAt);
    if (!isNew(await get(port, warm))) throw new Error("The review is not among those that are served");
  }
  const work = "a change of a site in use, from the commit until served";
  report({
    work,
    peer: "the contract: 2,000 ms",
    unit: "ms",
    samples,
    value: Math.max(...samples),
    of: "changes, the worst",
    atMost: 2_000,
  });
}

/** Two processes over one database with many schemas. */
async function measurePostgres(): Promise<void> {
  using folder = temporaryFolder();
  const sites = makeSitesFolder(folder.path);
  const DATABASE_URL = await emptyDatabase();
  const names = named(POSTGRES_COUNT);
  const [first = "", ...others] = names;
  const file = tableWithSource(folder.path, 0, REVIEWS);
  for (const name of names) mkdirSync(join(sites, name), { recursive: true });
  await importInto(siteStoreUrl(DATABASE_URL, first, ""), [file]);
  await copySchema(DATABASE_URL, first, others);
  const size = `PostgreSQL, ${shown(names.length)} sites, two processes`;
  const asked = names.slice(0, ASKED);
  const [rendered, inTime, inSuccession] = [
    await measureTwoProcesses(folder.path, DATABASE_URL, { asked, isInTime: false }),
    await measureTwoProcesses(folder.path, DATABASE_URL, { asked, isInTime: true }),
    await measureTwoProcesses(folder.path, DATABASE_URL, { asked, isInTime: false }),
  ];
  const percents = [rendered, inTime, inSuccession].flatMap(({ rests }) => rests);
  report({
    work: `${size}: processor at rest`,
    peer: "1 % of a core",
    unit: "%",
    samples: percents,
    of: HALVES,
    atMost: 1,
  });
  const most = [Math.max(rendered.connections, inTime.connections, inSuccession.connections)];
  report({
    work: `${size}: connections`,
    peer: "ten of each process",
    unit: "",
    samples: most,
    of: "runs, the most",
    atMost: 20,
  });
  const work = `${size}: first answer of a site that rests, twenty a second, 99th percentile`;
  const figuresOf = (answers: readonly number[]) =>
    `${shown(percentile(answers, 0.99), "ms")}, median ${shown(median(answers), "ms")}`;
  const peer = `median ${shown(median(inTime.answers), "ms")}; one after the other of each process: ${figuresOf(inSuccession.answers)}; without a cached edition: ${figuresOf(rendered.answers)}`;
  const of = "answers";
  report({ work, peer, unit: "ms", samples: inTime.answers, value: percentile(inTime.answers, 0.99), of, atMost: 100 });
  await measureEditionRow(siteStoreUrl(DATABASE_URL, first, ""));
}

/**
 * Two processes that start, rest and open the same sites: the first time by rendering, later from the cached editions.
 * The first answer of a process, which loads what the others need, does not count.
 */
async function measureTwoProcesses(
  folder: string,
  DATABASE_URL: string,
  { asked, isInTime }: { readonly asked: readonly string[]; readonly isInTime: boolean },
) {
  await using programs = new AsyncDisposableStack();
  const served = [await serve(folder, { DATABASE_URL }), await serve(folder, { DATABASE_URL })];
  for (const { program } of served) programs.use(program);
  await Promise.all(served.map(({ pid }) => untilSurveyed(pid)));
  const rests = (await atRest(served.map(({ pid }) => pid))).flat();
  const client = new pg.Client(DATABASE_URL);
  await client.connect();
  programs.defer(() => client.end());
  const ours = "datname = current_database() and application_name like 'goodword%'";
  let connections = 0;
  const watching = setInterval(async () => {
    const found = await client.query(`select count(*) from pg_stat_activity where ${ours}`).catch(() => undefined);
    connections = Math.max(connections, Number(found?.rows[0].count ?? 0));
  }, 100);
  programs.defer(() => clearInterval(watching));
  await Promise.all(served.map(({ port }) => firstAnswers(port, asked.slice(0, 1))));
  const firstAt = performance.now();
  const measured = served.map(({ port }, at) =>
    isInTime
      ? answersInTime(port, asked.slice(1), firstAt + (at * ARRIVAL_MS) / served.length)
      : firstAnswers(port, asked.slice(1)),
  );
  const answers = (await Promise.all(measured)).flat();
  await Promise.all(served.map(({ pid }) => untilQuiet(pid)));
  for (const { program } of served) await program.stop();
  return { rests, connections, answers };
}

/** What writing the cached edition of a site takes after each change. */
async function measureEditionRow(databaseUrl: string): Promise<void> {
  const database = await openPostgres<Tables>(databaseUrl);
  await using _ = { [Symbol.asyncDispose]: async () => await database.destroy() };
  const { body } = await database.selectFrom("edition_cache").select("body").executeTakeFirstOrThrow();
  const edition = editionOfBytes(zstdDecompressSync(Buffer.from(body, "base64")));
  const settings = { databaseUrl, baseUrl: "http://site.test" };
  const [samples, before] = [[] as number[], process.cpuUsage()];
  for (let round = 0; round < 100; round++) {
    const startedAt = performance.now();
    await saveEditionRow(edition, settings, database);
    samples.push(performance.now() - startedAt);
  }
  const used = process.cpuUsage(before);
  const peer = `${shown((used.user + used.system) / 100_000, "ms")} of processor time in the program; ${shown(body.length / 1e6, "MB")}`;
  report({ work: "PostgreSQL: writing the cached edition of a site", peer, unit: "ms", samples, of: "times" });
}

/** A Takeout of the reviews, shared among so many places. */
function takeoutOf(places: number): Buffer {
  const folderOf = (place: number) => `Takeout/Google Business Profile/account-1/location-${1_000 + place}`;
  const entries = Array.from({ length: places }, (_, place) => {
    const numbers = Array.from({ length: (PLACES * PLACE_REVIEWS) / places }, (_each, at) => at * places + place);
    const reviews = numbers.map((number) => {
      const { id, author, rating, created, text: comment } = inventedReview(number);
      const name = `accounts/1/locations/${1_000 + place}/reviews/${id}`;
      const starRating = ["ONE", "TWO", "THREE", "FOUR", "FIVE"][rating - 1];
      return { reviewer: { displayName: author }, starRating, comment, createTime: created, updateTime: created, name };
    });
    return [
      { name: `${folderOf(place)}/data.json`, content: JSON.stringify({ title: `Place ${place}` }) },
      { name: `${folderOf(place)}/reviews.json`, content: JSON.stringify({ reviews }) },
    ];
  });
  return zipOf(entries.flat());
}

/** A list of the reviews, each with one of so many places: the whole of it is read for each place. */
function listOf(places: number): string {
  const rows = Array.from({ length: PLACES * PLACE_REVIEWS }, (_, number) => {
    const { id: review_id, created: date, reply: _reply, replied: _replied, ...review } = inventedReview(number);
    const place = number % places;
    return { place_id: `P-${place}`, title: `Place ${place}`, review_id, date, source: "google", ...review };
  });
  return JSON.stringify(rows);
}

/** An archive of many places, beside one place with as many reviews. */
async function measurePlaces(): Promise<void> {
  const seconds = async (name: string, content: string | Buffer) => {
    using folder = temporaryFolder();
    makeSitesFolder(folder.path);
    writeFileSync(join(folder.path, name), content);
    const startedAt = performance.now();
    const { code, stderr } = await run(folder.path, ["import", name, "--places", "--sites", "sites"]);
    if (code !== 0) throw new Error(stderr);
    return (performance.now() - startedAt) / 1000;
  };
  for (const [name, make] of [
    ["takeout.zip", takeoutOf],
    ["list.json", listOf],
  ] as const) {
    const [many, one] = [[] as number[], [] as number[]];
    for (let round = 0; round < 3; round++) {
      one.push(await seconds(name, make(1)));
      many.push(await seconds(name, make(PLACES)));
    }
    const work = `import of ${PLACES} places with ${shown(PLACES * PLACE_REVIEWS)} reviews (${name}), × one place`;
    const samples = many.map((each, at) => each / (one[at] ?? Number.NaN));
    report({ work, peer: `one place: ${shown(median(one), "s")}`, unit: "×", samples, atMost: 1.5 });
  }
}

console.log(machine());
await measurePlaces();
if (COUNT > 0) await measureEmbedded();
if (POSTGRES_COUNT > 0) await measurePostgres();
await stopPostgres();
agent.destroy();
