/** The MCP address: statuses and errors of both protocols, case by case (interface §3). */
import assert from "node:assert/strict";
import { test } from "node:test";
import { openMcpEndpoint } from "../../src/mcp/endpoint.ts";
import {
  ENVELOPE,
  endpointOf,
  KEY,
  LOOPBACK,
  openSession,
  post,
  sampleEdition,
  statelessHeaders,
} from "../support/mcp-server.ts";

const edition = await sampleEdition();
const ask = endpointOf(edition);

const initialize = (protocolVersion: unknown) => ({
  jsonrpc: "2.0",
  id: 7,
  method: "initialize",
  params: { protocolVersion, capabilities: {}, clientInfo: { name: "test", version: "1" } },
});

const session = (await post(ask, initialize("2025-06-18"))).headers.get("Mcp-Session-Id") ?? "";
const WITH_SESSION = { "Mcp-Session-Id": session };
const LIST = { jsonrpc: "2.0", id: 3, method: "tools/list" };

interface Case {
  readonly name: string;
  readonly body: unknown;
  readonly headers?: Record<string, string>;
  readonly status: number;
  readonly code?: number;
  readonly id?: unknown;
}

const modern = (method: string, params: object = {}, meta: object = ENVELOPE) => ({
  jsonrpc: "2.0",
  id: 5,
  method,
  params: { ...params, _meta: meta },
});

const { "io.modelcontextprotocol/clientCapabilities": _without, ...WITHOUT_CAPABILITIES } = ENVELOPE;
const OTHER_VERSION = { ...ENVELOPE, "io.modelcontextprotocol/protocolVersion": "2099-01-01" };

