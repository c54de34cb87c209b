/** The form that is posted to the hub (WebSub §5.1): read with a bound, then understood or refused with every fault. */
import { TOPIC_PATHS } from "../edition/topic.ts";
import { Invalid, type Issue, quote } from "../issue.ts";
import type { AddressRange } from "./callback/address-class.ts";
import { type Callback, parseCallback } from "./callback/callback-url.ts";

/** The bounds of a lease and its length where none is asked for, in seconds. */
export interface LeaseBounds {
  readonly shortest: number;
  readonly default: number;
  readonly longest: number;
}

/** What a form is read against. */
export interface HubForms {
  readonly baseUrl: string;
  readonly lease: LeaseBounds;
  readonly allowed: readonly AddressRange[];
}

/** A request that can be accepted. */
export interface HubRequest {
  readonly mode: "subscribe" | "unsubscribe";
  /** Path of the topic. */
  readonly topic: string;
  readonly callback: Callback;
  readonly secret: string | undefined;
  readonly leaseSeconds: number;
}

const LONGEST_BODY_BYTES = 16 * 1024;
/** A secret must be shorter than this (WebSub §5.1). */
const SECRET_BYTES = 200;

/** The body of a form as text, or the status that refuses it: 413 too large, 415 no form, 400 unreadable. */
export async function readForm(request: Request): Promise<string | 400 | 413 | 415> {
  const [type = ""] = (request.headers.get("Content-Type") ?? "").split(";");
  if (type.trim().toLowerCase() !== "application/x-www-form-urlencoded") return 415;
  if (Number(request.headers.get("Content-Length") ?? 0) > LONGEST_BODY_BYTES) return 413;
  const chunks: Uint8Array[] = [];
  let length = 0;
  try {
    for await (const chunk of request.body ?? []) {
      length += chunk.byteLength;
      if (length > LONGEST_BODY_BYTES) return 413;
      chunks.push(chunk);
    }
    return new TextDecoder("utf-8", { fatal: true }).decode(Buffer.concat(chunks));
  } catch {
    return 400;
  }
}

/**
 * What a form asks for. Unknown fields are ignored, and so is hub.lease_seconds where it has no meaning. An asked lease
 * is brought within the bounds, not refused.
 * @throws Invalid with every fault, each naming its field.
 */
export function parseHubRequest(form: string, { baseUrl, lease, allowed }: HubForms): HubRequest {
  const fields = new URLSearchParams(form);
  const issues: Issue[] = [];
  const fault = (field: string, rest: string) =>
    issues.push({ code: "invalid", path: [field], message: `${field} ${rest}` });

  function single(field: string): string {
    const values = fields.getAll(field);
    if (values.length > 1) fault(field, `is given ${values.length} times, but must be given once`);
    return values[0] ?? "";
  }

  const mode = single("hub.mode");
  if (mode === "") fault("hub.mode", "is missing: it must be subscribe or unsubscribe");
  else if (!isMode(mode)) fault("hub.mode", `is ${quote(mode)}, but must be subscribe or unsubscribe`);

  const topicUrl = single("hub.topic");
  const topic = TOPIC_PATHS.find((path) => normalise(topicUrl) === normalise(baseUrl + path));
  const topics = TOPIC_PATHS.map((path) => baseUrl + path).join(", ");
  if (topicUrl === "") fault("hub.topic", `is missing: it must be one of ${topics}`);
  else if (topic === undefined) fault("hub.topic", `is ${quote(topicUrl)}, but must be one of ${topics}`);

  const callbackUrl = single("hub.callback");
  const callback = parseCallback(callbackUrl, allowed);
  if (callbackUrl === "") fault("hub.callback", "is missing: it must be an https URL");
  else if (typeof callback === "string") fault("hub.callback", callback);

  const secret = mode === "unsubscribe" ? "" : single("hub.secret");
  const secretBytes = Buffer.byteLength(secret);
  if (secretBytes >= SECRET_BYTES)
    fault("hub.secret", `has ${secretBytes} bytes, but must have fewer than ${SECRET_BYTES}`);
  // Bytes that are no UTF-8 became U+FFFD on the way here: a signature made with that could never be checked.
  if (secret.includes("\ufffd")) fault("hub.secret", "is not UTF-8 text, but must be");

  const asked = mode === "unsubscribe" ? "" : single("hub.lease_seconds");
  if (!/^(0*[1-9]\d*)?$/.test(asked))
    fault("hub.lease_seconds", `is ${quote(asked)}, but must be a positive whole number`);

  if (issues.length > 0 || !isMode(mode) || topic === undefined || typeof callback === "string")
    throw new Invalid(issues);
  const leaseSeconds = Math.min(Math.max(Number(asked || lease.default), lease.shortest), lease.longest);
  return { mode, topic, callback, secret: secret || undefined, leaseSeconds };
}

function isMode(mode: string): mode is HubRequest["mode"] {
  return mode === "subscribe" || mode === "unsubscribe";
}

/** A URL in the one spelling by which topics are compared: what needs no percent-encoding has none (RFC 3986 §6.2.2). */
function normalise(text: string): string | undefined {
  return URL.parse(text)?.href.replace(/%[0-9a-f]{2}/gi, (encoded) => {
    const character = String.fromCharCode(Number.parseInt(encoded.slice(1), 16));
    return /[A-Za-z0-9\-._~]/.test(character) ? character : encoded.toUpperCase();
  });
}
