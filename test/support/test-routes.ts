/** The routes of a server whose hub and MCP address answer nothing of interest. */
import assert from "node:assert/strict";
import type { Edition } from "../../src/edition/edition.ts";
import { makeRoutes } from "../../src/http/routes.ts";

/** Routes to an edition, or before the first; `parts` replace what the test looks at. */
export function routesTo(edition: Edition | undefined, parts: Partial<Parameters<typeof makeRoutes>[0]> = {}) {
  return makeRoutes({
    edition: () => edition,
    baseUrl: edition?.baseUrl ?? "https://reviews.example",
    cacheControl: "no-cache",
    now: () => new Date(0),
    mcp: async () => new Response(null),
    hub: async () => new Response(null),
    clientAddress: () => "192.0.2.1",
    onAnswer: () => {},
    onFault: assert.ifError,
    ...parts,
  });
}
