import assert from "node:assert/strict";
import { test } from "node:test";
import { EMPTY_ANALYSIS } from "../../test/support/empty-analysis.ts";
import { makeReviewIndex } from "../../test/support/review-index.ts";
import { UNNAMED_BUSINESS } from "../business.ts";
import { aggregateRating } from "../edition/aggregate-rating.ts";
import type { RenderedEdition } from "../edition/render-datasets.ts";
import type { Review } from "../review.ts";
import { renderMachinePages } from "./machine-pages.ts";

const idOf = (index: number) => String(10 ** 9 - index).padStart(26, "0");

/** Reviews with words, and after each of them one without; every third has a reply, a day later. */
function editionOf(count: number): RenderedEdition {
  const reviews = Array.from(
    { length: 2 * count },
    (_, index): Review => ({
      id: idOf(index),
      ...{ author: "Ann", author_avatar_url: null, rating: 5, date: "2026-01-02", source: "google" },
      text: index % 2 === 0 ? "Good" : null,
      source_url: null,
      owner_reply: index % 6 === 0 ? { text: '"date":"2029-01-01"},"verified":true}', date: "2026-01-03" } : null,
      verified: true,
    }),
  );
  const [baseUrl, business] = ["https://reviews.example/a&b", UNNAMED_BUSINESS];
  return {
    baseUrl,
    business,
    aggregateRating: aggregateRating(new Uint8Array()),
    reviewIndex: makeReviewIndex({ reviews, analyses: reviews.map(() => EMPTY_ANALYSIS) }),
  } as unknown as RenderedEdition;
}

function sitemaps(count: number): Map<string, string[]> {
  const maps = renderMachinePages(editionOf(count)).filter(({ mediaType }) => mediaType === "application/xml");
  return new Map(
    maps.map(({ path, body }) => [
      path,
      [
        ...Buffer.from(body)
          .toString()
          .matchAll(/<loc>(.*?)<\/loc>/g),
      ].map(([, address = ""]) => address),
    ]),
  );
}

test("renderMachinePages() names each page and each review with words in one sitemap while they fit, with their days", () => {
  const maps = sitemaps(3);
  assert.deepEqual([...maps.keys()], ["/sitemap.xml"]);
  assert.deepEqual(
    maps.get("/sitemap.xml"),
    ["/", "/reviews", "/about", "/docs", ...[0, 2, 4].map((index) => `/reviews/${idOf(index)}`)].map(
      (path) => `https://reviews.example/a&amp;b${path}`,
    ),
  );
  const [, map] = renderMachinePages(editionOf(3));
  const days = Buffer.from(map?.body ?? "")
    .toString()
    .matchAll(/<lastmod>(.*?)<\/lastmod>/g);
  assert.deepEqual(
    Array.from(days, ([, day]) => day),
    [...Array(5).fill("2026-01-03"), "2026-01-02", "2026-01-02"],
  );
});

test("renderMachinePages() writes an index of sitemaps of at most 50,000 addresses, which name each review once", () => {
  const maps = sitemaps(100_000);
  const [index = [], ...parts] = maps.values();
  assert.deepEqual(
    index,
    [1, 2, 3].map((number) => `https://reviews.example/a&amp;b/sitemap-${number}.xml`),
  );
  assert.deepEqual([...maps.keys()].slice(1), ["/sitemap-1.xml", "/sitemap-2.xml", "/sitemap-3.xml"]);
  assert.ok(parts.every(({ length }) => length <= 50_000));
  const all = parts.flat();
  assert.equal(all.length, 100_004);
  assert.equal(new Set(all).size, all.length);
});

test("renderMachinePages() leads language models and developers to every part of the interface", () => {
  const llms = renderMachinePages(editionOf(1)).find(({ path }) => path === "/llms.txt");
  const addresses = Buffer.from(llms?.body ?? "")
    .toString()
    .matchAll(/https:\/\/reviews\.example\/a&b(\/[\w./-]*)/g);
  const named = new Set(Array.from(addresses, ([, path]) => path));
  for (const path of [
    "/reviews.json",
    "/insights.json",
    "/api/changes",
    "/assets/copy.ts",
    "/assets/goodword_copy.py",
    "/docs",
    "/embed",
    "/mcp",
    "/.well-known/openapi.json",
  ])
    assert.ok(named.has(path), path);
});
