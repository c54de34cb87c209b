/** Derives the headers of a document's response that depend on the document and its edition. */
import type { Document } from "../edition/document.ts";
import type { Edition } from "../edition/edition.ts";
import { AI_CATALOG_PATH, listAddress, SERVER_CARD_PATH } from "../interface.ts";
import { EMBED_HEADERS, pageHeaders } from "./page-headers.ts";
import type { Freshness } from "./respond.ts";

/** Directories fetch the cards; they may cache them for an hour. */
const CARD_CACHE_CONTROL = "public, max-age=3600";

/** The page with the content of a JSON document. Topics name theirs inside: their Link header is that of the hub. */
const PAGE_OF: ReadonlyMap<string, string> = new Map([
  ["/insights.json", "/"],
  ["/.well-known/openapi.json", "/docs"],
  [SERVER_CARD_PATH, "/docs#mcp-guide"],
  [AI_CATALOG_PATH, "/docs#mcp-guide"],
]);

const SINCE = /^\/api\/reviews\/since\/(\d{4}-\d{2}-\d{2})$/;

/** The day in an address of the incremental endpoint, which may not exist; undefined for other addresses. */
export function sinceDate(path: string): string | undefined {
  return SINCE.exec(path)?.[1];
}

/** The page with the same content as the JSON at an address; undefined if it has none. */
function pageOf(path: string): string | undefined {
  const date = sinceDate(path);
  return date === undefined ? PAGE_OF.get(path) : listAddress(new URLSearchParams({ since: date }));
}

export function pageLink(baseUrl: string, path: string): string {
  return `<${baseUrl}${path}>; rel="alternate"; type="text/html"`;
}

interface Surroundings {
  readonly baseUrl: string;
  readonly cacheControl: string;
  readonly now: () => Date;
  /** The path that was asked for: documents that are rendered on request have none of their own. */
  readonly path: string;
}

const modified = new WeakMap<Edition, Date>();

/**
 * When an edition was made, or first answered from if that was earlier: a change that was committed while a clock was
 * ahead must not give a Last-Modified in the future (RFC 9110 §8.8.2.1).
 */
function modifiedAt(edition: Edition, now: Date): Date {
  const known = modified.get(edition);
  if (known !== undefined) return known;
  const date = edition.revisedAt > now ? now : edition.revisedAt;
  modified.set(edition, date);
  return date;
}

/** The caching and extra headers of a document, by its kind and its edition. */
export function freshnessOf(
  { path, mediaType }: Document,
  edition: Edition,
  { baseUrl, cacheControl, now, path: asked }: Surroundings,
): Freshness {
  const isCard = path === SERVER_CARD_PATH || path === AI_CATALOG_PATH;
  const page = pageOf(asked);
  const extra = {
    ...(page === undefined ? {} : { Link: pageLink(baseUrl, page) }),
    ...(mediaType.startsWith("text/html") ? pageHeaders(path) : {}),
    ...(path.startsWith("/embed/") ? EMBED_HEADERS : {}),
  };
  const lasting = isCard ? CARD_CACHE_CONTROL : cacheControl;
  return { revisedAt: modifiedAt(edition, now()), cacheControl: lasting, baseUrl, now: now(), extra };
}
