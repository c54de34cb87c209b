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

test("jsonLdBlocks() reads a hostile page in a moment", () => {
  const start = performance.now();
  for (const part of ["<script>", "<script ", "<!--", "</script", "<script type=application/ld+json>"]) {
    assert.deepEqual(jsonLdBlocks(part.repeat(200_000)), []);
  }
  assert.ok(performance.now() - start < 5000);
});
