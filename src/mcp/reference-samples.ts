/** Samples of MCP messages for the reference: what this server answers about a fictional business with one review. */
import { taxonomyOf } from "../analysis/trade-taxonomy.ts";
import { businessFileSchema } from "../business.ts";
import { type Edition, openEdition } from "../edition/edition.ts";
import { renderDatasets } from "../edition/render-datasets.ts";
import { finish } from "../edition/steps.ts";
import type { JsonObject } from "../lib/json-object.ts";
import type { McpReference, MessageSample, ToolReference } from "../page/reference/guides.ts";
import { SAMPLE_BUSINESS, SAMPLE_REVIEW } from "../page/reference/openapi-examples.ts";
import { NO_SEQUENCE } from "../store/change-sequence.ts";
import { NO_HISTORY } from "../store/public-history.ts";
import type { Outcome } from "./message/json-rpc.ts";
import { RESULT_END, resultStart } from "./message/json-rpc.ts";
import { type McpMethods, makeMcpMethods } from "./method/methods.ts";
import { initializeOutcome, SESSION_VERSIONS } from "./protocol/session-protocol.ts";
import { STATELESS_VERSION, statelessOutcome } from "./protocol/stateless-protocol.ts";
import { TOOLS } from "./tool/tools.ts";

/** The tools and sample messages for the reference. */
export function mcpReference(edition: Edition): McpReference {
  const { tools: ofTools, messages } = samplesFor(edition.baseUrl);
  const samples = new Map(ofTools);
  const own = ownNames(edition);
  const sampleOfTool = (name: string) => [samples.get(name)].flatMap((sample) => asOwn(sample, own))[0];
  const tools = toolReference(edition).map((tool) => ({ ...tool, sample: sampleOfTool(tool.name) }));
  return { tools, messages: messages.flatMap((message) => asOwn(message, own)) };
}

/** What this site has for each invented name of the samples; undefined if it has none of the kind. */
function ownNames(edition: Edition): ReadonlyMap<string, string | undefined> {
  const { business, insights } = edition;
  const [technician] = business.technicians;
  const [service] = business.services;
  return new Map([
    [SAMPLE_REVIEW.id, edition.newestId()],
    ["Sample Technician", technician?.name],
    ["ac-repair", service?.id],
    ["AC repair", service?.label],
    ["AC", service && Array.from(service.label).slice(0, 2).join("")],
    ["punctuality", insights.aspects.find(({ id }) => id === "punctuality")?.id], // the answer is about it alone
  ]);
}

/** The sample with a request that works on this site; nothing if it lacks what the request names. */
function asOwn(sample: MessageSample | undefined, own: ReadonlyMap<string, string | undefined>): MessageSample[] {
  let isWhole = sample !== undefined;
  const request = JSON.parse(JSON.stringify(sample?.request ?? {}), (_, value: unknown) => {
    if (typeof value !== "string") return value;
    const start = value.lastIndexOf("/") + 1;
    const name = value.slice(start);
    if (!own.has(name)) return value;
    const other = own.get(name);
    isWhole &&= other !== undefined;
    return value.slice(0, start) + (other ?? "");
  }) as MessageSample["request"];
  return sample !== undefined && isWhole ? [{ ...sample, request }] : [];
}

/** Returns the name, purpose and arguments of every tool. */
function toolReference(edition: Edition): ToolReference[] {
  return TOOLS.map(({ name, title, describe, input }) => ({
    name,
    title,
    description: describe(edition),
    parameters: Object.entries(input.shape).map(([parameter, schema]) => ({
      name: parameter,
      description: schema.description ?? "",
    })),
  }));
}

interface Samples {
  readonly tools: readonly (readonly [name: string, sample: MessageSample])[];
  readonly messages: readonly MessageSample[];
}

/** Stands for the origin in the samples that are made once for all sites: no other text has it. */
const ANY_ORIGIN = "https://origin.invalid";

/** Memo of the samples of any origin, as JSON. */
let memo: string | undefined;

/** The samples for an origin, which is all that they depend on. */
export function samplesFor(baseUrl: string): Samples {
  memo ??= JSON.stringify(makeSamples(ANY_ORIGIN));
  return JSON.parse(memo.replaceAll(ANY_ORIGIN, baseUrl)) as Samples;
}

function sampleEdition(baseUrl: string): Edition {
  const business = businessFileSchema.parse(SAMPLE_BUSINESS);
  const snapshot = {
    revision: { number: 1, revised_at: new Date("2026-01-03T09:00:00Z") },
    business,
    reviews: [SAMPLE_REVIEW],
    analyses: new Map<string, string>(),
    corrections: [],
    history: NO_HISTORY,
    edits: new Map(),
    gone: [],
    sequence: NO_SEQUENCE,
  };
  return openEdition(renderDatasets(snapshot, { baseUrl, sample: false, taxonomy: taxonomyOf(business) }));
}

