import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "../../../test/support/properties.ts";
import { renderAvatar } from "./avatar.ts";

const characters = new Intl.Segmenter(undefined, { granularity: "grapheme" });

/** What the initial is by its definition: the first character, as readers count them, that is a letter or digit. */
function initialOf(name: string): string {
  const found = Array.from(characters.segment(name.slice(0, 100)), ({ segment }) => segment).find(
    (segment) => /^[\p{L}\p{N}]/u.test(segment) && segment.length <= 4,
  );
  return found === undefined ? "★" : found.toLocaleUpperCase("und").slice(0, 4);
}

test("renderAvatar() shows the first letter or digit with all that is put on it", () => {
  const parts = ["A", "k", "7", "\u0301", "\ufe0f", "\u20e3", "é", "ß", "K", "\u200d", " ", "李", "😀", "-"];
  const name = fc.oneof(
    fc.array(fc.constantFrom(...parts), { maxLength: 5 }).map((list) => list.join("")),
    fc.string(),
  );
  fc.assert(
    fc.property(name, (author) => {
      const shown = /<bdi>(.*)<\/bdi>/su.exec(String(renderAvatar(author)))?.[1];
      assert.equal(shown, initialOf(author));
    }),
    { numRuns: 500 },
  );
});
