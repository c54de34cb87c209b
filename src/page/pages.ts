/**
 * The pages that are rendered anew with each edition, and their assets. Pages for single reviews are rendered on
 * request.
 */
import type { Document } from "../edition/document.ts";
import type { Edition } from "../edition/edition.ts";
import { renderAssets } from "./asset/asset-files.ts";
import { renderBadge } from "./badge.ts";
import { renderEmbedFrame, renderEmbedPage } from "./embed-page.ts";
import { renderFrontPage } from "./front-page.ts";
import { type RatingFigures, rememberRatingPicture, renderRatingPicture, roundedCount } from "./picture/pictures.ts";
import { renderReviewsPage } from "./reviews-page.ts";
import { localeOf } from "./text/locale.ts";

/** Renders an edition's documents for people and for developers: `PAGE_PATHS` without `LASTING_PATHS`. */
export function renderPages(edition: Edition): Document[] {
  return [...pagesOneByOne(edition)].flat();
}

/** The same in steps, between which the caller may do something else. */
export function* pagesOneByOne(edition: Edition): Generator<Document | Document[]> {
  const { color } = edition;
  yield renderFrontPage(edition);
  yield renderReviewsPage(edition, new URLSearchParams());
  yield [renderEmbedPage(edition), renderEmbedFrame(edition), renderBadge(edition)];
  yield [...renderAssets(color), renderRatingPicture(ratingFigures(edition), color)];
}

/** What the picture of an edition's rating shows. */
type Rated = Pick<Edition, "aggregateRating" | "color" | "language">;

function ratingFigures({ aggregateRating, language }: Rated): RatingFigures {
  const { rating_value: mean, review_count: count } = aggregateRating;
  const { number } = localeOf(language);
  return { mean, meanText: mean === null ? "" : number(mean, 2), countText: roundedCount(count, number) };
}

/** Has the next editions take the picture of an earlier one while its figures are the same. */
export function recallRatingPicture(edition: Rated, picture: Document): void {
  rememberRatingPicture(ratingFigures(edition), edition.color, picture);
}
