/**
 * A TLS connection to a callback's host, by way of an address that was judged: one resolution, every address of it
 * classified, and the socket opened to a literal address, so that no second look-up can answer otherwise.
 */
import { connect as connectTcp, isIP, type Socket } from "node:net";
import { connect as connectTls, createSecureContext, type TLSSocket } from "node:tls";
import { type AddressRange, isAllowed, mayReach } from "./address-class.ts";
import { bareHost } from "./callback-url.ts";
import type { NameResolution } from "./name-resolution.ts";
import { dialThroughProxy } from "./proxy-tunnel.ts";
import { NoConnection, opened } from "./socket-opening.ts";

export interface ConnectorParts {
  readonly resolution: NameResolution;
  readonly allowed: readonly AddressRange[];
  readonly timeoutMs: number;
  /** A proxy that is asked to CONNECT to the judged address: a second wall. */
  readonly proxyUrl?: string | undefined;
  /** Whether an address that is public is to be left alone just now. */
  readonly isHeld: (address: string) => boolean;
}

/** A connection that is open, and the address at its other end. */
interface VettedConnection {
  readonly socket: TLSSocket;
  readonly address: string;
}

/** Connects to `hostname`; rejects with NoConnection, at the latest when `timeoutMs` are over. */
export type Connector = (hostname: string, port: number) => Promise<VettedConnection>;

/** How many addresses of one host are tried. */
const MOST_ADDRESSES = 4;

/** Errors of connecting that say something of this machine and nothing of the other. */
const OUR_ERRORS = new Set([
  "ENETUNREACH",
  "ENETDOWN",
  "EADDRNOTAVAIL",
  "EMFILE",
  "ENFILE",
  "ENOBUFS",
  "ENOMEM",
  "EPERM",
]);

/** Makes a connector. The trusted authorities are those of the process. */
export function makeConnector(parts: ConnectorParts): Connector {
  const { allowed, proxyUrl, resolution, timeoutMs } = parts;
  const secureContext = createSecureContext();

  return async (hostname, port) => {
    const host = bareHost(hostname);
    const deadline = new AbortController();
    const timer = setTimeout(() => deadline.abort(new NoConnection("theirs", "No connection in time")), timeoutMs);
    try {
      const addresses = await vettedAddresses(host, deadline.signal);
      let last: unknown;
      for (const [index, address] of addresses.entries()) {
        const share = (timeoutMs / 2) * (index === addresses.length - 1 ? 2 : 1);
        try {
          const plain = await dial(address, port, AbortSignal.any([deadline.signal, AbortSignal.timeout(share)]));
          return { socket: await secure(plain, host, deadline.signal), address };
        } catch (error) {
          last = last instanceof NoConnection && last.fault === "theirs" ? last : blame(error);
          if (deadline.signal.aborted) break;
        }
      }
      throw last;
    } finally {
      clearTimeout(timer);
    }
  };

  async function vettedAddresses(host: string, signal: AbortSignal): Promise<string[]> {
    const addresses = await resolved(host, signal);
    const vetted = addresses.filter((address) => mayReach(address, allowed));
    if (vetted.length === 0) throw new NoConnection("theirs", "The host has no public address");
    const free = vetted.filter((address) => isAllowed(address, allowed) || !parts.isHeld(address));
    if (free.length === 0) throw new NoConnection("held", "The address is left alone for a while");
    return free.slice(0, MOST_ADDRESSES);
  }

  async function resolved(host: string, signal: AbortSignal): Promise<string[]> {
    try {
      return await beforeAbort(resolution.resolve(host, signal), signal);
    } catch (error) {
      const { code = "" } = error as NodeJS.ErrnoException;
      const isDead = code === "ENOTFOUND" || code === "ENODATA";
      if (isDead || (await resolution.isAnswering())) {
        throw new NoConnection("theirs", `The host's name cannot be resolved (${code || "no answer"})`, error);
      }
      throw new NoConnection("ours", "Our own resolver does not answer", error);
    }
  }

  async function dial(address: string, port: number, signal: AbortSignal): Promise<Socket> {
    if (proxyUrl === undefined) return await opened(connectTcp({ host: address, port }), "connect", signal);
    return await dialThroughProxy(new URL(proxyUrl), { address, port }, signal);
  }

  async function secure(socket: Socket, host: string, signal: AbortSignal): Promise<TLSSocket> {
    const servername = isIP(host) === 0 ? host : "";
    // Errors of the plain socket come by way of the other; it only must not be without a listener.
    socket.on("error", () => {});
    const tls = connectTls({ socket, host, servername, secureContext, ALPNProtocols: ["http/1.1"] });
    return await opened(tls, "secureConnect", signal);
  }
}

function blame(error: unknown): NoConnection {
  if (error instanceof NoConnection) return error;
  const { code = "", name } = error as NodeJS.ErrnoException;
  if (OUR_ERRORS.has(code)) return new NoConnection("ours", `This machine cannot connect (${code})`, error);
  return new NoConnection(
    "theirs",
    name === "TimeoutError" ? "No connection in time" : `No connection (${code})`,
    error,
  );
}

function beforeAbort<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  signal.addEventListener("abort", () => reject(signal.reason), { once: true });
  return Promise.race([promise, aborted]);
}
