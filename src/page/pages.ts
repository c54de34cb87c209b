/**
 * All pages that are rendered with each edition, and their assets. Pages for single reviews are rendered on request.
 */
import { type Document, JSON_TYPE, makeDocument } from "../edition/document.ts";
import type { Edition } from "../edition/edition.ts";
import { ICON_SIZES, OPENAPI_PATH } from "../interface.ts";
import { accents, USUAL_COLOR } from "./asset/accent.ts";
import { renderAssets } from "./asset/asset-files.ts";
import { renderBadge } from "./badge.ts";
import { renderEmbedFrame, renderEmbedPage } from "./embed-page.ts";
import { renderFrontPage } from "./front-page.ts";
import { renderIcons, renderRatingPicture } from "./picture/pictures.ts";
import { renderDocsPage } from "./reference/docs-page.ts";
import type { McpReference } from "./reference/guides.ts";
import { renderOpenapi } from "./reference/openapi.ts";
import { renderReviewsPage } from "./reviews-page.ts";
import { localeOf } from "./text/locale.ts";

/** Renders an edition's documents for people and for developers: `PAGE_PATHS`. `mcp` is what the reference shows of the MCP server. */
export function renderPages(edition: Edition, mcp: McpReference): Document[] {
  const { aggregateRating, baseUrl, business, color, language } = edition;
  const { rating_value: mean } = aggregateRating;
  const openapi = renderOpenapi(business, baseUrl);
  return [
    renderFrontPage(edition),
    renderReviewsPage(edition, new URLSearchParams()),
    renderDocsPage(edition, openapi, mcp),
    makeDocument(OPENAPI_PATH, JSON_TYPE, openapi),
    renderEmbedPage(edition),
    renderEmbedFrame(edition),
    renderBadge(edition),
    ...renderAssets(color),
    renderManifest(edition),
    renderRatingPicture(mean, mean === null ? "" : localeOf(language).number(mean, 2), color),
    ...renderIcons(color),
  ];
}

/** The first twelve characters of a name, as readers count them. */
function shortName(name: string): string {
  const characters = new Intl.Segmenter(undefined, { granularity: "grapheme" }).segment(name.slice(0, 200));
  return Array.from(characters, ({ segment }) => segment)
    .slice(0, 12)
    .join("")
    .trim();
}

/** The manifest that lets a browser install the site as an app (W3C Web Application Manifest). */
function renderManifest({ business, language, color }: Edition): Document {
  const icons = ICON_SIZES.map((size) => ({
    src: `/assets/icon-${size}.png`,
    sizes: `${size}x${size}`,
    type: "image/png",
  }));
  const manifest = {
    name: business.name,
    short_name: shortName(business.name),
    lang: language,
    start_url: "/",
    display: "minimal-ui",
    background_color: "#f6f7f9",
    theme_color: accents(color ?? USUAL_COLOR).light,
    icons: [{ src: "/assets/icon.svg", sizes: "any", type: "image/svg+xml" }, ...icons],
  };
  return makeDocument("/assets/site.webmanifest", "application/manifest+json", JSON.stringify(manifest));
}
