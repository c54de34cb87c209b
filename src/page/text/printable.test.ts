import assert from "node:assert/strict";
import { test } from "node:test";
import fc, { anyText } from "../../../test/support/properties.ts";
import { beginning, segments, shownName, withoutForbiddenCharacters } from "./printable.ts";

test("withoutForbiddenCharacters() leaves text and white space, and nothing that HTML forbids", () => {
  assert.equal(withoutForbiddenCharacters("a\tb\nc 👍🏽 \u202e"), "a\tb\nc 👍🏽 \u202e");
  assert.equal(withoutForbiddenCharacters("\0\x07\x7f\x85\ufffe\ud800\ud83f\udffe"), "\ufffd".repeat(7));
});

test("beginning() cuts long texts between words and never through a character", () => {
  assert.deepEqual(beginning("short enough", 20), { text: "short enough", isCut: false });
  assert.deepEqual(beginning("one two three four five six", 12), { text: "one two…", isCut: true });
  fc.assert(
    fc.property(anyText({ maxLength: 60 }), fc.integer({ min: 1, max: 40 }), (text, length) => {
      const cut = beginning(text, length);
      assert.ok(cut.text.isWellFormed());
      assert.equal(cut.isCut, cut.text !== text);
    }),
  );
});

test("segments() returns the whole text, marked where a span occurs in it", () => {
  const parts = segments("on time and polite", [
    { span: "on time", mark: "a" },
    { span: "polite", mark: "b" },
    { span: "not there", mark: "c" },
  ]);
  assert.deepEqual(parts, [
    { text: "on time", marks: ["a"] },
    { text: " and ", marks: [] },
    { text: "polite", marks: ["b"] },
  ]);
  fc.assert(
    fc.property(fc.string(), fc.array(fc.tuple(fc.nat(20), fc.nat(20))), (text, cuts) => {
      const spans = cuts.map(([from, length], mark) => ({ span: text.slice(from, from + length), mark }));
      assert.equal(
        segments(text, spans)
          .map((part) => part.text)
          .join(""),
        text,
      );
    }),
  );
});

test("shownName() leaves names whole, and cuts a text that is given as a name", () => {
  const name = "Prinzessin Maria Annunziata Adelheid Theresia Michaela Karoline von Musterstadt";
  assert.equal(shownName(name), name);
  assert.ok(shownName("x".repeat(10_000)).length < 100);
});
