/** The HTTP server: limits and deadlines around a function from Request to Response. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { type AddressInfo, Server as NetServer, type Socket } from "node:net";
import type { Context } from "hono";
import { COMMON_HEADERS } from "../interface.ts";
import type { DocumentHandler } from "./answer-document.ts";
import { watchConnections } from "./client-connections.ts";
import { parseHost } from "./request-host.ts";
import { type Exchange, observe } from "./request-id.ts";

export type { IncomingMessage } from "node:http";

type Listener = (incoming: IncomingMessage, outgoing: ServerResponse) => void | Promise<void>;

const MAX_HEADER_BYTES = 16 * 1024;
/** Of a request that the parser refused, this much is searched for the end of its first line. */
const MAX_REQUEST_LINE_BYTES = 8 * 1024;
/** How long an idle connection stays open. */
const KEEP_ALIVE_MS = 75_000;
/** How long a connection stays open on which no byte arrives or leaves. */
const SILENCE_MS = 120_000;

export interface ServerSettings {
  /** Empty: every address, IPv6 and IPv4. */
  readonly host: string;
  readonly port: number;
  readonly onFault: (error: unknown) => void;
  /** How long a client may take. The default is for clients on slow lines. */
  readonly deadlines?: RequestDeadlines;
  /**
   * This port's share of the connections of the process. A further one takes the place of one of the client that has the
   * most, or gets 503.
   */
  readonly maxConnections: number;
  /** Delays listening until `ready`. `port` is the port that it will be, for a `port` of 0 above. */
  readonly listenAfter?: { readonly ready: Promise<void>; readonly port: number } | undefined;
  /** Called for each new connection. */
  readonly onConnection?: () => void;
  /** Called when a connection is ended whose request nothing has read: it was too large, late or one too many. */
  readonly onUnread?: () => void;
  /** Answers requests for documents. All others go to `fetch`. */
  readonly documents?: DocumentHandler;
  /** Called when the answer to a request has ended. Each request then gets an id. */
  readonly onExchange?: (exchange: Exchange) => void;
  /** The most that a request's address and headers may have together. The default is for strangers. */
  readonly maxHeaderBytes?: number;
  /** On the answers that the server itself gives. The default is for what is public, and lets any web page read them. */
  readonly commonHeaders?: Readonly<Record<string, string>>;
}

interface RequestDeadlines {
  /** Until the headers of a request have arrived. */
  readonly headersMs: number;
  /** Until its body has arrived, too. */
  readonly requestMs: number;
  /** How often late requests are looked for. */
  readonly checkedEveryMs: number;
}

const DEADLINES: RequestDeadlines = { headersMs: 15_000, requestMs: 30_000, checkedEveryMs: 2_000 };

export interface RunningServer {
  readonly port: number;
  /** Resolves when it listens, or is closed before. Rejects if the address is unavailable, for one that listens later. */
  readonly listening: Promise<void>;
  /** Loads the parts that answer other requests than those for documents. Without it, the first of them does. */
  prepare(): Promise<void>;
  /** Open connections of clients. */
  connections(): number;
  /** Stops accepting connections. Those that are open go on until their next answer, which asks the client to close. */
  drain(): void;
  /** Stops accepting, lets responses finish, and cuts what is left after the deadline. */
  close(deadlineMilliseconds: number): Promise<void>;
}

/** The address of the connection's peer; empty once it is closed. */
export function peerOf({ env }: Context): string {
  return (env as { readonly incoming: IncomingMessage }).incoming.socket.remoteAddress ?? "";
}

