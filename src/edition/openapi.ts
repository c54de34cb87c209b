/** The OpenAPI 3.1.0 description of the interface, made from the schemas that also check and type it. */
import { z } from "zod";
import { type Business, businessSchema } from "../business.ts";
import { filterSchema } from "../filter.ts";
import {
  analysisSchema,
  aspectSchema,
  entitySchema,
  faqSchema,
  insightsSchema,
  monthSchema,
  topicSchema,
} from "../insights.ts";
import { reviewSchema } from "../review.ts";
import { aggregateRatingSchema } from "./aggregate-rating.ts";
import { jsonFeedSchema } from "./json-feed.ts";
import { errorSchema, reviewsDatasetSchema, searchResultSchema } from "./response-schemas.ts";

export const API_VERSION = "1.0.0";

const COMPONENTS = [
  reviewSchema,
  businessSchema,
  aggregateRatingSchema,
  reviewsDatasetSchema,
  searchResultSchema,
  errorSchema,
  jsonFeedSchema,
  insightsSchema,
  analysisSchema,
  aspectSchema,
  entitySchema,
  topicSchema,
  monthSchema,
  faqSchema,
] as const;

type Json = Readonly<Record<string, unknown>>;

/** The bytes of `/.well-known/openapi.json`. */
export function renderOpenapi(business: Business, baseUrl: string): string {
  return JSON.stringify({
    openapi: "3.1.0",
    info: {
      title: `Reviews of ${business.name}`,
      version: API_VERSION,
      description:
        "Verified customer reviews of one business and what they say together. Read-only and public: no account, no key.",
    },
    servers: [{ url: baseUrl }],
    security: [],
    tags: [
      { name: "datasets", description: "Everything at once" },
      { name: "reviews", description: "Parts of the reviews" },
      { name: "feeds", description: "The newest reviews" },
      { name: "agents", description: "Model Context Protocol" },
      { name: "hub", description: "W3C WebSub" },
      { name: "service", description: "The service itself" },
    ],
    paths: PATHS,
    components: {
      schemas: componentSchemas(),
      headers: HEADERS,
      responses: {
        NotModified: { description: "What you hold is still fresh; the body is empty.", headers: VALIDATORS },
        Invalid: { description: "The input was at fault; `issues` names every fault.", content: json(ref("Error")) },
      },
      parameters: {
        IfNoneMatch: header("If-None-Match", "Tags you hold"),
        IfModifiedSince: header("If-Modified-Since", "Date of what you hold"),
      },
    },
  });
}

function componentSchemas(): Json {
  const registry = z.registry<{ id: string }>();
  for (const schema of COMPONENTS) registry.add(schema, { id: String(schema.meta()?.id) });
  const { schemas } = z.toJSONSchema(registry, { uri: (id) => `#/components/schemas/${id}`, io: "output" });
  return Object.fromEntries(Object.entries(schemas).map(([id, schema]) => [id, plain(schema as Json)]));
}

/** A component without the keywords that identify a document of its own: here its place identifies it. */
function plain({ $schema: _schema, $id: _id, id: _own, ...rest }: Json): Json {
  return rest;
}

function ref(id: string): Json {
  return { $ref: `#/components/schemas/${id}` };
}

function json(schema: Json): Json {
  return { "application/json": { schema } };
}

function header(name: string, description: string): Json {
  return { name, in: "header", required: false, description, schema: { type: "string" } };
}

const HEADERS = {
  ETag: { description: "Strong tag of these bytes", schema: { type: "string" } },
  "Last-Modified": { description: "When the data last changed", schema: { type: "string" } },
};

const VALIDATORS = {
  ETag: { $ref: "#/components/headers/ETag" },
  "Last-Modified": { $ref: "#/components/headers/Last-Modified" },
};

const PRECONDITIONS = [
  { $ref: "#/components/parameters/IfNoneMatch" },
  { $ref: "#/components/parameters/IfModifiedSince" },
];

const NOT_MODIFIED = { "304": { $ref: "#/components/responses/NotModified" } };
const INVALID = { "400": { $ref: "#/components/responses/Invalid" } };

function ok(description: string, content: Json): Json {
  return { "200": { description, headers: VALIDATORS, content }, ...NOT_MODIFIED };
}

function read(operationId: string, tag: string, summary: string, responses: Json): Json {
  return { get: { operationId, tags: [tag], summary, parameters: PRECONDITIONS, responses } };
}

function filterParameters(): Json[] {
  const { properties = {} } = z.toJSONSchema(filterSchema, { io: "input" });
  return Object.entries(properties).map(([name, schema]) => {
    const { description, ...rest } = schema as Json;
    return { name, in: "query", required: false, description, schema: rest };
  });
}

