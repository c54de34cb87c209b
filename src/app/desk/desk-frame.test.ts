import assert from "node:assert/strict";
import { test } from "node:test";
import { deskLocale } from "./desk-frame.ts";

test("deskLocale() is English, words and formats alike, where the pages have a language that the desk lacks", () => {
  const tags = ["de-AT", "en-IE", "fr-BE", "nl", "it"].map((language) => deskLocale(language).locale.tag);
  assert.deepEqual(tags, ["de-AT", "en-IE", "en", "en", "en"]);
  assert.equal(deskLocale("es").words, deskLocale("en").words);
});
