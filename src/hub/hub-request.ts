/**
 * The form that is posted to the hub (WebSub §5.1): read up to a limit, and parsed or refused with every fault named.
 */
import { TOPIC_PATHS } from "../edition/topic.ts";
import { Invalid, type Issue, quote } from "../issue.ts";
import { readBodyText } from "../lib/bounded-body.ts";
import type { AddressRange } from "../outbound/address-class.ts";
import { type Callback, parseCallback } from "./callback/callback-url.ts";

/** The shortest, default and longest lease, in seconds. */
export interface LeaseBounds {
  readonly shortest: number;
  readonly default: number;
  readonly longest: number;
}

/** The values that a form is checked against. */
export interface HubForms {
  readonly baseUrl: string;
  readonly lease: LeaseBounds;
  readonly allowed: readonly AddressRange[];
}

/** A valid request. */
export interface HubRequest {
  readonly mode: "subscribe" | "unsubscribe";
  /** Path of the topic. */
  readonly topic: string;
  readonly callback: Callback;
  readonly secret: string | undefined;
  readonly leaseSeconds: number;
}

const MAX_BODY_BYTES = 16 * 1024;
/** A secret must be shorter than this (WebSub §5.1). */
const SECRET_LIMIT_BYTES = 200;

/** Why a body cannot be read as a form, by the status of the refusal. */
export const FORM_FAULTS = {
  400: "The body is not text in UTF-8, or was cut off",
  413: "The body is larger than 16 KiB",
  415: "The body must be application/x-www-form-urlencoded",
};

/** Reads the body of a form; returns the status of the refusal if it is not one. */
export async function readForm(request: Request): Promise<string | keyof typeof FORM_FAULTS> {
  const [type = ""] = (request.headers.get("Content-Type") ?? "").split(";");
  if (type.trim().toLowerCase() !== "application/x-www-form-urlencoded") return 415;
  const body = await readBodyText(request, MAX_BODY_BYTES);
  if ("text" in body) return body.text;
  return body.refused === "too large" ? 413 : 400;
}

/**
 * Parses a form. Unknown fields are ignored, and so is hub.lease_seconds of an unsubscription. A lease outside the bounds
 * is clamped, not refused.
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
  // To the letter: the callback compares what it asked for with what the hub names.
  const topic = TOPIC_PATHS.find((path) => topicUrl === baseUrl + path);
  const topics = TOPIC_PATHS.map((path) => baseUrl + path).join(", ");
  if (topicUrl === "") fault("hub.topic", `is missing: it must be one of ${topics}`);
  else if (topic === undefined) fault("hub.topic", `is ${quote(topicUrl)}, but must be one of ${topics}`);

  const callbackUrl = single("hub.callback");
  const callback = parseCallback(callbackUrl, allowed);
  if (callbackUrl === "") fault("hub.callback", "is missing: it must be an https URL");
  else if (typeof callback === "string") fault("hub.callback", callback);

  const secret = mode === "unsubscribe" ? "" : single("hub.secret");
  const secretBytes = Buffer.byteLength(secret);
  if (secretBytes >= SECRET_LIMIT_BYTES)
    fault("hub.secret", `has ${secretBytes} bytes, but must have fewer than ${SECRET_LIMIT_BYTES}`);
  // Invalid UTF-8 was decoded to U+FFFD: the subscriber could not check a signature made with that.
  if (secret.includes("\ufffd")) fault("hub.secret", "is not UTF-8 text, but must be");
  if (secret.includes("\0")) fault("hub.secret", "holds the character NUL, which cannot be stored");

  const leaseText = mode === "unsubscribe" ? "" : single("hub.lease_seconds");
  if (!/^(0*[1-9]\d*)?$/.test(leaseText))
    fault("hub.lease_seconds", `is ${quote(leaseText)}, but must be a positive whole number`);

  if (issues.length > 0 || !isMode(mode) || topic === undefined || typeof callback === "string")
    throw new Invalid(issues);
  const leaseSeconds = Math.min(Math.max(Number(leaseText || lease.default), lease.shortest), lease.longest);
  return { mode, topic, callback, secret: secret || undefined, leaseSeconds };
}

function isMode(mode: string): mode is HubRequest["mode"] {
  return mode === "subscribe" || mode === "unsubscribe";
}
