/**
 * Sends messages: by https to a vetted address, as to a callback of the hub (no redirect, one deadline, a bounded answer),
 * or by mail. Reasons are the program's own words, because they are stored and logged.
 */
import { createHmac } from "node:crypto";
import { mailAddressOf, type NoticeAddress } from "../business.ts";
import { openCallbackClient } from "../hub/callback/callback.ts";
import { parseCallback } from "../hub/callback/callback-url.ts";
import { constantName, hostOf, type OwnWords, ownWords } from "../lib/own-words.ts";
import { parseAddressRanges } from "../outbound/address-class.ts";
import { type NameResolution, openNameResolution } from "../outbound/name-resolution.ts";
import { retryAfterSeconds } from "../outbound/retry-after.ts";
import { noticeRequest } from "./notice-formats.ts";
import { type MailSettings, sendMail } from "./notice-mail.ts";
import type { ComposedNotice } from "./notice-message.ts";

export interface SenderParts {
  /** CIDR ranges of addresses that may be told although they are not public. */
  readonly allowedAddresses: readonly string[];
  /** An HTTP proxy that every request to an https address goes through. */
  readonly proxyUrl?: string | undefined;
  /** Undefined if no mail can be sent. */
  readonly mail: MailSettings | undefined;
  /** Reads a setting that holds a key. */
  readonly keySetting: (name: string) => string | undefined;
  readonly now: () => Date;
  readonly timeoutMs?: number;
  readonly resolution?: NameResolution;
  /** How far this machine's clock is ahead, in milliseconds. */
  readonly clockAheadMs?: () => number;
}

/** What came of a message. */
type Sent =
  | { readonly isAccepted: true; readonly outcome: OwnWords }
  | { readonly isAccepted: false; readonly outcome: OwnWords; readonly retryAfterSeconds?: number | undefined };

export interface NoticeSender {
  send(address: NoticeAddress, notice: ComposedNotice, signal: AbortSignal): Promise<Sent>;
  close(): Promise<void>;
}

const DEFAULT_TIMEOUT_MS = 10_000;
const MAX_CONNECTIONS = 20;
/** Bytes of an answer that are read and ignored, so that the connection can be used again. */
const MAX_DRAINED_BYTES = 4_096;
/** Addresses are few: none is paused, and none has to wait for another. */
const OPEN_GATE = { isPaused: () => false, claim: () => true };

/** Opens a sender. */
export function openNoticeSender(parts: SenderParts): NoticeSender {
  const { keySetting, mail, now, timeoutMs = DEFAULT_TIMEOUT_MS } = parts;
  const allowed = parseAddressRanges(parts.allowedAddresses);
  const client = openCallbackClient({
    resolution: parts.resolution ?? openNameResolution(),
    ...{ allowed, timeoutMs, proxyUrl: parts.proxyUrl, maxConnections: MAX_CONNECTIONS },
    clockAheadMs: parts.clockAheadMs,
  });

  async function post(address: NoticeAddress, notice: ComposedNotice, signal: AbortSignal): Promise<Sent> {
    const callback = parseCallback(address.to, allowed);
    if (typeof callback === "string") return failed(ownWords`Its address cannot be used, or is not public`);
    const key = address.secret_env === undefined ? undefined : keySetting(address.secret_env)?.trim();
    if (address.secret_env !== undefined && !key) {
      const name = constantName(address.secret_env) ?? ownWords`that secret_env names`;
      return failed(ownWords`The setting ${name}, which holds its key, is not set`);
    }
    const { headers, body } = noticeRequest(address.format, notice, key);
    const answer = await client.send({
      ...{ method: "POST", origin: callback.origin, target: callback.url.slice(callback.origin.length), body, signal },
      headers: { "User-Agent": `goodword (+${notice.message.base_url})`, "Accept-Encoding": "identity", ...headers },
      ...{ readBytes: MAX_DRAINED_BYTES, gate: OPEN_GATE },
    });
    if (answer.kind !== "answered") return failed(answer.reason);
    const outcome = ownWords`It answered ${answer.status}`;
    if (answer.status >= 200 && answer.status < 300) return { isAccepted: true, outcome };
    return { isAccepted: false, outcome, retryAfterSeconds: retryAfterSeconds(answer.retryAfter, now()) };
  }

  return {
    async send(address, notice, signal) {
      const to = mailAddressOf(address.to);
      if (to === undefined) return await post(address, notice, signal);
      if (mail === undefined) return failed(ownWords`Mail needs the settings SMTP_URL and MAIL_FROM`);
      const reason = await sendMail(mail, { to, notice, timeoutMs, signal });
      return reason === undefined ? { isAccepted: true, outcome: ownWords`The mail server took it` } : failed(reason);
    },
    close: client.close,
  };
}

function failed(outcome: OwnWords): Sent {
  return { isAccepted: false, outcome };
}

/** The name of an address wherever others may read it. */
export interface AddressName {
  readonly host: OwnWords;
  readonly key: OwnWords;
}

const KEY_LENGTH = 8;

/** Names addresses by their host and a short key, which only a secret of the store gives: the rest may be a secret. */
export function addressNaming(secret: Uint8Array): (address: Pick<NoticeAddress, "to">) => AddressName {
  return ({ to }) => {
    const hash = createHmac("sha256", secret).update(`notice address\0${to}`).digest("hex");
    const host = mailAddressOf(to)?.split("@").at(-1) ?? new URL(to).host;
    return { host: hostOf({ host }), key: hash.slice(0, KEY_LENGTH) as OwnWords };
  };
}