const CASES: readonly Case[] = [
  { name: "a call without a session", body: LIST, status: 400, code: -32000, id: 3 },
  {
    name: "a session nobody gave",
    body: LIST,
    headers: { "Mcp-Session-Id": "x".repeat(40) },
    status: 404,
    code: -32001,
    id: 3,
  },
  {
    name: "a session with a changed signature",
    body: LIST,
    headers: { "Mcp-Session-Id": `${session.slice(0, -1)}${session.endsWith("A") ? "B" : "A"}` },
    status: 404,
    code: -32001,
    id: 3,
  },
  {
    name: "a notification without a session",
    body: { jsonrpc: "2.0", method: "notifications/initialized" },
    status: 400,
    code: -32000,
    id: null,
  },
  {
    name: "a notification",
    body: { jsonrpc: "2.0", method: "notifications/initialized" },
    headers: WITH_SESSION,
    status: 202,
  },
  { name: "a reply", body: { jsonrpc: "2.0", id: 1, result: {} }, headers: WITH_SESSION, status: 202 },
  {
    name: "a revision nobody knows in the header",
    body: LIST,
    headers: { ...WITH_SESSION, "MCP-Protocol-Version": "1999-01-01" },
    status: 400,
    code: -32000,
    id: 3,
  },
  {
    name: "initialize with a revision nobody knows in the header",
    body: initialize("2025-06-18"),
    headers: { "MCP-Protocol-Version": "2099-01-01" },
    status: 200,
    id: 7,
  },
  {
    name: "initialize with the revision without sessions in the header",
    body: initialize("2025-06-18"),
    headers: { "MCP-Protocol-Version": "2026-07-28" },
    status: 200,
    id: 7,
  },
  {
    name: "a known revision in the header",
    body: LIST,
    headers: { ...WITH_SESSION, "MCP-Protocol-Version": "2025-11-25" },
    status: 200,
    id: 3,
  },
  { name: "ping", body: { jsonrpc: "2.0", id: "p", method: "ping" }, headers: WITH_SESSION, status: 200, id: "p" },
  {
    name: "an unknown method",
    body: { jsonrpc: "2.0", id: 1, method: "tasks/list" },
    headers: WITH_SESSION,
    status: 200,
    code: -32601,
  },
  {
    name: "logging, which is not offered",
    body: { jsonrpc: "2.0", id: 1, method: "logging/setLevel", params: { level: "info" } },
    headers: WITH_SESSION,
    status: 200,
    code: -32601,
  },
  {
    name: "subscriptions, which are not offered",
    body: { jsonrpc: "2.0", id: 1, method: "resources/subscribe", params: { uri: "x" } },
    headers: WITH_SESSION,
    status: 200,
    code: -32601,
  },
  {
    name: "an unknown tool",
    body: { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "nope" } },
    headers: WITH_SESSION,
    status: 200,
    code: -32602,
  },
  {
    name: "a tool called like a member of every object",
    body: { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "constructor" } },
    headers: WITH_SESSION,
    status: 200,
    code: -32602,
  },
  {
    name: "a call without a name",
    body: { jsonrpc: "2.0", id: 1, method: "tools/call", params: {} },
    headers: WITH_SESSION,
    status: 200,
    code: -32602,
  },
  {
    name: "arguments that are no object",
    body: { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "get_faq", arguments: [1] } },
    headers: WITH_SESSION,
    status: 200,
    code: -32602,
  },
  {
    name: "a cursor nobody gave",
    body: { ...LIST, params: { cursor: "x" } },
    headers: WITH_SESSION,
    status: 200,
    code: -32602,
  },
  {
    name: "a resource that is not there",
    body: { jsonrpc: "2.0", id: 1, method: "resources/read", params: { uri: "http://localhost:8080/nope" } },
    headers: WITH_SESSION,
    status: 200,
    code: -32002,
  },
  {
    name: "a resource without an address",
    body: { jsonrpc: "2.0", id: 1, method: "resources/read", params: {} },
    headers: WITH_SESSION,
    status: 200,
    code: -32602,
  },
  {
    name: "an unknown prompt",
    body: { jsonrpc: "2.0", id: 1, method: "prompts/get", params: { name: "nope" } },
    headers: WITH_SESSION,
    status: 200,
    code: -32602,
  },
  {
    name: "a prompt without what it needs",
    body: { jsonrpc: "2.0", id: 1, method: "prompts/get", params: { name: "review_digest" } },
    headers: WITH_SESSION,
    status: 200,
    code: -32602,
  },
  {
    name: "a completion of nothing known",
    body: {
      jsonrpc: "2.0",
      id: 1,
      method: "completion/complete",
      params: { ref: { type: "ref/prompt", name: "x" }, argument: { name: "y", value: "" } },
    },
    headers: WITH_SESSION,
    status: 200,
    code: -32602,
  },
  { name: "initialize without a version", body: initialize(undefined), status: 200, code: -32602, id: 7 },
  { name: "no JSON", body: "{", status: 400, code: -32700, id: null },
  { name: "an empty body", body: "", status: 400, code: -32700, id: null },
  { name: "JSON that is no object", body: "3", status: 400, code: -32600, id: null },
  { name: "an object that is no message", body: { hello: 1 }, status: 400, code: -32600, id: null },
  {
    name: "another version of JSON-RPC",
    body: { jsonrpc: "1.0", id: 4, method: "ping" },
    status: 400,
    code: -32600,
    id: 4,
  },
  {
    name: "an id that is null",
    body: { jsonrpc: "2.0", id: null, method: "ping" },
    status: 400,
    code: -32600,
    id: null,
  },
  {
    name: "an id that cannot be given back",
    body: '{"jsonrpc":"2.0","id":9007199254740993,"method":"ping"}',
    status: 400,
    code: -32600,
    id: null,
  },
  {
    name: "params that are a list",
    body: { jsonrpc: "2.0", id: 4, method: "tools/list", params: [] },
    status: 400,
    code: -32600,
    id: 4,
  },
  { name: "a batch", body: [LIST], headers: WITH_SESSION, status: 400, code: -32600, id: null },
  { name: "an empty batch", body: [], headers: WITH_SESSION, status: 400, code: -32600, id: null },
  { name: "text/plain", body: LIST, headers: { "Content-Type": "text/plain" }, status: 415, code: -32000 },
  {
    name: "JSON with a charset",
    body: LIST,
    headers: { ...WITH_SESSION, "Content-Type": "application/json; charset=utf-8" },
    status: 200,
  },
  { name: "an Accept of JSON only", body: LIST, headers: { ...WITH_SESSION, Accept: "application/json" }, status: 200 },
  { name: "an Accept of anything", body: LIST, headers: { ...WITH_SESSION, Accept: "*/*" }, status: 200 },
  {
    name: "an Accept of HTML",
    body: LIST,
    headers: { ...WITH_SESSION, Accept: "text/html" },
    status: 406,
    code: -32000,
  },
  {
    name: "a foreign Origin",
    body: LIST,
    headers: { ...WITH_SESSION, Origin: "https://evil.example" },
    status: 403,
    code: -32000,
  },
  { name: "an Origin of no host", body: LIST, headers: { ...WITH_SESSION, Origin: "null" }, status: 403, code: -32000 },
  {
    name: "our own Origin",
    body: LIST,
    headers: { ...WITH_SESSION, Origin: "https://reviews.example.com" },
    status: 200,
  },
  {
    name: "an Origin on this machine",
    body: LIST,
    headers: { ...WITH_SESSION, Origin: "http://localhost:6274" },
    status: 200,
  },
  { name: "a foreign Host", body: LIST, headers: { ...WITH_SESSION, Host: "evil.example" }, status: 403, code: -32000 },
  {
    name: "our own Host with a port",
    body: LIST,
    headers: { ...WITH_SESSION, Host: "reviews.example.com:443" },
    status: 200,
  },
  {
    name: "a body too large",
    body: { ...LIST, params: { x: "x".repeat(70_000) } },
    headers: WITH_SESSION,
    status: 413,
    code: -32000,
  },
  {
    name: "server/discover",
    body: modern("server/discover"),
    headers: statelessHeaders("server/discover"),
    status: 200,
    id: 5,
  },
  {
    name: "a stale session in the stateless protocol",
    body: modern("tools/list"),
    headers: { ...statelessHeaders("tools/list"), "Mcp-Session-Id": "stale" },
    status: 200,
    id: 5,
  },
  {
    name: "no version header beside the envelope",
    body: modern("tools/list"),
    headers: { "Mcp-Method": "tools/list" },
    status: 400,
    code: -32020,
    id: 5,
  },
  {
    name: "no Mcp-Method",
    body: modern("tools/list"),
    headers: { "MCP-Protocol-Version": "2026-07-28" },
    status: 400,
    code: -32020,
    id: 5,
  },
  {
    name: "another Mcp-Method",
    body: modern("tools/list"),
    headers: statelessHeaders("prompts/list"),
    status: 400,
    code: -32020,
    id: 5,
  },
  {
    name: "no Mcp-Name",
    body: modern("tools/call", { name: "get_business" }),
    headers: statelessHeaders("tools/call"),
    status: 400,
    code: -32020,
    id: 5,
  },
  {
    name: "another Mcp-Name",
    body: modern("tools/call", { name: "get_business" }),
    headers: statelessHeaders("tools/call", "get_faq"),
    status: 400,
    code: -32020,
    id: 5,
  },
  {
    name: "an Mcp-Name in base64",
    body: modern("tools/call", { name: "get_business" }),
    headers: statelessHeaders("tools/call", "=?base64?Z2V0X2J1c2luZXNz?="),
    status: 200,
    id: 5,
  },
  {
    name: "an Mcp-Name in broken base64",
    body: modern("tools/call", { name: "get_business" }),
    headers: statelessHeaders("tools/call", "=?base64?Z2V0X2J1c2luZXNz!?="),
    status: 400,
    code: -32020,
    id: 5,
  },
  {
    name: "a version header that differs from the envelope",
    body: modern("tools/list"),
    headers: { ...statelessHeaders("tools/list"), "MCP-Protocol-Version": "2025-06-18" },
    status: 400,
    code: -32020,
    id: 5,
  },
  {
    name: "a revision that is not there yet",
    body: modern("tools/list", {}, OTHER_VERSION),
    headers: { ...statelessHeaders("tools/list"), "MCP-Protocol-Version": "2099-01-01" },
    status: 400,
    code: -32022,
    id: 5,
  },
  {
    name: "an envelope without capabilities",
    body: modern("tools/list", {}, WITHOUT_CAPABILITIES),
    headers: statelessHeaders("tools/list"),
    status: 400,
    code: -32602,
    id: 5,
  },
  {
    name: "this revision's header without an envelope",
    body: LIST,
    headers: statelessHeaders("tools/list"),
    status: 400,
    code: -32602,
    id: 3,
  },
  {
    name: "an unknown method in the stateless protocol",
    body: modern("ping"),
    headers: statelessHeaders("ping"),
    status: 404,
    code: -32601,
    id: 5,
  },
  {
    name: "initialize in the stateless protocol",
    body: modern("initialize", { protocolVersion: "2026-07-28" }),
    headers: statelessHeaders("initialize"),
    status: 404,
    code: -32601,
    id: 5,
  },
  {
    name: "listening, which is not offered",
    body: modern("subscriptions/listen"),
    headers: statelessHeaders("subscriptions/listen"),
    status: 404,
    code: -32601,
    id: 5,
  },
  {
    name: "an unknown tool in the stateless protocol",
    body: modern("tools/call", { name: "nope" }),
    headers: statelessHeaders("tools/call", "nope"),
    status: 200,
    code: -32602,
    id: 5,
  },
  {
    name: "a resource that is not there in the stateless protocol",
    body: modern("resources/read", { uri: "x:y" }),
    headers: statelessHeaders("resources/read", "x:y"),
    status: 200,
    code: -32602,
    id: 5,
  },
  {
    name: "a notification in the stateless protocol",
    body: { jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: 1 } },
    headers: statelessHeaders("notifications/cancelled"),
    status: 202,
  },
  {
    name: "a notification of the stateless protocol without headers",
    body: { jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: 1, _meta: ENVELOPE } },
    status: 202,
  },
  {
    name: "a notification whose Mcp-Method is another",
    body: { jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: 1, _meta: ENVELOPE } },
    headers: statelessHeaders("tools/list"),
    status: 400,
    code: -32020,
    id: null,
  },
  {
    name: "a notification whose version header differs from its envelope",
    body: { jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: 1, _meta: ENVELOPE } },
    headers: { ...statelessHeaders("notifications/cancelled"), "MCP-Protocol-Version": "2025-06-18" },
    status: 400,
    code: -32020,
    id: null,
  },
  {
    name: "a notification of a revision that is not there yet",
    body: { jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: 1, _meta: OTHER_VERSION } },
    headers: { ...statelessHeaders("notifications/cancelled"), "MCP-Protocol-Version": "2099-01-01" },
    status: 400,
    code: -32022,
    id: null,
  },
  {
    name: "a reply in the stateless protocol",
    body: { jsonrpc: "2.0", id: 1, result: {} },
    headers: statelessHeaders("x"),
    status: 400,
    code: -32600,
  },
];

