/**
 * The pages that are rendered with each edition, and their assets. Pages for single reviews are rendered on request.
 */
import type { Document } from "../edition/document.ts";
import type { Edition } from "../edition/edition.ts";
import { renderAboutPage } from "./about-page.ts";
import { renderAssets } from "./asset/asset-files.ts";
import { renderBadge } from "./badge.ts";
import { renderEmbedFrame, renderEmbedPage } from "./embed-page.ts";
import { renderFrontPage } from "./front-page.ts";
import { type RatingText, renderRatingPicture, roundedCount } from "./picture/pictures.ts";
import { renderReviewsPage } from "./reviews-page.ts";
import { localeOf } from "./text/locale.ts";

/** Renders an edition's pages and their assets: `PAGE_PATHS` without those of `business-documents.ts`. */
export function renderPages(edition: Edition): Document[] {
  const { color } = edition;
  return [
    renderFrontPage(edition),
    renderReviewsPage(edition, new URLSearchParams()),
    renderAboutPage(edition),
    renderEmbedPage(edition),
    renderEmbedFrame(edition),
    renderBadge(edition),
    ...renderAssets(color),
    renderRatingPicture(ratingText(edition), color),
  ];
}

/** An edition's rating, formatted for its picture. */
function ratingText({ aggregateRating, language }: Edition): RatingText {
  const { rating_value: mean, review_count: count } = aggregateRating;
  const { number } = localeOf(language);
  return { mean, meanText: mean === null ? "" : number(mean, 2), countText: roundedCount(count, number) };
}
