import assert from "node:assert/strict";
import { test } from "node:test";
import { isDateFormat, markFormat } from "./number-format.ts";

test("isDateFormat() knows dates and times in any order, with words and colours, from numbers", () => {
  for (const code of [
    "yyyy-mm-dd",
    'd. mmmm yyyy" um "hh:mm;@',
    "[$-409]m/d/yy h:mm AM/PM;@",
    "[h]:mm:ss",
    "mm:ss.000",
    "[Red]dd\\.mm\\.yy",
  ])
    assert.ok(isDateFormat(164, code), code);
  for (const code of ["0.00", '#,##0 "d"', "General", "@", "0%", '"yyyy"', "[Red]0;[Blue]-0", "m".repeat(300)])
    assert.ok(!isDateFormat(164, code), code);
  assert.ok(isDateFormat(14) && isDateFormat(22) && isDateFormat(57) && !isDateFormat(2) && !isDateFormat(99, "yyyy"));
});

test("markFormat() knows what a mark counts to, and shares, from units and fractions", () => {
  const behind = (code: string) => markFormat(164, code)?.behind;
  for (const code of ['0" / 10"', '0.0"/10"', "0\\/\\1\\0", 'General" out of 10"', '[Red]#" von 10";0', '0" (of 10)"'])
    assert.equal(behind(code), " / 10", code);
  for (const code of ["0%", "0.0 %"]) assert.equal(behind(code), "%", code);
  for (const code of ["# ?/10", "0/10", '0" stars"', "General", '"Q" 0', '#,##0.00" €"', '0" (2024)"'])
    assert.equal(behind(code), undefined, code);
  assert.equal(markFormat(9)?.behind, "%");
});
