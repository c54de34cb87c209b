/** JSON-RPC 2.0 for MCP: one message in, one response out. Ids are inserted into responses that are already text. */
import { isObject, type JsonObject } from "../../lib/json-object.ts";

export type MessageId = string | number;

export interface RpcRequest {
  readonly kind: "request";
  readonly id: MessageId;
  readonly method: string;
  readonly params: JsonObject;
}

export interface RpcNotification {
  readonly kind: "notification";
  readonly method: string;
  readonly params: JsonObject;
}

/** A response from the client. The server sends no requests, so its content is ignored. */
interface RpcReply {
  readonly kind: "reply";
}

export type Message = RpcRequest | RpcNotification | RpcReply;

/** A JSON-RPC error (JSON-RPC 2.0 §5.1). The response takes its id from the request, if that is readable. */
export interface Fault {
  readonly code: number;
  readonly message: string;
  readonly data?: unknown;
}

/**
 * A method's outcome: its result as JSON text, or a fault. `rest` continues a large `result` as UTF-8 chunks, so that
 * other requests are served while it is generated.
 */
export type Outcome =
  | { readonly result: string; readonly rest?: Iterable<Uint8Array> | undefined }
  | { readonly fault: Fault };

export const PARSE_ERROR = -32700;
export const INVALID_REQUEST = -32600;
export const METHOD_NOT_FOUND = -32601;
export const INVALID_PARAMS = -32602;
/** The session protocol's error code for a missing session, a bad version or a bad Host, as in the official SDKs. */
export const REFUSED = -32000;
export const UNKNOWN_SESSION = -32001;
/** The session protocol's error code for a missing resource; the stateless protocol uses -32602. */
export const RESOURCE_NOT_FOUND = -32002;

/** The outcome for invalid parameters. */
export function invalidParams(message: string, data?: unknown): Outcome {
  return { fault: { code: INVALID_PARAMS, message, ...(data === undefined ? {} : { data }) } };
}

/**
 * Reads a parsed body as a message, or returns why it is not one, with the id if it is readable. Batches are not
 * supported: revisions from 2025-06-18 on allow a single message only.
 */
export function readMessage(body: unknown): Message | { readonly kind: "none"; readonly id?: MessageId; why: string } {
  if (Array.isArray(body)) return { kind: "none", why: "a batch is not taken: send one message a request" };
  if (!isObject(body)) return { kind: "none", why: "the body is not a JSON object" };
  const { jsonrpc, id, method, params } = body;
  const readableId = isMessageId(id) ? { id } : {};
  const none = (why: string) => ({ kind: "none", ...readableId, why }) as const;
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

/** The start of a successful response; its result and `RESULT_END` follow. */
export function resultStart(id: MessageId): string {
  return `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":`;
}

export const RESULT_END = "}";

/** The text of an error response. Its id is null if none could be read (JSON-RPC 2.0 §5). */
export function faultText(id: MessageId | undefined, fault: Fault): string {
  return JSON.stringify({ jsonrpc: "2.0", id: id ?? null, error: fault });
}

/** Whether an id can be echoed, that is, whether JSON.parse preserved it exactly. */
function isMessageId(value: unknown): value is MessageId {
  return typeof value === "string" || Number.isSafeInteger(value);
}
