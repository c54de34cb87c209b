/** Completions and prompts over the sample: what could stand there, and what is asked for. */
import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import type { Review } from "../../src/review.ts";
import { endpointOf, openSession, sampleEdition } from "../support/mcp-server.ts";
import { temporaryFolder } from "../support/program.ts";
import fc, { tries } from "../support/properties.ts";
import { editionOf, parseDocument } from "../support/real-edition.ts";

const edition = await sampleEdition();
const call = await openSession(endpointOf(edition));
const { reviews } = parseDocument(edition, "/reviews.json") as { reviews: Review[] };

async function complete(ref: object, name: string, value: string) {
  const { body } = await call("completion/complete", { ref, argument: { name, value } });
  return body.result.completion as { values: string[]; total: number; hasMore: boolean };
}

const ASSESS = { type: "ref/prompt", name: "assess_business" };
const REVIEW = { type: "ref/resource", uri: `${edition.baseUrl}/reviews/{id}` };

for (const [name, value, first] of [
  ["service", "fur", "Furnace repair"],
  ["service", "RE", "AC repair"],
  ["technician", "pri", "Priya Raman"],
  ["technician", "sor", "Walter Sorensen"],
  ["concern", "hon", "Honesty"],
] as const) {
  test(`completing ${name} with ${JSON.stringify(value)} offers ${first}`, async () => {
    const { values, total, hasMore } = await complete(ASSESS, name, value);
    assert.ok(values.includes(first), values.join());
    assert.equal(total, values.length);
    assert.equal(hasMore, false);
  });
}

test("completing a review's id offers those that begin so, newest first, a hundred at most, and counts all", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...reviews),
      fc.integer({ min: 0, max: 26 }),
      fc.boolean(),
      async ({ id }, length, lower) => {
        const begun = id.slice(0, length);
        const matching = reviews.map((review) => review.id).filter((candidate) => candidate.startsWith(begun));
        const { values, total, hasMore } = await complete(REVIEW, "id", lower ? begun.toLowerCase() : begun);
        assert.deepEqual(values, matching.slice(0, 100));
        assert.equal(total, matching.length);
        assert.equal(hasMore, matching.length > values.length);
      },
    ),
    { numRuns: tries(300) },
  );
});

test("the ids of a day with more than a hundred reviews can all be completed", async () => {
  using folder = temporaryFolder();
  const file = join(folder.path, "reviews.csv");
  const rows = Array.from({ length: 250 }, (_, number) => `${number},Ann,5,2026-01-02,google`);
  writeFileSync(file, ["id,author,rating,date,source", ...rows, ""].join("\n"));
  const { edition: busy, reviews: sameDay } = await editionOf(file);
  const ask = await openSession(endpointOf(busy));
  for (const { id } of sameDay) {
    const ref = { type: "ref/resource", uri: `${busy.baseUrl}/reviews/{id}` };
    const { body } = await ask("completion/complete", { ref, argument: { name: "id", value: id.slice(0, 18) } });
    assert.ok(body.result.completion.values.includes(id), id);
  }
});

test("completing what cannot be an id offers nothing", async () => {
  for (const value of ["nope!", "ZZZZZZZZZZ", "01M62F9N00MWXMXABSFTRHWB9GX", "8"]) {
    assert.deepEqual(await complete(REVIEW, "id", value), { values: [], total: 0, hasMore: false }, value);
  }
});

test("assess_business names the tools with the ids they need", async () => {
  const { body } = await call("prompts/get", {
    name: "assess_business",
    arguments: { service: "Furnace repair", technician: "priya", concern: "honesty" },
  });
  const [{ role, content }] = body.result.messages;
  assert.equal(role, "user");
  assert.match(content.text, /get_service with "furnace-repair".*get_technician with "priya-raman".*"honesty"/s);
  const [topic] = edition.insights.topics;
  for (const [concern, tool] of [
    ["Honesty", 'get_aspect_sentiment with "honesty"'],
    [topic?.label ?? "", `search_reviews with topic "${topic?.id}"`],
    ["lead pipes", "search_reviews with words for it"],
  ] as const) {
    const answer = await call("prompts/get", { name: "assess_business", arguments: { concern } });
    assert.ok(answer.body.result.messages[0].content.text.includes(`use get_faq with it, and ${tool}.`), tool);
  }
});

test("draft_owner_reply encloses the review", async () => {
  const id = reviews[3]?.id ?? "";
  const { body } = await call("prompts/get", { name: "draft_owner_reply", arguments: { id } });
  const { resource } = body.result.messages[0].content;
  assert.equal(resource.uri, `${edition.baseUrl}/reviews/${id}`);
  assert.deepEqual(JSON.parse(resource.text).review, reviews[3]);
});

for (const [name, args, message] of [
  ["review_digest", { since: "2026-02-30" }, /February 2026 has 28 days/],
  ["review_digest", { since: "2026-02-01", until: "x" }, /"until" is not an argument of review_digest; allowed: since/],
  ["review_digest", { since: 5 }, /since is 5, but must be a string/],
  ["draft_owner_reply", {}, /id is missing/],
  ["assess_business", { service: "plumbing" }, /the choices are .*AC repair/],
] as const) {
  test(`${name} refuses ${JSON.stringify(args)} and says why`, async () => {
    const { body } = await call("prompts/get", { name, arguments: args });
    assert.equal(body.error.code, -32602);
    assert.match(body.error.message, message);
  });
}
