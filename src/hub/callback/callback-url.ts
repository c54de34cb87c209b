/** The callback's URL: what one may be, and how the hub's parameters are put to it without touching a byte of its own. */
import { createHash } from "node:crypto";
import { isIP } from "node:net";
import ipaddr from "ipaddr.js";
import { SHARDS } from "../../store/fan-out-rows.ts";
import { type AddressRange, mayReach } from "./address-class.ts";

/** A callback that may be used. Its path and query are as they were sent, byte for byte. */
export interface Callback {
  /** Origin and target: equal for spellings that mean the same host, and never otherwise changed. */
  readonly url: string;
  /** Scheme, host and port, normalised. */
  readonly origin: string;
  readonly site: string;
  readonly shard: number;
}

const LONGEST_CALLBACK_BYTES = 2048;

/** Reads a callback. Gives a sentence instead when it may not be used; it begins with what stands before it. */
export function parseCallback(text: string, allowed: readonly AddressRange[]): Callback | string {
  if (text.length > LONGEST_CALLBACK_BYTES) return `is longer than ${LONGEST_CALLBACK_BYTES} bytes`;
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

/** The host of a URL without brackets and without the dot that may end a name. */
export function bareHost(hostname: string): string {
  return hostname.replace(/^\[|\]$/g, "").replace(/\.$/, "");
}

/** Identifies a subscription: the hash of its topic and its callback. */
export function subscriptionId(topic: string, callback: string): string {
  return createHash("sha256").update(`${topic}\n${callback}`).digest("hex").slice(0, 32);
}

/**
 * Appends the hub's parameters to a callback's target (WebSub §5.3). Raw, for a parser of query strings would write the
 * callback's own parameters anew.
 */
export function appendParameters(target: string, parameters: Readonly<Record<string, string>>): string {
  const joint = !target.includes("?") ? "?" : /[?&]$/.test(target) ? "" : "&";
  const query = Object.entries(parameters).map(([name, value]) => `${name}=${encodeURIComponent(value)}`);
  return target + joint + query.join("&");
}

/**
 * The name under which somebody registered a host, as near as it can be told without a list of all registries: the last
 * two labels, three under a short second level such as co.uk. An IPv6 address counts with its network of 64 bits.
 */
function siteOf(host: string): string {
  if (isIP(host) !== 0) return networkOf(host);
  const labels = host.split(".");
  const second = labels.at(-2) ?? "";
  return labels.slice(second.length <= 3 && labels.length > 2 ? -3 : -2).join(".");
}

/** Whom an address belongs to: an IPv4 address is one household or machine, an IPv6 one shares its first 64 bits. */
export function networkOf(address: string): string {
  if (!ipaddr.isValid(address)) return address;
  const parsed = ipaddr.process(address);
  return parsed instanceof ipaddr.IPv4 ? parsed.toString() : parsed.toByteArray().slice(0, 8).join(".");
}
