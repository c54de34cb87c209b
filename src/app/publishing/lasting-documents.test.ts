import assert from "node:assert/strict";
import { test } from "node:test";
import { taxonomyOf } from "../../analysis/trade-taxonomy.ts";
import { type BusinessFile, businessFileSchema } from "../../business.ts";
import { type Edition, openEdition } from "../../edition/edition.ts";
import { renderEdition } from "../../edition/render-edition.ts";
import type { Review } from "../../review.ts";
import { type LastingDocuments, lastingDocuments } from "./lasting-documents.ts";

const BUSINESS = businessFileSchema.parse({
  name: "Ash & Co",
  time_zone: "UTC",
  services: [{ id: "repair", label: "Repair" }],
});

function reviewOf(number: number, text: string): Review {
  return {
    id: `01K4Z6V2X3Y4W5A6B7C8D9E0F${number}`,
    rating: 1 + (number % 5),
    date: "2026-01-02",
    author: "Ann",
    author_avatar_url: null,
    text,
    source: "google",
    source_url: null,
    owner_reply: null,
    verified: true,
  };
}

function editionOf(reviews: readonly Review[], business: BusinessFile, baseUrl: string): Edition {
  const revision = { number: 1, revised_at: new Date(Date.UTC(2026, 1, 1)) };
  const snapshot = { revision, business, reviews, analyses: new Map(), gone: [] };
  return openEdition(renderEdition(snapshot, { baseUrl, sample: false, taxonomy: taxonomyOf(business) }));
}

const bytesOf = ({ documents }: LastingDocuments) =>
  documents.map(({ path, mediaType, tag, body }) => [path, mediaType, tag, Buffer.from(body).toString("latin1")]);

test("documents that are taken from the edition before are those that would be made, and most editions take them", async () => {
  const one = [reviewOf(1, "They came on time.")];
  const two = [reviewOf(2, "They came on time again."), ...one];
  const origin = "https://reviews.example";
  const changed = (members: Partial<BusinessFile>) => editionOf(two, { ...BUSINESS, ...members }, origin);
  const editions: readonly [string, Edition, boolean][] = [
    ["the first", editionOf(one, BUSINESS, origin), false],
    ["more reviews", editionOf(two, BUSINESS, origin), true],
    ["what nobody has praised before", editionOf([reviewOf(3, "A fair price."), ...two], BUSINESS, origin), false],
    ["another name", changed({ name: "Oak & Co" }), false],
    ["another colour", changed({ color: "#112233" }), false],
    ["another language", changed({ language: "de" }), false],
    ["another service", changed({ services: [{ id: "service", label: "Service", aliases: [] }] }), false],
    ["more people", changed({ technicians: [{ id: "bea", name: "Bea Lund", aliases: [] }] }), false],
    ["another origin", editionOf(two, BUSINESS, "https://other.example"), false],
    ["the same again", editionOf(one, BUSINESS, "https://other.example"), true],
  ];
  let known: LastingDocuments | undefined;
  for (const [what, edition, isTaken] of editions) {
    const documents = await lastingDocuments(edition, known);
    assert.equal(documents === known, isTaken, what);
    assert.deepEqual(bytesOf(documents), bytesOf(await lastingDocuments(edition, undefined)), what);
    known = documents;
  }
});
