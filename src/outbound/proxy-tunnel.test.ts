import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer, type Socket } from "node:net";
import { test } from "node:test";
import { listening } from "../../test/support/loopback.ts";
import { dialThroughProxy } from "./proxy-tunnel.ts";

const { signal } = new AbortController();
const TARGET = { address: "192.0.2.1", port: 443 };

/** A proxy that answers CONNECT in its own way. */
async function openProxy(answer: (socket: Socket) => void) {
  const server = createServer((socket) => socket.once("data", () => answer(socket)));
  const { port, ...listens } = await listening(server);
  return { ...listens, server, url: new URL(`http://127.0.0.1:${port}`) };
}

for (const [what, answer] of [
  ["refuses", "HTTP/1.1 403 Forbidden\r\n\r\n"],
  ["says too much", "x".repeat(20_000)],
] as const) {
  test(`dialThroughProxy() closes the connection to a proxy that ${what}`, async () => {
    await using proxy = await openProxy((socket) => socket.write(answer));
    const [[accepted], error] = await Promise.all([
      once(proxy.server, "connection"),
      dialThroughProxy(proxy.url, TARGET, signal).catch((fault: unknown) => fault),
    ]);
    assert.match(String(error), /No tunnel through the proxy/);
    if (!accepted.closed) await once(accepted.resume(), "close");
  });
}

test("dialThroughProxy() gives a tunnel that the proxy may reset although nobody listens", async () => {
  await using proxy = await openProxy((socket) => {
    socket.write("HTTP/1.1 200 OK\r\n\r\n");
    socket.once("data", () => socket.resetAndDestroy());
  });
  const tunnel = await dialThroughProxy(proxy.url, TARGET, signal);
  const { promise, resolve } = Promise.withResolvers<void>();
  tunnel.on("close", () => resolve()).write("reset me"); // not once(), which listens to errors too
  await promise;
});
