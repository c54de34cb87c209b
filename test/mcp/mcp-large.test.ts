/** Datasets of many megabytes, read as resources: whole and exact, and nobody else waits for them. */
import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { test } from "node:test";
import { setImmediate as nextTurn } from "node:timers/promises";
import { makeDocument } from "../../src/edition/document.ts";
import type { Edition } from "../../src/edition/edition.ts";
import type { Steps } from "../../src/edition/steps.ts";
import { openMcpEndpoint } from "../../src/mcp/endpoint.ts";
import {
  ENVELOPE,
  endpointOf,
  KEY,
  openSession,
  post,
  sampleEdition,
  statelessHeaders,
} from "../support/mcp-server.ts";
import fc from "../support/properties.ts";

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

test("a search that takes long gives way between its steps, in both protocols, and its answer is the same", async () => {
  const edition: Edition = {
    ...sample,
    *searchSteps(filter) {
      for (let step = 0; step < 3; step++) yield;
      return sample.search(filter);
    },
  };
  const ask = openMcpEndpoint({
    edition: () => edition,
    allowedHosts: ["localhost"],
    keys: [KEY],
    now: () => new Date("2026-11-20T00:00:00Z"),
    randomBytes,
  });
  const session = (await ask(message("initialize", { protocolVersion: "2025-06-18" }))).headers.get("Mcp-Session-Id");
  const params = { name: "search_reviews", arguments: { query: "thermostat", limit: 3 } };
  const stateless = new Request("http://localhost/mcp", {
    method: "POST",
    headers: { "Content-Type": "application/json", ...statelessHeaders("tools/call", params.name) },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params: { ...params, _meta: ENVELOPE } }),
  });
  for (const request of [message("tools/call", params, session ?? ""), stateless]) {
    let steps = 0;
    const take = async <Result>(answer: Steps<Result>) => {
      for (;;) {
        const { done, value } = answer.next();
        if (done === true) return value;
        steps++;
        await nextTurn();
      }
    };
    const atOnce = await (await ask(request.clone())).json();
    const inSteps = await (await ask(request, { turn: () => true, take })).json();
    assert.equal(steps, 3);
    assert.deepEqual(inSteps, atOnce);
    assert.ok((inSteps as { result: { structuredContent: { matched: number } } }).result.structuredContent.matched > 3);
  }
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
