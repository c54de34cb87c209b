/**
 * The one door to the outside: every request that the hub sends goes through `send`. It connects to judged addresses
 * only, follows no redirect, decodes nothing, reads no more than it was told to, and ends when its time is up.
 */
import { Client, type Dispatcher } from "undici";
import type { AddressRange } from "./address-class.ts";
import { openConnectionPool, type PooledConnection } from "./connection-pool.ts";
import type { NameResolution } from "./name-resolution.ts";
import { NoConnection } from "./socket-opening.ts";
import { makeConnector } from "./vetted-connection.ts";

/** A request to a callback. */
export interface CallbackRequest {
  readonly method: "GET" | "POST";
  readonly origin: string;
  /** Path and query, sent as they are. */
  readonly target: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: Uint8Array;
  /** How many bytes of the answer's body are worth reading; a longer one is cut off, and the connection with it. */
  readonly readBytes: number;
  /** Gives the request up, which is then nobody's failure. */
  readonly signal: AbortSignal;
}

/** What came of it: an answer; silence, which is the callback's failure; hindrance, which is ours; or not tried. */
export type CallbackAnswer =
  | {
      readonly kind: "answered";
      readonly status: number;
      readonly body: Uint8Array;
      /** Whether `body` is all that there was. */
      readonly complete: boolean;
      readonly retryAfter: string | undefined;
      readonly address: string | undefined;
    }
  | {
      readonly kind: "silent" | "local failure" | "held";
      readonly reason: string;
      readonly address: string | undefined;
    };

export interface CallbackDoor {
  send(request: CallbackRequest): Promise<CallbackAnswer>;
  /** Connections open now, in use or kept for the next request. */
  connections(): number;
  close(): Promise<void>;
}

export interface CallbackSettings {
  readonly resolution: NameResolution;
  readonly allowed: readonly AddressRange[];
  /** For a whole exchange: name, connection, TLS, headers and body. */
  readonly timeoutMs: number;
  readonly proxyUrl?: string | undefined;
  readonly mostConnections: number;
  readonly isHeld: (address: string) => boolean;
}

/**
 * How long a connection is kept for the next request: shorter than servers keep theirs. A request that meets a
 * connection just being closed cannot be told from one that was received, so it is not repeated but counts as failed.
 */
const KEEP_ALIVE_MILLISECONDS = 2000;
const LARGEST_HEADERS_BYTES = 16 * 1024;
const TIMED_OUT = "No answer in time";

interface CallbackLine extends PooledConnection {
  readonly client: Client;
  /** Where it leads, once it is connected. */
  address: string | undefined;
}

/** Opens the door. */
export function openCallbackDoor(settings: CallbackSettings): CallbackDoor {
  const connect = makeConnector(settings);
  const lines = openConnectionPool(
    settings.mostConnections,
    openLine,
    ({ client }) => void client.destroy().catch(() => {}),
  );

  function openLine(origin: string): CallbackLine {
    const client = new Client(origin, {
      pipelining: 1,
      headersTimeout: 0,
      bodyTimeout: 0,
      keepAliveTimeout: KEEP_ALIVE_MILLISECONDS,
      keepAliveMaxTimeout: KEEP_ALIVE_MILLISECONDS,
      maxHeaderSize: LARGEST_HEADERS_BYTES,
      connect: ({ hostname, port }, callback) => {
        connect(hostname, Number(port || 443)).then(
          ({ socket, address }) => {
            line.address = address;
            callback(null, socket);
          },
          (error: Error) => callback(error, null),
        );
      },
    });
    const line: CallbackLine = { client, origin, address: undefined };
    client.on("disconnect", () => lines.drop(line));
    return line;
  }

  return {
    async send(request) {
      const line = lines.take(request.origin);
      const { answer, reusable } = await exchange(line.client, request, settings.timeoutMs);
      if (reusable) lines.keep(line);
      else lines.hangUp(line);
      return { ...answer, address: line.address };
    },
    connections: () => lines.size,
    close: async () => lines.close(),
  };
}

type WithoutAddress<T> = T extends unknown ? Omit<T, "address"> : never;

interface Exchanged {
  readonly answer: WithoutAddress<CallbackAnswer>;
  /** Whether the connection can carry another request. */
  readonly reusable: boolean;
}

/** Sends one request over one connection, and settles when its answer is in, cut off or out of time. */
function exchange(client: Client, request: CallbackRequest, timeoutMs: number): Promise<Exchanged> {
  const { promise, resolve } = Promise.withResolvers<Exchanged>();
  const { readBytes, signal } = request;
  const chunks: Uint8Array[] = [];
  let length = 0;
  let head: { readonly status: number; readonly retryAfter: string | undefined } | undefined;
  let controller: Dispatcher.DispatchController | undefined;
  let settled = false;

  function settle(answer: Exchanged["answer"], reusable: boolean): void {
    if (settled) return;
    settled = true;
    clearTimeout(timer);
    signal.removeEventListener("abort", giveUp);
    resolve({ answer, reusable });
    if (!reusable) controller?.abort(new Error("Not needed any more"));
  }

  function answer(complete: boolean): void {
    if (head === undefined) return;
    const bytes = chunks.length === 1 && chunks[0] !== undefined ? chunks[0] : Buffer.concat(chunks);
    settle({ kind: "answered", ...head, body: bytes.subarray(0, readBytes), complete }, complete);
  }

  function giveUp(): void {
    settle({ kind: "local failure", reason: "Given up" }, false);
  }

  const timer = setTimeout(() => {
    if (head === undefined) settle({ kind: "silent", reason: TIMED_OUT }, false);
    else answer(false);
  }, timeoutMs);
  signal.addEventListener("abort", giveUp, { once: true });
  if (signal.aborted) giveUp();
  if (settled) return promise;

  client.dispatch(
    {
      path: request.target,
      method: request.method,
      headers: request.headers,
      body: request.body ?? null,
      idempotent: false,
      blocking: false,
    },
    {
      onRequestStart(started) {
        controller = started;
        if (settled) started.abort(new Error("Not needed any more"));
      },
      onResponseStart(_controller, status, headers) {
        if (status < 200) return;
        const { "retry-after": retryAfter } = headers;
        head = { status, retryAfter: Array.isArray(retryAfter) ? retryAfter[0] : retryAfter };
      },
      onResponseData(_controller, chunk) {
        if (settled) return;
        chunks.push(chunk);
        length += chunk.byteLength;
        if (length > readBytes) answer(false);
      },
      onResponseEnd() {
        answer(true);
      },
      onResponseError(_controller, error) {
        if (head !== undefined) return answer(false);
        settle(explain(error), false);
      },
    },
  );
  return promise;
}

function explain(error: Error): Exchanged["answer"] {
  if (error instanceof NoConnection) {
    const kind = ({ theirs: "silent", ours: "local failure", held: "held" } as const)[error.fault];
    return { kind, reason: error.message };
  }
  const { code = "" } = error as NodeJS.ErrnoException;
  if (code === "UND_ERR_SOCKET" || code === "ECONNRESET" || code === "EPIPE") {
    return { kind: "silent", reason: "The connection was closed without an answer" };
  }
  return { kind: "silent", reason: `No answer that is HTTP (${code || error.name})` };
}
