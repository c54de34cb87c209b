/** HTTP responses to POST /mcp: one JSON object, never an event stream. */
import { setImmediate } from "node:timers/promises";
import { COMMON_HEADERS } from "../../interface.ts";
import { type Fault, faultText, type MessageId, type Outcome, REFUSED, RESULT_END, resultStart } from "./json-rpc.ts";

const JSON_HEADERS = { ...COMMON_HEADERS, "Content-Type": "application/json", "Cache-Control": "no-store" };

export interface AnswerOptions {
  readonly id?: MessageId | undefined;
  readonly headers?: Readonly<Record<string, string>>;
}

/** The response to a request. A method's fault is also a JSON-RPC response, so its status is 200. */
export function answerOutcome(id: MessageId, outcome: Outcome, headers?: Readonly<Record<string, string>>): Response {
  if ("fault" in outcome) return answerFault(200, outcome.fault, { id });
  const start = resultStart(id) + outcome.result;
  const body = outcome.rest === undefined ? start + RESULT_END : ReadableStream.from(chunks(start, outcome.rest));
  return new Response(body, { headers: { ...JSON_HEADERS, ...headers } });
}

/** A long response in chunks; other requests are served between them. */
async function* chunks(start: string, rest: Iterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  yield Buffer.from(start);
  for (const chunk of rest) {
    yield chunk;
    await setImmediate();
  }
  yield Buffer.from(RESULT_END);
}

/** A JSON-RPC error with an HTTP status. */
export function answerFault(status: number, fault: Fault, { id, headers }: AnswerOptions = {}): Response {
  return new Response(faultText(id, fault), { status, headers: { ...JSON_HEADERS, ...headers } });
}

/** A refusal by the transport, before the method is evaluated. */
export function refuseRequest(status: number, message: string, options: AnswerOptions = {}): Response {
  return answerFault(status, { code: REFUSED, message }, options);
}

/** 202: a notification or a response was accepted. */
export function accepted(): Response {
  return new Response(null, { status: 202, headers: COMMON_HEADERS });
}
