import assert from "node:assert/strict";
import { test } from "node:test";
import type { Document } from "../edition/document.ts";
import type { ChainPlace } from "../edition/places-schema.ts";
import { renderChainDocuments, renderChainPage } from "./chain-page.ts";

const CHAIN = { name: "North Cooling", base_url: "https://chain.example", language: "en-GB" };

function placeOf(name: string, locality: string | null, average: number | null): ChainPlace {
  const counts = { rating_counts: { "5": 2, "4": 0, "3": 0, "2": 1, "1": 0 }, best_rating: 5, worst_rating: 1 };
  return {
    ...{ name, locality, base_url: `https://${name.slice(0, 1).toLowerCase()}.example` },
    aggregate_rating: { ...counts, rating_value: average, review_count: average === null ? 0 : 3 },
    newest_review: average === null ? null : "2026-03-04",
  } as ChainPlace;
}

const PLACES = [placeOf("Alpha Heat", "Leeds", 4.25), placeOf("Östra Kyla", "York", 3), placeOf("New One", null, null)];
const textOf = ({ body }: Document) => Buffer.from(body).toString();
const page = (query: string, offset = 0) => textOf(renderChainPage(CHAIN, PLACES, { query, offset }));
/** The names of the places on a page, in order. */
const listed = (text: string) => [...text.matchAll(/<h2><a href="[^"]+"><bdi>(.*?)<\/bdi>/g)].map(([, name]) => name);

test("renderChainPage() gives each place its name with a link, locality, stars with their number, and newest review", () => {
  const [first = "", , last = ""] = page("").split("<article").slice(1);
  assert.match(first, /<a href="https:\/\/a\.example"><bdi>Alpha Heat<\/bdi>/);
  assert.match(first, /<bdi>Leeds<\/bdi>/);
  assert.match(first, /<strong>4\.25<\/strong> · 3 reviews/);
  assert.match(first, /<time datetime="2026-03-04">4 March 2026<\/time>/);
  assert.match(last, /New One[\s\S]*0 reviews/);
  assert.doesNotMatch(last.split("</article>")[0] ?? "", /<time|<strong|null/);
});

test("renderChainPage() finds places by a part of their name or of their locality, in any case, with a GET form", () => {
  const all = PLACES.map(({ name }) => name);
  const cases: readonly (readonly [string, readonly string[]])[] = [
    ["", all],
    [" ", all],
    ["ALPHA", ["Alpha Heat"]],
    ["östra", ["Östra Kyla"]],
    ["ÖSTRA", ["Östra Kyla"]],
    ["yOr", ["Östra Kyla"]],
    ["null", []],
    ["hull", []],
  ];
  for (const [query, names] of cases) assert.deepEqual(listed(page(query)), names, query);
  assert.match(page("<york>"), /<form[^>]* action="\/" method="get">[\s\S]*name="query" value="&lt;york&gt;"/);
});

test("renderChainPage() and renderChainDocuments() give the chain no rating and no review of its own", () => {
  const documents = renderChainDocuments(CHAIN, PLACES);
  const data = JSON.parse(textOf(documents[0] as Document)) as Record<string, unknown>;
  assert.deepEqual(Object.keys(data), ["name", "review_count", "places"]);
  assert.equal(data.review_count, 6);
  const places = Object.fromEntries(documents.map((document) => [document.path, textOf(document)]));
  assert.match(places["/robots.txt"] ?? "", /^Sitemap: https:\/\/chain\.example\/sitemap\.xml$/m);
  assert.match(places["/sitemap.xml"] ?? "", /<loc>https:\/\/chain\.example\/<\/loc>/);
  for (const { name, base_url } of PLACES) assert.ok(places["/llms.txt"]?.includes(`[${name}](${base_url})`), name);
  for (const text of [page(""), places["/llms.txt"] ?? ""])
    assert.doesNotMatch(text, /AggregateRating|3\.6|\b6 reviews/);
});
