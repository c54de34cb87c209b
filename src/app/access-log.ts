/** The access log: one line for each answered request, if ACCESS_LOG asks for it. */
import ipaddr from "ipaddr.js";
import type { Logger } from "pino";
import { clientAddress } from "../http/client-address.ts";
import type { Exchange } from "../http/request-id.ts";
import type { AddressRange } from "../outbound/address-class.ts";

/** `network`: addresses are cut to their network, and queries and programs are left out. */
export type AccessLogDetail = "off" | "network" | "full";

/** Makes the function that logs an exchange; undefined if nothing is to be logged. `siteOf` names a request's site of many. */
export function makeAccessLog(
  detail: AccessLogDetail,
  log: Pick<Logger, "info">,
  trusted: readonly AddressRange[],
  siteOf: (request: Exchange["request"]) => string | undefined = () => undefined,
): ((exchange: Exchange) => void) | undefined {
  if (detail === "off") return undefined;
  return ({ id, request, peer, status, bytes, milliseconds, isComplete }) => {
    const { headers, method, url = "" } = request;
    const forwarded = headers["x-forwarded-for"];
    const client = clientAddress(peer, [forwarded ?? []].flat().join(",") || null, trusted);
    const clientFields =
      detail === "full"
        ? { client, url, agent: headers["user-agent"] }
        : { client: networkOf(client), path: url.split("?", 1)[0] };
    const site = siteOf(request);
    const siteField = site === undefined ? {} : { site };
    const incomplete = isComplete ? {} : { incomplete: true };
    log.info(
      {
        request: id,
        ...siteField,
        method,
        ...clientFields,
        status,
        bytes,
        ms: Math.round(milliseconds * 10) / 10,
        ...incomplete,
      },
      "Request",
    );
  };
}

/** The network of an address: its first 24 bits for IPv4, 48 for IPv6, so that households cannot be told apart. */
function networkOf(address: string): string {
  if (!ipaddr.isValid(address)) return "";
  const parsed = ipaddr.process(address);
  const [bytes, prefixBytes] = [parsed.toByteArray(), parsed.kind() === "ipv4" ? 3 : 6];
  return `${ipaddr.fromByteArray(bytes.map((byte, at) => (at < prefixBytes ? byte : 0)))}/${prefixBytes * 8}`;
}
