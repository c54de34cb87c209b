import assert from "node:assert/strict";
import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { buffer } from "node:stream/consumers";
import { test } from "node:test";
import { openServer } from "./server.ts";

const LARGE = new Uint8Array(40_000_000).fill(97);

const serve = (fetch: () => Response | Promise<Response>) =>
  openServer(fetch, { host: "127.0.0.1", port: 0, maxConnections: 100, onFault: assert.ifError });

async function asking(port: number, text: string): Promise<Socket> {
  const socket = connect(port, "127.0.0.1");
  await once(socket, "connect");
  socket.write(text);
  return socket;
}

test("close() lets an answer that is still leaving reach its slow reader whole", async () => {
  const server = await serve(() => new Response(LARGE));
  const socket = await asking(server.port, "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n");
  await once(socket, "readable");
  const closed = server.close(10_000);
  const text = (await buffer(socket)).toString("latin1");
  assert.equal(text.length - text.indexOf("\r\n\r\n") - 4, LARGE.length);
  await closed;
});

test("close() waits for an answer that is being made", async () => {
  const { promise: asked, resolve: tellAsked } = Promise.withResolvers<void>();
  const { promise: answer, resolve: giveAnswer } = Promise.withResolvers<Response>();
  const server = await serve(() => {
    tellAsked();
    return answer;
  });
  const socket = await asking(server.port, "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n");
  await asked;
  const closed = server.close(10_000);
  giveAnswer(new Response("late"));
  assert.match((await buffer(socket)).toString(), /\r\n\r\nlate$/);
  await closed;
});

test("close() does not wait for connections on which nothing is answered", async () => {
  const server = await serve(() => new Response("ok"));
  const idle = await asking(server.port, "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n");
  await once(idle, "data");
  const half = await asking(server.port, "GET / HTTP/1.1\r\nHost:");
  const silent = await asking(server.port, "");
  const third = await asking(server.port, "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n");
  await once(third, "data"); // by now the connections before it are known to the server
  const ends = [idle, half, silent, third].map((socket) => once(socket.resume(), "close"));
  await server.close(600_000);
  await Promise.all(ends);
});

test("close() cuts connections at the deadline whose client does not read", async () => {
  const server = await serve(() => new Response(LARGE));
  const socket = await asking(server.port, "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n");
  await once(socket, "readable");
  await server.close(1);
  socket.destroy();
});

test("openServer() answers a client that has closed its half of the connection, also when the answer takes a moment", async () => {
  const { promise: ended, resolve: tellEnded } = Promise.withResolvers<void>();
  const server = await serve(async () => {
    await ended;
    for (let turn = 0; turn < 10; turn++) await new Promise(setImmediate); // the end of the request has arrived by now
    return new Response("late");
  });
  const socket = await asking(server.port, "GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
  socket.end(tellEnded);
  assert.match((await buffer(socket)).toString(), /\r\n\r\nlate$/);
  await server.close(1000);
});

for (const [what, text, deadlines] of [
  ["headers", "GET / HTTP/1.1\r\nHost:", { headersMs: 20, requestMs: 600_000 }],
  ["a body", "POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 10\r\n\r\nfive5", { headersMs: 20, requestMs: 40 }],
] as const) {
  test(`openServer() answers 408 to what does not arrive in time: ${what}`, async () => {
    const server = await openServer(async (request) => new Response(await request.text().catch(() => "")), {
      ...{ host: "127.0.0.1", port: 0, maxConnections: 100, onFault: assert.ifError },
      deadlines: { ...deadlines, checkedEveryMs: 10 },
    });
    const answer = (await buffer(await asking(server.port, text))).toString();
    assert.match(answer, /^HTTP\/1\.1 408 Request Timeout\r\n/);
    assert.match(answer, /\r\n\r\n\{"error":"The request did not arrive in time"\}$/);
    await server.close(1_000);
  });
}

for (const [what, fields, more] of [
  ["after one that ends the connection", "Connection: close\r\n", "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n"],
  ["that are no request", "", "\0\0 nonsense\r\n\r\n"],
] as const) {
  test(`openServer() answers a request whole although bytes follow it ${what}`, async () => {
    const { promise: answer, resolve: giveAnswer } = Promise.withResolvers<Response>();
    const server = await serve(() => answer);
    const socket = await asking(server.port, `GET / HTTP/1.1\r\nHost: localhost\r\n${fields}\r\n`);
    socket.write(more);
    const other = await asking(server.port, "GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
    giveAnswer(new Response("late"));
    const text = (await buffer(socket)).toString();
    assert.match(text, /^HTTP\/1\.1 200 [\s\S]*\r\nconnection: close\r\n[\s\S]*\r\n\r\nlate$/i);
    assert.equal(text.split("HTTP/1.1").length, 2);
    await buffer(other);
    await server.close(10_000);
  });
}
