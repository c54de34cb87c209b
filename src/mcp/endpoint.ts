/**
 * Answers POST /mcp: checks Host, Origin and headers, reads the body, and passes the message to the matching protocol,
 * with sessions or stateless.
 */
import type { Edition } from "../edition/edition.ts";
import { finish, type Steps } from "../edition/steps.ts";
import { readBodyText } from "../lib/bounded-body.ts";
import type { SessionKey } from "../store/session-keys.ts";
import { INVALID_REQUEST, PARSE_ERROR, readMessage } from "./message/json-rpc.ts";
import { answerFault, refuseRequest } from "./message/mcp-response.ts";
import { type McpMethods, makeMcpMethods } from "./method/methods.ts";
import { makeHostGuard } from "./protocol/host-guard.ts";
import { makeSessions } from "./protocol/session-ids.ts";
import { answerSessionProtocol } from "./protocol/session-protocol.ts";
import { answerStatelessProtocol, isStateless } from "./protocol/stateless-protocol.ts";

/** Maximum body size in bytes (interface §2). */
const MAX_BODY_BYTES = 64 * 1024;
/** Length of the longest domain name (RFC 1035 §3.1). */
const MAX_HOST_LENGTH = 255;

export interface McpParts {
  /** The newest edition; undefined until the first edition has been published. */
  readonly edition: () => Edition | undefined;
  /** Names allowed in Host and Origin; loopback names only if they are listed. */
  readonly allowedHosts: readonly string[];
  /** Keys for session ids: the newest signs, all of them verify. At least one. */
  readonly keys: readonly SessionKey[];
  readonly now: () => Date;
  readonly randomBytes: (count: number) => Uint8Array;
  /** Called with a refused Host and Origin. */
  readonly onRefusedHost?: (refused: { readonly host: string; readonly origin: string | undefined }) => void;
}

/** Scheduling of one message among others. */
interface McpTurns {
  /** Called once the body has arrived. Resolves when the message may be answered, or to false if it is refused. */
  readonly turn: () => boolean | Promise<boolean>;
  /** Runs the steps of the answer, and may yield between them. */
  readonly take: <Result>(steps: Steps<Result>) => Result | Promise<Result>;
}

const AT_ONCE: McpTurns = { turn: () => true, take: finish };

/** Answers POST /mcp. No request makes it throw. */
export type McpEndpoint = (request: Request, turns?: McpTurns) => Promise<Response>;

/** Makes the handler for POST /mcp. */
export function openMcpEndpoint(parts: McpParts): McpEndpoint {
  const guard = makeHostGuard(parts.allowedHosts);
  const sessions = makeSessions(parts);
  let methods: McpMethods | undefined;

  function currentMethods(): McpMethods | undefined {
    const edition = parts.edition();
    if (edition !== undefined && methods?.edition !== edition) methods = makeMcpMethods(edition);
    return methods;
  }

  return async (request, { turn, take } = AT_ONCE) => {
    const { headers } = request;
    const refusal = guard(request);
    if (refusal !== undefined) {
      parts.onRefusedHost?.({
        host: (headers.get("Host") ?? "").slice(0, MAX_HOST_LENGTH),
        origin: headers.get("Origin")?.slice(0, MAX_HOST_LENGTH),
      });
      return refuseRequest(403, refusal);
    }
    if (!isJson(headers.get("Content-Type"))) return refuseRequest(415, "Content-Type must be application/json");
    if (!takesJson(headers.get("Accept"))) return refuseRequest(406, "Answers are application/json: accept them");
    const body = await readBodyText(request, MAX_BODY_BYTES);
    if ("refused" in body) return refuseBody(body.refused);
    if (!(await turn())) {
      return refuseRequest(503, "The server is overloaded: try again in 2 seconds", {
        headers: { "Retry-After": "2" },
      });
    }
    const message = parseMessage(body.text);
    if (message instanceof Response) return message;
    const current = currentMethods();
    if (current === undefined) {
      return refuseRequest(503, "Still starting: ask again in a second", {
        headers: { "Retry-After": "1" },
      });
    }
    if (isStateless(message, headers)) return await take(answerStatelessProtocol(message, headers, current));
    return await take(answerSessionProtocol(message, headers, { methods: current, sessions }));
  };
}

function parseMessage(text: string) {
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    return answerFault(400, { code: PARSE_ERROR, message: "The body is no JSON" });
  }
  const message = readMessage(body);
  if (message.kind !== "none") return message;
  return answerFault(400, { code: INVALID_REQUEST, message: `No JSON-RPC 2.0 message: ${message.why}` }, message);
}

function refuseBody(why: "too large" | "unreadable"): Response {
  if (why === "too large") {
    const headers = { Connection: "close" }; // the rest of the body is not read
    return refuseRequest(413, `The body is larger than ${MAX_BODY_BYTES} bytes`, { headers });
  }
  return answerFault(400, { code: PARSE_ERROR, message: "The body is incomplete or not UTF-8" });
}

function isJson(contentType: string | null): boolean {
  return contentType !== null && /^application\/json\s*(;|$)/i.test(contentType);
}

/** Whether the client accepts JSON: it names `application/json` or a range that includes it, or sends no Accept. */
function takesJson(accept: string | null): boolean {
  return accept === null || accept.trim() === "" || /(application\/(json|\*)|\*\/\*)\s*([;,]|$)/i.test(accept);
}
