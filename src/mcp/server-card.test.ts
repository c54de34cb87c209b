/** The server card and the catalog (SEP-2127). */
import assert from "node:assert/strict";
import { test } from "node:test";
import { UNNAMED_BUSINESS } from "../business.ts";
import { aiCatalog, serverCard } from "./server-card.ts";

const parse = ({ body }: { body: Uint8Array }) => JSON.parse(Buffer.from(body).toString("utf8"));

for (const [baseUrl, name] of [
  ["https://reviews.example.com", "com.example.reviews/reviews"],
  ["http://localhost:8080", "localhost/reviews"],
  ["http://[::1]:8080", "1/reviews"],
] as const) {
  test(`the card of ${baseUrl} is named ${name}`, () => {
    const card = parse(serverCard(UNNAMED_BUSINESS, baseUrl));
    assert.equal(card.name, name);
    assert.match(card.name, /^[a-zA-Z0-9.-]+\/[a-zA-Z0-9._-]+$/);
    assert.deepEqual(card.remotes[0].url, `${baseUrl}/mcp`);
  });
}

test("the card's description has at most a hundred characters", () => {
  const business = { ...UNNAMED_BUSINESS, name: "😀".repeat(120) };
  const { description, title } = parse(serverCard(business, "https://example.com"));
  assert.equal([...description].length, 100);
  assert.ok(title.includes("😀"));
});

test("the catalog points to the card, and both have their media types", () => {
  const catalog = aiCatalog(UNNAMED_BUSINESS, "https://reviews.example.com");
  assert.equal(catalog.mediaType, "application/ai-catalog+json");
  assert.deepEqual(parse(catalog), {
    specVersion: "1.0",
    entries: [
      {
        identifier: "urn:air:reviews.example.com:mcp:reviews",
        displayName: `Reviews of ${UNNAMED_BUSINESS.name}`,
        type: "application/mcp-server-card+json",
        url: "https://reviews.example.com/mcp/server-card",
      },
    ],
  });
  assert.equal(serverCard(UNNAMED_BUSINESS, "https://example.com").mediaType, "application/mcp-server-card+json");
});
