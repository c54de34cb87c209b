/**
 * The interface's version, its fixed addresses and the headers of every answer, in a file of their own, so that a
 * starting server knows its routes before it has loaded the pages.
 */
import description from "../package.json" with { type: "json" };

/** The version of the interface (docs/interface.md), as the descriptions for programs state it: the program's own. */
export const API_VERSION: string = description.version;

/** On every public response. */
export const COMMON_HEADERS: Readonly<Record<string, string>> = {
  "Access-Control-Allow-Origin": "*",
  "Access-Control-Expose-Headers": "ETag, Last-Modified, Link, Retry-After, Mcp-Session-Id, MCP-Protocol-Version",
  "X-Content-Type-Options": "nosniff",
};

export const LIST_PATH = "/reviews";
export const SEARCH_PATH = "/api/reviews/search";
export const CHANGES_PATH = "/api/changes";
/** Below it, each review by its id. */
export const REVIEW_PATH = "/api/reviews";
export const ABOUT_PATH = "/about";
export const PROVENANCE_PATH = "/provenance.json";
export const OPENAPI_PATH = "/.well-known/openapi.json";
export const SERVER_CARD_PATH = "/mcp/server-card";
export const AI_CATALOG_PATH = "/.well-known/ai-catalog.json";
export const EMBED_PATHS = { page: "/embed", frame: "/embed/reviews", element: "/embed/goodword.js" } as const;
export const BADGE_PATH = "/embed/badge.svg";

/** The link preview, in the size that social networks recommend. */
export const RATING_PICTURE = { path: "/assets/rating.png", width: 1200, height: 630 } as const;
export const ICON_SIZES = [180, 192, 512] as const;

/** The pages that are rendered with each edition, and their assets. */
export const PAGE_PATHS = [
  "/",
  LIST_PATH,
  ABOUT_PATH,
  "/docs",
  EMBED_PATHS.page,
  EMBED_PATHS.frame,
  EMBED_PATHS.element,
  BADGE_PATH,
  "/assets/style.css",
  "/assets/embed.css",
  "/assets/reviews.js",
  "/assets/docs.js",
  "/assets/starting.js",
  "/assets/copy.ts",
  "/assets/goodword_copy.py",
  "/assets/receiver.mjs",
  "/assets/icon.svg",
  "/assets/site.webmanifest",
  RATING_PICTURE.path,
  ...ICON_SIZES.map((size) => `/assets/icon-${size}.png` as const),
  OPENAPI_PATH,
] as const;

/** The addresses of documents that an edition renders in advance. */
export const RENDERED_PATHS = [
  ...PAGE_PATHS,
  "/reviews.json",
  "/insights.json",
  PROVENANCE_PATH,
  "/api/feed.json",
  "/feed.xml",
  "/llms.txt",
  "/robots.txt",
  "/sitemap.xml",
  SERVER_CARD_PATH,
  AI_CATALOG_PATH,
] as const;

/**
 * The list's address with a query. On a static host the list is a folder, and the slash avoids a redirect that would
 * drop the query.
 */
export function listAddress(
  query: URLSearchParams,
  { isStatic = false }: { readonly isStatic?: boolean } = {},
): string {
  return query.size === 0 ? LIST_PATH : `${LIST_PATH}${isStatic ? "/" : ""}?${query}`;
}
