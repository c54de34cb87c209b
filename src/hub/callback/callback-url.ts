/** Checks callback URLs, identifies their site, and appends the hub's parameters without changing any byte. */
import { createHash } from "node:crypto";
import { isIP } from "node:net";
import { getDomain } from "tldts";
import { type AddressRange, bareHost, mayReach, networkOf } from "../../outbound/address-class.ts";
import { SHARDS } from "../../store/fan-out-rows.ts";

/** A valid callback. Its path and query are kept byte for byte. */
export interface Callback {
  /** Origin and target. The origin is normalised, so that different spellings of a host are equal. */
  readonly url: string;
  /** Scheme, host and port, normalised. */
  readonly origin: string;
  readonly site: string;
  readonly shard: number;
}

const MAX_CALLBACK_BYTES = 2048;

/** Parses a callback. Returns a fault instead, as the rest of a sentence that begins with the field's name. */
export function parseCallback(text: string, allowed: readonly AddressRange[]): Callback | string {
  if (text.length > MAX_CALLBACK_BYTES) return `is longer than ${MAX_CALLBACK_BYTES} bytes`;
  if (!/^[\x21-\x7e]*$/.test(text)) return "holds a space, a control character or one outside ASCII: percent-encode it";
  const [, scheme = "", authority = "", target = ""] = /^([a-z][a-z0-9+.-]*):\/\/([^/?#]*)(.*)$/i.exec(text) ?? [];
  const url = URL.parse(text);
  if (scheme === "" || url === null || text.includes("\\")) return "is no absolute URL";
  if (scheme.toLowerCase() !== "https") return `has the scheme ${scheme.toLowerCase()}, but must be https`;
  if (authority.includes("@")) return "holds a user name or password, which is not allowed";
  if (target.includes("#")) return "holds a fragment, which can never be sent";
  const port = url.port === "" ? 443 : Number(url.port);
  if (port !== 443 && port < 1024) return `has the port ${port}, but must have 443 or one from 1024 on`;
  const host = bareHost(url.hostname);
  if (host === "") return "has no host";
  if (isIP(host) !== 0 && !mayReach(host, allowed)) return `has the address ${host}, which is not public`;
  return {
    url: url.origin + (target.startsWith("/") ? target : `/${target}`),
    origin: url.origin,
    site: siteOf(host),
    shard: createHash("sha256").update(host).digest().readUInt8(0) % SHARDS,
  };
}

/** Whether a name can never have a public address: it has no dot, or the end of names for one machine or network. */
export function cannotBePublic({ origin }: Callback): boolean {
  const host = bareHost(new URL(origin).hostname).replace(/\.$/, "");
  return isIP(host) === 0 && (!host.includes(".") || /\.(?:localhost|local|invalid)$/.test(host));
}

/** Identifies a subscription by a hash of its topic and its callback. */
export function subscriptionId(topic: string, callback: string): string {
  return createHash("sha256").update(`${topic}\n${callback}`).digest("hex").slice(0, 32);
}

/**
 * Appends the hub's parameters to a callback's target (WebSub §5.3). It appends raw text, because a parser of query
 * strings would rewrite the callback's own parameters.
 */
export function appendParameters(target: string, parameters: Readonly<Record<string, string>>): string {
  const joint = !target.includes("?") ? "?" : /[?&]$/.test(target) ? "" : "&";
  const query = Object.entries(parameters).map(([name, value]) => `${name}=${encodeURIComponent(value)}`);
  return target + joint + query.join("&");
}

/**
 * Identifies the site of a host: its registrable domain by the Public Suffix List, which includes providers of
 * subdomains for strangers. A name under no known suffix counts by its last two labels.
 */
function siteOf(host: string): string {
  if (isIP(host) !== 0) return networkOf(host);
  return getDomain(host, { allowPrivateDomains: true, validateHostname: false }) ?? host.split(".").slice(-2).join(".");
}
