/** The documents are what their media types say: the feeds validate, OpenAPI validates, every answer fits it. */
import assert from "node:assert/strict";
import { createHmac } from "node:crypto";
import { describe, test } from "node:test";
import { Validator } from "@seriousme/openapi-schema-validator";
import { Ajv2020 } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { SaxesParser } from "saxes";
import { FILTER_NAMES } from "../../src/filter-names.ts";
import { RENDERED_PATHS } from "../../src/interface.ts";
import { get, program } from "../support/served-sample.ts";
import { json, unescaped } from "../support/wire.ts";

interface Node {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: Node[];
  text: string;
}

interface Openapi {
  readonly openapi: string;
  readonly info: { readonly version: string };
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, object>>;
    readonly responses: Readonly<Record<string, OperationResponse>>;
  };
}

type Content = Readonly<Record<string, { readonly schema: object; readonly example?: unknown }>>;

interface OperationResponse {
  readonly $ref?: string;
  readonly content?: Content;
}

interface Operation {
  readonly parameters?: readonly {
    readonly name?: string;
    readonly in?: string;
    readonly schema?: object;
    readonly required?: boolean;
  }[];
  readonly requestBody?: { readonly content: Content };
  readonly responses: Readonly<Record<string, OperationResponse>>;
}

/** What linters look at. */
interface Linted {
  readonly info: { readonly contact: { name: string; url: string }; readonly license: { name: string } };
  readonly servers: readonly { url: string }[];
  readonly tags: readonly { name: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, LintedOperation>>>>;
  readonly components: Readonly<Record<string, object>>;
}

interface LintedOperation {
  readonly operationId: string;
  readonly summary: string;
  readonly description: string;
  readonly tags: readonly string[];
  readonly responses: object;
}

const ATOM = "http://www.w3.org/2005/Atom";
const RFC3339 = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?(Z|[+-]\d{2}:\d{2})$/;

const openapi = json(await get("/.well-known/openapi.json")) as Openapi;

const ajv = new Ajv2020({ strict: false });
addFormats.default(ajv);
ajv.addSchema({ ...openapi, $id: "openapi" });

/** A response, or the shared one that it refers to. */
function named(response: OperationResponse = {}): OperationResponse {
  return openapi.components.responses[response.$ref?.split("/").at(-1) ?? ""] ?? response;
}

/** Parses with a strict, namespace-aware parser, which throws at text that is not well-formed. */
function parseXml(xml: string): Node {
  const parser = new SaxesParser({ xmlns: true });
  const root: Node = { name: "", attributes: {}, children: [], text: "" };
  const open = [root];
  parser.on("error", (error) => {
    throw error;
  });
  parser.on("opentag", ({ uri, local, attributes }) => {
    const plain = Object.fromEntries(Object.entries(attributes).map(([name, { value }]) => [name, value]));
    const node = { name: uri === ATOM ? local : `${uri}:${local}`, attributes: plain, children: [], text: "" };
    open.at(-1)?.children.push(node);
    open.push(node);
  });
  parser.on("text", (text) => {
    const node = open.at(-1);
    if (node !== undefined) node.text += text;
  });
  parser.on("closetag", () => void open.pop());
  parser.write(xml).close();
  const [first] = root.children;
  assert.ok(first !== undefined);
  return first;
}

const all = (node: Node, name: string): Node[] => node.children.filter((child) => child.name === name);

function only(node: Node, name: string): Node {
  const [first, ...more] = all(node, name);
  assert.ok(first !== undefined && more.length === 0, `${node.name} needs exactly one ${name}`);
  return first;
}

describe("the Atom feed (RFC 4287)", () => {
  test("has what a feed must have, and both WebSub links as its direct children", async () => {
    const feed = parseXml((await get("/feed.xml")).text);
    assert.equal(feed.name, "feed");
    assert.equal(only(feed, "id").text, `${program.url}/feed.xml`);
    assert.ok(only(feed, "title").text);
    assert.match(only(feed, "updated").text, RFC3339);
    const links = all(feed, "link").map(({ attributes }) => [attributes.rel, attributes.href]);
    assert.deepEqual(
      links.filter(([rel]) => rel === "self"),
      [["self", `${program.url}/feed.xml`]],
    );
    assert.deepEqual(
      links.filter(([rel]) => rel === "hub"),
      [["hub", `${program.url}/api/websub/hub`]],
    );
  });

  test("has 50 entries with id, title, updated, author and content, the same as the JSON Feed", async () => {
    const feed = parseXml((await get("/feed.xml")).text);
    const { items } = json(await get("/api/feed.json")) as { items: Record<string, unknown>[] };
    const entries = all(feed, "entry");
    assert.equal(entries.length, 50);
    for (const [index, entry] of entries.entries()) {
      const item = items[index];
      assert.equal(only(entry, "id").text, item?.id);
      assert.equal(only(entry, "title").text, item?.title);
      assert.equal(only(entry, "published").text, item?.date_published);
      assert.match(only(entry, "updated").text, RFC3339);
      assert.equal(
        only(only(entry, "author"), "name").text,
        (item?.authors as { name: string }[] | undefined)?.[0]?.name,
      );
      assert.equal(only(entry, "content").text, item?.content_text);
      assert.deepEqual(
        all(entry, "category").map(({ attributes }) => attributes.term),
        item?.tags,
      );
    }
    const newest = Math.max(...entries.map((entry) => Date.parse(only(entry, "updated").text)));
    assert.equal(Date.parse(only(feed, "updated").text), newest);
  });
});

/** The properties without a description, by their place in a document. */
function undescribed(value: unknown, place = ""): string[] {
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, member]) => {
    if (key === "example") return [];
    const at = `${place}/${key}`;
    if (key !== "properties") return undescribed(member, at);
    const lacking = Object.entries(member as Record<string, { description?: string }>).filter(
      ([, property]) => !property.description,
    );
    return [...lacking.map(([name]) => `${at}/${name}`), ...undescribed(member, at)];
  });
}

