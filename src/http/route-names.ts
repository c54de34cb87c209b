/** The names of routes, by which requests are counted. */
import { HUB_PATH } from "../edition/topic.ts";
import { CHANGES_PATH, RENDERED_PATHS, SEARCH_PATH } from "../interface.ts";

/** The route of a path, for metrics: never a value from a client. */
export function routeOf(path: string): string {
  if (KNOWN_PATHS.has(path)) return path;
  if (path.startsWith("/reviews/")) return "/reviews/{id}";
  if (path.startsWith("/sitemap-")) return "/sitemap-{part}.xml";
  if (path.startsWith(`${CHANGES_PATH}/`)) return "/api/changes/{cursor}";
  if (path.startsWith("/api/reviews/since/")) return "/api/reviews/since/{date}";
  if (path.startsWith("/api/reviews/")) return "/api/reviews/{id}";
  return "other";
}

const KNOWN_PATHS: ReadonlySet<string> = new Set([
  ...RENDERED_PATHS,
  SEARCH_PATH,
  CHANGES_PATH,
  "/mcp",
  HUB_PATH,
  "/healthz",
  "/readyz",
  "/metrics",
]);
