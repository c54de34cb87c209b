/** The MCP address as it stands on the wire: methods, preflight, and bodies at and beyond the limit. */
import assert from "node:assert/strict";
import { Agent, request } from "node:http";
import { buffer } from "node:stream/consumers";
import { after, test } from "node:test";
import { initialize, openMcpServer, sampleEdition, sessionAt } from "../support/mcp-server.ts";
import { SITES } from "../support/test-runs.ts";
import { ask } from "../support/wire.ts";

const server = await openMcpServer(await sampleEdition());
const SESSION = await sessionAt(server.url);
after(() => server[Symbol.asyncDispose]());

const JSON_ONLY = { "Content-Type": "application/json" };
const INITIALIZE = JSON.stringify(initialize());

for (const method of ["GET", "HEAD", "DELETE", "PUT", "PATCH"]) {
  test(`${method} /mcp is 405 with Allow`, async () => {
    const { status, headers, text } = await ask(server.url, { method });
    assert.equal(status, 405);
    assert.equal(headers.allow, "POST, OPTIONS");
    assert.equal(headers["content-type"], "application/json");
    if (method !== "HEAD") assert.equal(typeof JSON.parse(text).error, "string");
  });
}

test("a page may send every header of the protocol and read those of the answer", async () => {
  const preflight = await ask(server.url, {
    method: "OPTIONS",
    headers: { Origin: "http://localhost:6274", "Access-Control-Request-Method": "POST" },
  });
  assert.equal(preflight.status, 204);
  assert.match(String(preflight.headers["access-control-allow-methods"]), /\bPOST\b/);
  const allowed = String(preflight.headers["access-control-allow-headers"]).split(", ");
  for (const name of [
    "Accept",
    "Authorization",
    "Content-Type",
    "Last-Event-ID",
    "MCP-Protocol-Version",
    "Mcp-Method",
    "Mcp-Name",
    "Mcp-Session-Id",
  ]) {
    assert.ok(allowed.includes(name), `${name} in ${allowed.join()}`);
  }
  const { headers } = await ask(server.url, { method: "POST", headers: JSON_ONLY, body: INITIALIZE });
  assert.equal(headers["access-control-allow-origin"], "*");
  const exposed = String(headers["access-control-expose-headers"]).split(", ");
  for (const name of ["Mcp-Session-Id", "MCP-Protocol-Version"]) assert.ok(exposed.includes(name), name);
});

const NOTIFICATION = JSON.stringify({ jsonrpc: "2.0", method: "notifications/initialized" });
const PING = JSON.stringify({ jsonrpc: "2.0", id: 2, method: "ping" });

for (const [what, headers, body, status] of [
  ["a result", {}, INITIALIZE, 200],
  ["a notification", { "Mcp-Session-Id": SESSION }, NOTIFICATION, 202],
  ["a method that is unknown", { "Mcp-Session-Id": SESSION }, PING.replace("ping", "pong"), 200],
  ["a body that is no JSON", {}, "{", 400],
  ["no session", {}, PING, 400],
  ["a Host that is not allowed", { Host: "elsewhere.example" }, PING, SITES > 0 ? 421 : 403],
  ["an unknown session", { "Mcp-Session-Id": "none" }, PING, 404],
  ["an Accept without JSON", { Accept: "text/html" }, PING, 406],
  ["a body that is too long", {}, INITIALIZE.padEnd(65_537), 413],
  ["a body of another type", { "Content-Type": "text/plain" }, PING, 415],
] as const) {
  test(`the answer to ${what} (${status}) has the headers of every public answer`, async () => {
    const answer = await ask(server.url, { method: "POST", headers: { ...JSON_ONLY, ...headers }, body });
    assert.equal(answer.status, status);
    assert.equal(answer.headers["access-control-allow-origin"], "*");
    assert.match(String(answer.headers["access-control-expose-headers"]), /^ETag, .*Mcp-Session-Id/);
    assert.equal(answer.headers["x-content-type-options"], "nosniff");
  });
}

for (const length of [65_536, 65_537, 1_000_000, 3_000_000]) {
  for (const transfer of ["declared", "chunked"]) {
    const status = length > 65_536 ? 413 : 200;
    test(`a ${transfer} body of ${length} bytes is ${status}, and the client can go on`, async () => {
      using agent = pooled();
      const headers = transfer === "chunked" ? { ...JSON_ONLY, "Transfer-Encoding": "chunked" } : JSON_ONLY;
      const answer = await send(agent, headers, INITIALIZE.padEnd(length));
      assert.equal(answer.status, status);
      const { error } = JSON.parse(answer.text);
      assert.equal(error?.message, status === 200 ? undefined : "The body is larger than 65536 bytes");
      assert.equal((await send(agent, JSON_ONLY, INITIALIZE)).status, 200);
    });
  }
}

/** One connection, kept as long as the server keeps it. */
function pooled(): Agent & Disposable {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  return Object.assign(agent, { [Symbol.dispose]: () => agent.destroy() });
}

async function send(agent: Agent, headers: Readonly<Record<string, string>>, body: string) {
  const { promise, resolve, reject } = Promise.withResolvers<{ status: number; text: string }>();
  const outgoing = request(server.url, { method: "POST", headers, agent }, async (incoming) => {
    resolve({ status: incoming.statusCode ?? 0, text: (await buffer(incoming)).toString("utf8") });
  });
  outgoing.on("error", reject);
  outgoing.end(body);
  return await promise;
}
