/** The server card (SEP-2127) and the catalog that links to it. Agent directories use them to find the MCP server. */
import type { Business } from "../business.ts";
import { type Document, makeDocument } from "../edition/document.ts";
import { AI_CATALOG_PATH, API_VERSION, SERVER_CARD_PATH } from "../interface.ts";
import { SESSION_VERSIONS } from "./protocol/session-protocol.ts";
import { STATELESS_VERSION } from "./protocol/stateless-protocol.ts";

const SERVER_CARD_TYPE = "application/mcp-server-card+json";
const AI_CATALOG_TYPE = "application/ai-catalog+json";

const SCHEMA = "https://static.modelcontextprotocol.io/schemas/v1/server-card.schema.json";
const MAX_DESCRIPTION_CHARACTERS = 100;

/** Renders the card at `/mcp/server-card`. */
export function serverCard(business: Business, baseUrl: string): Document {
  const card = {
    $schema: SCHEMA,
    name: `${hostOf(baseUrl).split(".").toReversed().join(".")}/reviews`,
    version: API_VERSION,
    title: `Reviews of ${business.name}`,
    description: cut(`Verified customer reviews of ${business.name}, and what they say together.`),
    websiteUrl: baseUrl,
    remotes: [
      {
        type: "streamable-http",
        url: `${baseUrl}/mcp`,
        supportedProtocolVersions: [STATELESS_VERSION, ...SESSION_VERSIONS],
      },
    ],
  };
  return makeDocument(SERVER_CARD_PATH, SERVER_CARD_TYPE, JSON.stringify(card));
}

/** Renders the catalog at `/.well-known/ai-catalog.json`; the card is its only entry. */
export function aiCatalog(business: Business, baseUrl: string): Document {
  const entry = {
    identifier: `urn:air:${hostOf(baseUrl)}:mcp:reviews`,
    displayName: `Reviews of ${business.name}`,
    type: SERVER_CARD_TYPE,
    url: baseUrl + SERVER_CARD_PATH,
  };
  return makeDocument(AI_CATALOG_PATH, AI_CATALOG_TYPE, JSON.stringify({ specVersion: "1.0", entries: [entry] }));
}

/** The host name, with hyphens in place of characters other than letters, digits, dots and hyphens. */
function hostOf(baseUrl: string): string {
  return new URL(baseUrl).hostname.replace(/[^A-Za-z0-9.-]+/g, "-").replace(/^-+|-+$/g, "");
}

function cut(text: string): string {
  const points = [...text];
  return points.length <= MAX_DESCRIPTION_CHARACTERS
    ? text
    : `${points.slice(0, MAX_DESCRIPTION_CHARACTERS - 1).join("")}…`;
}
