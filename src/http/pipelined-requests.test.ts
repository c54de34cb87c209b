import assert from "node:assert/strict";
import { once } from "node:events";
import { connect } from "node:net";
import { buffer } from "node:stream/consumers";
import { test } from "node:test";
import { openServer, type RunningServer } from "./server.ts";

const GET = "GET /nothing HTTP/1.1\r\nHost: localhost\r\n\r\n";
const COUNT = 6_000;
/** Node reads up to 64 KiB from a socket and parses them as a whole. */
const MAX_OF_READ = Math.ceil(65_536 / GET.length);

/** A server that counts how many requests are begun in one turn of the event loop, and how many are under way. */
async function openCounting(answer: (request: Request) => Response | Promise<Response>) {
  const counts = { ofTurn: 0, mostOfTurn: 0, begun: 0 };
  const fetch = (request: Request) => {
    if (counts.ofTurn === 0) setImmediate(() => (counts.ofTurn = 0));
    counts.ofTurn++;
    counts.begun++;
    counts.mostOfTurn = Math.max(counts.mostOfTurn, counts.ofTurn);
    return answer(request);
  };
  const server = await openServer(fetch, { host: "127.0.0.1", port: 0, maxConnections: 100, onFault: assert.ifError });
  await server.prepare();
  return { server, counts };
}

async function connected({ port }: RunningServer) {
  const socket = connect(port, "127.0.0.1").setNoDelay();
  await once(socket, "connect");
  return socket;
}

test("thousands of requests in one piece are answered, in order, those of one read in each turn of the event loop", async (t) => {
  let next = 0;
  const { server, counts } = await openCounting(() => new Response(`number ${next++};`));
  t.after(() => server.close(0));
  const socket = await connected(server);
  socket.end(GET.repeat(COUNT));
  const received = (await buffer(socket)).toString("latin1");
  assert.deepEqual(
    [...received.matchAll(/number (\d+);/g)].map(([, number]) => Number(number)),
    Array.from({ length: COUNT }, (_, index) => index),
  );
  assert.ok(counts.mostOfTurn <= MAX_OF_READ, `${counts.mostOfTurn} in one turn`);
});

test("a client that reads no answer has few of its requests begun, and gets all answers once it reads", async (t) => {
  const { server, counts } = await openCounting(() => new Response("x".repeat(5_000)));
  t.after(() => server.close(0));
  const socket = await connected(server);
  socket.pause();
  socket.write(GET.repeat(COUNT));
  const probe = await connected(server);
  for (let round = 0; round < 20; round++) {
    probe.write(GET);
    await once(probe, "data");
  }
  probe.destroy();
  assert.ok(counts.begun <= 2 * MAX_OF_READ, `${counts.begun} begun`);
  socket.resume();
  socket.end();
  const received = (await buffer(socket)).toString("latin1");
  assert.equal(received.split("HTTP/1.1 200 OK").length - 1, COUNT);
});

test("requests wait for the answers to those before, and go on with them", async (t) => {
  const waiting: ((response: Response) => void)[] = [];
  const { server, counts } = await openCounting(() => new Promise((resolve) => waiting.push(resolve)));
  t.after(() => server.close(0));
  const socket = await connected(server);
  socket.end(GET.repeat(COUNT));
  const received = buffer(socket);
  for (let turn = 0; turn < 100; turn++) await new Promise(setImmediate);
  assert.ok(counts.begun > 0 && counts.begun <= MAX_OF_READ, `${counts.begun} begun`);
  let answered = 0;
  while (answered < COUNT) {
    for (const resolve of waiting.splice(0)) {
      resolve(new Response("done"));
      answered++;
    }
    await new Promise(setImmediate);
  }
  assert.equal((await received).toString("latin1").split("done").length - 1, COUNT);
});

test("bodies in large pieces arrive whole, with what follows them", async (t) => {
  const { server } = await openCounting(async (request) => new Response(`${(await request.text()).length};`));
  t.after(() => server.close(0));
  const socket = await connected(server);
  const body = "b".repeat(60_000);
  const post = `POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
  socket.end(post.repeat(5) + GET);
  const received = (await buffer(socket)).toString("latin1");
  assert.deepEqual(received.match(/\d+;/g), ["60000;", "60000;", "60000;", "60000;", "60000;", "0;"]);
});