/** Starts listening, at once or later. @throws Error when the address is unavailable. */
export async function openServer(
  fetch: (request: Request, bindings: object) => Response | Promise<Response>,
  settings: ServerSettings,
): Promise<RunningServer> {
  const { documents, deadlines = DEADLINES, commonHeaders = COMMON_HEADERS } = settings;
  const { maxHeaderBytes = MAX_HEADER_BYTES } = settings;
  const errorHeaders = { ...commonHeaders, "Content-Type": "application/json", "Cache-Control": "no-store" };
  let listener: Promise<Listener> | undefined;
  /** What asks with `OPTIONS *` about the server as a whole (RFC 9110 §9.3.7): answered as about `/`, for all methods. */
  const ofServer = new WeakSet<IncomingMessage>();
  /** Loads Node's `fetch` with all its parts, which documents do not need. */
  async function loadListener(): Promise<Listener> {
    const { getRequestListener } = await import("@hono/node-server");
    const errorHandler = (error: unknown) => {
      const status = isRequestError(error) ? 400 : 500;
      if (status === 500) settings.onFault(error);
      return new Response(errorText(status), { status, headers: errorHeaders });
    };
    return getRequestListener(
      (request, bindings) => {
        const response = fetch(request, bindings);
        return ofServer.has(bindings.incoming as IncomingMessage) ? withAllMethods(response) : response;
      },
      { errorHandler },
    );
  }
  async function answerRouted(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    listener ??= loadListener();
    replaceUnnameableHost(incoming);
    await (await listener)(incoming, outgoing);
  }
  const server = createServer(
    {
      maxHeaderSize: maxHeaderBytes,
      connectionsCheckingInterval: deadlines.checkedEveryMs,
      requireHostHeader: false, // the listener refuses such requests itself, with a JSON body
      joinDuplicateHeaders: true,
      // Node drops what it has read behind a request with Upgrade, and parses what it reads later, as if it followed.
      shouldUpgradeCallback: ({ socket }) => {
        connections.endAfterNext(socket);
        return false; // no other protocol is spoken
      },
    },
    answer,
  );
  if (settings.onConnection !== undefined) server.on("connection", settings.onConnection);
  const connections = watchConnections(server, {
    max: settings.maxConnections,
    endWith: (socket, status) => endWith(socket, status, errorHeaders),
    onUnread: settings.onUnread,
  });
  function answer(incoming: IncomingMessage, outgoing: ServerResponse): void {
    if (!connections.watch(incoming.socket, outgoing)) return;
    spellPlainly(incoming);
    if (incoming.method === "OPTIONS" && incoming.url === "*") {
      ofServer.add(incoming);
      incoming.url = "/";
    }
    if (settings.onExchange !== undefined) observe(incoming, outgoing, settings.onExchange);
    const answered = documents?.(incoming, outgoing) ?? false;
    if (answered === false) answerRouted(incoming, outgoing).catch(settings.onFault);
    else if (answered !== true) answerLater(answered, incoming, outgoing);
  }
  function answerLater(answered: Promise<boolean>, incoming: IncomingMessage, outgoing: ServerResponse): void {
    answered.then(
      (isAnswered) => (isAnswered ? undefined : answerRouted(incoming, outgoing).catch(settings.onFault)),
      (error: unknown) => answerFault(error, outgoing),
    );
  }
  function answerFault(error: unknown, outgoing: ServerResponse): void {
    settings.onFault(error);
    if (outgoing.headersSent) return void outgoing.destroy();
    outgoing.writeHead(500, errorHeaders).end(errorText(500));
  }
  server.on("checkExpectation", answer); // unknown expectations may be ignored (RFC 9110 §10.1.1)
  server.on("connect", ({ socket }) => connections.refuse(socket, 405));
  // A client that closes its half of the connection after the request still gets a delayed answer. Node has
  // this as a property of the server without documenting it; by default it ends the connection at once.
  Object.assign(server, { httpAllowHalfOpen: true });
  server.headersTimeout = deadlines.headersMs;
  server.requestTimeout = deadlines.requestMs;
  server.keepAliveTimeout = KEEP_ALIVE_MS;
  server.timeout = SILENCE_MS;
  server.on("clientError", refuseUnparsed);
  /** Ends a connection on which something arrived that the parser refused, or nothing in time. */
  function refuseUnparsed(error: ParserError, socket: Socket): void {
    if (statusOf(error) !== 400) settings.onUnread?.(); // no browser sends what is malformed
    if (error.code === "ECONNRESET" || !socket.writable) socket.destroy();
    else if (!connections.endAfterLatest(socket)) connections.refuse(socket, statusOf(error));
  }
  let closed: Promise<void> | undefined;
  const { listenAfter } = settings;
  const listening = listenAfter === undefined ? listen(server, settings) : listenAfter.ready.then(listenUnlessClosed);
  listening.catch(() => {}); // the caller awaits it
  async function listenUnlessClosed(): Promise<void> {
    if (closed === undefined) await listen(server, settings);
  }
  if (listenAfter === undefined) await listening;
  const port = listenAfter?.port ?? (server.address() as AddressInfo).port;
  /** Not the method of http.Server, which would cut responses that are still being sent. */
  const stopAccepting = () =>
    new Promise<void>((resolve) => void NetServer.prototype.close.call(server, () => resolve()));
  return {
    port,
    listening,
    prepare: async () => {
      listener ??= loadListener();
      await listener;
    },
    connections: connections.count,
    drain() {
      closed ??= stopAccepting();
      connections.endAfterAnswer();
    },
    async close(deadlineMilliseconds) {
      closed ??= stopAccepting();
      const cut = setTimeout(connections.cut, deadlineMilliseconds);
      connections.endWhenQuiet();
      await closed;
      clearTimeout(cut);
    },
  };
}

