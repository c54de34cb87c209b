/** All pages that are made with each edition, and what they load. Pages of single reviews are made when asked for. */
import type { Document } from "../edition/document.ts";
import type { Edition } from "../edition/edition.ts";
import { renderAssets } from "./asset/asset-files.ts";
import { BADGE_PATH, renderBadge } from "./badge.ts";
import { renderDocsPage } from "./docs-page.ts";
import { EMBED_PATHS, renderEmbedFrame, renderEmbedPage } from "./embed-page.ts";
import { renderFrontPage } from "./front-page.ts";
import { LIST_PATH, renderReviewsPage } from "./reviews-page.ts";

/** The addresses of `renderPages`. */
export const PAGE_PATHS = [
  "/",
  LIST_PATH,
  "/docs",
  EMBED_PATHS.page,
  EMBED_PATHS.frame,
  EMBED_PATHS.element,
  BADGE_PATH,
  "/assets/style.css",
  "/assets/embed.css",
  "/assets/reviews.js",
  "/assets/docs.js",
  "/assets/icon.svg",
] as const;

/** The documents of an edition that are for people. */
export function renderPages(edition: Edition): Document[] {
  return [
    renderFrontPage(edition),
    renderReviewsPage(edition, new URLSearchParams()),
    renderDocsPage(edition),
    renderEmbedPage(edition),
    renderEmbedFrame(edition),
    renderBadge(edition),
    ...renderAssets(edition.color),
  ];
}
