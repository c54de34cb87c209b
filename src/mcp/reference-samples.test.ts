import assert from "node:assert/strict";
import { test } from "node:test";
import { emptyEdition, endpointOf, openSession, sampleEdition } from "../../test/support/mcp-server.ts";
import { makeSamples, mcpReference, samplesFor } from "./reference-samples.ts";

for (const origin of [
  "https://reviews.example.com",
  "http://localhost:8080",
  "http://[::1]:8080",
  "https://xn--bcher-kva.example",
]) {
  test(`samplesFor() gives for ${origin} what is made for it alone`, () => {
    assert.deepEqual(samplesFor(origin), makeSamples(origin));
  });
}

test("mcpReference() has requests that find something on this site, and none for what it lacks", async () => {
  const edition = await sampleEdition();
  const session = await openSession(endpointOf(edition));
  const { tools, messages } = mcpReference(edition);
  const asked = ["get_review", "get_technician", "get_service", "get_aspect_sentiment"];
  for (const { name, sample } of tools) {
    if (!asked.includes(name)) continue;
    assert.ok(sample !== undefined, name);
    const { params } = sample.request.body as { params: { arguments: object } };
    const { body } = await session("tools/call", { name, arguments: params.arguments });
    assert.notEqual(body.result.isError, true, name);
    const { aspect } = params.arguments as { aspect?: string };
    if (aspect !== undefined) assert.ok(sample.answer.includes(`"id": "${aspect}"`), sample.answer);
  }
  const page = `${edition.baseUrl}/reviews/${edition.newestId()}`;
  assert.ok(messages.some(({ request }) => request.headers["Mcp-Name"] === page));
  const insights = { ...edition.insights, aspects: edition.insights.aspects.filter(({ id }) => id !== "punctuality") };
  const hall = mcpReference({ ...edition, insights }).tools;
  assert.equal(hall.find(({ name }) => name === "get_aspect_sentiment")?.sample, undefined, "an answer about another");
  const none = mcpReference(await emptyEdition()).tools;
  assert.equal(none.find(({ name }) => name === "get_review")?.sample, undefined);
});
