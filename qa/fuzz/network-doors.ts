/** The doors of a running server: requests, searches, documents, the hub's form, MCP messages and session ids. */
import assert from "node:assert/strict";
import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from "node:zlib";
import fc from "fast-check";
import { SaxesParser } from "saxes";
import { ENVELOPE, sessionAt } from "../../test/support/mcp-server.ts";
import type { Served } from "../../test/support/program.ts";
import { type Answer, type Asked, ask as askOnWire, exchange } from "../../test/support/wire.ts";
import { type Door, doorOf, oddJson, oddText } from "./door.ts";

const PATHS = [
  ..."/reviews.json,/insights.json,/api/feed.json,/feed.xml,/llms.txt,/robots.txt,/sitemap.xml".split(","),
  ..."/,/reviews,/reviews/,/embed,/badge.svg,/business,/developers,/insights,/accessibility,/sitemap-1.xml".split(","),
  ..."/api/reviews/search,/api/reviews/since/,/api/reviews/since/2025-01-01,/api/changes,/api/changes/x.1,/mcp,/api/websub/hub".split(
    ",",
  ),
  ..."/healthz,/readyz,/metrics,/.well-known/openapi.json,/.well-known/mcp.json,*,http://localhost/,//x/".split(","),
];
const HEADERS = [
  ..."If-None-Match,If-Modified-Since,If-Match,Accept-Encoding,Accept,Accept-Language,Host,X-Forwarded-For".split(","),
  ..."Content-Length,Transfer-Encoding,Expect,Range,Cookie,Connection,Upgrade,Content-Type,Origin,Mcp-Session-Id".split(
    ",",
  ),
];
const MAX_ANSWER_MS = 20_000;

async function ask(url: string, asked: Asked = {}): Promise<Answer> {
  const { promise, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new Error(`no answer in ${MAX_ANSWER_MS} ms`)), MAX_ANSWER_MS);
  try {
    return await Promise.race([askOnWire(url, asked), promise]);
  } finally {
    clearTimeout(timer);
  }
}

/** The bytes of a text: in Latin-1 if it can hold all characters, otherwise in UTF-8. */
function bytesOf(text: string): Buffer {
  return /^[\0-\xff]*$/.test(text) ? Buffer.from(text, "latin1") : Buffer.from(text);
}

/** Malformed request lines and headers, written to the socket. */
export function requestDoor({ port }: Served): Door {
  const line = oddText.map((text) => text.replaceAll(/[\r\n]/g, ""));
  const method = fc.oneof(
    { weight: 6, arbitrary: fc.constantFrom("GET", "HEAD", "OPTIONS", "POST") },
    { weight: 1, arbitrary: fc.constantFrom("PUT", "TRACE", "CONNECT", "DELETE", "get", "BREW", "", "PRI") },
  );
  const input = fc.record({
    method,
    path: fc
      .tuple(fc.constantFrom(...PATHS), fc.array(line, { maxLength: 3 }))
      .map(([path, tail]) => path + tail.join("")),
    version: fc.oneof({ weight: 9, arbitrary: fc.constant("HTTP/1.1") }, fc.constantFrom("HTTP/1.0", "HTTP/2.0", "")),
    headers: fc.array(fc.tuple(fc.constantFrom(...HEADERS), line), { maxLength: 4 }),
    body: fc.oneof({ weight: 3, arbitrary: fc.constant("") }, oddText),
    isCut: fc.nat(499).map((number) => number === 0), // the server waits for the rest, which takes seconds
  });
  return doorOf("request", 60, input, async ({ method, path, version, headers, body, isCut }) => {
    const lines = headers.map(([name, value]) => `${name}: ${value}\r\n`).join("");
    const whole = bytesOf(
      `${method} ${path} ${version}\r\nHost: localhost\r\nConnection: close\r\n${lines}\r\n${body}`,
    );
    const answer = await exchange(port, isCut ? whole.subarray(0, Math.ceil(whole.length / 2)) : whole);
    const statuses = Array.from(answer.matchAll(/^HTTP\/1\.[01] (\d{3}) /gm), ([, status]) => Number(status));
    for (const status of statuses) assert.ok(status >= 100 && status < 500, `answered ${status}`);
    if (version !== "HTTP/1.1" || isCut || body !== "") return; // rubbish behind a request may end its connection
    assert.ok(statuses.length > 0, "no answer");
  });
}

