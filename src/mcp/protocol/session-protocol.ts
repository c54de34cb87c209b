/**
 * The protocol with sessions: revisions up to 2025-11-25. `initialize` opens a session, and every later message carries
 * its id. A session has no state, so any process can answer.
 */
import type { Steps } from "../../edition/steps.ts";
import {
  invalidParams,
  METHOD_NOT_FOUND,
  type Message,
  type Outcome,
  type RpcRequest,
  UNKNOWN_SESSION,
} from "../message/json-rpc.ts";
import { accepted, answerFault, answerOutcome, refuseRequest } from "../message/mcp-response.ts";
import type { McpMethods } from "../method/methods.ts";
import type { Sessions } from "./session-ids.ts";

/** The supported revisions with sessions, newest first. Responses do not differ between them. */
export const SESSION_VERSIONS = ["2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"] as const;

const NEWEST = SESSION_VERSIONS[0];

/** Answers a message: 400 without a session or with a bad version, 404 for an unknown session. */
export function* answerSessionProtocol(
  message: Message,
  headers: Headers,
  parts: { methods: McpMethods; sessions: Sessions },
): Steps<Response> {
  const { methods, sessions } = parts;
  const id = message.kind === "request" ? message.id : undefined;
  // A client's transport may already send the version that it hopes for: the body of initialize negotiates.
  if (message.kind === "request" && message.method === "initialize") return initialize(message, methods, sessions);
  const version = headers.get("MCP-Protocol-Version");
  if (version !== null && !isSupported(version)) {
    const supported = SESSION_VERSIONS.join(", ");
    return refuseRequest(400, `MCP-Protocol-Version ${version.slice(0, 40)} is not supported; ${supported} are`, {
      id,
    });
  }
  const session = headers.get("Mcp-Session-Id");
  if (session === null) {
    return refuseRequest(400, "Mcp-Session-Id is missing: send initialize first, then the id that it gives", { id });
  }
  if (!sessions.accepts(session)) {
    const fault = { code: UNKNOWN_SESSION, message: "The session is unknown or has ended: send initialize again" };
    return answerFault(404, fault, { id });
  }
  return message.kind === "request" ? answerOutcome(message.id, yield* answer(message, methods)) : accepted();
}

function* answer({ method, params }: RpcRequest, methods: McpMethods): Steps<Outcome> {
  if (method === "ping") return { result: "{}" };
  const fault = { code: METHOD_NOT_FOUND, message: `There is no method ${JSON.stringify(method.slice(0, 60))}` };
  return (yield* methods.answer(method, params)) ?? { fault };
}

/** Negotiates the revision: the requested one if it is supported, otherwise the newest with sessions. */
function initialize({ id, params }: RpcRequest, methods: McpMethods, sessions: Sessions): Response {
  const requested = params.protocolVersion;
  if (typeof requested !== "string") return answerOutcome(id, invalidParams("protocolVersion must be a string"));
  return answerOutcome(id, initializeOutcome(requested, methods), { "Mcp-Session-Id": sessions.open() });
}

/** The outcome of initialize for the requested revision. */
export function initializeOutcome(requested: string, methods: McpMethods): Outcome {
  const protocolVersion = isSupported(requested) ? requested : NEWEST;
  const result = `{"protocolVersion":"${protocolVersion}","serverInfo":${methods.serverInfo},${methods.initializeResult}}`;
  return { result };
}

function isSupported(version: string): boolean {
  return (SESSION_VERSIONS as readonly string[]).includes(version);
}
