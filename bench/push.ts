/**
 * How fast the hub notifies 2,000 subscribers on 100 hosts of a document of 54 kB over TLS, and what that costs: the whole
 * hub over a store on disk, and in the same run a bare undici loop that posts the same bytes over 64 kept connections.
 * The subscribers are a process of their own. Ratios and processor time count; seconds depend on what else runs.
 * The rate is that of a fan-out once it delivers, and how long it takes to begin is a row of its own.
 * That is measured with all hosts at one address and, where loopback has many (Linux), with an address for each; the bare
 * loop posts to one host, and so to one address, in both. Last, the program as it is run: a review is imported by the
 * command, and the first subscriber has it so long after the commit.
 */
import { type ChildProcess, fork } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:https";
import type { AddressInfo, LookupFunction } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { setTimeout as rest } from "node:timers/promises";
import { setDefaultCACertificates } from "node:tls";
import { Pool } from "undici";
import { type Document, makeDocument } from "../src/edition/document.ts";
import { topicLink } from "../src/edition/topic.ts";
import { hubHeaders } from "../src/hub/dispatch/delivery.ts";
import { openHub } from "../src/hub/hub.ts";
import { openStore } from "../src/store/store.ts";
import { insertActive } from "../test/support/active-subscriptions.ts";
import { serveProgram, temporaryFolder } from "../test/support/program.ts";
import { makeTestCertificate, type TestCertificate } from "../test/support/test-certificate.ts";
import { median, report, shown } from "./figures.ts";
import { untilQuiet } from "./quiet-process.ts";
import { importTable, writeTable } from "./table-import.ts";

const SUBSCRIBERS = 2000;
const HOSTS = 100;
const BODY_BYTES = 54_000;
const BARE_CONNECTIONS = 64;
const ROUNDS = Number(process.argv[2] ?? 9);
const TOPIC = "/feed.xml";
const BASE_URL = "http://localhost:8080";

/** How often the store is looked at. */
const LOOKING_MS = 2;
/** The path of each subscriber's callback. */
const PATHS = Array.from({ length: SUBSCRIBERS }, (_, index) => `/callback/${index}?token=${index}`);
/** Reviews of the business whose imports are measured, and how often one more is imported. */
const [REVIEWS, IMPORTS] = [1_000, Math.min(5, ROUNDS)];

const ONE_ADDRESS = ["127.0.0.1"];
/** Loopback addresses that Linux has without being set up. */
const ADDRESS_EACH = Array.from({ length: HOSTS }, (_, host) => `127.0.1.${host + 1}`);

/** What the process of the subscribers is told. */
interface Start {
  readonly certificate: TestCertificate;
  readonly addresses: readonly string[];
}

/** What it reports of a round: when the first and the last delivery arrived, and the connections that were made. */
interface Report {
  readonly firstAt: number;
  readonly lastAt: number;
  readonly handshakes: number;
}

if (process.send !== undefined) process.once("message", (start) => void subscribe(start as Start));
else {
  await measure("all hosts at one address", ONE_ADDRESS);
  const title = "an address for each host";
  if (process.platform === "linux") await measure(title, ADDRESS_EACH);
  else console.log(`${title}: skipped, because only Linux has the addresses without being set up`);
  await measureFromImport();
}

/** The subscribers: they answer 204, and report each round. */
async function subscribe({ certificate: { certificate, key }, addresses }: Start): Promise<void> {
  process.once("disconnect", () => process.exit()); // the bench has ended, perhaps by a fault
  let count = 0;
  let firstAt = 0;
  let handshakes = 0;
  let port = 0;
  for (const address of addresses) {
    const server = createServer({ cert: certificate, key, keepAliveTimeout: 60_000 }, (request, response) => {
      request.resume().on("end", () => {
        response.writeHead(204).end();
        if (count++ === 0) firstAt = Date.now();
        if (count < SUBSCRIBERS) return;
        process.send?.({ firstAt, lastAt: Date.now(), handshakes } satisfies Report);
        count = 0;
        handshakes = 0;
      });
    });
    server.on("secureConnection", () => handshakes++).listen(port, address);
    await once(server, "listening");
    ({ port } = server.address() as AddressInfo);
  }
  process.send?.(port);
}

/**
 * One round: seconds until the first delivery, and from then to the last one; milliseconds of processor time for each,
 * and handshakes.
 */
interface Round {
  readonly firstSeconds: number;
  readonly seconds: number;
  readonly processorMs: number;
  readonly handshakes: number;
}

