/** The delivery of a topic's document to one subscriber: the same bytes and type as GET gives, signed (WebSub §7). */
import { createHmac } from "node:crypto";
import type { Document } from "../../edition/document.ts";
import { topicLink } from "../../edition/topic.ts";
import type { Subscription } from "../../subscription.ts";
import type { CallbackAnswer, CallbackRequest } from "../callback/callback.ts";
import { hubHeaders } from "./hub-headers.ts";

/** What the callback has made of a delivery. `gone`: it wants no more (410). */
export type DeliveryOutcome = "acknowledged" | "failed" | "gone";

/** As much of an answer's body as is read, and thrown away, to keep the connection. */
const DRAINED_BYTES = 4096;

/** The delivery of `document`, signed when the subscriber gave a secret. */
export function deliveryRequest(
  { callback, origin, topic, lease }: Subscription,
  document: Document,
  { baseUrl, signal }: { baseUrl: string; signal: AbortSignal },
): CallbackRequest {
  const secret = lease?.secret;
  const headers: Record<string, string> = {
    ...hubHeaders(baseUrl),
    "Content-Type": document.mediaType,
    Link: topicLink(baseUrl, topic),
  };
  if (secret !== undefined) headers["X-Hub-Signature"] = signature(secret, document.body);
  const target = callback.slice(origin.length);
  return { method: "POST", origin, target, headers, body: document.body, readBytes: DRAINED_BYTES, signal };
}

/** `sha256=` and the HMAC of the body in lower-case hexadecimal (WebSub §7.1). */
function signature(secret: string, body: Uint8Array): string {
  return `sha256=${createHmac("sha256", secret).update(body).digest("hex")}`;
}

/** Judges an answer: any 2xx acknowledges, whatever its body; 410 ends the subscription; all else is a failure. */
export function judgeDelivery(answer: CallbackAnswer): DeliveryOutcome {
  if (answer.kind !== "answered") return "failed";
  if (answer.status === 410) return "gone";
  return answer.status >= 200 && answer.status <= 299 ? "acknowledged" : "failed";
}

/** The seconds that a Retry-After of 429 or 503 asks for (RFC 9110 §10.2.3); 0 for a date or none. */
export function askedWaitSeconds(answer: CallbackAnswer): number {
  if (answer.kind !== "answered" || (answer.status !== 429 && answer.status !== 503)) return 0;
  return /^\d{1,9}$/.test(answer.retryAfter ?? "") ? Number(answer.retryAfter) : 0;
}
