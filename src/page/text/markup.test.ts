import assert from "node:assert/strict";
import { test } from "node:test";
import { withName } from "./markup.ts";

test("withName() isolates the name's direction, and shows its characters as text", () => {
  assert.equal(String(withName("Reply from {name}", "شركة")), "Reply from <bdi>شركة</bdi>");
  assert.equal(String(withName("{name}: reviews", '<b> & "')), "<bdi>&lt;b&gt; &amp; &quot;</bdi>: reviews");
});
