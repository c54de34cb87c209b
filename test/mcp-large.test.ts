/** Datasets of many megabytes, read as resources: whole and exact, and nobody else waits for them. */
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { makeDocument } from "../src/edition/document.ts";
import type { Edition } from "../src/edition/edition.ts";
import { ENVELOPE, endpointOf, openSession, post, sampleEdition, statelessHeaders } from "./mcp-server.ts";

const sample = await sampleEdition();
const uri = `${sample.baseUrl}/reviews.json`;

/** The sample with another dataset in place of the reviews. */
function holding(dataset: string): Edition {
  const document = makeDocument("/reviews.json", "application/json", dataset);
  return { ...sample, document: (path) => (path === document.path ? document : sample.document(path)) };
}

test("a dataset is read byte for byte, in both protocols, first and again", async () => {
  await fc.assert(
    fc.asyncProperty(fc.jsonValue(), fc.integer({ min: 0, max: 70_000 }), async (value, length) => {
      const dataset = JSON.stringify(['é"\\\u2028😀'.repeat(length % 9_000), value, "x".repeat(length)]);
      const ask = endpointOf(holding(dataset));
      const read = await openSession(ask);
      const stateless = { jsonrpc: "2.0", id: 1, method: "resources/read", params: { uri, _meta: ENVELOPE } };
      for (const { body } of [
        await read("resources/read", { uri }),
        await post(ask, stateless, statelessHeaders("resources/read", uri)),
        await read("resources/read", { uri }),
      ]) {
        assert.deepEqual(body.result.contents, [{ uri, mimeType: "application/json", text: dataset }]);
      }
    }),
    { numRuns: 40 },
  );
});

test("while a large dataset is read, others have their turn", async () => {
  const ask = endpointOf(holding(JSON.stringify(Array.from({ length: 200_000 }, (_, number) => `review ${number}`))));
  const opened = await ask(message("initialize", { protocolVersion: "2025-06-18" }));
  const session = opened.headers.get("Mcp-Session-Id") ?? "";
  const response = await ask(message("resources/read", { uri }, session));
  let turns = 0;
  let reading = true;
  const count = () => {
    turns++;
    if (reading) setImmediate(count);
  };
  setImmediate(count);
  let [pieces, largest] = [0, 0];
  for await (const piece of response.body ?? []) {
    pieces++;
    largest = Math.max(largest, piece.byteLength);
  }
  reading = false;
  assert.ok(pieces > 40 && largest <= 128 * 1024, `${pieces} pieces, the largest of ${largest} bytes`);
  assert.ok(turns >= pieces - 5, `${turns} turns for others during ${pieces} pieces`);
});

function message(method: string, params: object, session?: string): Request {
  const headers = {
    "Content-Type": "application/json",
    ...(session === undefined ? {} : { "Mcp-Session-Id": session }),
  };
  return new Request("http://localhost/mcp", {
    method: "POST",
    headers,
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params }),
  });
}
