/**
 * The stateless protocol: revision 2026-07-28. It has no handshake and no session; each request has its revision in
 * `_meta` and repeats its method and name in headers, so that proxies need not read bodies.
 */
import type { Steps } from "../../edition/steps.ts";
import { isObject, type JsonObject } from "../../lib/json-object.ts";
import {
  type Fault,
  INVALID_PARAMS,
  INVALID_REQUEST,
  METHOD_NOT_FOUND,
  type Message,
  type Outcome,
  RESOURCE_NOT_FOUND,
  type RpcNotification,
  type RpcRequest,
} from "../message/json-rpc.ts";
import { accepted, answerFault, answerOutcome } from "../message/mcp-response.ts";
import type { McpMethods } from "../method/methods.ts";

export const STATELESS_VERSION = "2026-07-28";

const HEADER_MISMATCH = -32020;
const UNSUPPORTED_VERSION = -32022;

const VERSION_KEY = "io.modelcontextprotocol/protocolVersion";
const CAPABILITIES_KEY = "io.modelcontextprotocol/clientCapabilities";
const SERVER_INFO_KEY = "io.modelcontextprotocol/serverInfo";

/**
 * How long clients may cache lists and the server's description, in milliseconds. Resources are not cached, as with
 * HTTP.
 */
const LIST_TTL_MS = 3_600_000;
const TTL_MS_BY_METHOD: ReadonlyMap<string, number> = new Map([
  ["server/discover", LIST_TTL_MS],
  ["tools/list", LIST_TTL_MS],
  ["prompts/list", LIST_TTL_MS],
  ["resources/list", LIST_TTL_MS],
  ["resources/templates/list", LIST_TTL_MS],
  ["resources/read", 0],
]);

/** The member of `params` that the header Mcp-Name repeats, per method. */
const NAMED_BY: ReadonlyMap<string, string> = new Map([
  ["tools/call", "name"],
  ["prompts/get", "name"],
  ["resources/read", "uri"],
]);

/**
 * Whether a message belongs to this protocol: its `_meta` has a revision, or the header has this revision or a later
 * one. `initialize` belongs to the protocol with sessions unless its `_meta` has this revision or a later one.
 */
export function isStateless(message: Message, headers: Headers): boolean {
  const claimed = message.kind === "reply" ? undefined : metaOf(message.params)[VERSION_KEY];
  if (message.kind === "request" && message.method === "initialize") return isLater(claimed);
  return claimed !== undefined || isLater(headers.get("MCP-Protocol-Version"));
}

/** Answers a message: 400 for a bad `_meta` or header, 404 for an unknown method. */
export function* answerStatelessProtocol(message: Message, headers: Headers, methods: McpMethods): Steps<Response> {
  if (message.kind === "reply") {
    return answerFault(400, { code: INVALID_REQUEST, message: "This revision has no replies to a server" });
  }
  if (message.kind === "notification") {
    const fault = contradiction(message, headers);
    return fault === undefined ? accepted() : answerFault(400, fault);
  }
  const { id, method } = message;
  const fault = envelopeFault(message) ?? headerFault(message, headers);
  if (fault !== undefined) return answerFault(400, fault, { id });
  const outcome = yield* statelessOutcome(message, methods);
  if (outcome !== undefined) return answerOutcome(id, outcome);
  const name = JSON.stringify(method.slice(0, 60));
  return answerFault(404, { code: METHOD_NOT_FOUND, message: `There is no method ${name}` }, { id });
}

/** The outcome of a valid request, as it is sent; undefined if the method is unknown. */
export function* statelessOutcome({ method, params }: RpcRequest, methods: McpMethods): Steps<Outcome | undefined> {
  const outcome: Outcome | undefined =
    method === "server/discover"
      ? { result: `{"supportedVersions":["${STATELESS_VERSION}"],${methods.initializeResult}}` }
      : yield* methods.answer(method, params);
  if (outcome === undefined) return undefined;
  if ("fault" in outcome) return { fault: withStatelessCode(outcome.fault) };
  const ttlMs = TTL_MS_BY_METHOD.get(method);
  const cache = ttlMs === undefined ? "" : `"ttlMs":${ttlMs},"cacheScope":"public",`;
  const head = `{"resultType":"complete","_meta":{"${SERVER_INFO_KEY}":${methods.serverInfo}},${cache}`;
  return { ...outcome, result: head + outcome.result.slice(1) };
}

