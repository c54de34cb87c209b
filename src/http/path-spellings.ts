/** Other spellings of addresses: other names, letter case, a slash at the end (contract §10). */
import { HUB_PATH } from "../edition/topic.ts";
import { CHANGES_PATH, OPENAPI_PATH, RENDERED_PATHS, SEARCH_PATH } from "../interface.ts";

const KNOWN_PATHS = [...RENDERED_PATHS, SEARCH_PATH, CHANGES_PATH, "/mcp", HUB_PATH, "/healthz", "/readyz", "/metrics"];

/** Names under which programs look for what has another. */
const OTHER_NAMES: ReadonlyMap<string, string> = new Map([
  ["/openapi.json", OPENAPI_PATH],
  ["/feed.json", "/api/feed.json"],
  ["/rss.xml", "/feed.xml"],
  ["/atom.xml", "/feed.xml"],
]);

/** Addresses that end with a word of the client's, and how they are spelt. */
const FAMILIES: readonly (readonly [RegExp, (word: string) => string])[] = [
  [/^\/api\/reviews\/since\/([\d-]+)$/i, (date) => `/api/reviews/since/${date}`],
  [/^\/api\/changes\/([\w.-]+)$/i, (cursor) => `${CHANGES_PATH}/${cursor}`],
  [/^\/api\/reviews\/([\da-z]{26})$/i, (id) => `/api/reviews/${id}`],
  [/^\/reviews\/([\da-z]{26})$/i, (id) => `/reviews/${id.toUpperCase()}`],
];

/** The address that another spelling stands for: `/docs` for `/Docs/`; undefined for any other. */
export function otherSpelling(path: string, known: readonly string[] = KNOWN_PATHS): string | undefined {
  const plain = path.replace(/\/index\.html$/i, "/").replace(/(?<!\/)\/+$/, "") || "/";
  const lower = plain.toLowerCase();
  const inKnown = known.find((one) => one.toLowerCase() === lower);
  const meant = inKnown ?? (known === KNOWN_PATHS ? (OTHER_NAMES.get(lower) ?? inFamily(plain)) : undefined);
  return meant === path ? undefined : meant;
}

function inFamily(path: string): string | undefined {
  for (const [family, spell] of FAMILIES) {
    const word = family.exec(path)?.[1];
    if (word !== undefined) return spell(word);
  }
  return undefined;
}