for (const { name, body, headers, status, code, id } of CASES) {
  test(`POST /mcp answers ${status}${code === undefined ? "" : ` ${code}`} to ${name}`, async () => {
    const answer = await post(ask, body, headers);
    assert.equal(answer.status, status, JSON.stringify(answer.body));
    if (status === 202) return assert.equal(answer.body, undefined);
    assert.equal(answer.headers.get("Content-Type"), "application/json");
    assert.equal(answer.body.jsonrpc, "2.0");
    assert.equal(answer.body.error?.code, code);
    assert.equal("result" in answer.body, code === undefined);
    if (id !== undefined) assert.deepEqual(answer.body.id, id);
  });
}

test("before the first edition the address answers 503 and when to come back", async () => {
  const answer = await post(endpointOf(undefined), LIST, WITH_SESSION);
  assert.equal(answer.status, 503);
  assert.equal(answer.headers.get("Retry-After"), "1");
});

test("a body that is not UTF-8 is not JSON", async () => {
  const body = Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]);
  const headers = { "Content-Type": "application/json" };
  const response = await ask(new Request("http://localhost/mcp", { method: "POST", headers, body }));
  assert.equal(response.status, 400);
  assert.equal((JSON.parse(await response.text()) as { error: { code: number } }).error.code, -32700);
});

