import assert from "node:assert/strict";
import { test } from "node:test";
import { countingWork } from "../../../test/support/counted-work.ts";
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

test("jsonLdBlocks() takes a type as browsers do: the first, with its entities decoded", () => {
  const html = `<script type="application/ld&#x2B;json" type="text/plain">{}</script><script data-type="application/ld+json">{}</script>
<script type="text/plain" type="application/ld+json">{}</script><script TYPE="application/ld+json"/>{"a":"</p>"}</script>`;
  assert.deepEqual(jsonLdBlocks(html), [
    { text: "{}", line: 1 },
    { text: '{"a":"</p>"}', line: 2 },
  ]);
});

const LONG = 2_000;
for (const [part, blocks] of [
  ["<script type=application/ld+json></script>", LONG],
  ["<script type=application/ld+json>\n//<![CDATA[\n{}]]></script>\n", LONG],
  ["<script type=application/ld+json>", 0],
  ["<script>", 0],
  ["<script ", 0],
  ["<script type=", 0],
  ["<p>", 0],
  ["<svg>", 0],
  ["<form>", 0],
  ["</p>", 0],
  ["</script", 0],
  ["<!--", 0],
  ["<", 0],
  ["&", 0],
  ["<a b=", 0],
] as const) {
  test(`jsonLdBlocks() does twice the work for twice as much of ${JSON.stringify(part)}`, async () => {
    const read = (times: number) => countingWork(() => jsonLdBlocks(part.repeat(times)));
    const once = await read(LONG);
    const twice = await read(2 * LONG);
    assert.equal(once.result.length, blocks);
    assert.ok(twice.work < 2.1 * once.work + 1_000, `${once.work} and ${twice.work}`);
    assert.ok(once.work < 10 * LONG * part.length + 1_000, `${once.work} looks`);
  });
}
