import assert from "node:assert/strict";
import { connect, createServer } from "node:net";
import { test } from "node:test";
import { listening } from "../../test/support/loopback.ts";
import { opened } from "./socket-opening.ts";

const { signal } = new AbortController();

test("opened() gives a socket that the other end may reset although nobody listens", async () => {
  await using server = await listening(createServer((socket) => socket.once("data", () => socket.resetAndDestroy())));
  const socket = await opened(connect(server.port, "127.0.0.1"), "connect", signal);
  const { promise, resolve } = Promise.withResolvers<void>();
  socket.on("close", () => resolve()).write("reset me"); // not once(), which listens to errors too
  await promise;
});

test("opened() destroys a socket that is not open in time, whatever comes after", async () => {
  await using server = await listening(createServer((socket) => socket.resetAndDestroy()));
  const socket = connect(server.port, "127.0.0.1");
  await assert.rejects(opened(socket, "connect", AbortSignal.abort(new Error("too late"))), /too late/);
  assert.equal(socket.destroyed, true);
});