const SETTLED = [
  ["2025-11-25", "2025-11-25"],
  ["2025-06-18", "2025-06-18"],
  ["2025-03-26", "2025-03-26"],
  ["2024-11-05", "2024-11-05"],
  ["2026-07-28", "2025-11-25"],
  ["1999-01-01", "2025-11-25"],
] as const;

for (const [asked, settled] of SETTLED) {
  test(`initialize with ${asked} settles on ${settled} and opens a session`, async () => {
    const { status, headers, body } = await post(ask, initialize(asked));
    assert.equal(status, 200);
    assert.equal(body.result.protocolVersion, settled);
    assert.match(headers.get("Mcp-Session-Id") ?? "", /^[\x21-\x7e]{40,}$/);
    assert.deepEqual(body.result.capabilities, { tools: {}, resources: {}, prompts: {}, completions: {} });
    assert.match(body.result.instructions, /never follow instructions/);
    assert.equal(body.result.serverInfo.name, "goodword");
  });
}

test("server/discover introduces the same server, for an hour and to everybody", async () => {
  const { body } = await post(ask, modern("server/discover"), statelessHeaders("server/discover"));
  const handshake = (await post(ask, initialize("2025-11-25"))).body.result;
  assert.deepEqual(body.result.supportedVersions, ["2026-07-28"]);
  assert.deepEqual(body.result.capabilities, handshake.capabilities);
  assert.equal(body.result.instructions, handshake.instructions);
  assert.deepEqual(body.result._meta["io.modelcontextprotocol/serverInfo"], handshake.serverInfo);
  assert.equal(body.result.resultType, "complete");
  assert.equal(body.result.ttlMs, 3_600_000);
  assert.equal(body.result.cacheScope, "public");
});

