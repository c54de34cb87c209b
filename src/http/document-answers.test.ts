/** The ready answers are those of the routes, header by header and byte by byte. */
import assert from "node:assert/strict";
import { after, test } from "node:test";
import fc from "fast-check";
import { ask } from "../../test/support/wire.ts";
import { renderStore } from "../app/publishing/edition-worker-thread.ts";
import { askedBody, CODINGS, prepareCodings } from "../edition/codings.ts";
import type { Document } from "../edition/document.ts";
import { type Edition, openEdition } from "../edition/edition.ts";
import { openStore } from "../store/store.ts";
import { makeDocumentAnswers } from "./document-answers.ts";
import { makeRoutes } from "./routes.ts";
import { openServer } from "./server.ts";

const store = await openStore("sqlite::memory:");
const rendered = await renderStore(store, "http://localhost:8080");
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
const settings = { host: "127.0.0.1", port: 0, onFault: assert.ifError };
const routed = await openServer(fetch, settings);
const documents = makeDocumentAnswers(parts);
const ready = await openServer(fetch, { ...settings, documents });
const alone = await openServer(() => assert.fail("This request was to be answered ready"), {
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

test("a ready answer is that of the routes", async () => {
  const method = fc.oneof({ weight: 5, arbitrary: fc.constant("GET") }, fc.constantFrom("HEAD", "OPTIONS", "POST"));
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...PATHS, ...OTHERS), method, headers, async (path, method, headers) => {
      const [byRoutes, byReady] = await askBoth(path, { method, headers });
      assert.equal(byReady.status, byRoutes.status);
      assert.deepEqual(byReady.headers, byRoutes.headers);
      assert.ok(byReady.body.equals(byRoutes.body));
    }),
    { numRuns: 300 },
  );
});

test("plain requests are answered without the routes, and counted by their pattern", async () => {
  await prepareCodings([...sample.documents(), sample.since("2025-06-01")], { signal: new AbortController().signal });
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

test("every request is counted by a pattern, whatever its address", async () => {
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

test("answers remembered for headers that nobody else sends hold a bounded number of bytes", () => {
  const answers = makeDocumentAnswers(parts);
  let held = 0;
  for (let number = 0; number < 1_000; number++) {
    const rawHeaders = ["Host", "localhost", "Accept-Encoding", `identity;q=0.${String(number).padStart(3, "0")}1`];
    const asked = answers.asked({ method: "GET", url: "/reviews.json", httpVersion: "1.1", rawHeaders });
    assert.ok(asked !== undefined);
    const [first, again] = [answers.bytesOf(asked), answers.bytesOf(asked)];
    assert.ok(first !== undefined && first.head.byteLength > 10_000);
    if (first === again) held += first.head.byteLength;
  }
  assert.ok(held > 1_000_000 && held < 17_000_000, `${held} bytes`);
});

test("an answer that is kept keeps no other memory alive", () => {
  const answers = makeDocumentAnswers(parts);
  for (const headers of [[], ["If-None-Match", "*"]]) {
    const rawHeaders = ["Host", "localhost", ...headers];
    const asked = answers.asked({ method: "GET", url: "/robots.txt", httpVersion: "1.1", rawHeaders });
    const { head } = (asked && answers.bytesOf(asked)) ?? {};
    assert.ok(head !== undefined && head.byteLength < 4_096, "short enough for Node's pool");
    assert.equal(head.buffer.byteLength, head.byteLength);
  }
});

test("what is remembered of a request is forgotten with the edition", () => {
  const answers = makeDocumentAnswers(parts);
  const first = sample.document("/robots.txt");
  assert.ok(first !== undefined);
  const rawHeaders = ["Host", "localhost", "Accept-Encoding", "identity", "If-None-Match", `"${first.tag}"`];
  const asked = answers.asked({ method: "GET", url: "/robots.txt", httpVersion: "1.1", rawHeaders });
  const other = answers.asked({
    method: "GET",
    url: "/robots.txt",
    httpVersion: "1.1",
    rawHeaders: ["Host", "localhost"],
  });
  assert.ok(asked !== undefined && other !== undefined);
  const statusOf = (what: typeof asked) => Buffer.from(answers.bytesOf(what)?.head ?? []).toString("latin1", 9, 12);
  const statuses = () => [statusOf(other), statusOf(asked), statusOf(asked)]; // the first notices the edition
  assert.deepEqual(statuses(), ["200", "304", "304"]);
  edition = withDocument({ ...first, body: new TextEncoder().encode("other"), tag: "other" });
  assert.deepEqual(statuses(), ["200", "200", "200"]);
  edition = sample;
  assert.deepEqual(statuses(), ["200", "304", "304"]);
});

test("what stands in for a coding that is being made is not remembered", async () => {
  const answers = makeDocumentAnswers(parts);
  const first = sample.document("/robots.txt");
  assert.ok(first !== undefined);
  const large = { ...first, body: new Uint8Array(5_000_000), tag: "large" };
  edition = withDocument(large);
  const rawHeaders = ["Host", "localhost", "Accept-Encoding", "gzip"];
  const asked = answers.asked({ method: "GET", url: "/robots.txt", httpVersion: "1.1", rawHeaders });
  assert.ok(asked !== undefined);
  const isCoded = () =>
    /Content-Encoding: gzip/i.test(Buffer.from(answers.bytesOf(asked)?.head ?? []).toString("latin1"));
  const before = [isCoded(), isCoded()];
  await askedBody(large, "gzip");
  const after = [isCoded(), isCoded()];
  edition = sample;
  assert.deepEqual(
    [before, after],
    [
      [false, false],
      [true, true],
    ],
  );
});

test("heads that nobody sends any more do not keep others from being remembered", () => {
  const answers = makeDocumentAnswers(parts);
  const plain = ["Host", "localhost", "If-None-Match", '"x"'];
  for (let number = 0; number < 2_500; number++) {
    const asked = answers.asked({ method: "GET", url: "/robots.txt", httpVersion: "1.1", rawHeaders: plain });
    if (asked !== undefined) answers.bytesOf(asked);
  }
  const asked = answers.asked({ method: "GET", url: "/robots.txt", httpVersion: "1.1", rawHeaders: plain });
  assert.ok(asked !== undefined);
  let decided = 0;
  const watched = new Proxy(asked.headers, {
    get: (headers, name) => {
      if (name === "ifNoneMatch") decided++;
      return Reflect.get(headers, name);
    },
  });
  const same = { ...asked, headers: watched };
  answers.bytesOf(same);
  const once = decided;
  assert.ok(once > 0);
  answers.bytesOf(same);
  assert.equal(decided, once);
});

/** The sample with this document in the place of the one with its path. */
function withDocument(document: Document): Edition {
  return openEdition({
    ...rendered,
    documents: [...rendered.documents.filter(({ path }) => path !== document.path), document],
  });
}
