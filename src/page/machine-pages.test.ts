import assert from "node:assert/strict";
import { test } from "node:test";
import { UNNAMED_BUSINESS } from "../business.ts";
import { aggregateRating } from "../edition/aggregate-rating.ts";
import type { RenderedEdition } from "../edition/render-datasets.ts";
import { renderMachinePages } from "./machine-pages.ts";

const idOf = (index: number) => String(index).padStart(26, "0");

function editionOf(count: number): RenderedEdition {
  const ids = Buffer.from(Array.from({ length: count }, (_, index) => idOf(index)).join(""));
  const [baseUrl, business] = ["https://reviews.example/a&b", UNNAMED_BUSINESS];
  return {
    baseUrl,
    business,
    aggregateRating: aggregateRating(new Uint8Array()),
    reviewIndex: { ids },
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

test("renderMachinePages() names each page and each review in one sitemap while they fit", () => {
  const maps = sitemaps(3);
  assert.deepEqual([...maps.keys()], ["/sitemap.xml"]);
  assert.deepEqual(
    maps.get("/sitemap.xml"),
    ["/", "/reviews", "/about", "/docs", ...[0, 1, 2].map((index) => `/reviews/${idOf(index)}`)].map(
      (path) => `https://reviews.example/a&amp;b${path}`,
    ),
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