/** The arguments of each tool's sample; the other tools have none. */
const ARGUMENTS: Readonly<Record<string, JsonObject>> = {
  search_reviews: { min_rating: 4, limit: 1 },
  get_review: { id: SAMPLE_REVIEW.id },
  get_aspect_sentiment: { aspect: "punctuality" },
  get_technician: { name: "Sample Technician" },
  get_service: { service: "ac-repair" },
  get_trends: { since: "2026-01" },
  get_faq: { query: "time" },
};

/** Makes the samples for an origin. */
export function makeSamples(baseUrl: string): Samples {
  const methods = makeMcpMethods(sampleEdition(baseUrl));
  const { edition } = methods;
  const review = `${edition.baseUrl}/reviews/${SAMPLE_REVIEW.id}`;
  const stateless = (title: string, method: string, params: JsonObject = {}) =>
    sampleOf(methods, title, method, params);
  const tools = toolReference(edition).map(({ name }): [string, MessageSample] => {
    const params = { name, arguments: ARGUMENTS[name] ?? {} };
    return [name, stateless(`Calling ${name}`, "tools/call", params)];
  });
  return {
    tools,
    messages: [
      ...sessionSamples(methods),
      stateless("Discovering the server", "server/discover"),
      stateless("Listing the tools", "tools/list"),
      stateless("Calling a tool", "tools/call", { name: "search_reviews", arguments: { min_rating: 4, limit: 1 } }),
      stateless("Listing the resources", "resources/list"),
      stateless("Reading a review as a resource", "resources/read", { uri: review }),
      stateless("Listing the prompts", "prompts/list"),
      stateless("Composing a prompt", "prompts/get", { name: "assess_business", arguments: { service: "AC repair" } }),
      stateless("Completing an argument", "completion/complete", {
        ref: { type: "ref/prompt", name: "assess_business" },
        argument: { name: "service", value: "AC" },
      }),
    ],
  };
}

const SESSION_ID = "the-id-that-initialize-gave";

/** The handshake of the protocol with sessions, and two requests in the session. */
function sessionSamples(methods: McpMethods): MessageSample[] {
  const initialize = {
    protocolVersion: SESSION_VERSIONS[0],
    capabilities: {},
    clientInfo: { name: "your-client", version: "1.0.0" },
  };
  const session = { "Mcp-Session-Id": SESSION_ID, "MCP-Protocol-Version": SESSION_VERSIONS[0] };
  const call = { name: "get_summary", arguments: {} };
  return [
    {
      title: "1. Opening a session",
      request: { headers: {}, body: { jsonrpc: "2.0", id: 1, method: "initialize", params: initialize } },
      answer: `Mcp-Session-Id: ${SESSION_ID}\n\n${shown(initializeOutcome(initialize.protocolVersion, methods))}`,
    },
    {
      title: "2. Saying that the client is ready",
      request: { headers: session, body: { jsonrpc: "2.0", method: "notifications/initialized" } },
      answer: "HTTP/1.1 202 Accepted",
    },
    {
      title: "3. Listing the tools in the session",
      request: { headers: session, body: { jsonrpc: "2.0", id: 1, method: "tools/list" } },
      answer: shown(finish(methods.answer("tools/list", {}))),
    },
    {
      title: "4. Calling a tool in the session",
      request: { headers: session, body: { jsonrpc: "2.0", id: 1, method: "tools/call", params: call } },
      answer: shown(finish(methods.answer("tools/call", call))),
    },
  ];
}

/** A request of the stateless protocol with its headers, and the answer. */
function sampleOf(methods: McpMethods, title: string, method: string, own: JsonObject): MessageSample {
  const name = own.name ?? own.uri;
  const params = {
    ...own,
    _meta: {
      "io.modelcontextprotocol/protocolVersion": STATELESS_VERSION,
      "io.modelcontextprotocol/clientCapabilities": {},
    },
  };
  const headers = {
    "MCP-Protocol-Version": STATELESS_VERSION,
    "Mcp-Method": method,
    ...(typeof name === "string" ? { "Mcp-Name": name } : {}),
  };
  const outcome = finish(statelessOutcome({ kind: "request", id: 1, method, params }, methods));
  return { title, request: { headers, body: { jsonrpc: "2.0", id: 1, method, params } }, answer: shown(outcome) };
}

/** An answer to read: indented, and of the declared tools and their schemas only the first. */
function shown(outcome: Outcome | undefined): string {
  if (outcome === undefined || "fault" in outcome) throw new Error("A sample of the reference is refused");
  const message = JSON.parse(resultStart(1) + outcome.result + RESULT_END) as { result: { tools?: unknown[] } };
  const { tools } = message.result;
  const more = tools === undefined || tools.length < 2 ? "" : `\n… and ${tools.length - 1} more tools`;
  if (tools !== undefined) message.result.tools = tools.slice(0, 1);
  return JSON.stringify(message, null, 2) + more;
}