interface FoundReview {
  readonly id: string;
  readonly rating: number;
  readonly date: string;
  readonly text: string | null;
}

/** Queries of the search: the answer obeys each filter. */
export function searchDoor({ url }: Served): Door {
  const value: Readonly<Record<string, fc.Arbitrary<string>>> = {
    rating: fc.constantFrom("1", "3", "5"),
    min_rating: fc.constantFrom("1", "2.5", "4", "5"),
    since: fc.constantFrom("2024-01-01", "2025-06-15", "2024-02-29"),
    until: fc.constantFrom("2024-12-31", "2026-01-01"),
    query: fc.constantFrom("the", "FURNACE", "a", "  cold ", "e\u0301", "'", "%", "İ"),
    limit: fc.constantFrom("1", "7", "100"),
    offset: fc.constantFrom("0", "3", "1000000"),
    mentions_service: fc.constantFrom("repair", "installation"),
    mentions_technician: fc.constantFrom("Elena", "elena"),
  };
  const pair = fc
    .constantFrom(...Object.keys(value))
    .chain((name) =>
      fc.tuple(
        fc.constant(name),
        fc.oneof({ weight: 2, arbitrary: value[name] ?? oddText }, { weight: 1, arbitrary: oddText }),
      ),
    );
  return doorOf("search", 40, fc.array(pair, { maxLength: 5 }), async (pairs) => {
    const parameters = new URLSearchParams(pairs);
    const address = `${url}/api/reviews/search?${parameters}`;
    const { status, text } = await ask(address);
    assert.ok([200, 400, 414, 431].includes(status), `answered ${status}: ${text.slice(0, 200)}`);
    if (status !== 200) return void assert.ok(JSON.parse(text).error);
    const found = JSON.parse(text) as { reviews: readonly FoundReview[] };
    const { rating, min_rating, since, until, limit } = Object.fromEntries(parameters);
    assert.ok(found.reviews.length <= Number(limit || 20), "more than the limit");
    for (const review of found.reviews) {
      if (rating) assert.equal(review.rating, Number(rating));
      if (min_rating) assert.ok(review.rating >= Number(min_rating), "a lower rating");
      if (since) assert.ok(review.date.slice(0, 10) >= since, "an earlier review");
      if (until) assert.ok(review.date.slice(0, 10) <= until, "a later review");
    }
    const page = await ask(`${url}/reviews?${parameters}`, { headers: { Accept: "text/html" } });
    assert.ok([200, 308, 400].includes(page.status), `the page answered ${page.status}`);
  });
}

const DECODERS: Readonly<Record<string, (bytes: Buffer) => Buffer>> = {
  gzip: gunzipSync,
  br: brotliDecompressSync,
  zstd: zstdDecompressSync,
};

