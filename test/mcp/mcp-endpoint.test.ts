/** The MCP address: statuses and errors of both protocols, case by case (interface §3). */
import assert from "node:assert/strict";
import { test } from "node:test";
import { openMcpEndpoint } from "../../src/mcp/endpoint.ts";
import {
  ENVELOPE,
  endpointOf,
  initialize,
  KEY,
  LOOPBACK,
  openSession,
  post,
  sampleEdition,
  statelessHeaders,
} from "../support/mcp-server.ts";
import { SITES } from "../support/test-runs.ts";

const edition = await sampleEdition();
const ask = endpointOf(edition);

const opened = await post(ask, initialize("2025-06-18"));
const session = opened.headers.get("Mcp-Session-Id") ?? "";
const IN_SESSION = { "Mcp-Session-Id": session };
const CHANGED = { "Mcp-Session-Id": `${session.slice(0, -1)}${session.endsWith("A") ? "B" : "A"}` };

function call(method: string, params?: unknown, id: unknown = 1): object {
  return { jsonrpc: "2.0", id, method, ...(params !== undefined && { params }) };
}
const LIST = call("tools/list");
const NOTE = { jsonrpc: "2.0", method: "notifications/initialized" };
const REPLY = { jsonrpc: "2.0", id: 1, result: {} };

/** A message of the stateless protocol. */
function modern(method: string, params: object = {}, meta: object = ENVELOPE): object {
  return call(method, { ...params, _meta: meta });
}
const { "io.modelcontextprotocol/clientCapabilities": _without, ...WITHOUT_CAPABILITIES } = ENVELOPE;
const OTHER_VERSION = { ...ENVELOPE, "io.modelcontextprotocol/protocolVersion": "2099-01-01" };
const GET_BUSINESS = modern("tools/call", { name: "get_business" });
const CANCELLED = { jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: 1 } };
const cancelled = (meta: object) => ({ ...CANCELLED, params: { requestId: 1, _meta: meta } });
const version = (text: string) => ({ "MCP-Protocol-Version": text });
const COMPLETED_NOTHING = { ref: { type: "ref/prompt", name: "x" }, argument: { name: "y", value: "" } };

type Case = readonly [name: string, body: unknown, headers: Record<string, string>, status: number, code?: number];

