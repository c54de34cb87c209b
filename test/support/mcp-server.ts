/** The MCP address on a loopback port, with the read endpoints beside it, over an edition of one's own. */
import { randomBytes } from "node:crypto";
import { SAMPLE_FOLDER } from "../../scripts/sample-snapshot.ts";
import { taxonomyOf } from "../../src/analysis/trade-taxonomy.ts";
import { type Edition, openEdition } from "../../src/edition/edition.ts";
import { renderDatasets } from "../../src/edition/render-datasets.ts";
import { openServer } from "../../src/http/server.ts";
import { openMcpEndpoint } from "../../src/mcp/endpoint.ts";
import type { SessionKey } from "../../src/store/session-keys.ts";
import { openStore, readSnapshot } from "../../src/store/store.ts";
import { BASE_URL, editionOf } from "./real-edition.ts";
import { openSampleReplicas } from "./replicas.ts";
import { routesTo } from "./test-routes.ts";
import { isMoreThanOne } from "./test-runs.ts";
import { type Answer, ask as askOnWire } from "./wire.ts";

export const LOOPBACK = ["localhost", "127.0.0.1", "[::1]"];
export const KEY: SessionKey = { secret: randomBytes(32), made_at: new Date("2026-11-01T00:00:00Z") };

/** Editions that replicas of the whole program can publish too. */
const samples = new WeakSet<Edition>();

/** The handler alone, without a socket. With replicas, of the sample: that of whichever process the request meets. */
export function endpointOf(edition: Edition | undefined, keys: readonly SessionKey[] = [KEY]) {
  if (isMoreThanOne() && edition !== undefined && samples.has(edition)) return askReplicas;
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

/** Passes a request on to a process of the whole program that serves the sample. */
async function askReplicas(request: Request): Promise<Response> {
  const origin = await openSampleReplicas(BASE_URL, KEY);
  const { host, pathname, search } = new URL(request.url);
  const { status, headers, body } = await askOnWire(`${origin}${pathname}${search}`, {
    method: request.method,
    headers: { Host: host, ...Object.fromEntries(request.headers) },
    body: Buffer.from(await request.arrayBuffer()),
  });
  const passed = Object.entries(headers).flatMap(([name, value]) => [value ?? []].flat().map((one) => [name, one]));
  return new Response(body.length === 0 ? null : new Uint8Array(body), {
    status,
    headers: passed as [string, string][],
  });
}

/** Starts a server for the edition. */
export async function openMcpServer(edition: Edition): Promise<McpServer> {
  if (isMoreThanOne() && samples.has(edition)) {
    const origin = await openSampleReplicas(BASE_URL, KEY);
    return { origin, url: `${origin}/mcp`, [Symbol.asyncDispose]: async () => {} };
  }
  const fetch = routesTo(edition, { mcp: endpointOf(edition), now: () => new Date() });
  const server = await openServer(fetch, { host: "127.0.0.1", port: 0, maxConnections: 100, onFault: () => {} });
  const origin = `http://127.0.0.1:${server.port}`;
  return { origin, url: `${origin}/mcp`, [Symbol.asyncDispose]: () => server.close(0) };
}

/** The edition of the bundled sample. */
export async function sampleEdition(): Promise<Edition> {
  const { edition } = await editionOf(SAMPLE_FOLDER);
  samples.add(edition);
  return edition;
}

/** The edition of a store that nothing was imported into. */
export async function emptyEdition(): Promise<Edition> {
  const store = await openStore("sqlite::memory:");
  const snapshot = await readSnapshot(store);
  await store.close();
  const taxonomy = taxonomyOf(undefined);
  return openEdition(renderDatasets(snapshot, { baseUrl: BASE_URL, sample: false, taxonomy }));
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

/** The message that opens a session. */
export function initialize(protocolVersion: unknown = "2025-06-18"): object {
  const params = { protocolVersion, capabilities: {}, clientInfo: { name: "test", version: "1" } };
  return { jsonrpc: "2.0", id: 1, method: "initialize", params };
}

/** Opens a session at an address. Resolves to its id. */
export async function sessionAt(url: string): Promise<string> {
  const headers = { "Content-Type": "application/json" };
  const opened = await askOnWire(url, { method: "POST", headers, body: JSON.stringify(initialize()) });
  if (opened.status !== 200) throw new Error(opened.text);
  return String(opened.headers["mcp-session-id"]);
}

/** Calls a method at an address, in a session. */
export async function callAt(url: string, session: string, method: string, params: object = {}): Promise<Answer> {
  const headers = { "Content-Type": "application/json", "Mcp-Session-Id": session };
  const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method, params });
  return await askOnWire(url, { method: "POST", headers, body });
}

/** A caller of methods in the protocol with sessions, with its session opened. */
export async function openSession(ask: Ask): Promise<(method: string, params?: object) => Promise<RpcAnswer>> {
  const opened = await post(ask, initialize());
  const session = opened.headers.get("Mcp-Session-Id") ?? "";
  return (method, asked = {}) =>
    post(ask, { jsonrpc: "2.0", id: 1, method, params: asked }, { "Mcp-Session-Id": session });
}
