import assert from "node:assert/strict";
import { test } from "node:test";
import type { Review } from "../../review.ts";
import { localeOf } from "../text/locale.ts";
import { renderReviewCard } from "./review-card.ts";

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
  const card = String(renderReviewCard(review, { locale: localeOf("en"), language: "en", businessName: "Ada" }));
  assert.ok(card.length < 4_000, String(card.length));
});
