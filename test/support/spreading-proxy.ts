/**
 * A load balancer for tests: each request goes to one of several processes, by a random choice that a seed repeats. It
 * passes everything on as it came, and keeps a connection open for the client but none to the processes.
 */
import { createServer, type IncomingMessage, request, type ServerResponse } from "node:http";
import { buffer } from "node:stream/consumers";
import { listening } from "./loopback.ts";
import { seededRandom } from "./seeded-random.ts";

export interface SpreadingProxy {
  readonly port: number;
  /** How many requests each process was given. */
  counts(): readonly number[];
  /** The processes to spread over, by port. */
  spreadOver(ports: readonly number[], ways?: Ways): void;
  close(): Promise<void>;
}

export interface Ways {
  /** The host that a process is asked for in the place of one of this machine. */
  readonly host?: string | undefined;
  /** Called before each request. */
  readonly onRequest?: (() => void) | undefined;
}

/** A Host of this machine. */
const LOOPBACK = /^(?:localhost|127\.0\.0\.1|\[::1\])(?::\d+)?$/i;

/** Opens the proxy. Until it has been told processes, it answers 502. */
export async function openSpreadingProxy(seed: number): Promise<SpreadingProxy> {
  const random = seededRandom(seed);
  let ports: readonly number[] = [];
  let counts: number[] = [];
  let { host: siteHost, onRequest }: Ways = {};
  const server = createServer({ requireHostHeader: false }, pass);
  server.on("checkExpectation", pass);
  server.keepAliveTimeout = 60_000;

  function pass(incoming: IncomingMessage, outgoing: ServerResponse): void {
    const index = Math.floor(random() * ports.length);
    const port = ports[index];
    if (port === undefined) return void outgoing.writeHead(502).end();
    counts[index] = (counts[index] ?? 0) + 1;
    onRequest?.();
    const { method, url, rawHeaders } = incoming;
    const onward = request({ host: "127.0.0.1", port, method, path: url, agent: false, setHost: false });
    for (const [name, values] of headersOf(rawHeaders)) onward.setHeader(name, values);
    if (siteHost !== undefined && LOOPBACK.test(incoming.headers.host ?? "")) onward.setHeader("Host", siteHost);
    onward.on("response", (answer) => {
      outgoing.sendDate = false;
      outgoing.writeHead(answer.statusCode ?? 502, answer.statusMessage, withoutConnection(answer.rawHeaders));
      answer.pipe(outgoing);
    });
    onward.on("error", () => outgoing.headersSent || outgoing.destroy());
    outgoing.on("close", () => onward.destroy());
    buffer(incoming).then(
      (body) => onward.end(body),
      () => onward.destroy(),
    );
  }

  const { port, close } = await listening(server);
  return {
    ...{ port, close },
    counts: () => counts,
    spreadOver(these, ways = {}) {
      ports = these;
      ({ host: siteHost, onRequest } = ways);
      counts = these.map(() => 0);
    },
  };
}

/** Headers by name, each with all its values: the client's connection is the proxy's own business. */
function headersOf(rawHeaders: readonly string[]): Map<string, string[]> {
  const headers = new Map<string, string[]>();
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at] ?? "";
    if (name.toLowerCase() === "connection") continue;
    headers.set(name, [...(headers.get(name) ?? []), rawHeaders[at + 1] ?? ""]);
  }
  return headers;
}

function withoutConnection(rawHeaders: readonly string[]): string[] {
  return rawHeaders.filter((_, at) => !/^(connection|keep-alive)$/i.test(rawHeaders[at - (at % 2)] ?? ""));
}