/** Measures with hosts that have these addresses by turns. */
async function measure(title: string, addresses: readonly string[]): Promise<void> {
  const addressOf = (host: string) => addresses[Number.parseInt(host.slice(1), 10) % addresses.length] ?? "";
  const folder = mkdtempSync(join(tmpdir(), "goodword-push-"));
  const certificate = makeTestCertificate();
  setDefaultCACertificates([certificate.certificate]);
  const { subscribers, port } = await startSubscribers({ certificate, addresses });
  const store = await openStore(`sqlite:${join(folder, "hub.db")}`);
  await insertActive(store, callbacksAt(port));
  const listeners: (() => void)[] = [];
  let edition: { revision: number; document: (path: string) => Document | undefined } | undefined;
  const publish = (body: Uint8Array) => {
    const document = makeDocument(TOPIC, "application/atom+xml", body);
    edition = { revision: (edition?.revision ?? 0) + 1, document: (path) => (path === TOPIC ? document : undefined) };
    for (const listener of listeners) listener();
  };
  publish(randomBytes(BODY_BYTES));
  const hub = openHub({
    store,
    publisher: { current: () => edition, onEdition: (listener) => void listeners.push(listener) },
    settings: {
      baseUrl: BASE_URL,
      retrySeconds: [60, 600],
      timeoutSeconds: 10,
      lease: { shortest: 60, default: 864_000, longest: 2_592_000 },
      allowCallbacks: ["127.0.0.0/8"],
    },
    log: ({ event, error, reason }) => {
      if (event === "fault" || event === "delivery failed") console.error(event, error ?? reason);
    },
    now: () => new Date(),
    randomBytes,
    resolution: { resolve: async (host) => [addressOf(host)], isAnswering: async () => true },
  });
  hub.start();
  while ((await store.database.selectFrom("fan_out").selectAll().execute()).length === 0) await rest(20);

  const lookup: LookupFunction = (host, _options, answer) => answer(null, [{ address: addressOf(host), family: 4 }]);
  const connect = { ca: certificate.certificate, lookup };
  const pool = new Pool(`https://h0.test.localhost:${port}`, { connections: BARE_CONNECTIONS, connect });
  const bodies = Array.from({ length: ROUNDS + 1 }, () => randomBytes(BODY_BYTES));
  const rounds: { hub: Round[]; bare: Round[] } = { hub: [], bare: [] };
  for (const body of bodies) {
    rounds.hub.push(await timed(subscribers, () => publish(body)));
    rounds.bare.push(await timed(subscribers, () => postAll(pool, body)));
  }
  const { connections } = hub.status();
  await hub.close(1000);
  await pool.close();
  await store.close();
  subscribers.kill();
  rmSync(folder, { recursive: true });

  const [cold, ...warm] = rounds.hub;
  const bare = rounds.bare.slice(1);
  // Round by round, so that whatever else the machine does weighs on both.
  const ratios = warm.map(({ seconds }, round) => (bare[round]?.seconds ?? Number.NaN) / seconds);
  const line = (name: string, list: readonly Round[]) =>
    `${name.padEnd(32)} ${Math.round(SUBSCRIBERS / median(list.map(({ seconds }) => seconds)))}/s, ` +
    `${median(list.map(({ processorMs }) => processorMs)).toFixed(3)} ms of processor each, ` +
    `first after ${median(list.map(({ firstSeconds }) => firstSeconds)).toFixed(3)} s, ` +
    `${median(list.map(({ handshakes }) => handshakes))} handshakes`;
  console.log(
    `${SUBSCRIBERS} subscribers on ${HOSTS} hosts, ${title}, ${BODY_BYTES} bytes, TLS; medians of ${ROUNDS} rounds`,
  );
  console.log(line("hub, no connection open yet", cold === undefined ? [] : [cold]));
  console.log(line(`hub, ${connections} connections kept`, warm));
  console.log(line(`bare, ${BARE_CONNECTIONS} connections to one host`, bare));
  const work = `push to ${shown(SUBSCRIBERS)} subscribers on ${HOSTS} hosts, ${title}`;
  const theirs = (member: "seconds" | "firstSeconds") => median(bare.map((round) => round[member]));
  report({
    work: `${work}: rate`,
    peer: `bare undici loop = 1 (${shown(SUBSCRIBERS / theirs("seconds"))} a second)`,
    unit: "",
    samples: ratios,
    atLeast: 0.6,
  });
  report({
    work: `${work}: from publication to the first delivery`,
    peer: `bare undici loop: ${shown(theirs("firstSeconds") * 1000, "ms")}`,
    unit: "ms",
    samples: rounds.hub.map(({ firstSeconds }) => firstSeconds * 1000),
    atMost: 500,
  });
}

