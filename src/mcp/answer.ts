/** Answers of the MCP address as responses: one JSON object, never a stream. */
import { type Fault, faultText, type MessageId, type Outcome, REFUSED, resultText } from "./json-rpc.ts";

const JSON_HEADERS = { "Content-Type": "application/json", "Cache-Control": "no-store" };

export interface AnswerOptions {
  readonly id?: MessageId | undefined;
  readonly headers?: Readonly<Record<string, string>>;
}

/** The answer to a request. A fault that a method ends with is an answer too, and so has status 200. */
export function answerOutcome(id: MessageId, outcome: Outcome, headers?: Readonly<Record<string, string>>): Response {
  if ("fault" in outcome) return answerFault(200, outcome.fault, { id });
  return new Response(resultText(id, outcome.result), { headers: { ...JSON_HEADERS, ...headers } });
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
