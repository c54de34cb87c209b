/** Which host a request is for, where one server answers for many (RFC 9110 §7.2, RFC 9112 §3.2). */
import { type AddressRange, isInRanges } from "../outbound/address-class.ts";

/** A host in lower case, without a trailing dot; the port only where it was named. */
export interface RequestHost {
  readonly name: string;
  readonly port: string | undefined;
}

/** The parts of Node's request that are read. The server joins repeated headers: a repeated Host is a malformed one. */
export interface HostedRequest {
  readonly url?: string | undefined;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly socket: { readonly remoteAddress?: string | undefined };
}

/**
 * The host that a request is for; undefined where Host is absent, repeated or malformed. The target wins over Host if it
 * is absolute, and over both the first X-Forwarded-Host of a trusted proxy.
 */
export function requestHost(request: HostedRequest, trusted: readonly AddressRange[]): RequestHost | undefined {
  const { headers, socket, url = "" } = request;
  const host = typeof headers.host === "string" ? parseHost(headers.host) : undefined;
  if (host === undefined) return undefined;
  const forwarded = trusted.length > 0 ? [headers["x-forwarded-host"] ?? ""].flat().join().split(",")[0]?.trim() : "";
  if (forwarded && isInRanges(socket.remoteAddress ?? "", trusted)) return parseHost(forwarded);
  if (url.startsWith("/") || url === "*") return host;
  const authority = /^https?:\/\/([^/?#]*)/i.exec(url)?.[1];
  return authority === undefined ? undefined : parseHost(authority);
}

/** `name`, `name:port`, `[address]` or `[address]:port`; undefined for anything else, such as a user name. */
export function parseHost(text: string): RequestHost | undefined {
  const [, name, port] = /^(\[[\da-f:.]+\]|[\w-]{1,63}(?:\.[\w-]{1,63})*)\.?(?::(\d{0,5}))?$/i.exec(text) ?? [];
  if (name === undefined || name.length > 253 || Number(port ?? 0) > 65_535) return undefined;
  return { name: name.toLowerCase(), port: port === "" ? undefined : port };
}

/** The keys under which a host is looked up, the narrower one first: a port counts only where an address names one. */
export function hostKeys({ name, port }: RequestHost): readonly string[] {
  return port === undefined ? [name] : [`${name}:${port}`, name];
}

/** The key of an origin, such as `https://reviews.example.com`. */
export function originKey(origin: string): string {
  const { hostname, port } = new URL(origin);
  const name = hostname.replace(/\.$/, "");
  return port === "" ? name : `${name}:${port}`;
}