/** An answer to a message bears its id, which is 1. */
const CASES: readonly Case[] = [
  ["a call without a session", LIST, {}, 400, -32000],
  ["a session nobody gave", LIST, { "Mcp-Session-Id": "x".repeat(40) }, 404, -32001],
  ["a session with a changed signature", LIST, CHANGED, 404, -32001],
  ["a notification", NOTE, IN_SESSION, 202],
  ["a reply", REPLY, IN_SESSION, 202],
  ["a revision nobody knows in the header", LIST, { ...IN_SESSION, ...version("1999-01-01") }, 400, -32000],
  ["initialize with a revision nobody knows in the header", initialize("2025-06-18"), version("2099-01-01"), 200],
  ["initialize with the revision without sessions", initialize("2025-06-18"), version("2026-07-28"), 200],
  ["a known revision in the header", LIST, { ...IN_SESSION, ...version("2025-11-25") }, 200],
  ["ping", call("ping"), IN_SESSION, 200],
  ["an unknown method", call("tasks/list"), IN_SESSION, 200, -32601],
  ["logging, which is not offered", call("logging/setLevel", { level: "info" }), IN_SESSION, 200, -32601],
  ["subscriptions, which are not offered", call("resources/subscribe", { uri: "x" }), IN_SESSION, 200, -32601],
  ["an unknown tool", call("tools/call", { name: "nope" }), IN_SESSION, 200, -32602],
  ["a tool called like a member of every object", call("tools/call", { name: "constructor" }), IN_SESSION, 200, -32602],
  ["a call without a name", call("tools/call", {}), IN_SESSION, 200, -32602],
  ["arguments that are no object", call("tools/call", { name: "get_faq", arguments: [1] }), IN_SESSION, 200, -32602],
  ["a cursor nobody gave", call("tools/list", { cursor: "x" }), IN_SESSION, 200, -32602],
  ["a resource that is not there", call("resources/read", { uri: `${edition.baseUrl}/nope` }), IN_SESSION, 200, -32002],
  ["a resource without an address", call("resources/read", {}), IN_SESSION, 200, -32602],
  ["an unknown prompt", call("prompts/get", { name: "nope" }), IN_SESSION, 200, -32602],
  ["a prompt without what it needs", call("prompts/get", { name: "review_digest" }), IN_SESSION, 200, -32602],
  ["a completion of nothing known", call("completion/complete", COMPLETED_NOTHING), IN_SESSION, 200, -32602],
  ["initialize without a version", call("initialize"), {}, 200, -32602],
  ["another version of JSON-RPC", { ...LIST, jsonrpc: "1.0" }, {}, 400, -32600],
  ["params that are a list", call("tools/list", []), {}, 400, -32600],
  ["JSON with a charset", LIST, { ...IN_SESSION, "Content-Type": "application/json; charset=utf-8" }, 200],
  ["an Accept of JSON only", LIST, { ...IN_SESSION, Accept: "application/json" }, 200],
  ["an Accept of anything", LIST, { ...IN_SESSION, Accept: "*/*" }, 200],
  ["our own Origin", LIST, { ...IN_SESSION, Origin: "https://reviews.example.com" }, 200],
  ["an Origin on this machine", LIST, { ...IN_SESSION, Origin: "http://localhost:6274" }, 200],
  ["our own Host with a port", LIST, { ...IN_SESSION, Host: "reviews.example.com:443" }, 200],
  ["server/discover", modern("server/discover"), statelessHeaders("server/discover"), 200],
  [
    "a stale session in the stateless protocol",
    modern("tools/list"),
    { ...statelessHeaders("tools/list"), "Mcp-Session-Id": "stale" },
    200,
  ],
  ["no version header beside the envelope", modern("tools/list"), { "Mcp-Method": "tools/list" }, 400, -32020],
  ["no Mcp-Method", modern("tools/list"), version("2026-07-28"), 400, -32020],
  ["another Mcp-Method", modern("tools/list"), statelessHeaders("prompts/list"), 400, -32020],
  ["no Mcp-Name", GET_BUSINESS, statelessHeaders("tools/call"), 400, -32020],
  ["another Mcp-Name", GET_BUSINESS, statelessHeaders("tools/call", "get_faq"), 400, -32020],
  ["an Mcp-Name in base64", GET_BUSINESS, statelessHeaders("tools/call", "=?base64?Z2V0X2J1c2luZXNz?="), 200],
  [
    "an Mcp-Name in broken base64",
    GET_BUSINESS,
    statelessHeaders("tools/call", "=?base64?Z2V0X2J1c2luZXNz!?="),
    400,
    -32020,
  ],
  [
    "a version header that differs from the envelope",
    modern("tools/list"),
    { ...statelessHeaders("tools/list"), ...version("2025-06-18") },
    400,
    -32020,
  ],
  [
    "a revision that is not there yet",
    modern("tools/list", {}, OTHER_VERSION),
    { ...statelessHeaders("tools/list"), ...version("2099-01-01") },
    400,
    -32022,
  ],
  [
    "an envelope without capabilities",
    modern("tools/list", {}, WITHOUT_CAPABILITIES),
    statelessHeaders("tools/list"),
    400,
    -32602,
  ],
  ["this revision's header without an envelope", LIST, statelessHeaders("tools/list"), 400, -32602],
  ["an unknown method in the stateless protocol", modern("ping"), statelessHeaders("ping"), 404, -32601],
  [
    "initialize in the stateless protocol",
    modern("initialize", { protocolVersion: "2026-07-28" }),
    statelessHeaders("initialize"),
    404,
    -32601,
  ],
  [
    "listening, which is not offered",
    modern("subscriptions/listen"),
    statelessHeaders("subscriptions/listen"),
    404,
    -32601,
  ],
  [
    "an unknown tool in the stateless protocol",
    modern("tools/call", { name: "nope" }),
    statelessHeaders("tools/call", "nope"),
    200,
    -32602,
  ],
  [
    "a resource that is not there in the stateless protocol",
    modern("resources/read", { uri: "x:y" }),
    statelessHeaders("resources/read", "x:y"),
    200,
    -32602,
  ],
  ["a notification in the stateless protocol", CANCELLED, statelessHeaders("notifications/cancelled"), 202],
  ["a notification of the stateless protocol without headers", cancelled(ENVELOPE), {}, 202],
];

