/** Finds the client's address behind trusted proxies. */
import ipaddr from "ipaddr.js";

type Range = [ipaddr.IPv4 | ipaddr.IPv6, number];

/** The CIDR ranges of a list of `10.0.0.0/8` and the like. @throws Error for an invalid range. */
export function parseRanges(list: readonly string[]): Range[] {
  return list.map((text) => ipaddr.parseCIDR(text.includes("/") ? text : `${text}/${text.includes(":") ? 128 : 32}`));
}

/**
 * The first address, seen from here, that is not a trusted proxy: the peer, or, when the peer is trusted, the last
 * entry of X-Forwarded-For that is not.
 */
export function clientAddress(peer: string, forwardedFor: string | null, trusted: readonly Range[]): string {
  const hops = (forwardedFor ?? "")
    .split(",")
    .map((hop) => hop.trim())
    .filter((hop) => hop !== "");
  let address = peer;
  while (isWithin(address, trusted)) {
    const next = hops.pop();
    if (next === undefined || !ipaddr.isValid(next)) break;
    address = next;
  }
  return address;
}

/** Whether the address lies in one of the ranges; an IPv4 address mapped into IPv6 counts as the IPv4 one. */
function isWithin(address: string, ranges: readonly Range[]): boolean {
  if (!ipaddr.isValid(address)) return false;
  const parsed = ipaddr.process(address);
  return ranges.some(([network, bits]) => parsed.kind() === network.kind() && parsed.match([network, bits] as never));
}
