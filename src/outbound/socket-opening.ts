/** Waits for sockets to open, and attributes failures to the host or to this machine. */
import type { Socket } from "node:net";
import { type OwnWords, ownWords } from "../lib/own-words.ts";

/** No connection was made. `paused`: the address is not contacted for a while; `busy`: it has no free slot. */
export class NoConnection extends Error {
  override readonly name = "NoConnection";
  readonly fault: "theirs" | "ours" | "paused" | "busy";
  readonly reason: OwnWords;

  constructor(fault: NoConnection["fault"], reason: OwnWords, cause?: unknown) {
    super(reason, { cause });
    this.fault = fault;
    this.reason = reason;
  }
}

/** All addresses of the host are private, local or reserved. */
export class PrivateAddress extends NoConnection {
  readonly host: string;

  constructor(host: string) {
    super("theirs", ownWords`The host has no public address`);
    this.host = host;
  }
}

/**
 * Waits until a socket is open; destroys it if that fails or is aborted. The socket keeps a listener for errors, because
 * an error without one would end the process; every error also closes it.
 */
export function opened<S extends Socket>(
  socket: S,
  event: "connect" | "secureConnect",
  signal: AbortSignal,
): Promise<S> {
  const { promise, resolve, reject } = Promise.withResolvers<S>();
  const fail = (error: unknown) => {
    socket.destroy();
    reject(error);
  };
  const abort = () => fail(signal.reason);
  const close = () => fail(new NoConnection("theirs", ownWords`The connection was closed before it was open`));
  signal.addEventListener("abort", abort, { once: true });
  socket.on("error", () => {});
  socket.once("error", fail).once("close", close);
  socket.once(event, () => {
    signal.removeEventListener("abort", abort);
    socket.off("error", fail).off("close", close).setNoDelay(true);
    resolve(socket);
  });
  if (signal.aborted) abort();
  return promise;
}
