/**
 * The only client for callbacks: every request of the hub goes through `send`. It connects to vetted addresses only,
 * follows no redirect, decodes nothing, reads a limited number of bytes, and aborts at the deadline.
 */
import { Client, type Dispatcher } from "undici";
import { errorCode, type OwnWords, ownWords } from "../../lib/own-words.ts";
import type { AddressRange } from "../../outbound/address-class.ts";
import type { NameResolution } from "../../outbound/name-resolution.ts";
import { NoConnection } from "../../outbound/socket-opening.ts";
import { type AddressGate, makeConnector } from "../../outbound/vetted-connection.ts";
import { openConnectionPool, type PooledConnection } from "./connection-pool.ts";

/** A request to a callback. */
export interface CallbackRequest {
  readonly method: "GET" | "POST";
  readonly origin: string;
  /** Path and query, sent as they are. */
  readonly target: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: Uint8Array;
  /** Number of bytes of the answer that are read; a longer answer is cut off, and its connection closed. */
  readonly readBytes: number;
  /** Aborts the request, which counts as a local failure. */
  readonly signal: AbortSignal;
  /** Decides which of the vetted addresses may be used now. */
  readonly gate: AddressGate;
}

/**
 * The result of a request: an answer; silence, which is the callback's failure; a local failure; or not sent, because
 * the address is paused or has no free slot. `KIND_OF_FAULT` decides which failures are local.
 */
export type CallbackAnswer =
  | {
      readonly kind: "answered";
      readonly status: number;
      readonly body: Uint8Array;
      /** Whether `body` is the whole body. */
      readonly complete: boolean;
      readonly retryAfter: string | undefined;
    }
  | { readonly kind: "silent" | "local failure" | "paused" | "busy"; readonly reason: OwnWords };

export interface CallbackClient {
  send(request: CallbackRequest): Promise<CallbackAnswer>;
  /** Whether `requests` parallel requests to the origin fit without closing a recently used connection. */
  suffices(origin: string, requests: number): boolean;
  /** Connections open now, in use or idle. */
  connections(): number;
  close(): Promise<void>;
}

export interface CallbackSettings {
  readonly resolution: NameResolution;
  readonly allowed: readonly AddressRange[];
  /** Deadline of a whole exchange: name resolution, connection, TLS, headers and body. */
  readonly timeoutMs: number;
  readonly proxyUrl?: string | undefined;
  readonly maxConnections: number;
  /** How far this machine's clock is ahead, in milliseconds: the dates of certificates are compared with it. */
  readonly clockAheadMs?: (() => number) | undefined;
}

/**
 * How long an idle connection is kept: less than most servers do, or two seconds less than the server's Keep-Alive
 * timeout. A request on a connection that is just being closed cannot be distinguished from one that was received, so
 * it is not repeated but counts as failed.
 */
const KEEP_ALIVE_MS = 4000;
const MAX_KEEP_ALIVE_MS = 120_000;
const KEEP_ALIVE_MARGIN_MS = 2000;
const MAX_HEADER_BYTES = 16 * 1024;
const NO_BYTES = new Uint8Array();
const TIMED_OUT = ownWords`No answer in time`;
const ADDRESS_BUSY: CallbackAnswer = { kind: "busy", reason: ownWords`The address has no free slot` };

interface CallbackConnection extends PooledConnection {
  readonly client: Client;
  /** Decides for the request that opens the connection. */
  readonly gate: AddressGate;
  /** The address at the other end, once connected. */
  address: string | undefined;
}

/** Opens the client. */
export function openCallbackClient(settings: CallbackSettings): CallbackClient {
  const connect = makeConnector(settings);
  const pool = openConnectionPool<CallbackConnection>(
    settings.maxConnections,
    () => performance.now(),
    ({ client }) => void client.destroy().catch(() => {}), // an abandoned connection ends in the background
  );

  function open({ origin, gate }: CallbackRequest): CallbackConnection {
    const client = new Client(origin, {
      pipelining: 1,
      headersTimeout: 0,
      bodyTimeout: 0,
      keepAliveTimeout: KEEP_ALIVE_MS,
      keepAliveMaxTimeout: MAX_KEEP_ALIVE_MS,
      keepAliveTimeoutThreshold: KEEP_ALIVE_MARGIN_MS,
      maxHeaderSize: MAX_HEADER_BYTES,
      connect: ({ hostname, port }, callback) => {
        connect({ hostname, port: Number(port || 443) }, gate).then(
          ({ socket, address }) => {
            connection.address = address;
            callback(null, socket);
          },
          (error: Error) => callback(error, null),
        );
      },
    });
    const connection: CallbackConnection = { client, origin, gate, address: undefined };
    client.on("disconnect", () => pool.drop(connection));
    return connection;
  }

  return {
    async send(request) {
      const idle = pool.take(request.origin);
      if (idle?.address !== undefined && !request.gate.claim(idle.address)) {
        pool.release(idle);
        return ADDRESS_BUSY;
      }
      const connection = idle ?? pool.add(open(request));
      const { answer, reusable } = await exchange(connection.client, request, settings.timeoutMs);
      if (reusable) pool.release(connection);
      else pool.close(connection);
      return answer;
    },
    suffices: pool.suffices,
    connections: () => pool.size,
    close: async () => pool.closeIdle(),
  };
}

interface Exchange {
  readonly answer: CallbackAnswer;
  /** Whether the connection can carry another request. */
  readonly reusable: boolean;
}

/** Sends one request over one connection. Settles when the answer is complete, cut off or too late. */
function exchange(client: Client, request: CallbackRequest, timeoutMs: number): Promise<Exchange> {
  const { promise, resolve } = Promise.withResolvers<Exchange>();
  const { readBytes, signal } = request;
  const chunks: Uint8Array[] = [];
  let length = 0;
  let head: { readonly status: number; readonly retryAfter: string | undefined } | undefined;
  let controller: Dispatcher.DispatchController | undefined;
  let settled = false;

  function settle(answer: CallbackAnswer, reusable: boolean): void {
    if (settled) return;
    settled = true;
    clearTimeout(timer);
    signal.removeEventListener("abort", giveUp);
    resolve({ answer, reusable });
    if (!reusable) controller?.abort(new Error("Not needed any more"));
  }

  function answer(complete: boolean): void {
    if (head === undefined) return;
    const body = chunks.length === 0 ? NO_BYTES : Buffer.concat(chunks).subarray(0, readBytes);
    settle({ kind: "answered", ...head, body, complete }, complete);
  }

  function giveUp(): void {
    settle({ kind: "local failure", reason: ownWords`Given up` }, false);
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

const KIND_OF_FAULT = { theirs: "silent", ours: "local failure", paused: "paused", busy: "busy" } as const;

function explain(error: Error): CallbackAnswer {
  if (error instanceof NoConnection) return { kind: KIND_OF_FAULT[error.fault], reason: error.reason };
  const code = errorCode(error);
  if (code === "UND_ERR_SOCKET" || code === "ECONNRESET" || code === "EPIPE") {
    return { kind: "silent", reason: ownWords`The connection was closed without an answer` };
  }
  return { kind: "silent", reason: ownWords`No valid HTTP answer (${code ?? ownWords`no code`})` };
}
