/** The part of the publication that a static host can serve: no search endpoint, no MCP endpoint, no hub. */
import { type Document, makeDocument } from "../../edition/document.ts";

/** Paths of documents about features that need a running server. */
const NEEDING_SERVER = new Set([
  "/docs",
  "/.well-known/openapi.json",
  "/mcp/server-card",
  "/.well-known/ai-catalog.json",
]);

/** Matches lines about features that need a running server. */
const SERVER_ADDRESS = /\/api\/(?:reviews\/|changes\b)|\/mcp\b|\/\.well-known\/openapi\.json|\/docs\b/;

/** Adapts a document for a static host; undefined if a static host cannot serve it. */
export function staticDocument(document: Document): Document | undefined {
  const { path, mediaType, body } = document;
  if (NEEDING_SERVER.has(path)) return undefined;
  const rewrite = path.startsWith("/sitemap") ? withoutLivePages : REWRITES[path];
  if (rewrite === undefined) return document;
  return makeDocument(path, mediaType, rewrite(Buffer.from(body).toString("utf8")));
}

/** Documents with single references to the hub or to addresses that need a server, and how to remove them. */
const REWRITES: Readonly<Record<string, (text: string) => string>> = {
  "/api/feed.json": (text) => {
    const { hubs: _hubs, ...feed } = JSON.parse(text) as Record<string, unknown>;
    return JSON.stringify(feed);
  },
  "/feed.xml": (text) => text.replace(/(?<!\s)\s*<link rel="hub"[^>]*\/>/g, ""),
  "/llms.txt": (text) => {
    const lines = text.split("\n").filter((line) => !SERVER_ADDRESS.test(line));
    return lines.filter((line, index) => !isEmptySection(line, lines.slice(index + 1))).join("\n");
  },
};

/** Removes the pages that are not exported from a sitemap. */
function withoutLivePages(sitemap: string): string {
  return sitemap.replace(
    /<url><loc>([^<]*)<\/loc>(?:<lastmod>[^<]*<\/lastmod>)?<\/url>\s*/g,
    (entry, address: string) => (NEEDING_SERVER.has(URL.parse(address)?.pathname ?? "") ? "" : entry),
  );
}

/** Whether a line is a heading without content. */
function isEmptySection(line: string, after: readonly string[]): boolean {
  const next = after.find((following) => following.trim() !== "");
  return line.startsWith("## ") && (next === undefined || next.startsWith("## "));
}
