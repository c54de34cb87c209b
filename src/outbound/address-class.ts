/** Classifies addresses: public ones may be contacted, others only in ranges that the operator allows. */
import { isIP, isIPv4 } from "node:net";
import ipaddr from "ipaddr.js";

type Address = ipaddr.IPv4 | ipaddr.IPv6;

/** A parsed CIDR range. */
export type AddressRange = readonly [Address, number];

/** Parses CIDR ranges such as `127.0.0.0/8`; a single address is a range of one. @throws Error when one is invalid. */
export function parseAddressRanges(list: readonly string[]): AddressRange[] {
  return list.map((text) => ipaddr.parseCIDR(text.includes("/") ? text : `${text}/${text.includes(":") ? 128 : 32}`));
}

/**
 * Decides whether an address may be contacted. Everything that is not global unicast is refused. An IPv4 address inside
 * an IPv6 one (mapped, NAT64, 6to4) is classified as IPv4; Teredo and other relays are refused.
 */
export function mayReach(text: string, allowed: readonly AddressRange[]): boolean {
  if (isIP(text) === 0) return false;
  const address = ipaddr.parse(text);
  if (address instanceof ipaddr.IPv6 && address.zoneId !== undefined) return false;
  const inner = embedded(address);
  return isWithinAny(inner, allowed) || isPublic(inner);
}

/** Decides whether an address lies in one of the ranges, even if it is written as an IPv6 address. */
export function isAllowed(text: string, allowed: readonly AddressRange[]): boolean {
  return isIP(text) !== 0 && isWithinAny(embedded(ipaddr.parse(text)), allowed);
}

/** Decides whether an address lies in one of the ranges; an IPv4 address mapped into IPv6 counts as the IPv4 one. */
export function isInRanges(text: string, ranges: readonly AddressRange[]): boolean {
  return ranges.length > 0 && ipaddr.isValid(text) && isWithinAny(ipaddr.process(text), ranges);
}

const MAPPED = "::ffff:";

/** Identifies the network of an address: an IPv4 address, or the first 64 bits of an IPv6 address. */
export function networkOf(address: string): string {
  const unmapped = address.startsWith(MAPPED) ? address.slice(MAPPED.length) : address;
  if (isIPv4(unmapped)) return unmapped; // most addresses; parsing them takes longer
  if (!ipaddr.isValid(address)) return address;
  const parsed = ipaddr.process(address);
  return parsed instanceof ipaddr.IPv4 ? parsed.toString() : parsed.toByteArray().slice(0, 8).join(".");
}

/** Identifies the network around a network: 24 bits of an IPv4 address, 48 of an IPv6 one, as a customer may have. */
export function widerNetworkOf(network: string): string {
  const bytes = network.split(".");
  return bytes.slice(0, bytes.length === 4 ? 3 : 6).join(".");
}

/** Returns the IPv4 address that an IPv6 one contains, or the address itself. */
function embedded(address: Address): Address {
  if (!(address instanceof ipaddr.IPv6)) return address;
  if (address.isIPv4MappedAddress()) return address.toIPv4Address();
  const bytes = address.toByteArray();
  if (isWithin(address, NAT64)) return new ipaddr.IPv4(bytes.slice(12));
  if (isWithin(address, SIX_TO_FOUR)) return new ipaddr.IPv4(bytes.slice(2, 6));
  return address;
}

function isPublic(address: Address): boolean {
  if (address.range() !== "unicast") return false;
  if (isWithinAny(address, INSIDE_CLOUDS)) return false;
  return address instanceof ipaddr.IPv4 || (isWithin(address, GLOBAL_UNICAST) && !isIsatap(address));
}

/** ISATAP (RFC 5214) tunnels to the IPv4 address in its last four bytes. */
function isIsatap(address: ipaddr.IPv6): boolean {
  const [high, low] = [address.parts[4], address.parts[5]];
  return (high === 0 || high === 0x200) && low === 0x5efe;
}

function isWithinAny(address: Address, ranges: readonly AddressRange[]): boolean {
  return ranges.some((range) => isWithin(address, range));
}

function isWithin(address: Address, [network, bits]: AddressRange): boolean {
  return address.kind() === network.kind() && address.match([network, bits] as never);
}

/** Addresses that look public, but lead to a cloud provider's own services for the machines of its customers. */
const INSIDE_CLOUDS = parseAddressRanges([
  "168.63.129.16", // Azure: the host of each virtual machine
  ...["161.26.0.0/16", "166.8.0.0/14"], // IBM Cloud: endpoints of its services
]);
const NAT64 = ipaddr.parseCIDR("64:ff9b::/96");
const SIX_TO_FOUR = ipaddr.parseCIDR("2002::/16");
const GLOBAL_UNICAST = ipaddr.parseCIDR("2000::/3");

/** Strips the brackets of an IPv6 address and the dot that may end a name. */
export function bareHost(hostname: string): string {
  return hostname.replace(/^\[|\]$/g, "").replace(/\.$/, "");
}
