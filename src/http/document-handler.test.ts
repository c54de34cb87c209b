/** The handler of documents gives the answers of the routes, header by header and byte by byte. */
import assert from "node:assert/strict";
import { after, test } from "node:test";
import fc, { tries } from "../../test/support/properties.ts";
import { ask } from "../../test/support/wire.ts";
import { CODINGS, codedBody } from "../edition/codings.ts";
import { assembleDocument } from "../edition/document.ts";
import { type Edition, openEdition } from "../edition/edition.ts";
import { renderStore } from "../publication/publication.ts";
import { openStore } from "../store/store.ts";
import { makeDocumentHandler } from "./answer-document.ts";
import { makeRoutes } from "./routes.ts";
import { openServer } from "./server.ts";

const store = await openStore("sqlite::memory:");
const rendered = await renderStore(store, { baseUrl: "http://localhost:8080" });
const sample = openEdition(rendered);
await store.close();
const counted: string[] = [];
let edition: Edition = sample;
const parts = {
  edition: () => edition,
  baseUrl: sample.baseUrl,
  cacheControl: "no-cache",
  now: () => new Date("2026-11-02T00:00:00Z"),
  onAnswer: (route: string, status: number) => void counted.push(`${status} ${route}`),
};
const nothing = async () => new Response(null, { status: 500 });
const fetch = makeRoutes({ ...parts, mcp: nothing, hub: nothing, clientAddress: () => "", onFault: assert.ifError });
const settings = { host: "127.0.0.1", port: 0, maxConnections: 100, onFault: assert.ifError };
const routed = await openServer(fetch, settings);
const documents = makeDocumentHandler(parts);
const ready = await openServer(fetch, { ...settings, documents });
const alone = await openServer(() => assert.fail("This request was to be answered by the handler"), {
  ...settings,
  documents,
});
after(async () => void (await Promise.all([routed, ready, alone].map((server) => server.close(1_000)))));

async function askBoth(path: string, options: Parameters<typeof ask>[1]) {
  const [first, second] = await Promise.all(
    [routed, ready].map((server) => ask(`http://localhost:${server.port}${path}`, options)),
  );
  assert.ok(first !== undefined && second !== undefined);
  for (const { headers } of [first, second]) delete headers.date;
  return [first, second] as const;
}

const PATHS = [
  "/",
  "/reviews",
  "/embed/badge.svg",
  "/reviews.json",
  "/feed.xml",
  "/mcp/server-card",
  "/robots.txt",
  "/api/reviews/since/2025-06-01",
];
const OTHERS = ["/api/reviews/since/2026-02-30", "/api/reviews/since/2099-01-01", "/reviews.json?x", "/nothing"];
const tags = [...sample.documents(), sample.since("2025-06-01")].flatMap(({ tag }) => [
  `"${tag}"`,
  ...CODINGS.map((coding) => `W/"${tag}-${coding}"`),
]);
const codings = fc.constantFrom("gzip", "br", "zstd, gzip;q=0.5", "identity;q=0", "gzip, deflate, br, zstd", "*", "");
const headers = fc.record(
  {
    "Accept-Encoding": codings,
    "If-None-Match": fc.oneof(
      fc.constantFrom(...tags, "*", '"x"', "x"),
      fc.array(fc.constantFrom(...tags)).map(String),
    ),
    "If-Modified-Since": fc.constantFrom(sample.revisedAt.toUTCString(), "Sat, 31 Oct 2026 00:00:00 GMT", "x"),
    Accept: fc.constantFrom("text/html", "*/*"),
    Host: fc.constantFrom("reviews.example.com", "EXAMPLE.com", "a b", "localhost:99999", "[::1]:80"),
    Expect: fc.constantFrom("100-continue", "something"),
    Range: fc.constant("bytes=0-1"),
  },
  { requiredKeys: [] },
);

test("the handler gives the answer of the routes", async () => {
  const method = fc.oneof({ weight: 5, arbitrary: fc.constant("GET") }, fc.constantFrom("HEAD", "OPTIONS", "POST"));
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...PATHS, ...OTHERS), method, headers, async (path, method, headers) => {
      const [byRoutes, byReady] = await askBoth(path, { method, headers });
      assert.equal(byReady.status, byRoutes.status);
      assert.deepEqual(byReady.headers, byRoutes.headers);
      assert.ok(byReady.body.equals(byRoutes.body));
    }),
    { numRuns: tries(300) },
  );
});

