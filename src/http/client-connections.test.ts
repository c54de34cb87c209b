import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer } from "node:http";
import { connect, type Socket } from "node:net";
import { buffer } from "node:stream/consumers";
import { describe, test } from "node:test";
import { listening } from "../../test/support/loopback.ts";
import { watchConnections } from "./client-connections.ts";
import { openServer } from "./server.ts";

const HEAD = "HTTP/1.1\r\nHost: localhost\r\n";
const GET = `GET / ${HEAD}\r\n`;
const CONNECT = `CONNECT a:1 ${HEAD}\r\n`;
const UPGRADE = `Connection: Upgrade\r\nUpgrade: websocket\r\n`;

/** A server with the paths of the requests that it has begun. */
async function serve(t: { after(close: () => unknown): void }, answer: Answer, maxConnections = 1_000) {
  const begun: string[] = [];
  const fetch = (request: Request) => {
    begun.push(new URL(request.url).pathname);
    return answer(request);
  };
  const server = await openServer(fetch, { host: "", port: 0, onFault: assert.ifError, maxConnections });
  await server.prepare();
  t.after(() => server.close(0));
  return { port: server.port, begun, server };
}

type Answer = (request: Request) => Response | Promise<Response>;
const ok: Answer = () => new Response("ok");
/** An answer that does not end. */
const endless: Answer = () =>
  new Response(new ReadableStream({ start: (stream) => stream.enqueue(new Uint8Array(9)) }));

async function connected(port: number, localAddress = "127.0.0.1"): Promise<Socket> {
  const socket = connect({ port, host: "127.0.0.1", localAddress }).on("error", () => {});
  await once(socket, "connect");
  return socket;
}

/** A connection on which an answer has begun. */
async function answered(port: number, localAddress?: string, text = GET): Promise<Socket> {
  const socket = await connected(port, localAddress);
  socket.write(text);
  await once(socket, "readable");
  return socket;
}

/** Closed by the server; read, because the end is seen by reading only. */
const closed = async (socket: Socket) => void (socket.closed || (await once(socket.resume(), "close")));

describe("at the limit of connections", () => {
  const OTHER = "127.0.0.2";

  test("a client that keeps all of them idle does not shut out another", async (t) => {
    const { port } = await serve(t, ok, 300);
    const idle: Socket[] = [];
    for (let count = 0; count < 310; count++) idle.push((await answered(port)).resume());
    for (let count = 0; count < 20; count++) {
      const socket = await connected(port, OTHER);
      socket.end(GET);
      assert.match(String(await buffer(socket)), /^HTTP\/1\.1 200 /);
    }
    for (const socket of idle) socket.destroy();
  });

  test("the longest idle connection of the client that has the most is closed", async (t) => {
    const { port, server } = await serve(t, ok, 4);
    const others = await answered(port, OTHER);
    const [first, second, third] = [await answered(port), await answered(port), await answered(port)];
    first.read();
    first.write(GET); // now the second is idle for longest
    await once(first, "readable");
    const next = await answered(port, "127.0.0.3");
    await closed(second);
    assert.equal(server.connections(), 4);
    for (const socket of [others, first, third, next]) {
      assert.equal(socket.destroyed, false);
      socket.read();
      socket.write(GET);
      await once(socket, "readable");
      socket.destroy();
    }
  });

  test("a client that keeps all of them busy does not shut out another, but has no more itself", async (t) => {
    const { port, server } = await serve(t, endless, 3);
    const [first, second, third] = [await answered(port), await answered(port), await answered(port)];
    const refused = String(await buffer(await connected(port)));
    assert.match(refused, /^HTTP\/1\.1 503 Service Unavailable\r\n/);
    assert.match(refused, /\r\nRetry-After: 2\r\n/);
    assert.match(refused, /\r\n\r\n\{"error":"There are too many connections; try again in a moment"\}$/);
    const other = await answered(port, OTHER);
    await closed(first);
    assert.match(String(await buffer(await connected(port, OTHER))), /^HTTP\/1\.1 503 /); // it has its share
    assert.match(String(await buffer(await connected(port))), /^HTTP\/1\.1 503 /);
    assert.equal(server.connections(), 3);
    for (const socket of [second, third, other]) {
      assert.equal(socket.destroyed, false);
      socket.resetAndDestroy();
    }
    while (server.connections() > 0) await new Promise(setImmediate);
    (await answered(port)).resetAndDestroy(); // there is room again
  });
});