/** Documents in any coding under any condition: well-formed after decoding, with tags that hold. */
export function documentsDoor({ url }: Served): Door {
  const documents = [
    "/reviews.json",
    "/insights.json",
    "/api/feed.json",
    "/feed.xml",
    "/sitemap.xml",
    "/llms.txt",
    "/",
  ];
  const codings = fc.oneof(
    fc
      .array(
        fc.tuple(
          fc.constantFrom("gzip", "br", "zstd", "identity", "*", "x"),
          fc.constantFrom("", ";q=0", ";q=0.5", ";q=2"),
        ),
        { maxLength: 4 },
      )
      .map((parts) => parts.map(([coding, weight]) => coding + weight).join(", ")),
    oddText.map((text) => text.replaceAll(/[^\x20-\x7e]/g, "")),
  );
  const input = fc.record({
    path: fc.constantFrom(...documents),
    codings,
    condition: fc.constantFrom("", "*", "W/", "own"),
  });
  return doorOf("documents", 25, input, async ({ path, codings, condition }) => {
    const headers = { "Accept-Encoding": codings };
    const answer = await ask(url + path, { headers });
    if (answer.status === 406) return;
    assert.equal(answer.status, 200);
    const coding = String(answer.headers["content-encoding"] ?? "identity");
    const body = coding === "identity" ? answer.body : (DECODERS[coding]?.(answer.body) ?? Buffer.alloc(0));
    if (path.endsWith(".json")) JSON.parse(body.toString());
    if (path.endsWith(".xml")) assertWellFormed(body.toString());
    const etag = String(answer.headers.etag);
    const head = await ask(url + path, { method: "HEAD", headers });
    if (head.headers.etag !== etag) return; // another edition came between
    assert.equal(head.body.length, 0);
    assert.equal(head.headers["content-length"], answer.headers["content-length"]);
    const tags: Readonly<Record<string, string>> = { "": "", "*": "*", "W/": `W/${etag}`, own: `"x", ${etag}` };
    const again = await ask(url + path, { headers: { ...headers, "If-None-Match": tags[condition] ?? "" } });
    if (again.headers.etag === etag) assert.equal(again.status, condition === "" ? 200 : 304);
  });
}

function assertWellFormed(text: string): void {
  const parser = new SaxesParser();
  parser.on("error", (error) => {
    throw error;
  });
  parser.write(text).close();
}

/** Internal addresses, which no callback may have, in notations that parsers understand differently. */
const INSIDE = [
  ..."127.0.0.1,127.1,127.0.0.1.,0177.0.0.1,0x7f.1,2130706433,017700000001".split(","),
  ..."10.0.0.1,192.168.1.1,169.254.169.254,0.0.0.0,0,100.64.0.1,224.0.0.1,255.255.255.255".split(","),
  ..."[::1],[::],[::ffff:127.0.0.1],[::ffff:7f00:1],[fe80::1],[fc00::1],[64:ff9b::7f00:1],[2002:7f00:1::]".split(","),
  ..."１２７.0.0.1,127。0。0。1,①②⑦.0.0.1".split(","),
];

