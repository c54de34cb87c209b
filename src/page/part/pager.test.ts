import assert from "node:assert/strict";
import { test } from "node:test";
import { localeOf } from "../text/locale.ts";
import { pageNumbers, renderPager } from "./pager.ts";

test("pageNumbers() has the first, the last and the near pages, and leaves out no page alone", () => {
  const told = (current: number, last: number) =>
    pageNumbers(current, last)
      .map((page) => page ?? "…")
      .join(" ");
  assert.equal(told(1, 2), "1 2");
  assert.equal(told(1, 12), "1 2 3 … 12");
  assert.equal(told(4, 12), "1 2 3 4 5 6 … 12");
  assert.equal(told(5, 12), "1 2 3 4 5 6 7 … 12");
  assert.equal(told(6, 12), "1 … 4 5 6 7 8 … 12");
  assert.equal(told(8, 12), "1 … 6 7 8 9 10 11 12");
  assert.equal(told(12, 12), "1 … 10 11 12");
  assert.equal(told(2500, 5000), "1 … 2,498 2,499 2,500 2,501 2,502 … 5,000".replaceAll(",", ""));
  assert.equal(told(2.5, 12), "1 2 3 4 5 … 12", "a list may start between two pages");
});

test("renderPager() links the pages by their offsets, marks this one, and names no address that is refused", () => {
  const pager = (offset: number, limit: number, matched: number) =>
    String(
      renderPager(
        { offset, limit, matched, address: (from) => `/reviews?offset=${from}`, before: "Newer", after: "Older" },
        localeOf("en"),
      ),
    );
  assert.equal(pager(0, 20, 20), "");
  assert.equal(pager(500, 20, 240), "");
  const middle = pager(120, 20, 240);
  assert.match(middle, /<a href="\/reviews\?offset=120" aria-current="page" aria-label="Page 7">7<\/a>/);
  assert.match(middle, /<a href="\/reviews\?offset=220" aria-label="Page 12">12<\/a>/);
  assert.match(middle, /rel="prev" href="\/reviews\?offset=100"/);
  assert.match(middle, /rel="next" href="\/reviews\?offset=140"/);
  assert.doesNotMatch(pager(30, 20, 240), /aria-current/);
  for (const limit of [1, 3, 7, 20, 99, 100]) {
    for (const offset of [0, 999_990, 1_000_000]) {
      const links = pager(offset, limit, 2_000_000).matchAll(/offset=(\d+)/g);
      for (const [, from] of links) assert.ok(Number(from) <= 1_000_000, `${from} from ${offset} by ${limit}`);
    }
  }
});