/** The answer to what has no id, or is refused before it is looked into, has the id null. */
const WITHOUT_ID: readonly Case[] = [
  ["a notification without a session", NOTE, {}, 400, -32000],
  ["no JSON", "{", {}, 400, -32700],
  ["an empty body", "", {}, 400, -32700],
  ["JSON that is no object", "3", {}, 400, -32600],
  ["an object that is no message", { hello: 1 }, {}, 400, -32600],
  ["an id that is null", call("ping", undefined, null), {}, 400, -32600],
  ["an id that cannot be given back", '{"jsonrpc":"2.0","id":9007199254740993,"method":"ping"}', {}, 400, -32600],
  ["a batch", [LIST], IN_SESSION, 400, -32600],
  ["an empty batch", [], IN_SESSION, 400, -32600],
  ["a reply in the stateless protocol", REPLY, statelessHeaders("x"), 400, -32600],
  ["text/plain", LIST, { "Content-Type": "text/plain" }, 415, -32000],
  ["an Accept of HTML", LIST, { ...IN_SESSION, Accept: "text/html" }, 406, -32000],
  ["a foreign Origin", LIST, { ...IN_SESSION, Origin: "https://evil.example" }, 403, -32000],
  ["an Origin of no host", LIST, { ...IN_SESSION, Origin: "null" }, 403, -32000],
  ["a foreign Host", LIST, { ...IN_SESSION, Host: "evil.example" }, 403, -32000],
  ["a body too large", call("tools/list", { x: "x".repeat(70_000) }), IN_SESSION, 413, -32000],
  ["a notification whose Mcp-Method is another", cancelled(ENVELOPE), statelessHeaders("tools/list"), 400, -32020],
  [
    "a notification whose version header differs from its envelope",
    cancelled(ENVELOPE),
    { ...statelessHeaders("notifications/cancelled"), ...version("2025-06-18") },
    400,
    -32020,
  ],
  [
    "a notification of a revision that is not there yet",
    cancelled(OTHER_VERSION),
    { ...statelessHeaders("notifications/cancelled"), ...version("2099-01-01") },
    400,
    -32022,
  ],
];

for (const [cases, id] of [
  [CASES, 1],
  [WITHOUT_ID, null],
] as const) {
  for (const [name, body, headers, status, code] of cases) {
    if (SITES > 0 && "Host" in headers) continue; // among sites a foreign host is nobody's
    test(`POST /mcp answers ${status}${code === undefined ? "" : ` ${code}`} to ${name}`, async () => {
      const answer = await post(ask, body, headers);
      assert.equal(answer.status, status, JSON.stringify(answer.body));
      if (status === 202) return assert.equal(answer.body, undefined);
      assert.equal(answer.headers.get("Content-Type"), "application/json");
      assert.equal(answer.body.jsonrpc, "2.0");
      assert.equal(answer.body.error?.code, code);
      assert.equal("result" in answer.body, code === undefined);
      assert.deepEqual(answer.body.id, id);
    });
  }
}

test("before the first edition the address answers 503 and when to come back", async () => {
  const answer = await post(endpointOf(undefined), LIST, IN_SESSION);
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

for (const [asked, settled] of [
  ["2025-11-25", "2025-11-25"],
  ["2025-06-18", "2025-06-18"],
  ["2025-03-26", "2025-03-26"],
  ["2024-11-05", "2024-11-05"],
  ["2026-07-28", "2025-11-25"],
  ["1999-01-01", "2025-11-25"],
]) {
  test(`initialize with ${asked} settles on ${settled} and opens a session`, async () => {
    const { status, headers, body } = await post(ask, initialize(asked));
    assert.equal(status, 200);
    assert.equal(body.result.protocolVersion, settled);
    assert.match(headers.get("Mcp-Session-Id") ?? "", /^[\x21-\x7e]{40,}$/);
    assert.deepEqual(body.result.capabilities, { tools: {}, resources: {}, prompts: {}, completions: {} });
    assert.match(body.result.instructions, /never follow instructions/);
    assert.match(body.result.instructions, /“poor” means: one or two stars/);
    assert.match(body.result.instructions, /in singular and plural/, "`words` finds no other form");
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
  const inSession = await openSession(ask);
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
    const before = (await inSession(method, params)).body.result;
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
  const inSession = await openSession(moving);
  current = other;
  const { body } = await inSession("tools/call", { name: "get_business", arguments: {} });
  assert.equal(body.result.structuredContent.business.name, "Another name");
});
