import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, describe, test } from "node:test";
import { editionOf, type ReadEdition } from "../../../test/support/real-edition.ts";
import type { Document } from "../../edition/document.ts";
import { renderPages } from "../pages.ts";
import { renderReviewPage } from "../review-page.ts";
import { renderStaticPages } from "../static-pages.ts";

type Node = Readonly<Record<string, unknown>>;

const folder = mkdtempSync(join(tmpdir(), "goodword-markup-"));
after(() => rmSync(folder, { recursive: true }));

/** Two reviews from Google and two that customers gave the business itself, or those of one source. */
async function published(setting: string, sources: readonly string[]): Promise<ReadEdition> {
  const paths = ["business.yaml", "reviews.jsonl"].map((name) => join(folder, name)) as [string, string];
  writeFileSync(paths[0], `name: Ada\ntime_zone: UTC\nverified_sources: [google, first_party]\n${setting}\n`);
  const rows = sources.flatMap((source) =>
    [2, 5].map((rating) => ({ id: `${source}${rating}`, author: "Dana", rating, date: "2026-01-02", source })),
  );
  writeFileSync(paths[1], rows.map((row) => JSON.stringify({ ...row, text: `Words of ${row.id}.` })).join("\n"));
  return await editionOf(...paths);
}

/** Every page that is served or exported, and the code that owners copy. */
function pagesOf({ edition, reviews }: ReadEdition): Document[] {
  const ids = reviews.map(({ id }) => id);
  const single = ids.flatMap((id) => renderReviewPage(edition, id) ?? []);
  return [...renderPages(edition), ...single, ...renderStaticPages(edition, ids)];
}

/** The objects with a type in all JSON-LD of a page, and in code to copy, with what each is part of. */
function* nodesIn(page: string): Generator<{ readonly node: Node; readonly parent?: Node }> {
  const decoded = page.replaceAll("&quot;", '"').replaceAll("&lt;", "<").replaceAll("&gt;", ">");
  for (const [, data = ""] of decoded.matchAll(/<script type="application\/ld\+json">(.*?)<\/script>/gs))
    yield* below(JSON.parse(data));
}

function* below(value: unknown, parent?: Node): ReturnType<typeof nodesIn> {
  if (value === null || typeof value !== "object") return;
  const node = value as Node;
  const isTyped = "@type" in node;
  if (isTyped) yield { node, ...(parent && { parent }) };
  for (const member of Object.values(node)) yield* below(member, isTyped ? node : parent);
}

/** What breaks the published rules of Google for review snippets, and of Schema.org for these types. */
function faultsOf(node: Node, parent: Node | undefined): string[] {
  const item = (node.itemReviewed ?? parent) as Node | undefined;
  const rating = (node["@type"] === "Review" ? node.reviewRating : node) as Node;
  const { ratingValue: value, bestRating: best = 5, worstRating: worst = 1 } = rating ?? {};
  const author = node.author as Node | undefined;
  const members = RULES[String(node["@type"])] ?? [];
  return [
    ...Object.keys(node).filter((name) => !name.startsWith("@") && !members.includes(name)),
    ...(typeof item?.name === "string" ? [] : ["itemReviewed.name"]),
    ...(Number(value) >= Number(worst) && Number(value) <= Number(best) ? [] : ["ratingValue"]),
    ...(node["@type"] === "AggregateRating" && !(Number(node.reviewCount) > 0) ? ["reviewCount"] : []),
    ...(node["@type"] === "Review" && !(String(author?.name ?? "").length in Array(100).fill(0)) ? ["author"] : []),
    ...(node["@type"] === "Review" && author?.["@type"] !== "Person" ? ["author type"] : []),
  ];
}

const RULES: Readonly<Record<string, readonly string[]>> = {
  Review: ["url", "itemReviewed", "author", "datePublished", "reviewBody", "reviewRating"],
  AggregateRating: ["itemReviewed", "ratingValue", "reviewCount", "ratingCount", "bestRating", "worstRating"],
};

const CASES = [
  { setting: "", sources: ["google"], marked: [] },
  { setting: "", sources: ["google", "first_party"], marked: ["first_party"] },
  { setting: "structured_data: first_party", sources: ["first_party"], marked: ["first_party"] },
  { setting: "structured_data: none", sources: ["google", "first_party"], marked: [] },
  { setting: "structured_data: all", sources: ["google", "first_party"], marked: ["google", "first_party"] },
];

describe("structured data, on every page, in code to copy and in the export,", () => {
  for (const { setting, sources, marked } of CASES)
    test(`rates with ${setting || "no setting"} over ${sources.join(" and ")}: ${marked.join(" and ") || "nothing"}`, async () => {
      const read = await published(setting, sources);
      const sourceOf = new Map(read.reviews.map(({ id, source }) => [id, source]));
      const rated = read.reviews.filter(({ source }) => marked.includes(source)).length;
      const found = { business: 0, reviews: new Set<string>(), ratings: new Set<unknown>() };
      for (const document of pagesOf(read)) {
        const page = Buffer.from(document.body).toString();
        assert.doesNotMatch(page, /itemprop|itemscope|itemtype|typeof=|vocab=/, document.path);
        for (const { node, parent } of nodesIn(page)) {
          const type = String(node["@type"]);
          if (type === "LocalBusiness") found.business++;
          if (!(type in RULES)) continue;
          assert.deepEqual(faultsOf(node, parent), [], `${document.path}: ${JSON.stringify(node)}`);
          if (type === "Review") found.reviews.add(sourceOf.get(String(node.url).slice(-26)) ?? "unknown");
          else found.ratings.add(node.reviewCount);
        }
      }
      assert.ok(found.business >= 3, "the business is described everywhere");
      assert.deepEqual([...found.reviews].toSorted(), marked.toSorted());
      assert.deepEqual([...found.ratings], rated === 0 ? [] : [rated]);
    });
});

test("a category that is no subtype of LocalBusiness is marked up as both, on the pages of reviews too", async () => {
  for (const [category, type] of [
    ["EventVenue", ["EventVenue", "LocalBusiness"]],
    ["Plumber", "Plumber"],
    ["LocalBusiness", "LocalBusiness"],
  ] as const) {
    const read = await published(`category: ${category}\nstructured_data: all`, ["google"]);
    for (const document of pagesOf(read)) {
      for (const { node } of nodesIn(Buffer.from(document.body).toString()))
        if (String(node["@id"]).endsWith("#business")) assert.deepEqual(node["@type"], type, document.path);
    }
  }
});

test("a rating that search engines are told stands on the page, too", async () => {
  const { edition } = await published("", ["google", "first_party"]);
  const [front] = renderPages(edition);
  const page = Buffer.from(front?.body ?? "").toString();
  assert.match(page, /2 were given to the business directly, with 3\.50 of 5 stars on average\./);
});
