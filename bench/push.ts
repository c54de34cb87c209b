/**
 * How fast the hub notifies: 2,000 subscribers over kept TLS connections, a document of 50 kB. In the same run a bare
 * loop over undici posts the same bytes to the same subscribers over as many connections; the ratio is what counts.
 */
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:https";
import type { AddressInfo, LookupFunction } from "node:net";
import { setTimeout as rest } from "node:timers/promises";
import { setDefaultCACertificates } from "node:tls";
import { isMainThread, parentPort, Worker, workerData } from "node:worker_threads";
import { Agent } from "undici";
import { type Document, makeDocument } from "../src/edition/document.ts";
import { topicLink } from "../src/edition/topic.ts";
import { hubHeaders } from "../src/hub/dispatch/delivery.ts";
import { openHub } from "../src/hub/hub.ts";
import { openStore } from "../src/store/store.ts";
import { makeTestCertificate, type TestCertificate } from "../test/test-certificate.ts";

const SUBSCRIBERS = 2000;
const HOSTS = 64;
const BODY_BYTES = 50_000;
const ROUNDS = 15;
const TOPIC = "/reviews.json";
const BASE_URL = "http://localhost:8080";

if (isMainThread) await measure();
else await subscribe(workerData as TestCertificate);

/** The subscribers, on a thread of their own: they echo challenges, and tell when a round of deliveries is complete. */
async function subscribe({ certificate, key }: TestCertificate): Promise<void> {
  let count = 0;
  const server = createServer({ cert: certificate, key, keepAliveTimeout: 60_000 }, (request, response) => {
    const { method, url = "" } = request;
    if (method === "GET") response.end(new URL(url, BASE_URL).searchParams.get("hub.challenge"));
    else {
      request.resume().on("end", () => {
        response.writeHead(204).end();
        if (++count % SUBSCRIBERS === 0) parentPort?.postMessage("complete");
      });
    }
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  parentPort?.postMessage((server.address() as AddressInfo).port);
}

async function measure(): Promise<void> {
  const certificate = makeTestCertificate();
  setDefaultCACertificates([certificate.certificate]);
  const subscribers = new Worker(new URL(import.meta.url), { workerData: certificate });
  const [port] = (await once(subscribers, "message")) as [number];
  const origins = Array.from({ length: HOSTS }, (_, host) => `https://h${host}.test.localhost:${port}`);
  const callbacks = Array.from({ length: SUBSCRIBERS }, (_, index) => ({
    origin: origins[index % HOSTS] ?? "",
    path: `/callback/${index}?token=${index}`,
  }));

  const store = await openStore("sqlite::memory:");
  const listeners: (() => void)[] = [];
  let edition: { revision: number; document: (path: string) => Document | undefined } | undefined;
  const publish = (revision: number, body: Uint8Array) => {
    const document = makeDocument(TOPIC, "application/json", body);
    edition = { revision, document: (path) => (path === TOPIC ? document : undefined) };
    for (const listener of listeners) listener();
  };
  publish(1, randomBytes(BODY_BYTES));
  const activated = Promise.withResolvers<void>();
  let active = 0;
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
    log: ({ event }) => {
      if (event === "subscription activated" && ++active === SUBSCRIBERS) activated.resolve();
    },
    now: () => new Date(),
    randomBytes,
    limits: { intervalMs: 0 },
  });
  hub.start();
  for (const [index, { origin, path }] of callbacks.entries()) {
    const form = { "hub.mode": "subscribe", "hub.topic": BASE_URL + TOPIC, "hub.callback": origin + path };
    const request = new Request(BASE_URL, { method: "POST", body: new URLSearchParams(form) });
    const { status } = await hub.answer(request, `192.0.2.${index % 200}`);
    if (status !== 202) throw new Error(`The hub answered ${status}`);
  }
  await activated.promise;

  /** Names below localhost lead to loopback, without a look-up. */
  const lookup: LookupFunction = (_host, _options, answer) => answer(null, [{ address: "127.0.0.1", family: 4 }]);
  const agent = new Agent({ connections: 4, connect: { ca: certificate.certificate, lookup } });
  const seconds: Record<"hub" | "bare", number[]> = { hub: [], bare: [] };
  for (let round = 0; round < ROUNDS; round++) {
    const body = randomBytes(BODY_BYTES);
    // Both begin at rest and with warm connections: each is measured on its second go.
    for (const go of [1, 2]) {
      await rest(100);
      const startedAt = performance.now();
      const complete = once(subscribers, "message");
      publish(10 * round + go + 1, go === 1 ? randomBytes(BODY_BYTES) : body);
      await complete;
      if (go === 2) seconds.hub.push((performance.now() - startedAt) / 1000);
    }
    for (const go of [1, 2]) {
      await rest(100);
      const startedAt = performance.now();
      const complete = once(subscribers, "message");
      await Promise.all([postAll(agent, callbacks, body), complete]);
      if (go === 2) seconds.bare.push((performance.now() - startedAt) / 1000);
    }
  }
  const [ours, bare] = [median(seconds.hub), median(seconds.bare)];
  // Round by round, so that whatever else the machine does weighs on both.
  const ratio = median(seconds.hub.map((time, round) => (seconds.bare[round] ?? Number.NaN) / time));
  const rate = (time: number) => `${Math.round(SUBSCRIBERS / time)} notifications/s (${(time * 1000).toFixed(0)} ms)`;
  console.log(`${SUBSCRIBERS} subscribers on ${HOSTS} hosts, ${BODY_BYTES} bytes, median of ${ROUNDS} rounds`);
  console.log(`hub:         ${rate(ours)}`);
  console.log(`bare undici: ${rate(bare)}`);
  console.log(`ratio:       ${ratio.toFixed(2)} (at least 0.60)`);
  await hub.close(1000);
  await agent.close();
  await store.close();
  await subscribers.terminate();
  process.exitCode = ratio >= 0.6 ? 0 : 1;
}

/** The bare loop: as many at a time as the hub has sockets, nothing else. */
async function postAll(
  agent: Agent,
  callbacks: readonly { origin: string; path: string }[],
  body: Uint8Array,
): Promise<void> {
  const headers = { ...hubHeaders(BASE_URL), "Content-Type": "application/json", Link: topicLink(BASE_URL, TOPIC) };
  let next = 0;
  const runner = async () => {
    for (let callback = callbacks[next++]; callback !== undefined; callback = callbacks[next++]) {
      const { origin, path } = callback;
      const answer = await agent.request({ origin, path, method: "POST", headers, body });
      await answer.body.dump();
    }
  };
  await Promise.all(Array.from({ length: 256 }, runner));
}

function median(values: readonly number[]): number {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? Number.NaN;
}
