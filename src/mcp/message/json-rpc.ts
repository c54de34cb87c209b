/** JSON-RPC 2.0 as MCP speaks it: one message in, one answer out, ids spliced into answers that are already text. */
import { isObject, type Json } from "./json-object.ts";

export type MessageId = string | number;

export interface RpcRequest {
  readonly kind: "request";
  readonly id: MessageId;
  readonly method: string;
  readonly params: Json;
}

export interface RpcNotification {
  readonly kind: "notification";
  readonly method: string;
  readonly params: Json;
}

/** An answer to a request of ours. We make none, so its content is of no interest. */
interface RpcReply {
  readonly kind: "reply";
}

export type Message = RpcRequest | RpcNotification | RpcReply;

/** An error of the protocol (JSON-RPC 2.0 §5.1). `id` is the request's, where one could be read. */
export interface Fault {
  readonly code: number;
  readonly message: string;
  readonly data?: unknown;
}

/**
 * How a method ends: with its result, an object as JSON text, or with a fault. `rest` is what of a large result follows
 * `result`, as UTF-8 in pieces, so that nobody else waits while it is made.
 */
export type Outcome =
  | { readonly result: string; readonly rest?: Iterable<Uint8Array> | undefined }
  | { readonly fault: Fault };

export const PARSE_ERROR = -32700;
export const INVALID_REQUEST = -32600;
export const METHOD_NOT_FOUND = -32601;
export const INVALID_PARAMS = -32602;
/** What the transport of the handshake era refuses: no session, a bad version, a bad Host (official SDKs' use). */
export const REFUSED = -32000;
export const UNKNOWN_SESSION = -32001;
/** A resource that is not there, in the handshake era; the stateless era says -32602. */
export const RESOURCE_NOT_FOUND = -32002;

/** A fault of the parameters, as an outcome. */
export function invalidParams(message: string, data?: unknown): Outcome {
  return { fault: { code: INVALID_PARAMS, message, ...(data === undefined ? {} : { data }) } };
}

/**
 * The message that a parsed body is, or why it is none, with the id where one can be read. A batch is none: the
 * revisions from 2025-06-18 on know a single message only.
 */
export function readMessage(body: unknown): Message | { readonly kind: "none"; readonly id?: MessageId; why: string } {
  if (Array.isArray(body)) return { kind: "none", why: "a batch is not taken: send one message a request" };
  if (!isObject(body)) return { kind: "none", why: "the body is not a JSON object" };
  const { jsonrpc, id, method, params } = body;
  const known = isMessageId(id) ? { id } : {};
  const none = (why: string) => ({ kind: "none", ...known, why }) as const;
  if (jsonrpc !== "2.0") return none('jsonrpc must be "2.0"');
  const named = Object.hasOwn(body, "id");
  if (method === undefined) {
    const replies = named && (Object.hasOwn(body, "result") || isObject(body.error));
    return replies ? { kind: "reply" } : none("method is missing");
  }
  if (typeof method !== "string") return none("method must be a string");
  if (params !== undefined && !isObject(params)) return none("params must be an object");
  if (!named) return { kind: "notification", method, params: params ?? {} };
  if (!isMessageId(id)) return none("id must be a string, or an integer of at most 53 bits");
  return { kind: "request", id, method, params: params ?? {} };
}

/** The beginning of a successful answer, which its result and `RESULT_END` follow. */
export function resultStart(id: MessageId): string {
  return `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":`;
}

export const RESULT_END = "}";

/** The text of an error answer; without an id where none could be read, it is null (JSON-RPC 2.0 §5). */
export function faultText(id: MessageId | undefined, fault: Fault): string {
  return JSON.stringify({ jsonrpc: "2.0", id: id ?? null, error: fault });
}

/** An id can be given back only if JSON.parse kept it exactly. */
function isMessageId(value: unknown): value is MessageId {
  return typeof value === "string" || Number.isSafeInteger(value);
}
