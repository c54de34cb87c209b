/** Requests at the edge of HTTP itself: each is answered in JSON, readable from any page (interface §2). */
import assert from "node:assert/strict";
import { test } from "node:test";
import { get, program } from "../support/served-sample.ts";
import { SITES } from "../support/test-runs.ts";
import { exchange } from "../support/wire.ts";

const { host } = new URL(program.url);

const REFUSED: readonly (readonly [string, string, number])[] = [
  ["an unknown method", `BREW /reviews.json HTTP/1.1\r\nHost: ${host}\r\n\r\n`, 405],
  ["CONNECT", `CONNECT localhost:443 HTTP/1.1\r\nHost: ${host}\r\n\r\n`, 405],
  ["a request without Host", "GET /healthz HTTP/1.1\r\nConnection: close\r\n\r\n", 400],
  ["an invalid Host", "GET /healthz HTTP/1.1\r\nHost: a b\r\nConnection: close\r\n\r\n", 400],
  ["the greeting of TLS", "\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03", 400],
  ["an address that is too long", `GET /${"a".repeat(9_000)} HTTP/1.1\r\nHost: ${host}\r\n\r\n`, 414],
  ["headers that are too large", `GET / HTTP/1.1\r\nHost: localhost\r\nX: ${"a".repeat(17_000)}\r\n\r\n`, 431],
];

for (const [name, bytes, status] of REFUSED) {
  test(`${name} is ${status} in JSON, with the headers of every public answer`, async () => {
    const answer = await exchange(program.port, Buffer.from(bytes, "latin1"));
    assert.match(answer, new RegExp(`^HTTP/1\\.1 ${status} `));
    assert.match(answer, /^Content-Type: application\/json\r$/im);
    assert.match(answer, /^Access-Control-Allow-Origin: \*\r$/im);
    assert.match(answer, /^Access-Control-Expose-Headers: ETag, /im);
    if (status === 405) assert.match(answer, /^Allow: GET, HEAD, POST, OPTIONS\r$/im);
    assert.match(answer, /\{"error":"[^"]+"\}/);
  });
}

test("OPTIONS * is answered for the server as a whole (RFC 9110 §9.3.7), and no other method takes *", async () => {
  const asked = async (method: string) =>
    await exchange(program.port, `${method} * HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`);
  assert.match(await asked("OPTIONS"), /^HTTP\/1\.1 204 .*^Allow: GET, HEAD, POST, OPTIONS\r$/ims);
  for (const method of ["GET", "POST"]) assert.match(await asked(method), /^HTTP\/1\.1 400 /);
});

test("a host that no address can name is answered as any other, and one that is none with 400", async () => {
  const status = SITES > 0 ? 421 : 200;
  const body = "hub.mode=none";
  const form = `Content-Type: application/x-www-form-urlencoded\r\nContent-Length: ${body.length}\r\n`;
  for (const name of ["a.1", "1.2.3.4.5", "256.256.256.256", "foo.08", "0x7f.1.1.1.1:80"]) {
    const asked = async (line: string, rest = "\r\n") =>
      await exchange(program.port, `${line} HTTP/1.1\r\nHost: ${name}\r\nConnection: close\r\n${rest}`);
    for (const path of ["/api/reviews/search?query=a", "/reviews?rating=5", "/reviews/../reviews?rating=5"])
      assert.match(await asked(`GET ${path}`), new RegExp(`^HTTP/1\\.1 ${status} `), `${name}${path}`);
    const hub = await asked("POST /api/websub/hub", `${form}\r\n${body}`);
    assert.match(hub, SITES > 0 ? /^HTTP\/1\.1 421 / : /^HTTP\/1\.1 400 .*hub\.mode/s, name);
  }
  for (const name of ["a.test:99999", ".0x7f.1", "a..1", "a.1@b"])
    assert.match(
      await exchange(program.port, `GET /api/x HTTP/1.1\r\nHost: ${name}\r\nConnection: close\r\n\r\n`),
      /^HTTP\/1\.1 400 /,
      name,
    );
});

test("an unknown expectation is ignored", async () => {
  const answer = await get("/healthz", { headers: { Expect: "applause" } });
  assert.equal(answer.status, 200);
});

test("/metrics may be read from any page too", { skip: SITES > 0 && "not among many sites" }, async () => {
  const { headers } = await get("/metrics");
  assert.equal(headers["access-control-allow-origin"], "*");
  assert.match(headers["access-control-expose-headers"] ?? "", /^ETag, /);
});
