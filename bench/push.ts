/**
 * The rate at which the hub notifies 2,000 subscribers on 100 hosts of a document of 54 kB over TLS: the whole hub over a
 * store on disk, and in turns a bare undici loop that posts the same bytes over 64 open connections to one host. The rate
 * is that from the first delivery to the last. The hosts have one address first, then, where loopback has many (Linux),
 * one each. The subscribers are a process of their own.
 *
 *     node bench/push.ts [rounds]
 */
import { type ChildProcess, fork } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:https";
import type { AddressInfo, LookupFunction } from "node:net";
import { join } from "node:path";
import { setTimeout as rest } from "node:timers/promises";
import { setDefaultCACertificates } from "node:tls";
import { Pool } from "undici";
import { type Document, makeDocument } from "../src/edition/document.ts";
import { topicLink } from "../src/edition/topic.ts";
import { hubHeaders } from "../src/hub/dispatch/delivery.ts";
import { openClaims } from "../src/store/claims.ts";
import { openStore } from "../src/store/store.ts";
import { insertActive } from "../test/support/active-subscriptions.ts";
import { openLoneHub } from "../test/support/lone-hub.ts";
import { temporaryFolder } from "../test/support/program.ts";
import { makeTestCertificate, type TestCertificate } from "../test/support/test-certificate.ts";
import { median, report, shown } from "./figures.ts";

const SUBSCRIBERS = 2000;
const HOSTS = 100;
const BODY_BYTES = 54_000;
const BARE_CONNECTIONS = 64;
const ROUNDS = Number(process.argv[2] ?? 7);
const MIN_RATIO = 0.7;
/** Before a round of the hub, because a topic is sent at most once a second, and before one of the bare loop. */
const [HUB_REST_MS, BARE_REST_MS] = [1_000, 200];
const TOPIC = "/feed.xml";
const BASE_URL = "http://localhost:8080";

/** The path of each subscriber's callback. */
const PATHS = Array.from({ length: SUBSCRIBERS }, (_, index) => `/callback/${index}?token=${index}`);

const ONE_ADDRESS = ["127.0.0.1"];
/** Loopback addresses that Linux has without being set up. */
const ADDRESS_EACH = Array.from({ length: HOSTS }, (_, host) => `127.0.1.${host + 1}`);

/** The message that starts the subscribers. */
interface Start {
  readonly certificate: TestCertificate;
  readonly addresses: readonly string[];
}

/** Their report of a round: when the first and the last delivery arrived, and how many connections were made. */
interface Report {
  readonly firstAt: number;
  readonly lastAt: number;
  readonly handshakes: number;
}

if (process.send !== undefined) process.once("message", (start) => void subscribe(start as Start));
else {
  const ratios = [await measure("all hosts at one address", ONE_ADDRESS)];
  if (process.platform === "linux") ratios.push(await measure("an address for each host", ADDRESS_EACH));
  report({
    work: `push to ${shown(SUBSCRIBERS)} subscribers on ${HOSTS} hosts: rate, the worse of one address and one each, × the peer's`,
    peer: "bare undici loop = 1",
    unit: "",
    samples: ratios.flat(),
    value: Math.min(...ratios.map(median)),
    of: "rounds of both",
    atLeast: MIN_RATIO,
  });
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

/** The hub's rate with hosts at these addresses, × the bare loop's, in each round. */
async function measure(title: string, addresses: readonly string[]): Promise<number[]> {
  const addressOf = (host: string) => addresses[Number.parseInt(host.slice(1), 10) % addresses.length] ?? "";
  using folder = temporaryFolder();
  const certificate = makeTestCertificate();
  setDefaultCACertificates([certificate.certificate]);
  const { subscribers, port } = await startSubscribers({ certificate, addresses });
  const store = await openStore(`sqlite:${join(folder.path, "hub.db")}`);
  await insertActive(store, callbacksAt(port));
  const listeners: (() => void)[] = [];
  let edition: { revision: number; document: (path: string) => Document | undefined } | undefined;
  const publish = (body: Uint8Array) => {
    const document = makeDocument(TOPIC, "application/atom+xml", body);
    edition = { revision: (edition?.revision ?? 0) + 1, document: (path) => (path === TOPIC ? document : undefined) };
    for (const listener of listeners) listener();
  };
  publish(randomBytes(BODY_BYTES));
  const claims = openClaims(store);
  const hub = openLoneHub({
    store,
    claims,
    publisher: { confirmed: () => edition, onEdition: (listener) => void listeners.push(listener) },
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
    await rest(HUB_REST_MS);
    rounds.hub.push(await timed(subscribers, () => publish(body)));
    await rest(BARE_REST_MS);
    rounds.bare.push(await timed(subscribers, () => postAll(pool, body)));
  }
  const { connections } = hub.status();
  await hub.close(1000);
  await claims.close();
  await pool.close();
  await store.close();
  subscribers.kill();

  const [cold, ...warm] = rounds.hub;
  const bare = rounds.bare.slice(1);
  const line = (name: string, list: readonly Round[]) =>
    `${name.padEnd(32)} ${Math.round(SUBSCRIBERS / median(list.map(({ seconds }) => seconds)))}/s, ` +
    `${median(list.map(({ processorMs }) => processorMs)).toFixed(3)} ms of processor each, ` +
    `first after ${median(list.map(({ firstSeconds }) => firstSeconds)).toFixed(3)} s, ` +
    `${median(list.map(({ handshakes }) => handshakes))} handshakes`;
  console.log(
    `${SUBSCRIBERS} subscribers on ${HOSTS} hosts, ${title}, ${BODY_BYTES} bytes, TLS; medians of ${ROUNDS} rounds`,
  );
  console.log(line("hub, no connection open yet", cold === undefined ? [] : [cold]));
  console.log(line(`hub, ${connections} connections open`, warm));
  console.log(line(`bare, ${BARE_CONNECTIONS} connections to one host`, bare));
  const bareSeconds = median(bare.map(({ seconds }) => seconds)); // single rounds of a fifth of a second vary twofold
  return warm.map(({ seconds }) => bareSeconds / seconds);
}

/** Starts the process of the subscribers, and returns their port. */
async function startSubscribers(start: Start): Promise<{ readonly subscribers: ChildProcess; readonly port: number }> {
  const subscribers = fork(import.meta.filename);
  subscribers.send(start);
  const [port] = (await once(subscribers, "message")) as [number];
  return { subscribers, port };
}

/** The subscribers' callbacks, spread over the hosts. */
function callbacksAt(port: number): string[] {
  return PATHS.map((path, index) => `https://h${index % HOSTS}.test.localhost:${port}${path}`);
}

/** Measures a round, which starts with `begin` and ends when every subscriber has been reached. */
async function timed(subscribers: ChildProcess, begin: () => void | Promise<void>): Promise<Round> {
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
