/**
 * Connections to hosts through vetted addresses: the name is resolved once, every address is classified, and the
 * socket is opened to a literal address, so that no second look-up can answer differently.
 */
import { connect as connectTcp, isIP, type Socket } from "node:net";
import { connect as connectTls, createSecureContext, type TLSSocket } from "node:tls";
import { lru } from "tiny-lru";
import { errorCode, ownWords } from "../lib/own-words.ts";
import { type AddressRange, bareHost, isAllowed, mayReach } from "./address-class.ts";
import type { NameResolution } from "./name-resolution.ts";
import { dialThroughProxy } from "./proxy-tunnel.ts";
import { NoConnection, opened, PrivateAddress } from "./socket-opening.ts";

export interface ConnectorParts {
  readonly resolution: NameResolution;
  readonly allowed: readonly AddressRange[];
  readonly timeoutMs: number;
  /** An HTTP proxy that tunnels to the vetted address. */
  readonly proxyUrl?: string | undefined;
  /** How far this machine's clock is ahead of the true time, in milliseconds; 0 if unknown. */
  readonly clockAheadMs?: (() => number) | undefined;
}

/** Decides which vetted addresses may be used now. */
export interface AddressGate {
  /** Whether a public address is paused. */
  isPaused(address: string): boolean;
  /** Reserves a request to the address; false if it has no free slot. */
  claim(address: string): boolean;
}

/** An open connection, and the address at its other end. */
interface VettedConnection {
  readonly socket: Socket;
  readonly address: string;
}

/** A host to connect to. */
interface Target {
  readonly hostname: string;
  readonly port: number;
  readonly protocol?: string | undefined;
  /** Whether the address must be public, so that `allowed` counts for nothing. */
  readonly publicOnly?: boolean;
}

/** Connects to a host, with TLS unless `protocol` is `http:`; rejects with NoConnection, at the latest after `timeoutMs`. */
export type Connector = (target: Target, gate: AddressGate) => Promise<VettedConnection>;

/** Addresses of one host that are tried. */
const MAX_ADDRESSES = 4;

/** Connection errors that are caused by this machine, not by the host. */
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

/** The errors by which a machine with a wrong clock refuses a valid certificate. */
const CERTIFICATE_DATE_ERRORS = new Set(["CERT_HAS_EXPIRED", "CERT_NOT_YET_VALID"]);
const MAX_CLOCK_ERROR_MS = 60_000;

/** TLS sessions remembered for resumption. */
const MAX_SESSIONS = 2000;

/** Makes a connector. It trusts the certificate authorities of the process. */
export function makeConnector(parts: ConnectorParts): Connector {
  const { allowed, clockAheadMs = () => 0, proxyUrl, resolution, timeoutMs } = parts;
  const secureContext = createSecureContext();
  /** By host and port: a session is resumed with the host whose certificate was verified when it began. */
  const sessions = lru<Buffer>(MAX_SESSIONS);

  return async ({ hostname, port, protocol, publicOnly = false }, gate) => {
    const host = bareHost(hostname);
    const deadline = new AbortController();
    const timer = setTimeout(
      () => deadline.abort(new NoConnection("theirs", ownWords`No connection in time`)),
      timeoutMs,
    );
    try {
      const addresses = await vettedAddresses(host, gate, {
        ranges: publicOnly ? [] : allowed,
        signal: deadline.signal,
      });
      let last: NoConnection | undefined;
      for (const [index, address] of addresses.entries()) {
        if (!gate.claim(address)) {
          last = new NoConnection("busy", ownWords`The address has no free slot`);
          continue;
        }
        const share = (timeoutMs / 2) * (index === addresses.length - 1 ? 2 : 1);
        try {
          const plain = await dial(address, port, AbortSignal.any([deadline.signal, AbortSignal.timeout(share)]));
          const socket = protocol === "http:" ? plain : await secure(plain, { host, port }, deadline.signal);
          return { socket, address };
        } catch (error) {
          last = worse(last, attribute(error, Math.abs(clockAheadMs()) > MAX_CLOCK_ERROR_MS));
          if (deadline.signal.aborted) break;
        }
      }
      throw last;
    } finally {
      clearTimeout(timer);
    }
  };

  async function vettedAddresses(
    host: string,
    gate: AddressGate,
    { ranges, signal }: { readonly ranges: readonly AddressRange[]; readonly signal: AbortSignal },
  ): Promise<string[]> {
    const addresses = await resolved(host, signal);
    const vetted = addresses.filter((address) => mayReach(address, ranges));
    if (vetted.length === 0) throw new PrivateAddress(host);
    const free = vetted.filter((address) => isAllowed(address, allowed) || !gate.isPaused(address));
    if (free.length === 0) throw new NoConnection("paused", ownWords`The address is not contacted for a while`);
    return free.slice(0, MAX_ADDRESSES);
  }

  async function resolved(host: string, signal: AbortSignal): Promise<string[]> {
    try {
      return await beforeAbort(resolution.resolve(host, signal), signal);
    } catch (error) {
      const code = errorCode(error) ?? ownWords`no answer`;
      const isUnknownName = code === "ENOTFOUND" || code === "ENODATA";
      if (isUnknownName || (await resolution.isAnswering())) {
        throw new NoConnection("theirs", ownWords`The host's name cannot be resolved (${code})`, error);
      }
      throw new NoConnection("ours", ownWords`Our own resolver does not answer`, error);
    }
  }

  async function dial(address: string, port: number, signal: AbortSignal): Promise<Socket> {
    if (proxyUrl === undefined) return await opened(connectTcp({ host: address, port }), "connect", signal);
    return await dialThroughProxy(new URL(proxyUrl), { address, port }, signal);
  }

  async function secure(
    socket: Socket,
    { host, port }: { readonly host: string; readonly port: number },
    signal: AbortSignal,
  ): Promise<TLSSocket> {
    const servername = isIP(host) === 0 ? host : "";
    const name = `${host}:${port}`;
    const session = sessions.get(name);
    const tls = connectTls({
      ...{ socket, host, servername, secureContext, ALPNProtocols: ["http/1.1"] },
      ...(session === undefined ? {} : { session }),
    });
    tls.on("session", (ticket: Buffer) => sessions.set(name, ticket));
    return await opened(tls, "secureConnect", signal);
  }
}

/** Chooses the more relevant of two failures: the host's own before local ones, and a busy address first. */
function worse(one: NoConnection | undefined, other: NoConnection): NoConnection {
  if (one === undefined) return other;
  const order: readonly NoConnection["fault"][] = ["busy", "theirs", "ours", "paused"];
  return order.indexOf(one.fault) <= order.indexOf(other.fault) ? one : other;
}

/** Attributes a failure to the host or to this machine. */
function attribute(error: unknown, isClockWrong: boolean): NoConnection {
  if (error instanceof NoConnection) return error;
  const code = errorCode(error) ?? ownWords`no code`;
  if (isClockWrong && CERTIFICATE_DATE_ERRORS.has(code))
    return new NoConnection(
      "ours",
      ownWords`The clock of this machine is wrong, so certificates seem invalid (${code})`,
      error,
    );
  if (OUR_ERRORS.has(code)) return new NoConnection("ours", ownWords`This machine cannot connect (${code})`, error);
  return new NoConnection(
    "theirs",
    (error as Error).name === "TimeoutError" ? ownWords`No connection in time` : ownWords`No connection (${code})`,
    error,
  );
}

function beforeAbort<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  signal.addEventListener("abort", () => reject(signal.reason), { once: true });
  return Promise.race([promise, aborted]);
}
