/**
 * How the business responds to criticism: the newest poor review with text, and the number of replies to poor reviews.
 */
import { html } from "hono/html";
import type { Edition } from "../../edition/edition.ts";
import { filterSchema } from "../../filter.ts";
import type { Review } from "../../review.ts";
import type { Markup } from "../text/markup.ts";
import { type CardSettings, renderReviewCard } from "./review-card.ts";

/** The star ratings that count as poor. */
const POOR = [1, 2] as const;

/** Maximum number of reviews per poor star rating that are searched for one with text. */
const MAX_SEARCHED = 20;

/** A section with the review and the counts; empty if no poor review has text. */
export function renderCriticism(edition: Edition, settings: CardSettings): Markup {
  const { locale } = settings;
  const { words } = locale;
  const lists = POOR.map((rating) => edition.list(filterSchema.parse({ rating, limit: MAX_SEARCHED })));
  const spoken = lists
    .flatMap(({ reviews }) => reviews)
    .filter(({ text }) => text !== null)
    .toSorted((a, b) => (a.date < b.date ? 1 : -1));
  const shown: Review | undefined = spoken[0];
  if (shown === undefined) return "";
  const count = lists.reduce((sum, { matched }) => sum + matched, 0);
  const replies = POOR.reduce<number>(
    (sum, rating) => sum + edition.list(filterSchema.parse({ rating, has_reply: true, limit: 1 })).matched,
    0,
  );
  return html`<section aria-labelledby="criticism"><h2 id="criticism">${words.whenItGoesWrong}</h2><p>${locale.counted(words.poorReviews, count)} ${replies === 0 ? "" : locale.counted(words.poorReplies, replies)}</p><div class="cards column">${renderReviewCard(shown, settings)}</div></section>`;
}
