import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { ask } from "../../test/support/wire.ts";
import { openServer } from "../http/server.ts";
import { parseAddressRanges } from "../outbound/address-class.ts";
import { type AccessLogDetail, makeAccessLog } from "./access-log.ts";

/** Asks a server that logs like this once. Gives the line and the answer's id. */
async function logged(detail: AccessLogDetail, headers: Record<string, string>) {
  const { promise, resolve } = Promise.withResolvers<Record<string, unknown>>();
  const trusted = parseAddressRanges(["127.0.0.0/8", "::1"]);
  const onExchange = makeAccessLog(detail, { info: resolve as never }, trusted);
  const settings = {
    host: "127.0.0.1",
    port: 0,
    maxConnections: 100,
    onFault: assert.ifError,
    ...(onExchange ? { onExchange } : {}),
  };
  const server = await openServer(() => new Response("hello", { status: 201 }), settings);
  const answer = await ask(`http://127.0.0.1:${server.port}/reviews?query=secret`, { headers });
  if (onExchange === undefined) resolve({});
  const { ms, bytes, ...line } = await promise;
  await server.close(0);
  return { line, ms, bytes, id: answer.headers["x-request-id"] };
}

describe("makeAccessLog()", () => {
  test("logs the network of a client, and neither its address nor what it asked for", async () => {
    for (const [address, client] of [
      ["203.0.113.77", "203.0.113.0/24"],
      ["2001:db8:1:2:3:4:5:6", "2001:db8:1::/48"],
      ["::ffff:203.0.113.77", "203.0.113.0/24"],
    ] as const) {
      const { line, ms, bytes, id } = await logged("network", { "X-Forwarded-For": address, "User-Agent": "someone" });
      assert.deepEqual(line, { request: id, method: "GET", client, path: "/reviews", status: 201 });
      assert.match(String(id), /^[\da-f-]{36}$/);
      assert.ok(Number(ms) >= 0 && Number(bytes) > 5);
    }
  });

  test("logs everything where the owner wants it", async () => {
    const { line, id } = await logged("full", { "X-Forwarded-For": "203.0.113.77", "User-Agent": "someone" });
    const known = { client: "203.0.113.77", url: "/reviews?query=secret", agent: "someone" };
    assert.deepEqual(line, { request: id, method: "GET", ...known, status: 201 });
  });

  test("logs nothing by default, and answers carry no id", async () => {
    assert.deepEqual(await logged("off", {}), { line: {}, ms: undefined, bytes: undefined, id: undefined });
  });
});