test("plain requests are answered without the routes, and counted by their pattern", async () => {
  for (const document of [...sample.documents(), sample.since("2025-06-01")])
    await Promise.all(CODINGS.map((coding) => codedBody(document, coding)));
  counted.length = 0;
  const cases = PATHS.filter((path) => sample.document(path) !== undefined || path.includes("since"));
  for (const path of cases) {
    for (const coding of [...CODINGS, "identity"]) {
      const options = { headers: { Host: "localhost", "Accept-Encoding": coding, "User-Agent": "x" } };
      const { status, headers } = await ask(`http://127.0.0.1:${alone.port}${path}`, options);
      assert.equal(status, 200);
      const again = { headers: { ...options.headers, "If-None-Match": headers.etag ?? "" } };
      assert.equal((await ask(`http://127.0.0.1:${alone.port}${path}`, again)).status, 304);
    }
  }
  assert.equal(counted.length, cases.length * 8);
  assert.ok(counted.includes("304 /api/reviews/since/{date}"));
});

test("every request is counted by the pattern of its route", async () => {
  counted.length = 0;
  const asked = [
    "/nothing-4711",
    "/reviews/4711",
    "/reviews?query=4711",
    "/reviews.json?4711",
    "/api/reviews/search?query=4711",
    "/api/reviews/since/4711",
    "/api/reviews/since/2025-04-11",
    "/sitemap-4711.xml",
    "/%0a4711",
  ];
  for (const path of asked) await ask(`http://localhost:${ready.port}${path}`);
  const patterns = counted.map((line) => line.slice("200 ".length));
  assert.equal(patterns.length, asked.length);
  assert.doesNotMatch(patterns.join("\n"), /4711|04-11|%/);
  assert.deepEqual(
    new Set(patterns),
    new Set([
      "other",
      "/reviews",
      "/reviews.json",
      "/reviews/{id}",
      "/api/reviews/search",
      "/api/reviews/since/{date}",
      "/sitemap-{part}.xml",
    ]),
  );
});

test("the headers follow the edition, also of a document that stays the same", async () => {
  const before = await ask(`http://localhost:${ready.port}/robots.txt`);
  const revisedAt = new Date("2026-11-01T13:00:00Z");
  edition = openEdition({ ...rendered, revisedAt, documents: rendered.documents.map((each) => ({ ...each })) }, sample); // with the codings of the one before
  const [byRoutes, byReady] = await askBoth("/robots.txt", { headers: { "Accept-Encoding": "br" } });
  edition = sample;
  assert.equal(byRoutes.headers["last-modified"], revisedAt.toUTCString());
  assert.equal(byReady.headers["last-modified"], revisedAt.toUTCString());
  assert.notEqual(before.headers["last-modified"], revisedAt.toUTCString());
});

test("a change of the document is answered at once, and so is one back", async () => {
  const first = sample.document("/robots.txt");
  assert.ok(first !== undefined);
  const statusOf = async () => {
    const headers = { "If-None-Match": `"${first.tag}"` };
    return (await ask(`http://localhost:${alone.port}/robots.txt`, { headers })).status;
  };
  const others = rendered.documents.filter(({ path }) => path !== first.path);
  const changed = { ...first, body: new TextEncoder().encode("other"), tag: "other" };
  const statuses = [await statusOf()];
  edition = openEdition({ ...rendered, documents: [...others, changed] });
  statuses.push(await statusOf());
  edition = sample;
  statuses.push(await statusOf());
  assert.deepEqual(statuses, [304, 200, 304]);
});

test("dates that share a document have Link headers of their own", async () => {
  for (const date of ["2098-01-01", "2099-01-01"]) {
    const { headers } = await ask(`http://localhost:${alone.port}/api/reviews/since/${date}`);
    assert.match(String(headers.link), new RegExp(`since=${date}>`));
  }
});

test("of the documents of dates, which anyone may ask for, those stay ready that the edition caches", () => {
  for (const isCached of [true, false]) {
    let made = 0;
    const since = () => {
      made++;
      return assembleDocument("application/json", [new Uint8Array(1)], { isCached });
    };
    const current = { ...sample, since };
    const handler = makeDocumentHandler({ ...parts, edition: () => current });
    const outgoing = { writeHead() {}, write() {}, end() {} };
    const request = { method: "GET", url: "/api/reviews/since/2026-01-01", headers: { host: "localhost" } };
    for (let round = 0; round < 3; round++) assert.equal(handler(request, outgoing), true);
    assert.equal(made, isCached ? 1 : 3);
  }
});
