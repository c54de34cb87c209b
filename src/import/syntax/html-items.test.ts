import assert from "node:assert/strict";
import { test } from "node:test";
import { htmlItems } from "./html-items.ts";

test("htmlItems() takes values from attributes and texts, and keeps items in items", () => {
  const { microdata, rdfa } = htmlItems(
    '<div itemscope itemtype="https://schema.org/Review"><a itemprop="url" href="https://example.com/1">x</a><p itemprop="author" itemscope><b itemprop="name">Ann</b></p><span itemprop="reviewBody">A <i>b</i><br>c</span></div>',
  );
  assert.deepEqual(microdata, [
    {
      "@type": ["Review"],
      url: ["https://example.com/1"],
      author: [{ "@type": [], name: ["Ann"] }],
      reviewBody: ["A b\nc"],
    },
  ]);
  assert.deepEqual(rdfa, []);
});

test("htmlItems() reads no page whose elements nest without end, and says so", () => {
  const page = (elements: number) =>
    `<div itemscope itemtype="Review">${"<div>".repeat(elements)}<i itemprop="author">Ann</i>`;
  const items = (elements: number) =>
    [htmlItems(page(elements))].map(({ isTooDeep, microdata }) => [isTooDeep, microdata.length]);
  assert.deepEqual(items(4_900), [[false, 1]]);
  assert.deepEqual(items(100_000), [[true, 1]]);
});

test("htmlItems() gives items the properties that they name by ids in time that grows with the page", () => {
  const named = `<div id="a">${'<i itemprop="text">x</i>'.repeat(50_000)}</div>`;
  const before = process.cpuUsage();
  for (const sharing of [
    `<div itemscope itemref="${"a ".repeat(50_000)}"></div>`,
    '<div itemscope itemref="a"></div>'.repeat(50_000),
  ])
    htmlItems(
      `${sharing}${named}<div id="b">${'<p itemprop="q" itemscope><b itemprop="r" itemscope></b></p>'.repeat(1_000)}</div>`,
    );
  assert.ok(process.cpuUsage(before).user < 5_000_000);
});

test("htmlItems() copies no words again and again for properties that hold each other", () => {
  const { microdata } = htmlItems(
    `<div itemscope itemtype="https://schema.org/Review">${'<b itemprop="text">a'.repeat(1000)}${"</b>".repeat(1000)}</div>`,
  );
  const [item = {}] = microdata;
  assert.ok(Array.isArray(item.text));
  assert.equal(item.text.length, 20);
});
