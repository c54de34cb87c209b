import assert from "node:assert/strict";
import { test } from "node:test";
import { makeDocument } from "../edition/document.ts";
import { respond } from "./respond.ts";

const freshness = {
  revisedAt: new Date("2026-11-01T00:00:00Z"),
  cacheControl: "no-cache",
  baseUrl: "https://reviews.example",
  now: new Date("2026-11-02T00:00:00Z"),
};

function ask(acceptEncoding: string): Response | Promise<Response> {
  const document = makeDocument("/large", "text/plain", "They came on time. ".repeat(60_000)); // no coding is made yet
  const request = new Request("https://reviews.example/large", { headers: { "Accept-Encoding": acceptEncoding } });
  return respond(request, document, freshness);
}

test("respond() sends a large document uncompressed until its coding is ready", async () => {
  const response = ask("br");
  assert.ok(response instanceof Response);
  assert.equal(response.headers.get("Content-Encoding"), null);
});

test("respond() waits for the coding of a large document if the client refuses identity", async () => {
  for (const acceptEncoding of ["br, identity;q=0", "br, *;q=0"]) {
    const response = await ask(acceptEncoding);
    assert.equal(response.status, 200);
    assert.equal(response.headers.get("Content-Encoding"), "br", acceptEncoding);
  }
});
