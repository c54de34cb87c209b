/** What strangers may send: malformed requests give 4xx, never 500, and the process lives. */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import fc from "fast-check";
import { type Served, serveProgram, temporaryFolder } from "../support/program.ts";
import { ask, exchange } from "../support/wire.ts";

const folder = temporaryFolder();
let program: Served;

before(async () => {
  program = await serveProgram(folder.path);
});

after(async () => {
  assert.equal(await program.stop(), 0);
  folder[Symbol.dispose]();
});

function statusOf(answer: string): number {
  return Number(/^HTTP\/1\.1 (\d{3}) /.exec(answer)?.[1] ?? "0");
}

const PATHS = [
  "/reviews.json",
  "/insights.json",
  "/api/reviews/search",
  "/api/reviews/since/",
  "/reviews/",
  "/mcp",
  "/api/websub/hub",
  "/feed.xml",
  "/",
  "",
];
const bytes = fc.string({ unit: "binary", maxLength: 60 }).map((text) => text.replace(/[\r\n]/g, ""));
const token = fc.oneof(
  bytes,
  fc.constantFrom(
    "%",
    "%zz",
    "%00",
    "%ff",
    "..",
    "//",
    "\\",
    "?",
    "#",
    "[",
    "[]=1",
    "&&==",
    "%2e%2e%2f",
    "\u{1f600}",
    "*",
  ),
);
const target = fc
  .tuple(fc.constantFrom(...PATHS), fc.array(token, { maxLength: 5 }))
  .map(([path, tail]) => path + tail.join(""));
const query = fc
  .array(
    fc.tuple(
      fc.constantFrom("rating", "min_rating", "limit", "offset", "since", "until", "query", "mentions_service", "x"),
      token,
    ),
    { maxLength: 6 },
  )
  .map((pairs) => `/api/reviews/search?${pairs.map(([name, value]) => `${name}=${value}`).join("&")}`);
const header = fc.tuple(
  fc.constantFrom(
    "If-None-Match",
    "If-Modified-Since",
    "Accept-Encoding",
    "Host",
    "X-Forwarded-For",
    "Content-Length",
    "Transfer-Encoding",
    "Expect",
    "Range",
    "Cookie",
  ),
  token,
);
const method = fc.oneof(
  { weight: 8, arbitrary: fc.constantFrom("GET", "HEAD", "OPTIONS", "POST") },
  { weight: 1, arbitrary: fc.constantFrom("PUT", "TRACE", "CONNECT", "get", "BREW", "") },
);
const malformed = fc
  .tuple(method, fc.oneof(target, query), fc.array(header, { maxLength: 4 }))
  .map(
    ([verb, path, headers]) =>
      `${verb} ${path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n${headers.map(([name, value]) => `${name}: ${value}\r\n`).join("")}\r\n`,
  );

test("a thousand malformed requests give no 5xx, and the process lives", async () => {
  await fc.assert(
    fc.asyncProperty(malformed, async (request) => {
      const status = statusOf(await exchange(program.port, Buffer.from(request)));
      assert.ok(status >= 200 && status < 500, `${status} for ${JSON.stringify(request)}`);
    }),
    { numRuns: 1_000 },
  );
  assert.equal((await ask(`${program.url}/healthz`)).status, 200);
  assert.equal(program.log.filter(({ level }) => Number(level) >= 50).length, 0);
});

test("an address longer than 8 KiB is 414, headers larger than 16 KiB are 431; both JSON", async () => {
  const long = await ask(`${program.url}/api/reviews/search?query=${"a".repeat(8_200)}`);
  assert.equal(long.status, 414);
  assert.ok(JSON.parse(long.text).error);
  const wide = await exchange(program.port, `GET / HTTP/1.1\r\nHost: localhost\r\nX: ${"a".repeat(17_000)}\r\n\r\n`);
  assert.equal(statusOf(wide), 431);
  assert.match(wide, /"error":/);
});

test("bytes that are not HTTP are 400 in JSON", async () => {
  for (const text of [
    "hello\r\n\r\n",
    "GET / HTTP/9.9\r\n\r\n",
    "GET /\r\n\r\n",
    "GET / HTTP/1.1\r\nHost: a b\r\nBad Header\r\n\r\n",
  ]) {
    const answer = await exchange(program.port, text);
    assert.equal(statusOf(answer), 400, text);
    assert.match(answer, /application\/json/);
  }
});

test("a search for anything is answered", async () => {
  for (const words of ["(a+)+$", "a".repeat(4_000), "%".repeat(100), "\\", "\u{1f600}".repeat(100)]) {
    const answer = await ask(`${program.url}/api/reviews/search?query=${encodeURIComponent(words)}`);
    assert.equal(answer.status, 200);
  }
});
