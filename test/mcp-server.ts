/** The MCP address on a loopback port, with the read endpoints beside it, over an edition of one's own. */
import { randomBytes } from "node:crypto";
import { taxonomyOf } from "../src/analysis/trade-taxonomy.ts";
import { type Edition, openEdition } from "../src/edition/edition.ts";
import { renderEdition } from "../src/edition/render-edition.ts";
import { makeRoutes } from "../src/http/routes.ts";
import { openServer } from "../src/http/server.ts";
import { openMcpEndpoint } from "../src/mcp/endpoint.ts";
import type { SessionKey } from "../src/store/session-keys.ts";
import { openStore, readSnapshot } from "../src/store/store.ts";
import { BASE_URL, editionOf } from "./real-edition.ts";

export const LOOPBACK = ["localhost", "127.0.0.1", "[::1]"];
export const KEY: SessionKey = { secret: randomBytes(32), made_at: new Date("2026-11-01T00:00:00Z") };

/** The handler alone, without a socket. */
export function endpointOf(edition: Edition | undefined, keys: readonly SessionKey[] = [KEY]) {
  return openMcpEndpoint({
    edition: () => edition,
    allowedHosts: [...LOOPBACK, "reviews.example.com"],
    keys,
    now: () => new Date("2026-11-20T00:00:00Z"),
    randomBytes,
  });
}

export interface McpServer extends AsyncDisposable {
  /** `http://127.0.0.1:port`. */
  readonly origin: string;
  /** The MCP address. */
  readonly url: string;
}

/** Starts a server for the edition. */
export async function openMcpServer(edition: Edition): Promise<McpServer> {
  const fetch = makeRoutes({
    edition: () => edition,
    baseUrl: edition.baseUrl,
    cacheControl: "no-cache",
    now: () => new Date(),
    mcp: endpointOf(edition),
    hub: async () => new Response(null, { status: 503 }),
    clientAddress: () => "127.0.0.1",
    onAnswer: () => {},
    onFault: (error) => {
      throw error;
    },
  });
  const server = await openServer(fetch, { host: "127.0.0.1", port: 0, onFault: () => {} });
  const origin = `http://127.0.0.1:${server.port}`;
  return { origin, url: `${origin}/mcp`, [Symbol.asyncDispose]: () => server.close(0) };
}

/** The edition of the bundled sample. */
export async function sampleEdition(): Promise<Edition> {
  return (await editionOf(new URL("../sample", import.meta.url).pathname)).edition;
}

/** The edition of a store that nothing was imported into. */
export async function emptyEdition(): Promise<Edition> {
  const store = await openStore("sqlite::memory:");
  const snapshot = await readSnapshot(store);
  await store.close();
  const taxonomy = taxonomyOf(undefined);
  return openEdition(renderEdition(snapshot, { baseUrl: BASE_URL, sample: false, taxonomy }));
}

export interface RpcAnswer {
  readonly status: number;
  readonly headers: Headers;
  /** The JSON-RPC message, or undefined where the body is empty. */
  // biome-ignore lint/suspicious/noExplicitAny: what comes back is what the tests look into
  readonly body: any;
}

type Ask = (request: Request) => Promise<Response>;

/** Posts a body to a handler, JSON unless it is text already. */
export async function post(
  ask: Ask,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): Promise<RpcAnswer> {
  const request = new Request("http://localhost/mcp", {
    method: "POST",
    headers: { "Content-Type": "application/json", Accept: "application/json, text/event-stream", ...headers },
    body: typeof body === "string" ? body : JSON.stringify(body),
  });
  const response = await ask(request);
  const text = await response.text();
  return { status: response.status, headers: response.headers, body: text === "" ? undefined : JSON.parse(text) };
}

/** The headers of a request of the stateless protocol. */
export function statelessHeaders(method: string, name?: string): Record<string, string> {
  const named = name === undefined ? {} : { "Mcp-Name": name };
  return { "MCP-Protocol-Version": "2026-07-28", "Mcp-Method": method, ...named };
}

/** What every request of the stateless protocol says of itself. */
export const ENVELOPE = {
  "io.modelcontextprotocol/protocolVersion": "2026-07-28",
  "io.modelcontextprotocol/clientCapabilities": {},
};

/** A caller of methods in the protocol with sessions, with its session opened. */
export async function openSession(ask: Ask): Promise<(method: string, params?: object) => Promise<RpcAnswer>> {
  const params = { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "test", version: "1" } };
  const opened = await post(ask, { jsonrpc: "2.0", id: 0, method: "initialize", params });
  const session = opened.headers.get("Mcp-Session-Id") ?? "";
  return (method, asked = {}) =>
    post(ask, { jsonrpc: "2.0", id: 1, method, params: asked }, { "Mcp-Session-Id": session });
}
