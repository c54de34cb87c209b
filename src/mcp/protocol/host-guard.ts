/**
 * Checks Host and Origin, so that a web page cannot use DNS rebinding to reach a server on a visitor's own machine (MCP
 * 2025-11-25, transports, security warning).
 */
import { quote } from "../../issue.ts";

/** Returns the reason for refusing a request; undefined if its Host and its Origin, if present, are allowed. */
export type HostGuard = (request: Request) => string | undefined;

const LOOPBACK = new Set(["localhost", "127.0.0.1", "[::1]"]);

/**
 * Makes a guard for host names, whose ports are ignored, and origins: `https://claude.ai`, `null`, or with `*` all of a
 * scheme, as extensions and web views have them. `*` alone allows every host and Origin, but never a foreign Origin at a
 * loopback Host.
 */
export function makeHostGuard(allowedHosts: readonly string[]): HostGuard {
  const allowed = new Set(allowedHosts.map((entry) => hostName(entry) ?? entry.toLowerCase()));
  const isAllowed = (name: string) => allowed.has(name) || (allowed.has("*") && !LOOPBACK.has(name));
  return ({ headers, url }) => {
    const host = hostName(headers.get("Host") ?? new URL(url).host);
    if (host === undefined || !isAllowed(host)) return refused("Host", headers.get("Host") ?? "");
    const origin = headers.get("Origin");
    if (origin === null) return undefined;
    const [given, name] = [origin.toLowerCase(), originHost(origin)];
    const isNamed = [given, given.replace(/(?<=:\/\/).*/s, "*"), name ?? ""].some((entry) => allowed.has(entry));
    const isOfAll = allowed.has("*") && !LOOPBACK.has(host) && (name === undefined || !LOOPBACK.has(name));
    return isNamed || isOfAll ? undefined : refused("Origin", origin);
  };
}

/** The message for the client and, through it, for the operator: the refused name and the settings that allow it. */
function refused(header: "Host" | "Origin", value: string): string {
  const how =
    header === "Host" ? "names the hosts in the settings BASE_URL and ALLOWED_HOSTS" : "can name it in ALLOWED_HOSTS";
  return `This server does not take the ${header} ${quote(value)} here. Its operator ${how}; ALLOWED_HOSTS=* allows every one`;
}

/**
 * The host name in `name`, `name:port`, `[address]` or `[address]:port`, in lower case; a bare IPv6 address gets
 * brackets.
 */
function hostName(text: string): string | undefined {
  const host = text.trim().toLowerCase();
  if (/^[0-9a-f:]*:[0-9a-f:]*:[0-9a-f:.]*$/.test(host)) return `[${host}]`;
  return /^(\[[0-9a-f:.]+\]|[^\s:/?#@[\]\\]+?)\.?(:\d{0,5})?$/.exec(host)?.[1];
}

function originHost(origin: string): string | undefined {
  if (!/^https?:\/\//i.test(origin) || !URL.canParse(origin)) return undefined;
  return hostName(new URL(origin).host);
}
