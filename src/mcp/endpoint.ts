/**
 * The MCP address: one function from Request to Response over both eras of the protocol. Guards first, then the body,
 * then the era that the message belongs to.
 */
import type { Edition } from "../edition/edition.ts";
import type { SessionKey } from "../store/session-keys.ts";
import { readBodyText } from "./message/bounded-body.ts";
import { INVALID_REQUEST, PARSE_ERROR, readMessage } from "./message/json-rpc.ts";
import { answerFault, refuseRequest } from "./message/mcp-response.ts";
import { type McpMethods, makeMcpMethods } from "./method/methods.ts";
import { makeHostGuard } from "./protocol/host-guard.ts";
import { makeSessions } from "./protocol/session.ts";
import { answerSessionProtocol } from "./protocol/session-protocol.ts";
import { answerStatelessProtocol, isStateless } from "./protocol/stateless-protocol.ts";

/** Most bytes of a body (interface §2). */
const BODY_BYTES = 64 * 1024;

export interface McpParts {
  /** The newest edition, or undefined before the first. */
  readonly edition: () => Edition | undefined;
  /** Host names that Host and Origin may bear; loopback names too where they are to be accepted. */
  readonly allowedHosts: readonly string[];
  /** The newest signs session ids, all verify. At least one. */
  readonly keys: readonly SessionKey[];
  readonly now: () => Date;
  readonly randomBytes: (count: number) => Uint8Array;
}

/** POST at the MCP address, over `parts`. It never throws for anything that a client sends. */
export function openMcpEndpoint(parts: McpParts): (request: Request) => Promise<Response> {
  const guard = makeHostGuard(parts.allowedHosts);
  const sessions = makeSessions(parts);
  let offer: McpMethods | undefined;

  function currentOffer(): McpMethods | undefined {
    const edition = parts.edition();
    if (edition !== undefined && offer?.edition !== edition) offer = makeMcpMethods(edition);
    return offer;
  }

  return async (request) => {
    const { headers } = request;
    const refusal = guard(request);
    if (refusal !== undefined) return refuseRequest(403, refusal);
    if (!isJson(headers.get("Content-Type"))) return refuseRequest(415, "Content-Type must be application/json");
    if (!takesJson(headers.get("Accept"))) return refuseRequest(406, "Answers are application/json: accept them");
    const body = await readBodyText(request, BODY_BYTES);
    if ("refused" in body) return refuseBody(body.refused);
    const message = parseMessage(body.text);
    if (message instanceof Response) return message;
    const ready = currentOffer();
    if (ready === undefined) {
      return refuseRequest(503, "The first edition is still being printed; ask again in a second", {
        headers: { "Retry-After": "1" },
      });
    }
    if (isStateless(message, headers)) return answerStatelessProtocol(message, headers, ready);
    return answerSessionProtocol(message, headers, { offer: ready, sessions });
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
    const headers = { Connection: "close" }; // what is left of the body is not waited for
    return refuseRequest(413, `The body is larger than ${BODY_BYTES} bytes`, { headers });
  }
  return answerFault(400, { code: PARSE_ERROR, message: "The body is incomplete or no UTF-8" });
}

function isJson(contentType: string | null): boolean {
  return contentType !== null && /^application\/json\s*(;|$)/i.test(contentType);
}

/** Whether JSON may be the answer: `application/json` or a range that holds it is named, or nothing is. */
function takesJson(accept: string | null): boolean {
  return accept === null || accept.trim() === "" || /(application\/(json|\*)|\*\/\*)\s*([;,]|$)/i.test(accept);
}