/** Starts the process of the subscribers, and gives the port at which they listen. */
async function startSubscribers(start: Start): Promise<{ readonly subscribers: ChildProcess; readonly port: number }> {
  const subscribers = fork(import.meta.filename);
  subscribers.send(start);
  const [port] = (await once(subscribers, "message")) as [number];
  return { subscribers, port };
}

/** The subscribers' callbacks, on so many hosts in turn. */
function callbacksAt(port: number): string[] {
  return PATHS.map((path, index) => `https://h${index % HOSTS}.test.localhost:${port}${path}`);
}

/** Measures the program: from the commit of a review that the command imports until the first subscriber has it. */
async function measureFromImport(): Promise<void> {
  using folder = temporaryFolder();
  const certificate = makeTestCertificate();
  const authority = join(folder.path, "certificate.pem");
  writeFileSync(authority, certificate.certificate);
  const { subscribers, port } = await startSubscribers({ certificate, addresses: ONE_ADDRESS });
  await importTable(folder.path, writeTable(folder.path, { from: 0, rows: REVIEWS }));
  const file = join(folder.path, "goodword.db");
  const store = await openStore(`sqlite:${file}`);
  await insertActive(store, callbacksAt(port));
  await store.close();
  const settings = { HUB_ALLOW_CALLBACKS: "127.0.0.0/8", NODE_EXTRA_CA_CERTS: authority };
  await using program = await serveProgram(folder.path, settings);
  using database = new DatabaseSync(file, { readOnly: true });
  const fanOuts = database.prepare("SELECT count(*) AS count FROM fan_out");
  while (fanOuts.get()?.count === 0) await rest(20);
  const rounds: number[] = [];
  for (let round = 0; round < IMPORTS; round++) {
    if (!(await untilQuiet(program.process.pid ?? 0))) throw new Error("The server did not come to rest");
    const complete = once(subscribers, "message");
    const committed = nextCommit(database);
    await importTable(folder.path, writeTable(folder.path, { from: REVIEWS + round, rows: 1 }));
    const [{ firstAt }] = (await complete) as [Report];
    rounds.push(firstAt - (await committed));
  }
  await program.stop();
  subscribers.kill();
  console.log(`${shown(REVIEWS)} reviews and one more: first delivery after ${rounds.map(Math.round).join(", ")} ms`);
  report({
    work: `push to ${shown(SUBSCRIBERS)} subscribers on ${HOSTS} hosts: from commit to the first delivery, ${shown(REVIEWS)} reviews`,
    peer: "the limit",
    unit: "ms",
    samples: rounds,
    of: "imports",
    atMost: 500,
  });
}

/** When the store's revision was last the one of now, so that a commit is never told too late: epoch milliseconds. */
async function nextCommit(database: DatabaseSync): Promise<number> {
  const revision = database.prepare("SELECT number FROM revision");
  const before = revision.get()?.number;
  for (let seen = Date.now(); ; await rest(LOOKING_MS)) {
    const lookedAt = Date.now();
    if (revision.get()?.number !== before) return seen;
    seen = lookedAt;
  }
}

/** Measures a round that starts with `begin` and lasts until every subscriber has been reached. */
async function timed(subscribers: ChildProcess, begin: () => void | Promise<void>): Promise<Round> {
  await rest(1200); // a topic is sent at most once a second
  const complete = once(subscribers, "message");
  const cpu = process.cpuUsage();
  const startedAt = Date.now();
  await begin();
  const [{ firstAt, lastAt, handshakes }] = (await complete) as [Report];
  const { user, system } = process.cpuUsage(cpu);
  return {
    firstSeconds: (firstAt - startedAt) / 1000,
    seconds: (lastAt - firstAt) / 1000,
    processorMs: (user + system) / 1000 / SUBSCRIBERS,
    handshakes,
  };
}

/** The bare loop: one request at a time on each connection, nothing else. */
async function postAll(pool: Pool, body: Uint8Array): Promise<void> {
  const headers = { ...hubHeaders(BASE_URL), "Content-Type": "application/atom+xml", Link: topicLink(BASE_URL, TOPIC) };
  let next = 0;
  const runner = async () => {
    for (let path = PATHS[next++]; path !== undefined; path = PATHS[next++]) {
      const answer = await pool.request({ path, method: "POST", headers, body });
      await answer.body.dump();
    }
  };
  await Promise.all(Array.from({ length: BARE_CONNECTIONS }, runner));
}
