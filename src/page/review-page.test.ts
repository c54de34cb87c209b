import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { editionOf } from "../../test/support/real-edition.ts";
import { renderReviewPage } from "./review-page.ts";

const folder = mkdtempSync(join(tmpdir(), "goodword-"));
after(() => rmSync(folder, { recursive: true }));

test("a text of a megabyte has a page, evidence and an edition of bounded size", async () => {
  const file = join(folder, "long.jsonl");
  const praise = "on time polite fair price clean great work ".repeat(22_000);
  // Tokens without space between them.
  const glued = ["can't", "gonna", "aB"].map((word) => `${word.repeat(180_000)}on time and polite`);
  const texts = ["<".repeat(999_000), praise, ...glued];
  const rows = texts.map((text, id) => ({
    ...{ id: `long ${id}`, rating: 5, date: "2026-01-02", text, source: "google" },
    owner_reply: { text },
  }));
  writeFileSync(file, rows.map((row) => JSON.stringify(row)).join("\n"));
  const { edition, reviews, analyses } = await editionOf(file);
  for (const { id } of reviews) {
    const page = Buffer.from(renderReviewPage(edition, id)?.body ?? []).toString();
    assert.ok(page.length > 200_000 && page.length < 1_000_000, String(page.length));
    assert.match(page, /…<\/blockquote><p><a href="\/api\/reviews\/[0-9A-Z]{26}">Read on/);
  }
  const found = [...analyses.values()].flatMap(({ aspects }) => aspects.map(({ evidence }) => evidence.length));
  assert.ok(found.length > 0 && found.every((length) => length <= 1_000), found.join());
});

test("words that are evidence of both praise and criticism are marked as neither", async () => {
  const [business, rows] = ["business.yaml", "reviews.jsonl"].map((name) => join(folder, name));
  writeFileSync(String(business), "name: Ada\ntime_zone: UTC\n");
  const text = "Nice crew, slow office. Fair price.";
  writeFileSync(
    String(rows),
    `${JSON.stringify({ id: "1", rating: 3, date: "2026-01-02", text, source: "google" })}\n`,
  );
  const { edition, reviews } = await editionOf(String(business), String(rows));
  const id = String(reviews[0]?.id);
  const known = edition.analysis(id);
  assert.ok(known !== undefined);
  const aspects = [
    { id: "staff", sentiment: "positive", evidence: "Nice crew, slow office" },
    { id: "speed", sentiment: "negative", evidence: "Nice crew, slow office" },
    { id: "value", sentiment: "positive", evidence: "Fair price" },
  ] as const;
  const page = renderReviewPage({ ...edition, analysis: () => ({ ...known, aspects: [...aspects] }) }, id);
  assert.match(
    Buffer.from(page?.body ?? []).toString(),
    /<mark class="neutral">Nice crew, slow office<\/mark>\. <mark class="positive">Fair price<\/mark>\./,
  );
});

test("the link of a review that was given to the business directly names the site it leads to", async () => {
  const [business, rows] = ["direct.yaml", "direct.jsonl"].map((name) => join(folder, name));
  writeFileSync(String(business), "name: Ada\ntime_zone: UTC\nverified_sources: [google, first_party]\n");
  const lines = ["google", "first_party"].map((source) =>
    JSON.stringify({ id: source, rating: 3, date: "2026-01-02", source, source_url: "https://ours.example/1" }),
  );
  writeFileSync(String(rows), lines.join("\n"));
  const { edition, reviews } = await editionOf(String(business), String(rows));
  const links = reviews.map(({ id }) => {
    const page = Buffer.from(renderReviewPage(edition, id)?.body ?? []).toString();
    return /noopener">([^<]*)</.exec(page)?.[1];
  });
  assert.deepEqual(links.toSorted(), ["Read it on Google", "Read it on ours.example"]);
});
