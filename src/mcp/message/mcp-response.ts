/** Answers of the MCP address as responses: one JSON object, never a stream of events. */
import { setImmediate } from "node:timers/promises";
import { type Fault, faultText, type MessageId, type Outcome, REFUSED, RESULT_END, resultStart } from "./json-rpc.ts";

const JSON_HEADERS = { "Content-Type": "application/json", "Cache-Control": "no-store" };

export interface AnswerOptions {
  readonly id?: MessageId | undefined;
  readonly headers?: Readonly<Record<string, string>>;
}

/** The answer to a request. A fault that a method ends with is an answer too, and so has status 200. */
export function answerOutcome(id: MessageId, outcome: Outcome, headers?: Readonly<Record<string, string>>): Response {
  if ("fault" in outcome) return answerFault(200, outcome.fault, { id });
  const start = resultStart(id) + outcome.result;
  const body = outcome.rest === undefined ? start + RESULT_END : ReadableStream.from(pieces(start, outcome.rest));
  return new Response(body, { headers: { ...JSON_HEADERS, ...headers } });
}

/** A long answer piece by piece; between two of them others have their turn. */
async function* pieces(start: string, rest: Iterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  yield Buffer.from(start);
  for (const piece of rest) {
    yield piece;
    await setImmediate();
  }
  yield Buffer.from(RESULT_END);
}

/** An error of the protocol with its status. */
export function answerFault(status: number, fault: Fault, { id, headers }: AnswerOptions = {}): Response {
  return new Response(faultText(id, fault), { status, headers: { ...JSON_HEADERS, ...headers } });
}

/** What the transport refuses before any method is looked at. */
export function refuseRequest(status: number, message: string, options: AnswerOptions = {}): Response {
  return answerFault(status, { code: REFUSED, message }, options);
}

/** A notification or a reply was taken. */
export function accepted(): Response {
  return new Response(null, { status: 202 });
}
