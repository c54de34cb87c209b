/** Clients that break off with a reset, at every point of every kind of request: the process lives and answers. */
import assert from "node:assert/strict";
import { once } from "node:events";
import { connect } from "node:net";
import { after, before, describe, test } from "node:test";
import { freePort } from "../support/free-port.ts";
import { type Served, startProgram, temporaryFolder } from "../support/program.ts";
import { ask } from "../support/wire.ts";

const HOST = "Host: localhost\r\n";
const FORM = "hub.mode=subscribe&hub.topic=x&hub.callback=https%3A%2F%2Fexample.com%2F";
const CALL = '{"jsonrpc":"2.0","id":1,"method":"tools/list"}';

const REQUESTS: Readonly<Record<string, string>> = {
  GET: `GET /reviews.json HTTP/1.1\r\n${HOST}\r\n`,
  "GET that is rendered": `GET /reviews?rating=5 HTTP/1.1\r\n${HOST}Accept: text/html\r\n\r\n`,
  "GET of metrics": `GET /metrics HTTP/1.1\r\n${HOST}\r\n`,
  HEAD: `HEAD / HTTP/1.1\r\n${HOST}\r\n`,
  "OPTIONS *": `OPTIONS * HTTP/1.1\r\n${HOST}\r\n`,
  "POST to the hub": `POST /api/websub/hub HTTP/1.1\r\n${HOST}Content-Type: application/x-www-form-urlencoded\r\nContent-Length: ${FORM.length}\r\n\r\n${FORM}`,
  "POST to MCP": `POST /mcp HTTP/1.1\r\n${HOST}Content-Type: application/json\r\nAccept: application/json, text/event-stream\r\nContent-Length: ${CALL.length}\r\n\r\n${CALL}`,
  "POST in chunks": `POST /mcp HTTP/1.1\r\n${HOST}Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n${CALL.length.toString(16)}\r\n${CALL}\r\n0\r\n\r\n`,
  "POST that expects 100": `POST /mcp HTTP/1.1\r\n${HOST}Expect: 100-continue\r\nContent-Length: ${CALL.length}\r\n\r\n${CALL}`,
  "an unknown expectation": `GET / HTTP/1.1\r\n${HOST}Expect: applause\r\n\r\n`,
  CONNECT: `CONNECT a:1 HTTP/1.1\r\n${HOST}\r\n`,
  "CONNECT with a body": `CONNECT a:1 HTTP/1.1\r\n${HOST}Content-Length: 9\r\n\r\nsomething`,
  "CONNECT behind an answer": `GET /reviews.json HTTP/1.1\r\n${HOST}\r\nCONNECT a:1 HTTP/1.1\r\n${HOST}\r\n`,
  Upgrade: `GET / HTTP/1.1\r\n${HOST}Connection: Upgrade\r\nUpgrade: websocket\r\n\r\n\x81\x05hello`,
  "Upgrade with a body": `POST /mcp HTTP/1.1\r\n${HOST}Connection: Upgrade\r\nUpgrade: h2c\r\nContent-Length: ${CALL.length}\r\n\r\n${CALL}`,
  "an odd method": `BREW / HTTP/1.1\r\n${HOST}\r\n`,
  "HTTP/2": "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
  rubbish: "\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n",
  "large headers": `GET / HTTP/1.1\r\n${HOST}X: ${"a".repeat(17_000)}\r\n\r\n`,
  "many in one piece": `GET /feed.xml HTTP/1.1\r\n${HOST}\r\n`.repeat(100),
};

/** Where a request is cut: before it, in its first line, in its headers, at their end, and in and after its body. */
function cutsOf(request: string): number[] {
  const [line, headers] = [request.indexOf("\r\n"), request.indexOf("\r\n\r\n") + 4];
  return [...new Set([0, 1, line, line + 5, headers - 2, headers, headers + 3, request.length - 1, request.length])];
}

type Breaking = "at once" | "when the answer begins" | "with answers unread";

/** Sends the bytes and resets the connection. */
async function breakOff(port: number, bytes: string, breaking: Breaking): Promise<void> {
  const socket = connect({ port, host: "127.0.0.1", allowHalfOpen: true }); // it could not be reset once it has ended
  const { promise: closed, resolve: tellClosed } = Promise.withResolvers<void>();
  socket.on("error", () => {}).on("close", () => tellClosed());
  await once(socket, "connect");
  await new Promise((resolve) => socket.write(bytes, "latin1", resolve));
  if (breaking === "when the answer begins") {
    await Promise.race([new Promise((resolve) => socket.on("readable", resolve)), closed]);
  }
  if (breaking === "with answers unread") await ask(`http://127.0.0.1:${port}/healthz`);
  socket.resetAndDestroy();
  await closed;
}

const folder = temporaryFolder();
const ports: Record<string, number> = {};
let program: Served;

before(async () => {
  const metrics = await freePort();
  const { published, ...starting } = startProgram(folder.path, { METRICS_PORT: String(metrics) });
  const url = await published;
  program = { ...starting, url, port: Number(new URL(url).port) };
  Object.assign(ports, { "the public port": program.port, METRICS_PORT: metrics });
});

after(async () => {
  assert.equal(await program.stop(), 0);
  folder[Symbol.dispose]();
});

for (const place of ["the public port", "METRICS_PORT"]) {
  describe(`a reset on ${place}`, () => {
    for (const [name, request] of Object.entries(REQUESTS)) {
      test(`at every point of ${name} ends nothing but its connection`, async () => {
        const port = ports[place] ?? 0;
        for (const cut of cutsOf(request)) {
          const bytes = request.slice(0, cut);
          for (const breaking of ["at once", "with answers unread"] as const)
            await Promise.all(Array.from({ length: 2 }, () => breakOff(port, bytes, breaking)));
        }
        await Promise.all(Array.from({ length: 6 }, () => breakOff(port, request, "when the answer begins")));
        assert.equal((await ask(`http://127.0.0.1:${port}/healthz`)).status, place === "METRICS_PORT" ? 404 : 200);
        assert.equal(program.process.exitCode, null);
        const wrong = program.log.filter(({ level }) => Number(level) >= 50);
        assert.deepEqual(wrong, []);
      });
    }
  });
}
