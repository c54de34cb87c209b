import assert from "node:assert/strict";
import { test } from "node:test";
import { jsonLdBlocks } from "./html-blocks.ts";

test("jsonLdBlocks() finds each block and its line, in any quotes and case", () => {
  const html = `<html>
<script>var a = '<!-- not a comment';</script>
<script type="application/ld+json">{"a": 1}</script>
<SCRIPT id=x type=application/LD+JSON nonce="y">
{"b": 2}
</SCRIPT >
<!-- <script type="application/ld+json">{"hidden": 1}</script> -->
<script type='application/ld+json; charset=utf-8'>//<![CDATA[
{"c": 3}
//]]></script>
<script type="application/json">{"d": 4}</script>
<script type="application/ld+json">{"never": "closed"}`;
  assert.deepEqual(
    jsonLdBlocks(html).map(({ text, line }) => [text.trim(), line]),
    [
      ['{"a": 1}', 3],
      ['{"b": 2}', 4],
      ['{"c": 3}', 8],
    ],
  );
});

test("jsonLdBlocks() reads a hostile page in time that grows with its length only", () => {
  for (const part of [
    "<script>",
    "<script ",
    "<!--",
    "</script",
    "<script type=application/ld+json>",
    "<",
    "&",
    "<a b=",
  ]) {
    const secondsOf = (times: number) => {
      const page = part.repeat(times);
      const before = process.cpuUsage();
      assert.deepEqual(jsonLdBlocks(page), []);
      const { user, system } = process.cpuUsage(before);
      return (user + system) / 1e6;
    };
    secondsOf(5_000);
    // Ten times the length is ten times the work; a reader that looks back would need a hundred times.
    assert.ok(secondsOf(200_000) < 50 * Math.max(secondsOf(20_000), 0.02), part);
  }
});
