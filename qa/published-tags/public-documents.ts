/** Reads every kind of public document from a server, or from an exported folder, and records what was published. */
import { readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { type Answer, type Ask, type Asked, BASE_URL, sha256 } from "./driven-program.ts";

/** The answer at one address: status, hash of the body, and headers. */
export type PublishedDocument = Readonly<Record<string, string | number>>;
/** Documents by method and path. */
export type PublishedDocuments = Record<string, PublishedDocument>;

export interface PublishedReview {
  readonly id: string;
  readonly author: string;
  readonly rating: number;
  readonly date: string;
  readonly text: string | null;
}

export interface Dataset {
  readonly business: {
    readonly services: readonly { readonly id: string }[];
    readonly technicians: readonly { readonly id: string; readonly name: string }[];
  };
  readonly reviews: readonly PublishedReview[];
}

interface Reading {
  /** Ids of reviews whose pages are read even after they are gone. */
  readonly watched: Iterable<string>;
  /** True for large stores: lists of all reviews are read less often. */
  readonly isLarge: boolean;
  /** Whether documents are read in all content codings too. */
  readonly isCoded: boolean;
}

const HEADERS = [
  ..."etag content-type last-modified cache-control link vary location allow content-encoding".split(" "),
  ..."access-control-allow-origin access-control-expose-headers x-content-type-options x-frame-options".split(" "),
  ..."content-security-policy referrer-policy permissions-policy cross-origin-resource-policy".split(" "),
];

const DATASETS = ["/reviews.json", "/insights.json", "/api/feed.json", "/feed.xml", "/.well-known/openapi.json"];
const PAGES = ["/", "/reviews", "/docs", "/embed", "/embed/reviews"];
const OTHERS = [
  ..."/embed/goodword.js /embed/badge.svg /llms.txt /robots.txt /sitemap.xml /sitemap-1.xml /sitemap-2.xml".split(" "),
  ..."/mcp/server-card /.well-known/ai-catalog.json /assets/style.css /assets/embed.css /assets/reviews.js".split(" "),
  ..."/assets/docs.js /assets/starting.js /assets/icon.svg /assets/site.webmanifest /assets/rating.png".split(" "),
  ..."/assets/icon-180.png /assets/icon-192.png /assets/icon-512.png /healthz /readyz".split(" "),
  ..."/favicon.ico /nothing /reviews/ /reviews/nothing /api/nothing /mcp".split(" "),
];

const SINCE = ["2026-02-30", "yesterday", "2999-01-01"];
const SEARCHES = [
  "",
  "?rating=1&limit=100",
  "?rating=5&limit=3&offset=7",
  "?min_rating=4.5&since=2024-01-01&until=2024-12-31&limit=50",
  "?query=THE&limit=40",
  "?query=%C3%A9",
  "?query=no+such+words",
  "?since=2025-01-01&until=2024-01-01",
  "?until=2023-06-30&limit=10",
  "?rating=9&limit=0&since=2026-02-30",
  "?rating=4.5",
  "?rating=4&rating=5",
  "?mentions_service=nothing&mentions_technician=nobody",
  "?offset=100000&unknown=1",
];
const LISTS = [
  "?rating=5",
  "?rating=2&has_reply=true",
  "?min_rating=4&since=2024-01-01&until=2024-12-31",
  "?query=the&sort=oldest",
  "?sort=highest&has_text=true",
  "?sort=lowest&has_text=false&offset=20",
  "?query=no+such+words",
  "?has_reply=false",
  "?rating=9&sort=none",
  "?offset=1000000",
];

const REVIEW_PAGES = 40;
const LINKED = 120;
const LARGE_LINKED = 40;

/** Reads the public documents of a server, and the dataset among them. */
export async function readDocuments(
  ask: Ask,
  { watched, isLarge, isCoded }: Reading,
): Promise<{ readonly documents: PublishedDocuments; readonly dataset: Dataset }> {
  const documents: PublishedDocuments = {};
  const linked = new Set<string>();

  async function record(
    path: string,
    { method = "GET", note = "", ...asked }: Asked & { readonly note?: string } = {},
  ) {
    const name = `${method} ${path}${note && ` (${note})`}`;
    const answer = await ask(path, { method, ...asked });
    documents[name] ??= described(answer);
    return answer;
  }
  async function recordAll(paths: Iterable<string>) {
    for (const path of paths) {
      if (`GET ${path}` in documents) continue;
      const { headers, body } = await record(path);
      const [, kind] = /^text\/(html|plain)/.exec(headers["content-type"] ?? "") ?? [];
      if (kind !== undefined) addLinks(linked, body.toString("utf8"), kind === "html");
    }
  }

  const dataset = JSON.parse((await record("/reviews.json")).body.toString("utf8")) as Dataset;
  const { reviews, business } = dataset;
  await recordAll([...DATASETS, ...PAGES, ...OTHERS]);

  const named = [
    ...business.technicians
      .slice(0, 2)
      .flatMap(({ id, name }) => [
        `?mentions_technician=${encodeURIComponent(name)}`,
        `?mentions_technician=${encodeURIComponent(id)}&rating=5`,
      ]),
    ...business.services.slice(0, 2).map(({ id }) => `?mentions_service=${encodeURIComponent(id)}`),
  ];
  await recordAll([...SEARCHES, ...named].map((query) => `/api/reviews/search${query}`));
  await recordAll([...LISTS, ...named].map((query) => `/reviews${query}`));
  const lastPage = Math.max(0, Math.ceil(reviews.length / 20) - 1) * 20;
  await recordAll([20, Math.floor(lastPage / 40) * 20, lastPage].map((offset) => `/reviews?offset=${offset}`));

  const someDays = [0, 0.02, 0.2, 0.5, 1].slice(0, isLarge ? 3 : 5).map((part) => dayAt(reviews, part));
  await recordAll([...SINCE, ...someDays].map((date) => `/api/reviews/since/${date}`));
  await recordAll([...watched, ...spread(reviews, REVIEW_PAGES).map(({ id }) => id)].map((id) => `/reviews/${id}`));
  await recordAll([...linked].slice(0, isLarge ? LARGE_LINKED : LINKED));

  for (const path of [...DATASETS, "/", `/api/reviews/since/${dayAt(reviews, 0.02)}`]) {
    const { etag = "", "last-modified": modified = "" } = documents[`GET ${path}`] ?? {};
    await record(path, { method: "HEAD" });
    await record(path, { headers: { "If-None-Match": String(etag) }, note: "by its tag" });
    await record(path, { headers: { "If-Modified-Since": String(modified) }, note: "by its date" });
    await record(path, { method: "DELETE" });
    for (const coding of isCoded ? ["br", "zstd", "gzip"] : []) {
      await record(path, { headers: { "Accept-Encoding": `${coding}, identity;q=0` }, note: coding });
    }
  }
  for (const path of ["/nothing", "/reviews/nothing", "/reviews?rating=9", "/api/nothing"]) {
    await record(path, { headers: { Accept: "text/html" }, note: "as a page" });
  }
  await record("/reviews.json", { method: "OPTIONS" });
  Object.assign(documents, await readMcp(ask, dataset));
  return { documents, dataset };
}

/** Records every file of an exported folder. */
export function readExport(folder: string): PublishedDocuments {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name))
    .sort();
  return Object.fromEntries(
    files.map((file) => [`export ${relative(folder, file)}`, { sha256: sha256(readFileSync(file)) }]),
  );
}

