import assert from "node:assert/strict";
import { test } from "node:test";
import { renderStore } from "../publication/publication.ts";
import { openStore } from "../store/store.ts";
import { openEdition } from "./edition.ts";

const store = await openStore("sqlite::memory:");
const rendered = await renderStore(store, { baseUrl: "http://localhost:8080" });
await store.close();

test("an edition caches answers of the incremental endpoint up to 64 MB", () => {
  const MEGABYTE = 1_000_000;
  const reviewIndex = {
    ...rendered.reviewIndex,
    count: 3,
    days: Uint32Array.of(20260103, 20260102, 20260101),
    records: new Uint8Array(50 * MEGABYTE),
    starts: Uint32Array.of(0, 20 * MEGABYTE, 40 * MEGABYTE, 50 * MEGABYTE),
    prefixTags: new Map([1, 2, 3].map((count) => [count, String(count)])),
  };
  const edition = openEdition({ ...rendered, reviewIndex });
  const isCached = ["2026-01-03", "2026-01-02", "2026-01-01"].map((date) => {
    const document = edition.since(date);
    assert.equal(edition.since(date) === document, document.isCached);
    return document.isCached;
  });
  assert.deepEqual(isCached, [true, true, false]); // 20 and 40 MB, but not 50
});
