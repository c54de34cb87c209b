import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "../../../test/support/properties.ts";
import { accents, contrast, DEFAULT_COLOR, GROUNDS, tinted } from "./accent.ts";

test("contrast() is that of WCAG", () => {
  assert.equal(contrast("#000000", "#ffffff"), 21);
  assert.equal(contrast("#777777", "#777777"), 1);
  assert.equal(contrast("#0000ff", "#ffffff").toFixed(2), "8.59");
});

test("accents() makes any colour readable on both grounds, and as ground for the text of buttons", () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 0xffffff }), (number) => {
      const { light, dark } = accents(`#${number.toString(16).padStart(6, "0")}`);
      for (const ground of [GROUNDS.light, "#ffffff", tinted("#ffffff", light)])
        assert.ok(contrast(light, ground) >= 4.5);
      for (const ground of [GROUNDS.dark, "#12171e", tinted(GROUNDS.dark, dark)])
        assert.ok(contrast(dark, ground) >= 4.5);
    }),
  );
});

test("accents() leaves a colour alone that is readable already", () => {
  assert.equal(accents(DEFAULT_COLOR).light, DEFAULT_COLOR);
});