/** Converts the code for a missing resource; the stateless protocol has no separate code for it. */
function withStatelessCode(fault: Fault): Fault {
  return fault.code === RESOURCE_NOT_FOUND ? { ...fault, code: INVALID_PARAMS } : fault;
}

function envelopeFault({ params }: RpcRequest): Fault | undefined {
  const meta = metaOf(params);
  const needs = (key: string, what: string) => ({
    code: INVALID_PARAMS,
    message: `params._meta["${key}"] must be ${what}`,
  });
  if (typeof meta[VERSION_KEY] !== "string") return needs(VERSION_KEY, "the protocol's revision, a string");
  if (!isObject(meta[CAPABILITIES_KEY])) return needs(CAPABILITIES_KEY, "an object");
  return undefined;
}

/** Checks a notification. `_meta` and headers are optional, but must agree and have this revision if present. */
function contradiction({ method, params }: RpcNotification, headers: Headers): Fault | undefined {
  const named = headers.get("MCP-Protocol-Version");
  const claimed = metaOf(params)[VERSION_KEY] ?? named;
  if (typeof claimed !== "string") return undefined;
  if (named !== null && named !== claimed) return mismatch("MCP-Protocol-Version", named, claimed);
  if (claimed !== STATELESS_VERSION) return unsupported(claimed);
  const sent = headers.get("Mcp-Method");
  return sent === null || sent === method ? undefined : mismatch("Mcp-Method", sent, method);
}

/** Checks that the headers match the body (MCP 2026-07-28, standard request headers). */
function headerFault({ method, params }: RpcRequest, headers: Headers): Fault | undefined {
  const version = String(metaOf(params)[VERSION_KEY]);
  const named = headers.get("MCP-Protocol-Version");
  if (named !== null && named !== version) return mismatch("MCP-Protocol-Version", named, version);
  if (version !== STATELESS_VERSION) return unsupported(version);
  if (named === null) return mismatch("MCP-Protocol-Version", named, version);
  const sent = headers.get("Mcp-Method");
  if (sent !== method) return mismatch("Mcp-Method", sent, method);
  const value = params[NAMED_BY.get(method) ?? ""];
  if (typeof value !== "string" || !NAMED_BY.has(method)) return undefined;
  const name = headers.get("Mcp-Name");
  return decodeName(name) === value ? undefined : mismatch("Mcp-Name", name, value);
}

function unsupported(version: string): Fault {
  const data = { supported: [STATELESS_VERSION], requested: version.slice(0, 60) };
  return { code: UNSUPPORTED_VERSION, message: "The protocol's revision is not supported", data };
}

function mismatch(header: string, sent: string | null, expected: string): Fault {
  const fault = sent === null ? "is missing" : `is ${JSON.stringify(sent.slice(0, 60))}`;
  const message = `${header} ${fault}, but the body says ${JSON.stringify(expected.slice(0, 60))}`;
  return { code: HEADER_MISMATCH, message };
}

/** A header value, decoded if it has the form `=?base64?…?=`; undefined if that encoding is malformed. */
function decodeName(value: string | null): string | undefined {
  if (value === null) return undefined;
  const coded = /^=\?base64\?(.*)\?=$/is.exec(value)?.[1];
  if (coded === undefined) return value;
  const bytes = Buffer.from(coded, "base64");
  return bytes.toString("base64") === coded ? bytes.toString("utf8") : undefined;
}

function metaOf(params: JsonObject): JsonObject {
  const meta = params._meta;
  return isObject(meta) ? meta : {};
}

function isLater(version: unknown): boolean {
  return typeof version === "string" && /^\d{4}-\d{2}-\d{2}$/.test(version) && version >= STATELESS_VERSION;
}