describe("at the limit of connections, of equals", () => {
  const UPLOAD = `POST /upload ${HEAD}Content-Length: 9\r\n\r\nfour`;
  const MAX = 40;
  /** Begins reading the body, which does not come, and answers `/slow` never. */
  const waits: Answer = async (request) =>
    request.url.endsWith("/slow")
      ? await new Promise<Response>(() => {})
      : new Response(await request.text().catch(() => ""));

  type Served = Awaited<ReturnType<typeof serve>>;

  /** A connection from each address, with a request that the server has begun. */
  async function begin({ port, begun }: Omit<Served, "server">, addresses: readonly string[], text: string) {
    const sockets: Socket[] = [];
    for (const address of addresses) {
      const before = begun.length;
      const socket = await connected(port, address);
      sockets.push(socket.on("readable", () => {}));
      socket.write(text);
      while (begun.length === before && socket.readableLength === 0) await new Promise(setImmediate);
      socket.removeAllListeners("readable");
      assert.equal(begun.length, before + 1, `${address} is refused`);
    }
    return sockets;
  }
  const statusOf = async (port: number, address: string) => {
    const socket = await answered(port, address);
    const status = String(socket.read()).slice("HTTP/1.1 ".length, "HTTP/1.1 200".length);
    socket.resetAndDestroy();
    return status;
  };
  /** Addresses of as many networks, each far from the others. */
  const apart = (count: number) => Array.from({ length: count }, (_, index) => `127.1.${index + 1}.1`);
  const together = (count: number) => Array.from({ length: count }, (_, index) => `127.2.2.${index + 1}`);

  test("the request that waits for its own client for longest ends before a newcomer is refused", async (t) => {
    const { port, begun, server } = await serve(t, waits, MAX);
    const [first, second, ...others] = await begin({ port, begun }, apart(MAX), UPLOAD);
    assert.equal(await statusOf(port, "127.0.0.9"), "200");
    await closed(first as Socket);
    assert.equal(second?.destroyed, false);
    assert.ok(server.connections() >= MAX - 1);
    for (const socket of [second, ...others]) socket?.resetAndDestroy();
  });

  test("an answer that its client does not read ends, too", async (t) => {
    const { port, begun } = await serve(t, () => new Response("x".repeat(20_000_000)), 3);
    const [first, ...others] = await begin({ port, begun }, apart(3), GET);
    const refused = await statusOf(port, "127.0.0.9");
    assert.equal(refused, "200");
    await closed(first as Socket);
    for (const socket of others) socket.resetAndDestroy();
  });

  test("no request ends that waits for the server", async (t) => {
    const { port, begun } = await serve(t, waits, 3);
    const sockets = await begin({ port, begun }, apart(3), `GET /slow ${HEAD}\r\n`);
    assert.equal(await statusOf(port, "127.0.0.9"), "503");
    for (const socket of sockets) {
      assert.equal(socket.destroyed, false);
      socket.resetAndDestroy();
    }
  });

  test("those in one wide network count together, whatever they wait for", async (t) => {
    const { port, begun } = await serve(t, waits, MAX);
    const slow = `GET /slow ${HEAD}\r\n`;
    const alone = await begin({ port, begun }, ["127.0.0.9"], slow);
    const crowd = await begin({ port, begun }, together(MAX - 1), slow);
    const idle = await begin({ port, begun }, ["127.3.3.3"], UPLOAD);
    await closed(crowd[0] as Socket);
    const next = await begin({ port, begun }, ["127.4.4.4"], UPLOAD);
    await closed(crowd[1] as Socket);
    for (const socket of [...alone, ...idle, ...next, ...crowd.slice(2)]) {
      assert.equal(socket.destroyed, false);
      socket.resetAndDestroy();
    }
  });
});