/** Forms to the hub: refused with a reason or accepted, and never for an internal address. */
export function hubDoor({ url }: Served): Door {
  const field = (usual: fc.Arbitrary<string>) =>
    fc.oneof({ weight: 4, arbitrary: usual }, { weight: 1, arbitrary: oddText });
  const tail = fc.constantFrom("", "/", "/a?b=c", "/%zz", "/a#b", "/\u00e9");
  const callback = fc.oneof(
    fc
      .tuple(fc.constantFrom(...INSIDE), fc.constantFrom("", ":443", ":8443"), tail)
      .map((parts) => `https://${parts.join("")}`),
    fc
      .tuple(
        fc.constantFrom("https://", "http://", "HTTPS:", "https:\\\\", "ftp://", "https://u:p@"),
        fc.constantFrom("you.example", "x", "xn--", "a..b"),
        fc.constantFrom("", ":0", ":22", ":65536", ":1024"),
        tail,
      )
      .map((parts) => parts.join("")),
  );
  const input = fc.record({
    mode: field(fc.constantFrom("subscribe", "unsubscribe", "publish", "denied")),
    topic: field(
      fc.constantFrom("/feed.xml", "/reviews.json", "/api/feed.json", "/", "/feed%2Exml").map((path) => url + path),
    ),
    callback: field(callback),
    lease: field(fc.constantFrom("", "60", "1", "99999999999999999999", "0")),
    secret: field(fc.constantFrom("", "between-us", "x".repeat(199), "x".repeat(200), "é".repeat(100))),
    more: fc.array(fc.tuple(fc.constantFrom("hub.mode", "hub.topic", "hub.callback", "hub.url", "x"), oddText), {
      maxLength: 1,
    }),
    type: fc.oneof(
      { weight: 9, arbitrary: fc.constant("application/x-www-form-urlencoded") },
      fc.constantFrom(
        "application/json",
        "application/x-www-form-urlencoded; charset=latin1",
        "multipart/form-data",
        "x",
      ),
    ),
    raw: fc.option(fc.uint8Array({ maxLength: 60 }), { freq: 9 }),
    client: fc.tuple(fc.nat(255), fc.nat(255), fc.nat(255)).map((bytes) => `20.${bytes.join(".")}`),
  });
  return doorOf("hub", 40, input, async ({ mode, topic, callback, lease, secret, more, type, raw, client }) => {
    const form = new URLSearchParams({ "hub.mode": mode, "hub.topic": topic, "hub.callback": callback });
    if (lease !== "") form.set("hub.lease_seconds", lease);
    if (secret !== "") form.set("hub.secret", secret);
    for (const [name, value] of more) form.append(name, value);
    const headers = { "Content-Type": type, "X-Forwarded-For": client };
    const body = raw === null ? form.toString() : Buffer.concat([Buffer.from(form.toString()), raw]);
    const answer = await ask(`${url}/api/websub/hub`, { method: "POST", headers, body });
    const statuses = [202, 400, 413, 415, 429, 503];
    assert.ok(statuses.includes(answer.status), `answered ${answer.status}: ${answer.text.slice(0, 200)}`);
    if ([429, 503].includes(answer.status)) assert.ok(answer.headers["retry-after"], "no Retry-After");
    const inside = INSIDE.find(
      (host) => callback.startsWith(`https://${host}`) && !/^[\w.-]/.test(callback.slice(8 + host.length)),
    );
    if (inside !== undefined) assert.notEqual(answer.status, 202, `accepted ${inside}`);
  });
}

const METHODS = [
  ..."initialize,ping,tools/list,tools/call,resources/list,resources/templates/list,resources/read".split(","),
  ..."prompts/list,prompts/get,completion/complete,server/discover,notifications/initialized,logging/setLevel".split(
    ",",
  ),
  ..."__proto__,constructor,subscriptions/listen".split(","),
];
const TOOLS = [
  ..."get_business,search_reviews,get_review,list_aspects,get_aspect_sentiment,get_technician".split(","),
  ..."get_service,get_trends,get_faq,get_summary,toString".split(","),
];
const ARGUMENTS =
  "rating,min_rating,query,limit,offset,since,until,name,id,service,aspect,mentions_service,cursor,__proto__,x".split(
    ",",
  );
const MCP_ERRORS = new Set([-32700, -32600, -32601, -32602, -32000, -32001, -32002, -32020, -32022]);
const ERROR_STATUSES = new Set([200, 202, 400, 403, 404, 405, 406, 413, 415]);

/** The JSON of an object from the JSON of its members. `__proto__` is a member like any other. */
function objectOf(members: Readonly<Record<string, string | undefined>>): string {
  const texts = Object.entries(members).filter(([, text]) => text !== undefined);
  return `{${texts.map(([name, text]) => `${JSON.stringify(name)}:${text}`).join(",")}}`;
}

