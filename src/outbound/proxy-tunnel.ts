/** Tunnels through an HTTP proxy (RFC 9110 §9.3.6), for networks whose only way out is a proxy. */
import { connect as connectTcp, isIP, type Socket } from "node:net";
import { connect as connectTls } from "node:tls";
import { errorCode, ownWords } from "../lib/own-words.ts";
import { NoConnection, opened } from "./socket-opening.ts";

const MAX_HEAD_BYTES = 8 * 1024;

/** Opens a tunnel to an address. Every failure is local, because the operator chose the proxy. */
export async function dialThroughProxy(
  proxy: URL,
  { address, port }: { readonly address: string; readonly port: number },
  signal: AbortSignal,
): Promise<Socket> {
  let socket: Socket | undefined;
  try {
    socket = await dialProxy(proxy, signal);
    const target = isIP(address) === 6 ? `[${address}]:${port}` : `${address}:${port}`;
    socket.write(`CONNECT ${target} HTTP/1.1\r\nHost: ${target}\r\n${authorization(proxy)}\r\n`);
    const status = await readStatus(socket, signal);
    if (status < 200 || status > 299) throw new NoConnection("ours", ownWords`it answered ${status}`);
    return socket;
  } catch (error) {
    socket?.destroy();
    const why = error instanceof NoConnection ? error.reason : (errorCode(error) ?? ownWords`no answer`);
    throw new NoConnection("ours", ownWords`No tunnel through the proxy (${why})`, error);
  }
}

async function dialProxy(proxy: URL, signal: AbortSignal): Promise<Socket> {
  const host = proxy.hostname.replace(/^\[|\]$/g, "");
  if (proxy.protocol === "https:") {
    const port = Number(proxy.port || 443);
    return await opened(connectTls({ host, port, servername: isIP(host) === 0 ? host : "" }), "secureConnect", signal);
  }
  return await opened(connectTcp({ host, port: Number(proxy.port || 80) }), "connect", signal);
}

function authorization({ username, password }: URL): string {
  if (username === "") return "";
  const credentials = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  return `Proxy-Authorization: Basic ${Buffer.from(credentials).toString("base64")}\r\n`;
}

/** The status of the proxy's answer. Nothing may follow its head, because in TLS the client speaks first. */
async function readStatus(socket: Socket, signal: AbortSignal): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  let head = "";
  const read = (chunk: Buffer) => {
    head += chunk.toString("latin1");
    if (head.length > MAX_HEAD_BYTES) return reject(new NoConnection("ours", ownWords`its answer is too long`));
    if (head.includes("\r\n\r\n")) resolve(Number(/^HTTP\/1\.[01] (\d{3})/.exec(head)?.[1] ?? 0));
  };
  const close = () => reject(new NoConnection("ours", ownWords`it closed the connection`));
  const abort = () => reject(signal.reason);
  socket.on("data", read).once("close", close).once("error", reject);
  signal.addEventListener("abort", abort, { once: true });
  try {
    return await promise;
  } finally {
    signal.removeEventListener("abort", abort);
    socket.off("data", read).off("close", close).off("error", reject).pause();
  }
}
