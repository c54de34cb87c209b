/** What of the publication a host can give that only serves files: no search, no agents' endpoint, no hub. */
import { type Document, makeDocument } from "../../edition/document.ts";

/** Addresses that describe what only a running server answers. */
const NEEDING_SERVER = new Set([
  "/docs",
  "/.well-known/openapi.json",
  "/mcp/server-card",
  "/.well-known/ai-catalog.json",
]);

/** What in a text shows that a line is about something that only a running server answers. */
const SERVER_ADDRESS = /\/api\/reviews\/|\/mcp\b|\/\.well-known\/openapi\.json|\/docs\b/;

/** The document as a static host can give it; undefined when it can not. */
export function staticDocument(document: Document): Document | undefined {
  const { path, mediaType, body } = document;
  if (NEEDING_SERVER.has(path)) return undefined;
  const rewrite = REWRITES[path];
  if (rewrite === undefined) return document;
  return makeDocument(path, mediaType, rewrite(Buffer.from(body).toString("utf8")));
}

/** Documents that name the hub or a live address besides what they are for. */
const REWRITES: Readonly<Record<string, (text: string) => string>> = {
  "/api/feed.json": (text) => {
    const { hubs: _hubs, ...feed } = JSON.parse(text) as Record<string, unknown>;
    return JSON.stringify(feed);
  },
  "/feed.xml": (text) => text.replace(/\s*<link rel="hub"[^>]*\/>/g, ""),
  "/llms.txt": (text) => {
    const lines = text.split("\n").filter((line) => !SERVER_ADDRESS.test(line));
    return lines.filter((line, index) => !isEmptySection(line, lines.slice(index + 1))).join("\n");
  },
};

/** Whether a line is a heading with nothing under it. */
function isEmptySection(line: string, after: readonly string[]): boolean {
  const next = after.find((following) => following.trim() !== "");
  return line.startsWith("## ") && (next === undefined || next.startsWith("## "));
}
