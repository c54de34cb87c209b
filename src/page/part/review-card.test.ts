import assert from "node:assert/strict";
import { test } from "node:test";
import { languageOfText } from "../../insight/text/language.ts";
import type { Review } from "../../review.ts";
import { localeOf } from "../text/locale.ts";
import { languageOf, renderReviewCard } from "./review-card.ts";

test("a card stays small with a very long name, text and reply", () => {
  const endless = "x".repeat(10_000);
  const review: Review = {
    id: "01KDVXEC00SAMP1EREV1EW0001",
    author: endless,
    author_avatar_url: null,
    rating: 5,
    date: "2026-01-01",
    text: endless,
    source: "google",
    source_url: null,
    owner_reply: { text: endless, date: "2026-01-02" },
    verified: true,
  };
  const card = String(
    renderReviewCard(review, {
      locale: localeOf("en"),
      language: "en",
      businessName: "Ada",
      tellLanguage: languageOfText,
    }),
  );
  assert.ok(card.length < 4_000, String(card.length));
});

test("languageOf() marks words in another language than the page, and takes what tells none for the business's", () => {
  const said = (page: string, language: string, words: string | null) =>
    String(languageOf({ locale: localeOf(page), language, businessName: "Ada", tellLanguage: languageOfText }, words));
  const [german, english] = ["Der Monteur kam pünktlich und war sehr freundlich.", "They came on time and were kind."];
  assert.deepEqual(
    [
      said("en", "en", german),
      said("en", "en", english),
      said("en-IE", "en-IE", english),
      said("de", "de", german),
      said("de-AT", "de-AT", german),
      said("de", "de", english),
      said("en", "de", "OK"),
      said("de", "de", null),
    ],
    [' lang="de"', "", "", "", "", ' lang="en"', ' lang="de"', ""],
  );
});