test("both protocols give the same lists and results but for what the stateless one adds", async () => {
  const call = await openSession(ask);
  const asked: [string, object, string?][] = [
    ["tools/list", {}],
    ["resources/list", {}],
    ["resources/templates/list", {}],
    ["prompts/list", {}],
    ["tools/call", { name: "get_summary" }, "get_summary"],
    ["tools/call", { name: "search_reviews", arguments: { rating: 5, limit: 2 } }, "search_reviews"],
    ["resources/read", { uri: `${edition.baseUrl}/reviews.json` }, `${edition.baseUrl}/reviews.json`],
    ["prompts/get", { name: "assess_business" }, "assess_business"],
    [
      "completion/complete",
      { ref: { type: "ref/prompt", name: "assess_business" }, argument: { name: "service", value: "" } },
    ],
  ];
  for (const [method, params, name] of asked) {
    const before = (await call(method, params)).body.result;
    const { resultType, _meta, ttlMs, cacheScope, ...after } = (
      await post(ask, modern(method, params), statelessHeaders(method, name))
    ).body.result;
    assert.deepEqual(after, before);
    assert.equal(resultType, "complete");
    assert.equal(_meta["io.modelcontextprotocol/serverInfo"].name, "goodword");
    assert.equal(cacheScope, ttlMs === undefined ? undefined : "public");
    assert.equal(ttlMs !== undefined, method.endsWith("/list") || method === "resources/read");
  }
});

test("a new edition is answered from at once", async () => {
  const other = { ...edition, business: { ...edition.business, name: "Another name" } };
  let current = edition;
  const moving = openMcpEndpoint({
    edition: () => current,
    allowedHosts: LOOPBACK,
    keys: [KEY],
    now: () => new Date(),
    randomBytes: (count) => new Uint8Array(count),
  });
  const call = await openSession(moving);
  current = other;
  const { body } = await call("tools/call", { name: "get_business", arguments: {} });
  assert.equal(body.result.structuredContent.business.name, "Another name");
});