describe("the OpenAPI description", () => {
  test("says what every property of every schema means", () => {
    assert.deepEqual(undescribed(openapi), []);
    assert.deepEqual(undescribed({ a: { properties: { b: { properties: { c: {} } } } } }), [
      "/a/properties/b",
      "/a/properties/b/properties/c",
    ]);
  });

  test("lists every code that an issue can have, with its meaning, and so does /docs", async () => {
    const { Error: fault } = openapi.components.schemas as {
      Error: {
        properties: { issues: { items: { properties: { code: { description: string; enum: string[] } } } } };
      };
    };
    const { description, enum: enumerated } = fault.properties.issues.items.properties.code;
    const listed = [...description.matchAll(/`(\w+)` \([^)]+\)/g)].map(([, code = ""]) => code);
    const faults = [
      "rating=0",
      "rating=9",
      "limit=1.5",
      "min_rating=x",
      "offset=-1",
      "until=2026-02-30",
      "limit=1&limit=2",
      "sort=best",
    ];
    const answers = await Promise.all([
      ...faults.map((query) => get(`/api/reviews/search?${query}`)),
      get("/api/reviews/since/2026-02-30"),
      get("/api/changes/unknown"),
    ]);
    const codes = answers.flatMap((answer) => (json(answer) as { issues: { code: string }[] }).issues);
    assert.deepEqual(enumerated, listed);
    assert.deepEqual([...new Set(codes.map(({ code }) => code))].toSorted(), listed.toSorted());
    const { text } = await get("/docs");
    for (const code of listed) assert.ok(text.includes(`<code>${code}</code>`), code);
  });

  test("its Atom sample is a feed by RFC 4287, made as the real one is", async () => {
    const sample = openapi.paths["/feed.xml"]?.get?.responses["200"]?.content?.["application/atom+xml"]?.example;
    const feed = parseXml(String(sample));
    const real = parseXml((await get("/feed.xml")).text);
    for (const name of ["id", "title", "updated", "author"]) only(feed, name);
    const entry = only(feed, "entry");
    for (const name of ["id", "title", "updated", "author", "content"]) only(entry, name);
    assert.ok(all(entry, "link").some(({ attributes }) => attributes.rel === "alternate"));
    const namesIn = (node: Node | undefined) => new Set(node?.children.map(({ name }) => name));
    for (const name of namesIn(all(real, "entry")[0])) assert.ok(namesIn(entry).has(name), name);
  });

  test("its MCP sample is answered as its sample of the answer shows", async () => {
    const { post } = openapi.paths["/mcp"] ?? {};
    const request = post?.requestBody?.content["application/json"]?.example as {
      params: { name: string; arguments: object };
    };
    const answer = await get("/mcp", {
      method: "POST",
      headers: {
        ...RPC,
        "MCP-Protocol-Version": "2026-07-28",
        "Mcp-Method": "tools/call",
        "Mcp-Name": request.params.name,
      },
      body: JSON.stringify(request),
    });
    const SERVER = "io.modelcontextprotocol/serverInfo";
    type Whole = { result: { structuredContent: object; _meta: { [SERVER]: object } } };
    const real = (json(answer) as Whole).result;
    const shown = post?.responses["200"]?.content?.["application/json"]?.example;
    const sample = (shown as Whole).result;
    assert.deepEqual(Object.keys(sample), Object.keys(real));
    assert.deepEqual(Object.keys(sample._meta), Object.keys(real._meta));
    assert.deepEqual(Object.keys(sample._meta[SERVER]), Object.keys(real._meta[SERVER]));
    assert.deepEqual(Object.keys(sample.structuredContent), Object.keys(real.structuredContent));
  });

  test("the server takes every MCP message of /docs, and answers with the members of its sample", async () => {
    const { text } = await get("/docs");
    const plain = unescaped(text);
    const shown = [
      ...plain.matchAll(/aria-label="Request: ([^"]+)"><code>POST \/mcp\n([\s\S]*?)\n\n?(\{[\s\S]*?)<\/code>/g),
    ];
    assert.equal(shown.length, 22, "twelve messages, and one of each tool");
    let session = "";
    for (const [, title = "", head = "", body = ""] of shown) {
      const own = head.split("\n").filter((line) => line !== "");
      const headers = Object.fromEntries(own.map((line) => line.split(": ") as [string, string]));
      if (headers["Mcp-Session-Id"] !== undefined) headers["Mcp-Session-Id"] = session;
      const answer = await get("/mcp", { method: "POST", headers: { ...RPC, ...headers }, body });
      session = String(answer.headers["mcp-session-id"] ?? session);
      const sample = plain.split(`aria-label="Answer: ${title}"><code>`)[1]?.split("</code>")[0] ?? "";
      if (sample === "HTTP/1.1 202 Accepted") {
        assert.equal(answer.status, 202, title);
        continue;
      }
      assert.equal(answer.status, 200, `${title}: ${answer.text}`);
      assert.doesNotMatch(sample, /"isError"/);
      const { result, error } = json(answer) as { result?: { isError?: boolean }; error?: { code: number } };
      // the sample's review and people are unknown here
      if (error !== undefined) assert.equal(error.code, -32602, title);
      if (result === undefined || result.isError === true) continue;
      const { result: sampled } = JSON.parse(/\{[\s\S]*\n\}/.exec(sample)?.[0] ?? "") as { result: object };
      assert.deepEqual(Object.keys(sampled), Object.keys(result), title);
    }
  });

  test("describes what the hub sends to a callback, with a signature that holds, and so does /docs", async () => {
    const { webhooks } = openapi as unknown as { webhooks: Record<string, Record<string, Operation>> };
    type Sampled = { name: string; example: string };
    const parameters = webhooks.notification?.post?.parameters as unknown as Sampled[];
    const sent = (name: string) => parameters.find((parameter) => parameter.name === name)?.example;
    const body = String(webhooks.notification?.post?.requestBody?.content["application/atom+xml"]?.example);
    const form = Object.values(openapi.paths["/api/websub/hub"]?.post?.requestBody?.content ?? {})[0]?.example;
    const secret = (form as Record<string, string>)["hub.secret"] ?? "";
    const feed = await get("/feed.xml");
    assert.equal(sent("X-Hub-Signature"), `sha256=${createHmac("sha256", secret).update(body).digest("hex")}`);
    assert.equal(sent("Link")?.replaceAll("https://reviews.example", program.url), feed.headers.link);
    const { text } = await get("/docs");
    for (const shown of ["GET /changed?hub.mode=subscribe", sent("X-Hub-Signature") ?? "", "864000", "2592000", "410"])
      assert.ok(text.includes(shown), shown);
  });

  test("/docs says how to subscribe with a secret, to read on, to compile the copy, and how exact a year is", async () => {
    const { text } = await get("/docs");
    for (const said of [
      /hub\.mode=subscribe[^<]*hub\.secret=YOUR-SECRET/,
      /ask again with <code>&amp;offset=100<\/code>/,
      /call it <code>copy\.mts<\/code>/,
      /up to 0\.01 off.*get_trends/,
    ])
      assert.match(text, said);
  });

  test("/docs shows the forms that need scripts only where scripts run", async () => {
    const { text } = await get("/docs");
    for (const [path, methods] of Object.entries(openapi.paths)) {
      for (const { parameters = [], requestBody } of Object.values(methods)) {
        const [form = ""] =
          new RegExp(`<form class="try"[^>]* data-path="${path.replace(/[{}]/g, "\\$&")}"[^>]*>`).exec(text) ?? [];
        assert.notEqual(form, "", path);
        const inPath = parameters.some((parameter) => parameter.in === "path");
        const isJson = requestBody?.content["application/json"] !== undefined;
        assert.equal(/ hidden[ >]/.test(form), inPath || isJson, form);
      }
    }
  });

  test("is valid OpenAPI 3.1.0 of version 1.0.0", async () => {
    const result = await new Validator().validate(structuredClone(openapi) as object as Record<string, unknown>);
    assert.deepEqual(result.errors ?? [], []);
    assert.equal(result.valid, true);
    assert.equal(openapi.openapi, "3.1.0");
    assert.equal(openapi.info.version, "1.0.0");
  });

  test("describes every endpoint of the interface", () => {
    assert.deepEqual(Object.keys(openapi.paths).toSorted(), [
      "/.well-known/ai-catalog.json",
      "/.well-known/openapi.json",
      "/api/changes",
      "/api/changes/{cursor}",
      "/api/feed.json",
      "/api/reviews/search",
      "/api/reviews/since/{date}",
      "/api/reviews/{id}",
      "/api/websub/hub",
      "/feed.xml",
      "/healthz",
      "/insights.json",
      "/llms.txt",
      "/mcp",
      "/mcp/server-card",
      "/metrics",
      "/places.json",
      "/provenance.json",
      "/readyz",
      "/reviews.json",
      "/robots.txt",
      "/sitemap.xml",
    ]);
  });

  test("has the words beside it that answers use, with their meaning, as /llms.txt has", async () => {
    const [docs, llms] = await Promise.all(["/docs", "/llms.txt"].map(async (path) => (await get(path)).text));
    for (const word of "verified poor answered aspect topic theme mention finding score improving declining withheld withdrawn removed unread".split(
      " ",
    )) {
      assert.match(unescaped(docs ?? ""), new RegExp(`<dt>[^<]*\\b${word}\\b[^<]*</dt><dd>`), word);
      assert.match(llms ?? "", new RegExp(`^- .*\\b${word}\\b.*: `, "m"), word);
    }
  });

  test("describes every address that serves data", async () => {
    const routed = [...RENDERED_PATHS, "/api/reviews/search", "/api/changes", "/healthz", "/readyz"];
    const served = await Promise.all(
      routed.map(async (path) => ({ path, type: (await get(path)).headers["content-type"] })),
    );
    const data = served.filter(({ type }) => /json|xml/.test(type ?? "") && !/svg|manifest/.test(type ?? ""));
    assert.ok(data.length > 10);
    const undescribed = data.filter(({ path }) => openapi.paths[path] === undefined);
    assert.deepEqual(undescribed, []);
  });

  test("describes the search parameters as the interface does", () => {
    const parameters = openapi.paths["/api/reviews/search"]?.get?.parameters?.filter(
      (parameter) => parameter.in === "query",
    );
    assert.deepEqual(
      parameters?.map(({ name, required }) => [name, required]),
      FILTER_NAMES.map((name) => [name, false]),
    );
    assert.deepEqual(parameters?.find(({ name }) => name === "limit")?.schema, {
      type: "integer",
      minimum: 1,
      maximum: 100,
      default: 20,
    });
    assert.deepEqual(parameters?.find(({ name }) => name === "offset")?.schema, {
      type: "integer",
      minimum: 0,
      maximum: 1_000_000,
      default: 0,
    });
  });

  test("satisfies the rules of linters: whom to ask, licence, tags, one id an operation, an answer to faults, nothing unused", () => {
    const { info, servers, tags, paths, components } = openapi as unknown as Linted;
    assert.ok(info.contact.name && info.contact.url && info.license.name);
    for (const { url } of servers) assert.doesNotMatch(url, /\/$/);
    const operations = Object.values(paths).flatMap((methods) => Object.values(methods));
    assert.equal(new Set(operations.map(({ operationId }) => operationId)).size, operations.length);
    const listed = tags.map(({ name }) => name);
    for (const { operationId, description, summary, tags: own, responses } of operations) {
      assert.ok(summary && description.length > 40 && description !== summary, operationId);
      assert.ok(own.length > 0 && own.every((tag) => listed.includes(tag)), operationId);
      const faults = Object.keys(responses).filter((status) => status.startsWith("4"));
      assert.notDeepEqual(faults, [], operationId);
    }
    const text = JSON.stringify(openapi);
    for (const [kind, parts] of Object.entries(components))
      for (const name of Object.keys(parts))
        assert.ok(text.includes(`"#/components/${kind}/${name}"`), `${kind}/${name}`);
  });

  test("has an example for every request body and for the answer of every operation, each valid by its schema", () => {
    const faults: string[] = [];
    let examples = 0;
    const visit = (value: unknown, pointer: string): void => {
      if (typeof value !== "object" || value === null) return;
      for (const [key, member] of Object.entries(value)) {
        const at = `${pointer}/${key.replaceAll("~", "~0").replaceAll("/", "~1")}`;
        if (key === "example" && "schema" in value) {
          examples++;
          const validate = ajv.compile({ $ref: `openapi${encodeURI(`#${pointer}/schema`)}` });
          if (!validate(member)) faults.push(`${at}: ${JSON.stringify(validate.errors?.slice(0, 2))}`);
        } else if (key !== "example") visit(member, at);
      }
    };
    visit(openapi.paths, "/paths");
    visit((openapi as unknown as { components: { responses: object } }).components.responses, "/components/responses");
    assert.deepEqual(faults, []);
    assert.ok(examples > 15, String(examples));
    for (const [path, methods] of Object.entries(openapi.paths)) {
      for (const { requestBody, responses } of Object.values(methods)) {
        for (const media of Object.values(requestBody?.content ?? {})) assert.ok("example" in media, path);
        for (const [status, response] of Object.entries(responses)) {
          const content = Object.values(named(response).content ?? {});
          const hasBody = status !== "304" && !(status === "202" && path === "/mcp");
          assert.equal(content.length > 0, hasBody, `${path} ${status}`);
          assert.ok(
            content.every((media) => "example" in media),
            `${path} ${status}`,
          );
        }
      }
    }
  });

  test("/docs shows the request of every operation, and the sample of each of its statuses", async () => {
    const { text } = await get("/docs");
    const plain = unescaped(text);
    for (const [path, methods] of Object.entries(openapi.paths)) {
      for (const [method, { responses }] of Object.entries(methods)) {
        const title = `${method.toUpperCase()} ${path}`;
        const code = (label: string) =>
          plain.split(`<pre tabindex="0" role="region" aria-label="${label}"><code>`)[1]?.split("</code>")[0];
        assert.match(code(`Request: ${title}`) ?? "", /^curl /, title);
        for (const [status, response] of Object.entries(responses)) {
          const [media] = Object.values(named(response).content ?? {});
          const example = media?.example;
          const shown = code(`Answer ${status} of ${title}`) ?? "";
          if (media === undefined) assert.match(shown, new RegExp(`^HTTP/1.1 ${status} [A-Z]`), `${title} ${status}`);
          else assert.equal(shown, typeof example === "string" ? example.trimEnd() : JSON.stringify(example, null, 2));
        }
      }
    }
  });

  const RPC = { "Content-Type": "application/json", Accept: "application/json, text/event-stream" };
  const MESSAGE = '{"jsonrpc":"2.0","id":1,"method":"tools/list"}';
  const FORM = { "Content-Type": "application/x-www-form-urlencoded" };
  /** Requests that provoke each refusal that can be provoked from outside. */
  const REFUSED: readonly [string, number, { method: string; headers?: Record<string, string>; body?: string }][] = [
    ["/mcp", 400, { method: "POST", headers: RPC, body: MESSAGE }],
    ["/mcp", 403, { method: "POST", headers: { ...RPC, Origin: "http://other.example" }, body: MESSAGE }],
    ["/mcp", 404, { method: "POST", headers: { ...RPC, "Mcp-Session-Id": "gone" }, body: MESSAGE }],
    ["/mcp", 405, { method: "GET" }],
    ["/mcp", 406, { method: "POST", headers: { ...RPC, Accept: "text/html" }, body: MESSAGE }],
    ["/mcp", 413, { method: "POST", headers: RPC, body: " ".repeat(65_537) }],
    ["/mcp", 415, { method: "POST", headers: { ...RPC, "Content-Type": "text/plain" }, body: MESSAGE }],
    ["/api/websub/hub", 405, { method: "GET" }],
    ["/api/websub/hub", 413, { method: "POST", headers: FORM, body: "a".repeat(16_385) }],
    ["/api/websub/hub", 415, { method: "POST", headers: { "Content-Type": "text/plain" }, body: "a" }],
    ["/reviews.json", 405, { method: "DELETE" }],
    ["/api/reviews/since/{date}", 405, { method: "DELETE" }],
    ["/api/reviews/since/{date}", 400, { method: "GET" }],
    ["/api/reviews/{id}", 404, { method: "GET" }],
    ["/api/changes", 405, { method: "DELETE" }],
    ["/api/changes/{cursor}", 405, { method: "DELETE" }],
    ["/api/changes/{cursor}", 410, { method: "GET" }],
  ];

  for (const [path, status, request] of REFUSED) {
    test(`the sample of ${status} at ${path} is what the server answers`, async () => {
      const day = status === 400 ? "2026-02-30" : "2026-01-01";
      const address = path.replace("{date}", day).replace("{id}", "01ABC").replace("{cursor}", "aB3dE6gH9jK2.7");
      const answer = await get(address, request);
      assert.equal(answer.status, status);
      const operation = Object.values(openapi.paths[path] ?? {})[0];
      const [media] = Object.values(named(operation?.responses[status]).content ?? {});
      const example = media?.example;
      if (typeof example === "string") assert.equal(answer.text, example);
      else assert.deepEqual(json(answer), example);
    });
  }

  test("the samples of the hub's acceptance and of its refusal of plain http are what it answers", async () => {
    const responses = openapi.paths["/api/websub/hub"]?.post?.responses;
    for (const [status, callback] of [
      [202, "https://subscriber.example/changed"],
      [400, "http://subscriber.example/changed"],
    ] as const) {
      const body = new URLSearchParams({
        "hub.mode": "unsubscribe",
        "hub.topic": `${program.url}/feed.xml`,
        "hub.callback": callback,
      });
      const answer = await get("/api/websub/hub", { method: "POST", headers: FORM, body: String(body) });
      assert.equal(answer.status, status);
      const [media] = Object.values(responses?.[status]?.content ?? {});
      assert.equal(answer.text, media?.example);
    }
  });

  const ASKED: readonly [string, string, number][] = [
    ["/reviews.json", "/reviews.json", 200],
    ["/insights.json", "/insights.json", 200],
    ["/api/feed.json", "/api/feed.json", 200],
    ["/api/reviews/search", "/api/reviews/search?query=a&limit=100", 200],
    ["/api/reviews/search", "/api/reviews/search?rating=0&limit=x", 400],
    ["/api/reviews/since/{date}", "/api/reviews/since/2024-01-01", 200],
    ["/api/reviews/since/{date}", "/api/reviews/since/2024-13-01", 400],
    ["/api/reviews/search", "/api/reviews/search?topic=none&min_ratting=1", 200],
    ["/api/reviews/{id}", "/api/reviews/none", 404],
    ["/healthz", "/healthz", 200],
    ["/readyz", "/readyz", 200],
    ["/api/changes", "/api/changes", 200],
    ["/api/changes/{cursor}", "/api/changes/a.1", 410],
    ["/.well-known/openapi.json", "/.well-known/openapi.json", 200],
  ];

  for (const [path, address, status] of ASKED) {
    test(`the answer to ${address} fits it`, async () => {
      const answer = await get(address);
      assert.equal(answer.status, status);
      const pointer = `#/paths/${path.replaceAll("/", "~1")}/get/responses/${status}/content/application~1json/schema`;
      const validate = ajv.compile({ $ref: `openapi${encodeURI(pointer)}` });
      assert.ok(validate(json(answer)), JSON.stringify(validate.errors?.slice(0, 3)));
    });
  }

  test("a document that lacks a field does not fit it", () => {
    const validate = ajv.compile({ $ref: "openapi#/components/schemas/ReviewsDataset" });
    assert.equal(validate({ business: {}, reviews: [] }), false);
  });
});
