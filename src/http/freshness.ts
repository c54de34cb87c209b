/** Derives the headers of a document's response that depend on the document and its edition. */
import { type Document, JSON_TYPE } from "../edition/document.ts";
import type { Edition } from "../edition/edition.ts";
import { AI_CATALOG_PATH, SERVER_CARD_PATH } from "../mcp/server-card.ts";
import { LIST_PATH } from "../page/list-query.ts";
import { EMBED_HEADERS, pageHeaders } from "./page-answers.ts";
import type { Freshness } from "./respond.ts";

/** Directories fetch the cards; they may cache them for an hour. */
const CARD_CACHE_CONTROL = "public, max-age=3600";

/** The page with the content of a JSON document. Topics name theirs inside: their Link header is that of the hub. */
const PAGE_OF: ReadonlyMap<string, string> = new Map([
  ["/insights.json", "/"],
  ["/.well-known/openapi.json", "/docs"],
  ["", LIST_PATH], // reviews since a day
]);

export function pageLink(baseUrl: string, path: string): string {
  return `<${baseUrl}${path}>; rel="alternate"; type="text/html"`;
}

/** The caching and extra headers of a document, by its kind and its edition. */
export function freshnessOf(
  document: Document,
  edition: Edition,
  { baseUrl, cacheControl, now }: { readonly baseUrl: string; readonly cacheControl: string; readonly now: () => Date },
): Freshness {
  const { path, mediaType } = document;
  const isCard = path === SERVER_CARD_PATH || path === AI_CATALOG_PATH;
  const page = mediaType === JSON_TYPE ? PAGE_OF.get(path) : undefined;
  const extra = {
    ...(page === undefined ? {} : { Link: pageLink(baseUrl, page) }),
    ...(mediaType.startsWith("text/html") ? pageHeaders(edition, path) : {}),
    ...(path.startsWith("/embed/") ? EMBED_HEADERS : {}),
  };
  const lasting = isCard ? CARD_CACHE_CONTROL : cacheControl;
  return { revisedAt: edition.revisedAt, cacheControl: lasting, baseUrl, now: now(), extra };
}
