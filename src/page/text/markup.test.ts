import assert from "node:assert/strict";
import { test } from "node:test";
import { withName, withNamesApart } from "./markup.ts";

test("withName() isolates the name's direction, and shows its characters as text", () => {
  assert.equal(String(withName("Reply from {name}", "شركة")), "Reply from <bdi>شركة</bdi>");
  assert.equal(String(withName("{name}: reviews", '<b> & "')), "<bdi>&lt;b&gt; &amp; &quot;</bdi>: reviews");
});

test("withNamesApart() isolates names and quotes that are written from right to left, and nothing else", () => {
  const told = (prose: string, ...names: string[]) => String(withNamesApart(prose, names));
  assert.equal(
    told("شركة Cool averages 5.00 stars. By name: Dana (2) and دانا (1).", "شركة Cool", "Dana", "دانا"),
    "<bdi>شركة Cool</bdi> averages 5.00 stars. By name: Dana (2) and <bdi>دانا</bdi> (1).",
  );
  assert.equal(
    told("דנה (3 reviews) and דנה כהן (2)", "דנה", "דנה כהן"),
    "<bdi>דנה</bdi> (3 reviews) and <bdi>דנה כהן</bdi> (2)",
  );
  assert.equal(told("In one customer’s words: “خدمة ممتازة!”."), "In one customer’s words: “<bdi>خدمة ممتازة!</bdi>”.");
  assert.equal(told("Said: “דנה הייתה נהדרת”.", "דנה"), "Said: “<bdi>דנה הייתה נהדרת</bdi>”.", "a name in a quote");
  assert.equal(told("Ann <b> says “fine & good”.", "Ann", "("), "Ann &lt;b&gt; says “fine &amp; good”.");
});
