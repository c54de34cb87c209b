/** The verification of an intent: a GET with a challenge, which the callback must echo to the byte (WebSub §5.3). */
import type { Intent, Subscription } from "../../subscription.ts";
import type { CallbackAnswer, CallbackRequest } from "../callback/callback.ts";
import { appendParameters } from "../callback/callback-url.ts";
import { hubHeaders } from "./hub-headers.ts";

/** Random bytes of a challenge; base64url, so that it is harmless wherever it is echoed. */
export const CHALLENGE_BYTES = 32;

/** What the callback has said to an intent, or that it said nothing. */
export type VerificationOutcome = "confirmed" | "refused" | "unanswered";

/** The verification request. Of its answer one byte more than the challenge is read, enough to see that it differs. */
export function verificationRequest(
  { callback, origin, topic }: Subscription,
  { mode, leaseSeconds }: Intent,
  { baseUrl, challenge, signal }: { baseUrl: string; challenge: string; signal: AbortSignal },
): CallbackRequest {
  const target = appendParameters(callback.slice(origin.length), {
    "hub.mode": mode,
    "hub.topic": baseUrl + topic,
    "hub.challenge": challenge,
    "hub.lease_seconds": String(leaseSeconds),
  });
  return { method: "GET", origin, target, headers: hubHeaders(baseUrl), readBytes: challenge.length + 1, signal };
}

/** Judges an answer: 2xx and exactly the challenge confirms, every other answer refuses (interface §4). */
export function judgeVerification(answer: CallbackAnswer, challenge: string): VerificationOutcome {
  if (answer.kind !== "answered") return "unanswered";
  if (answer.status < 200 || answer.status > 299) return "refused";
  if (Buffer.compare(answer.body, Buffer.from(challenge)) === 0 && answer.complete) return "confirmed";
  return answer.complete || answer.body.byteLength > challenge.length ? "refused" : "unanswered";
}