/** JSON-RPC messages in both protocols: an answer of the protocol, or its error. */
export async function mcpDoor({ url }: Served): Promise<Door> {
  const session = await sessionAt(`${url}/mcp`);
  const quoted = (values: readonly string[]) => fc.constantFrom(...values).map((value) => JSON.stringify(value));
  const mostly = (usual: fc.Arbitrary<string>) =>
    fc.oneof({ weight: 6, arbitrary: usual }, { weight: 1, arbitrary: oddJson });
  const input = fc.record({
    id: mostly(fc.constantFrom("1", '"a"', "null", "1.5")),
    method: mostly(quoted(METHODS)),
    name: mostly(quoted([...TOOLS, "technician", "aspect"])),
    args: mostly(
      fc.dictionary(fc.constantFrom(...ARGUMENTS), oddJson, { maxKeys: 4 }).map((members) => objectOf(members)),
    ),
    extra: fc.dictionary(
      fc.constantFrom("uri", "cursor", "ref", "argument", "protocolVersion", "level", "_meta"),
      oddJson,
      { maxKeys: 2 },
    ),
    isStateless: fc.boolean(),
    times: fc.constantFrom(1, 1, 1, 0, 2),
    cut: fc.oneof({ weight: 9, arbitrary: fc.constant(0) }, fc.nat(40)),
    raw: fc.option(fc.oneof(oddJson, fc.uint8Array({ maxLength: 200 })), { freq: 9 }),
    odd: fc.dictionary(
      fc.constantFrom("Mcp-Session-Id", "MCP-Protocol-Version", "Mcp-Method", "Origin", "Accept", "Content-Type"),
      fc.constantFrom("", "x", "null", "*/*", "2025-06-18", "https://evil.example", `${session}x`),
      { maxKeys: 1 },
    ),
  });
  return doorOf("mcp", 60, input, async ({ id, method, name, args, extra, isStateless, times, cut, raw, odd }) => {
    const params = objectOf({
      name,
      arguments: args,
      _meta: isStateless ? JSON.stringify(ENVELOPE) : undefined,
      ...extra,
    });
    const message = objectOf({ jsonrpc: '"2.0"', id, method, params });
    const all = times === 1 ? message : `[${Array(times).fill(message).join(",")}]`;
    const names = [method, name].map((text) => text.replaceAll(/^"|"$|[^\x20-\x7e]/g, "").slice(0, 200));
    const stateless = {
      "MCP-Protocol-Version": "2026-07-28",
      "Mcp-Method": names[0] ?? "",
      "Mcp-Name": names[1] ?? "",
    };
    const headers = {
      "Content-Type": "application/json",
      Accept: "application/json, text/event-stream",
      ...(isStateless ? stateless : { "Mcp-Session-Id": session }),
      ...odd,
    };
    const body = raw ?? all.slice(0, all.length - cut);
    const { status, text } = await ask(`${url}/mcp`, { method: "POST", headers, body });
    assert.ok(ERROR_STATUSES.has(status), `answered ${status}: ${text.slice(0, 200)}`);
    if (text === "") return void assert.equal(status, 202);
    const answer = JSON.parse(text) as { jsonrpc: string; result?: unknown; error?: { code: number; message: string } };
    assert.equal(answer.jsonrpc, "2.0");
    if (answer.result === undefined) assert.ok(MCP_ERRORS.has(answer.error?.code ?? 0), text.slice(0, 200));
    else assert.equal(status, 200);
  });
}

/** Damaged session ids: only the issued one is accepted. */
export async function tokenDoor({ url }: Served): Promise<Door> {
  const headers = { "Content-Type": "application/json", Accept: "application/json, text/event-stream" };
  const send = (method: string, params: object, session: string) =>
    ask(`${url}/mcp`, {
      method: "POST",
      headers: { ...headers, ...(session !== "" && { "Mcp-Session-Id": session }) },
      body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params }),
    });
  const session = await sessionAt(`${url}/mcp`);
  const character = fc.constantFrom(..."abzAZ019._-=~! ");
  const changed = fc.oneof(
    fc
      .tuple(fc.nat(session.length), fc.nat(3), fc.string({ unit: character, maxLength: 3 }))
      .map(([at, count, text]) => session.slice(0, at) + text + session.slice(at + count)),
    oddText.map((text) => text.replaceAll(/[^\x20-\x7e]/g, "")),
    fc.constant(session),
  );
  return doorOf("token", 25, changed, async (id) => {
    const { status, text } = await send("tools/list", {}, id);
    if (id.trim() === session) return void assert.equal(status, 200, text);
    if (id.trim() === "") return void assert.ok(status < 500);
    assert.ok([400, 404, 431].includes(status), `answered ${status} to a session that was never opened`);
  });
}