describe("CONNECT", () => {
  test("is refused, and nothing behind it is begun", async (t) => {
    const { port, begun } = await serve(t, ok);
    for (const behind of [GET.repeat(100), `hello\r\n\r\n${GET}`, ""]) {
      const socket = await answered(port, undefined, CONNECT + behind);
      assert.match(String(socket.read()), /^HTTP\/1\.1 405 /);
      socket.write(GET);
      await closed(socket);
    }
    await answered(port, undefined, `GET /other ${HEAD}\r\n`).then((socket) => socket.destroy());
    assert.deepEqual(begun, ["/other"]);
  });

  test("behind requests that wait lets no byte of one connection reach another", async (t) => {
    const { port, begun } = await serve(t, async () => {
      await new Promise(setImmediate);
      return new Response("x".repeat(100_000));
    });
    const behind = `GET /behind ${HEAD}\r\n`.repeat(1_000);
    for (let round = 0; round < 20; round++) {
      const attacker = await connected(port);
      attacker.pause();
      attacker.write(GET.repeat(40) + CONNECT + behind);
      const strangers = await Promise.all(Array.from({ length: 20 }, () => connected(port)));
      const received = strangers.map((socket) => buffer(socket).catch(() => Buffer.alloc(0)));
      attacker.write(behind);
      const probe = await answered(port);
      probe.destroy();
      await closed(attacker);
      for (const socket of strangers) socket.end();
      assert.deepEqual(
        await Promise.all(received),
        strangers.map(() => Buffer.alloc(0)),
      );
    }
    assert.ok(!begun.includes("/behind"));
  });

  test("is not answered in the midst of another answer", async (t) => {
    const { port } = await serve(t, endless);
    const socket = await answered(port);
    socket.write(CONNECT);
    assert.doesNotMatch(String(await buffer(socket).catch(() => "")), /405/);
  });

  test("leaves no connection that stays although nothing moves on it", async () => {
    const server = createServer().on("connect", () => {});
    server.timeout = 20;
    watchConnections(server, { max: 10, endWith: assert.ifError });
    await using listens = await listening(server);
    const socket = await connected(listens.port);
    socket.write(CONNECT);
    await closed(socket);
  });
});

describe("Upgrade", () => {
  test("is ignored, and its answer ends the connection: nothing behind it is begun", async (t) => {
    const { port, begun } = await serve(t, async (request) => new Response(`got ${await request.text()}`));
    for (const request of [`GET / ${HEAD}${UPGRADE}\r\n`, `POST / ${HEAD}${UPGRADE}Content-Length: 5\r\n\r\nhello`]) {
      const socket = await connected(port);
      const received = buffer(socket);
      socket.write(`${request}GET /behind ${HEAD}\r\n`);
      socket.write(`GET /behind ${HEAD}\r\n`);
      const text = String(await received);
      assert.match(text, /^HTTP\/1\.1 200 OK\r\n/);
      assert.match(text, /^Connection: close\r$/im);
      assert.match(text, request.startsWith("POST") ? /got hello/ : /got /);
      assert.equal(text.split("HTTP/1.1").length, 2);
    }
    assert.deepEqual(begun, ["/", "/"]);
  });

  test("with an answer that takes a moment has nothing behind it begun either", async (t) => {
    const { promise, resolve } = Promise.withResolvers<void>();
    const { port, begun } = await serve(t, async () => {
      await promise;
      return ok(new Request("http://localhost"));
    });
    const socket = await connected(port);
    const received = buffer(socket);
    socket.write(`GET / ${HEAD}${UPGRADE}\r\n`);
    while (begun.length === 0) await new Promise(setImmediate);
    for (let piece = 0; piece < 5; piece++) {
      socket.write(`GET /behind ${HEAD}\r\n`.repeat(2_000));
      for (let turn = 0; turn < 5; turn++) await new Promise(setImmediate);
    }
    resolve();
    assert.equal(String(await received.catch(() => "HTTP/1.1")).split("HTTP/1.1").length, 2);
    assert.deepEqual(begun, ["/"]);
  });
});
