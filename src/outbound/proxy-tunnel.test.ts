import assert from "node:assert/strict";
import { once } from "node:events";
import { type AddressInfo, createServer, type Socket } from "node:net";
import { test } from "node:test";
import { dialThroughProxy } from "./proxy-tunnel.ts";

const { signal } = new AbortController();
const TARGET = { address: "192.0.2.1", port: 443 };

/** A proxy that answers CONNECT in its own way. */
async function openProxy(t: { after(close: () => unknown): void }, answer: (socket: Socket) => void) {
  const server = createServer((socket) => socket.on("error", () => {}).once("data", () => answer(socket)));
  await once(server.listen(0, "127.0.0.1"), "listening");
  t.after(() => server.close());
  return { server, url: new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}`) };
}

for (const [what, answer] of [
  ["refuses", "HTTP/1.1 403 Forbidden\r\n\r\n"],
  ["says too much", "x".repeat(20_000)],
] as const) {
  test(`dialThroughProxy() closes the connection to a proxy that ${what}`, async (t) => {
    const { server, url } = await openProxy(t, (socket) => socket.write(answer));
    const [[accepted], error] = await Promise.all([
      once(server, "connection"),
      dialThroughProxy(url, TARGET, signal).catch((fault: unknown) => fault),
    ]);
    assert.match(String(error), /No tunnel through the proxy/);
    if (!accepted.closed) await once(accepted.resume(), "close");
  });
}

test("dialThroughProxy() gives a tunnel that the proxy may reset although nobody listens", async (t) => {
  const { url } = await openProxy(t, (socket) => {
    socket.write("HTTP/1.1 200 OK\r\n\r\n");
    socket.once("data", () => socket.resetAndDestroy());
  });
  const tunnel = await dialThroughProxy(url, TARGET, signal);
  const { promise, resolve } = Promise.withResolvers<void>();
  tunnel.on("close", () => resolve()).write("reset me"); // not once(), which listens to errors too
  await promise;
});
