import assert from "node:assert/strict";
import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { test } from "node:test";
import { opened } from "./socket-opening.ts";

const { signal } = new AbortController();

/** A server on loopback that does with each connection what `behave` says. */
async function listening(t: { after(close: () => unknown): void }, behave: (socket: Socket) => void) {
  const server = createServer((socket) => behave(socket.on("error", () => {})));
  await once(server.listen(0, "127.0.0.1"), "listening");
  t.after(() => server.close());
  return (server.address() as AddressInfo).port;
}

test("opened() gives a socket that the other end may reset although nobody listens", async (t) => {
  const port = await listening(t, (socket) => socket.once("data", () => socket.resetAndDestroy()));
  const socket = await opened(connect(port, "127.0.0.1"), "connect", signal);
  const { promise, resolve } = Promise.withResolvers<void>();
  socket.on("close", () => resolve()).write("reset me"); // not once(), which listens to errors too
  await promise;
});

test("opened() destroys a socket that is not open in time, whatever comes after", async (t) => {
  const port = await listening(t, (socket) => socket.resetAndDestroy());
  const socket = connect(port, "127.0.0.1");
  await assert.rejects(opened(socket, "connect", AbortSignal.abort(new Error("too late"))), /too late/);
  assert.equal(socket.destroyed, true);
});