const MESSAGE = {
  type: "object",
  required: ["jsonrpc"],
  properties: {
    jsonrpc: { const: "2.0" },
    id: { type: ["integer", "string"] },
    method: { type: "string" },
    params: { type: "object" },
    result: { type: "object" },
    error: {
      type: "object",
      required: ["code", "message"],
      properties: { code: { type: "integer" }, message: { type: "string" }, data: {} },
    },
  },
};

const plainText = (description: string): Json => ({
  description,
  content: { "text/plain": { schema: { type: "string" } } },
});
const rpc = (description: string): Json => ({ description, content: json(MESSAGE) });

const MCP = {
  post: {
    operationId: "mcp",
    tags: ["agents"],
    summary: "Model Context Protocol over streamable HTTP: read-only tools over the reviews",
    parameters: [
      header("Accept", "application/json, text/event-stream"),
      header("Mcp-Session-Id", "The value that initialize returned; on every request after it"),
      header("MCP-Protocol-Version", "The revision of the protocol in use"),
    ],
    requestBody: { required: true, content: json({ ...MESSAGE, required: ["jsonrpc", "method"] }) },
    responses: {
      "200": {
        ...rpc("The JSON-RPC response"),
        headers: { "Mcp-Session-Id": { description: "Given by initialize", schema: { type: "string" } } },
      },
      "202": { description: "A notification was taken; the body is empty." },
      "400": rpc("No JSON-RPC request, or no session"),
      "403": rpc("Host or Origin is not allowed"),
      "404": rpc("The session or the method is unknown"),
      "405": rpc("Only POST is taken"),
      "406": rpc("Answers are application/json, which Accept excludes"),
      "413": rpc("The body is larger than 64 KiB"),
      "415": rpc("The body is not application/json"),
      "503": rpc("The first edition is still being printed"),
    },
  },
};

const HUB = {
  post: {
    operationId: "subscribe",
    tags: ["hub"],
    summary: "Subscribe to a topic, or unsubscribe (W3C WebSub)",
    requestBody: {
      required: true,
      content: {
        "application/x-www-form-urlencoded": {
          schema: {
            type: "object",
            required: ["hub.callback", "hub.mode", "hub.topic"],
            properties: {
              "hub.callback": { type: "string", format: "uri", description: "Your https address" },
              "hub.mode": { type: "string", enum: ["subscribe", "unsubscribe"] },
              "hub.topic": { type: "string", format: "uri", description: "The address of a feed or dataset" },
              "hub.lease_seconds": { type: "integer", minimum: 1, description: "How long, in seconds" },
              "hub.secret": { type: "string", description: "Under 200 bytes; deliveries are then signed with it" },
            },
          },
        },
      },
    },
    responses: {
      "202": { description: "Accepted; your callback will be asked to confirm." },
      "400": plainText("A field is at fault; the text names it"),
      "413": plainText("The body is larger than 16 KiB"),
      "415": plainText("The body is not application/x-www-form-urlencoded"),
      "429": plainText("Too many requests; Retry-After says when"),
      "503": plainText("The hub cannot store it now; Retry-After says when"),
    },
  },
};

const PATHS = {
  "/reviews.json": read(
    "getReviews",
    "datasets",
    "Business, aggregate rating and every verified review",
    ok("The reviews dataset", json(ref("ReviewsDataset"))),
  ),
  "/insights.json": read(
    "getInsights",
    "datasets",
    "What the reviews say together",
    ok("The insights dataset", json(ref("Insights"))),
  ),
  "/api/feed.json": read(
    "getJsonFeed",
    "feeds",
    "The 50 newest reviews as JSON Feed 1.1",
    ok("The feed", json(ref("JsonFeed"))),
  ),
  "/feed.xml": read(
    "getAtomFeed",
    "feeds",
    "The 50 newest reviews as Atom",
    ok("The feed", { "application/atom+xml": { schema: { type: "string" } } }),
  ),
  "/api/reviews/search": {
    get: {
      operationId: "searchReviews",
      tags: ["reviews"],
      summary: "Reviews that match every filter given",
      parameters: [...filterParameters(), ...PRECONDITIONS],
      responses: { ...ok("The matching reviews", json(ref("SearchResult"))), ...INVALID },
    },
  },
  "/api/reviews/since/{date}": {
    get: {
      operationId: "reviewsSince",
      tags: ["reviews"],
      summary: "Reviews dated on or after a day",
      parameters: [
        {
          name: "date",
          in: "path",
          required: true,
          description: "YYYY-MM-DD",
          schema: { type: "string", format: "date" },
        },
        ...PRECONDITIONS,
      ],
      responses: { ...ok("The reviews, newest first", json({ type: "array", items: ref("Review") })), ...INVALID },
    },
  },
  "/mcp": MCP,
  "/api/websub/hub": HUB,
  "/.well-known/openapi.json": read(
    "getOpenapi",
    "service",
    "This description",
    ok("OpenAPI 3.1.0", json({ type: "object" })),
  ),
};