function described({ status, headers, body }: Answer): PublishedDocument {
  const told = HEADERS.flatMap((name) => (headers[name] === undefined ? [] : [[name, String(headers[name])]]));
  return { status, sha256: sha256(body), bytes: body.byteLength, ...Object.fromEntries(told) };
}

/** Adds the paths on this site to which a page links, or which a text names. */
function addLinks(links: Set<string>, content: string, isPage: boolean): void {
  const pattern = isPage ? /\b(?:href|src|action)="([^"]*)"/g : /(https:\/\/[^\s"'<>()[\]]*)/g;
  for (const [, address = ""] of content.matchAll(pattern)) {
    const url = URL.parse(address.replaceAll("&amp;", "&"), BASE_URL);
    if (url?.origin === BASE_URL) links.add(url.pathname + url.search);
  }
}

/** The day of the review that stands at this part of the list, from 0, the newest, to 1. */
function dayAt(reviews: readonly PublishedReview[], part: number): string {
  return reviews[Math.floor((reviews.length - 1) * part)]?.date ?? "2024-01-01";
}

/** At most `count` entries, from the first to the last at equal distances. */
export function spread<Entry>(list: readonly Entry[], count: number): Entry[] {
  if (list.length <= count) return [...list];
  return Array.from({ length: count }, (_, at) => list[Math.floor((at * (list.length - 1)) / (count - 1))] as Entry);
}

