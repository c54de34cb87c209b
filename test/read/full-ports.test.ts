/** A client that fills every port of the process, which has few files: others are served. */
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { createInterface } from "node:readline";
import { buffer } from "node:stream/consumers";
import { test } from "node:test";
import { freePort } from "../support/free-port.ts";
import { BIN, environmentOf, temporaryFolder } from "../support/program.ts";

const MAX_OPEN_FILES = 900;
const GET = "GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n";

async function connected(port: number, localAddress: string): Promise<Socket> {
  const socket = connect({ port, host: "127.0.0.1", localAddress }).on("error", () => {});
  await Promise.race([once(socket, "connect"), once(socket, "close")]);
  return socket;
}

test("a client that fills the public port and METRICS_PORT shuts nobody out", {
  skip: process.platform !== "linux",
}, async () => {
  using folder = temporaryFolder();
  const metrics = await freePort();
  const limited = [`ulimit -n ${MAX_OPEN_FILES}; exec "$0" "$@"`, process.execPath, BIN, "serve", "--port", "0"];
  const env = environmentOf(folder.path, { METRICS_PORT: String(metrics) });
  const program = spawn("sh", ["-c", ...limited], { cwd: folder.path, env, stdio: ["ignore", "ignore", "pipe"] });
  const held: Socket[] = [];
  try {
    let port = 0;
    for await (const line of createInterface(program.stderr)) {
      port ||= Number(/"port":(\d+)/.exec(line)?.[1] ?? 0);
      if (port !== 0 && line.includes('"reviews":')) break;
    }
    program.stderr.resume();
    for (const each of [metrics, port])
      for (let count = 0; count < 600; count++) held.push(await connected(each, "127.0.0.1"));
    for (let count = 0; count < 20; count++) {
      const socket = await connected(port, "127.9.9.9");
      socket.write(GET);
      assert.match(String(await buffer(socket).catch(() => "no answer")), /^HTTP\/1\.1 200 /);
    }
  } finally {
    for (const socket of held) socket.destroy();
    program.kill("SIGKILL");
  }
});
