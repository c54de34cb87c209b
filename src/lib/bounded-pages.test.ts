import assert from "node:assert/strict";
import { test } from "node:test";
import { boundedPages, MAX_PAGE_BYTES } from "./bounded-pages.ts";

test("boundedPages() ends a page before it has too many items or bytes, and leaves a larger item alone", () => {
  const half = MAX_PAGE_BYTES / 2;
  const pages = (...sizes: number[]) => [...boundedPages(sizes, (size) => size, 3)];
  assert.deepEqual(pages(1, 2, 3, 4), [[1, 2, 3], [4]]);
  assert.deepEqual(pages(half, half, 1), [[half, half], [1]]);
  assert.deepEqual(pages(1, 3 * half, 2), [[1], [3 * half], [2]]);
  assert.deepEqual(pages(), []);
});

test("boundedPages() holds no more than one item beyond the page that it returns", () => {
  let read = 0;
  function* items() {
    for (; read < 100; read += 1) yield MAX_PAGE_BYTES / 4;
  }
  const [page] = boundedPages(items(), (size) => size);
  assert.deepEqual([page?.length, read], [4, 4]);
});
