/** Subscribers on loopback: an HTTPS server whose callbacks verify as they are told to and keep what they were sent. */
import { once } from "node:events";
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from "node:http";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";
import { makeTestCertificate } from "./test-certificate.ts";

/** One request that arrived. */
export interface Arrival {
  readonly method: string;
  /** Path and query as they were sent. */
  readonly target: string;
  readonly headers: IncomingHttpHeaders;
  /** Names and values in the order in which they came. */
  readonly rawHeaders: readonly string[];
  readonly body: Buffer;
  readonly at: number;
}

/** Answers a request itself; gives false to leave it to the usual answer. */
export type Behaviour = (arrival: Arrival, response: ServerResponse) => unknown;

export interface Subscribers {
  readonly port: number;
  readonly arrivals: readonly Arrival[];
  /** Verification requests and deliveries, of a path where one is given. */
  verifications(path?: string): Arrival[];
  deliveries(path?: string): Arrival[];
  /** What requests to a path are answered with instead of echoing the challenge and 204. */
  behave(path: string, behaviour: Behaviour): void;
  /** Resolves once `holds` is true; asked after each arrival. Rejects after `timeoutMs`. */
  until(holds: () => boolean, what: string, timeoutMs?: number): Promise<void>;
  connections(): Promise<number>;
  close(): Promise<void>;
}

/** The certificate of all subscribers of this process: trust it with `setDefaultCACertificates` or NODE_EXTRA_CA_CERTS. */
export const SUBSCRIBER_CERTIFICATE = makeTestCertificate();

/** Opens a server of subscribers. `host` is where it listens. */
export async function openSubscribers({ host = "127.0.0.1", port = 0 } = {}): Promise<Subscribers> {
  const arrivals: Arrival[] = [];
  const behaviours = new Map<string, Behaviour>();
  const watchers = new Set<() => void>();
  const { certificate, key } = SUBSCRIBER_CERTIFICATE;
  const server = createServer({ cert: certificate, key, keepAliveTimeout: 60_000 }, (request, response) => {
    void take(request, response).catch(() => response.destroy());
  });

  async function take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = "", url: target = "", headers, rawHeaders } = request;
    const body = await buffer(request);
    const arrival = { method, target, headers, rawHeaders, body, at: Date.now() };
    arrivals.push(arrival);
    const behaviour = behaviours.get(pathOf(target));
    if (behaviour === undefined || behaviour(arrival, response) === false) answer(arrival, response);
    for (const watcher of watchers) watcher();
  }

  const of = (method: string, path?: string) =>
    arrivals.filter((arrival) => arrival.method === method && (path === undefined || pathOf(arrival.target) === path));

  server.listen(port, host);
  await once(server, "listening");
  return {
    port: (server.address() as AddressInfo).port,
    arrivals,
    verifications: (path) => of("GET", path),
    deliveries: (path) => of("POST", path),
    behave: (path, behaviour) => void behaviours.set(path, behaviour),
    until: (holds, what, timeoutMs = 120_000) => {
      const { promise, resolve, reject } = Promise.withResolvers<void>();
      const watcher = () => {
        if (holds()) resolve();
      };
      const timer = setTimeout(() => reject(new Error(`Waited in vain until ${what}`)), timeoutMs);
      watchers.add(watcher);
      watcher();
      return promise.finally(() => {
        clearTimeout(timer);
        watchers.delete(watcher);
      });
    },
    connections: () => new Promise((resolve) => server.getConnections((_error, count) => resolve(count))),
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

/** The usual answer of a subscriber: the challenge to a verification, 204 to a delivery. */
export function answer({ method, target }: Arrival, response: ServerResponse): void {
  if (method === "GET") response.end(challengeOf(target));
  else response.writeHead(204).end();
}

/** The challenge of a verification request. */
export function challengeOf(target: string): string {
  return queryOf(target).get("hub.challenge") ?? "";
}

/** The query of a request. */
export function queryOf(target: string): URLSearchParams {
  return new URL(target, "https://localhost").searchParams;
}

function pathOf(target: string): string {
  return target.split("?", 1)[0] ?? "";
}