/** Calls everything that the MCP server offers, in a session, and some of it without one. */
async function readMcp(ask: Ask, { business, reviews }: Dataset): Promise<PublishedDocuments> {
  const documents: PublishedDocuments = {};
  let session: Readonly<Record<string, string>> = {};
  async function call(method: string, params: object): Promise<Answer> {
    const answer = await ask("/mcp", {
      method: "POST",
      headers: { "Content-Type": "application/json", Accept: "application/json, text/event-stream", ...session },
      body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params }),
    });
    documents[`MCP ${method} ${JSON.stringify(params)}`] = described(answer);
    return answer;
  }

  const clientInfo = { name: "published-tags", version: "1.0.0" };
  await call("tools/list", {}); // without a session
  const opened = await call("initialize", { protocolVersion: "2025-06-18", capabilities: {}, clientInfo });
  session = { "Mcp-Session-Id": String(opened.headers["mcp-session-id"]), "MCP-Protocol-Version": "2025-06-18" };
  for (const method of [
    "tools/list",
    "resources/list",
    "resources/templates/list",
    "prompts/list",
    "ping",
    "nothing",
  ]) {
    await call(method, {});
  }
  const newest = reviews[0]?.id ?? "none";
  const tools: [string, object][] = [
    ["get_business", {}],
    ["search_reviews", { min_rating: 4.5, limit: 3 }],
    ["search_reviews", { query: "the", rating: 1, offset: 1 }],
    ["search_reviews", { rating: 9 }],
    ["get_review", { id: newest }],
    ["get_review", { id: "nothing" }],
    ["list_aspects", {}],
    ...["punctuality", "pricing", "nothing"].map((aspect): [string, object] => ["get_aspect_sentiment", { aspect }]),
    ...business.technicians.slice(0, 2).map(({ name }): [string, object] => ["get_technician", { name }]),
    ...business.services.slice(0, 2).map(({ id }): [string, object] => ["get_service", { service: id }]),
    ["get_trends", {}],
    ["get_trends", { since: "2024-01-01", until: "2024-12-31" }],
    ["get_faq", {}],
    ["get_faq", { query: "price" }],
    ["get_summary", {}],
    ["nothing", {}],
  ];
  for (const [name, given] of tools) await call("tools/call", { name, arguments: given });
  await call("resources/read", { uri: `${BASE_URL}/insights.json` });
  await call("resources/read", { uri: `${BASE_URL}/reviews/${newest}` });
  const about = { service: business.services[0]?.id ?? "none", concern: "the price" };
  await call("prompts/get", { name: "assess_business", arguments: about });
  await call("prompts/get", { name: "review_digest", arguments: { since: "2024-01-01" } });
  await call("prompts/get", { name: "draft_owner_reply", arguments: { id: newest } });
  const ref = { type: "ref/prompt", name: "assess_business" };
  await call("completion/complete", { ref, argument: { name: "service", value: "" } });

  session = { "MCP-Protocol-Version": "2026-07-28", "Mcp-Method": "tools/call", "Mcp-Name": "get_summary" };
  const _meta = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientInfo": clientInfo,
    "io.modelcontextprotocol/clientCapabilities": {},
  };
  await call("tools/call", { name: "get_summary", arguments: {}, _meta });
  return documents;
}
