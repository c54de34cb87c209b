/** Finds the client's address behind trusted proxies. */
import ipaddr from "ipaddr.js";
import { type AddressRange, isInRanges } from "../outbound/address-class.ts";

/**
 * The nearest address that is not a trusted proxy: the peer, or, when the peer is trusted, the last entry of
 * X-Forwarded-For that is not.
 */
export function clientAddress(peer: string, forwardedFor: string | null, trusted: readonly AddressRange[]): string {
  const hops = (forwardedFor ?? "")
    .split(",")
    .map((hop) => hop.trim())
    .filter((hop) => hop !== "");
  let address = peer;
  while (isInRanges(address, trusted)) {
    const next = hops.pop();
    if (next === undefined || !ipaddr.isValid(next)) break;
    address = next;
  }
  return address;
}