const ALL_METHODS = "GET, HEAD, POST, OPTIONS";

async function withAllMethods(given: Response | Promise<Response>): Promise<Response> {
  const response = await given;
  if (response.ok) response.headers.set("Allow", ALL_METHODS);
  return response;
}

const ERRORS: Readonly<Record<number, string>> = {
  400: "The request is not valid HTTP",
  405: "Method not supported; use GET, HEAD, OPTIONS, or POST where it is allowed",
  408: "The request did not arrive in time",
  431: "The address and the headers of the request are too large",
  503: "There are too many connections; try again in a moment",
  500: "Something went wrong; see the server's log",
};

function errorText(status: number): string {
  return JSON.stringify({ error: ERRORS[status] ?? ERRORS[400] });
}

/** Spells as the listener does what may be spelt otherwise: a target's scheme in capitals, a port that is left empty. */
function spellPlainly(incoming: IncomingMessage): void {
  const { headers, url = "" } = incoming;
  if (!url.startsWith("/")) incoming.url = url.replace(/^https?:/i, (scheme) => scheme.toLowerCase());
  if (headers.host?.endsWith(":")) headers.host = headers.host.slice(0, -1);
}

/** A name that is nobody's (RFC 6761 §6.4). */
const NOBODYS_HOST = "host.invalid";

/**
 * Each request gets an address, and some hosts are none that an address can name: `a.1` ends like an IPv4 address and is
 * none (URL Standard, host parsing). They are nobody's, and answered as such. A malformed host is refused by the listener.
 */
function replaceUnnameableHost({ headers }: IncomingMessage): void {
  const { host } = headers;
  if (host === undefined || URL.canParse(`http://${host}/`)) return;
  headers.host = parseHost(host) === undefined ? "" : NOBODYS_HOST;
}

interface ParserError extends NodeJS.ErrnoException {
  readonly rawPacket?: Buffer;
}

/** The status of a request that the parser refused. */
function statusOf(error: ParserError): number {
  if (isStrangeMethod(error)) return 405;
  return { HPE_HEADER_OVERFLOW: 431, ERR_HTTP_REQUEST_TIMEOUT: 408 }[error.code ?? ""] ?? 400;
}

/** Whether the parser failed only because it does not know the method. */
function isStrangeMethod({ code, rawPacket }: ParserError): boolean {
  const line = /^[!#$%&'*+.^_`|~\dA-Za-z-]{1,40} \/[\x21-\x7e]* HTTP\/1\.[01]\r\n/;
  return code === "HPE_INVALID_METHOD" && line.test(rawPacket?.toString("latin1", 0, MAX_REQUEST_LINE_BYTES) ?? "");
}

const REASONS: Readonly<Record<number, string>> = {
  400: "Bad Request",
  405: "Method Not Allowed",
  408: "Request Timeout",
  431: "Request Header Fields Too Large",
  503: "Service Unavailable",
};

function endWith(socket: Socket, status: number, errorHeaders: Readonly<Record<string, string>>): void {
  const body = errorText(status);
  const headers = Object.entries({
    ...errorHeaders,
    ...(status === 503 ? { "Retry-After": "2" } : {}),
    ...(status === 405 ? { Allow: ALL_METHODS } : {}),
    Connection: "close",
    "Content-Length": String(Buffer.byteLength(body)),
  });
  const head = headers.map(([name, value]) => `${name}: ${value}\r\n`).join("");
  socket.end(`HTTP/1.1 ${status} ${REASONS[status]}\r\n${head}\r\n${body}`, () => socket.destroy());
}

function isRequestError(error: unknown): boolean {
  return error instanceof Error && error.name === "RequestError";
}

/** Listens on every address if no host is given: IPv6 including IPv4, or IPv4 alone without IPv6. */
async function listen(server: Server, { host, port }: ServerSettings): Promise<void> {
  if (host !== "") return await listenOn(server, host, port);
  try {
    await listenOn(server, "::", port);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== "EAFNOSUPPORT" && code !== "EADDRNOTAVAIL") throw error;
    await listenOn(server, "0.0.0.0", port);
  }
}

function listenOn(server: Server, host: string, port: number): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  server.once("error", reject);
  server.listen(port, host, () => {
    server.off("error", reject);
    resolve();
  });
  return promise;
}
