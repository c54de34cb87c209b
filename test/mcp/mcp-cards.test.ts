/** The cards by which directories find the MCP address, as the program serves them. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { initialize } from "../support/mcp-server.ts";
import { program } from "../support/served-sample.ts";
import { ask } from "../support/wire.ts";

for (const [path, mediaType] of [
  ["/mcp/server-card", "application/mcp-server-card+json"],
  ["/.well-known/ai-catalog.json", "application/ai-catalog+json"],
] as const) {
  test(`${path} is ${mediaType}, for every page, for an hour, and 304 to who holds it`, async () => {
    const { status, headers } = await ask(program.url + path);
    assert.equal(status, 200);
    assert.equal(headers["content-type"], mediaType);
    assert.equal(headers["cache-control"], "public, max-age=3600");
    assert.equal(headers["access-control-allow-origin"], "*");
    assert.match(String(headers["access-control-expose-headers"]), /\bETag\b/);
    const held = await ask(program.url + path, { headers: { "If-None-Match": String(headers.etag) } });
    assert.equal(held.status, 304);
    assert.equal(held.text, "");
    const preflight = await ask(program.url + path, { method: "OPTIONS" });
    assert.match(String(preflight.headers["access-control-allow-headers"]), /\bContent-Type\b.*\bIf-None-Match\b/);
  });
}

test("the catalog leads to the card, and the card to the MCP address", async () => {
  const catalog = JSON.parse((await ask(`${program.url}/.well-known/ai-catalog.json`)).text);
  const card = JSON.parse((await ask(catalog.entries[0].url)).text);
  const { url, supportedProtocolVersions } = card.remotes[0];
  const body = JSON.stringify(initialize(supportedProtocolVersions[1]));
  const opened = await ask(url, { method: "POST", headers: { "Content-Type": "application/json" }, body });
  assert.equal(JSON.parse(opened.text).result.protocolVersion, supportedProtocolVersions[1]);
});
