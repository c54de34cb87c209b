/** What strangers may send: malformed requests give 4xx, never 500, and the process lives. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { requestDoor, searchDoor } from "../../qa/fuzz/network-doors.ts";
import fc from "../support/properties.ts";
import { get, program } from "../support/served-sample.ts";
import { exchange } from "../support/wire.ts";

function statusOf(answer: string): number {
  return Number(/^HTTP\/1\.1 (\d{3}) /.exec(answer)?.[1] ?? "0");
}

test("a thousand malformed requests give no 5xx, and the process lives", async () => {
  for (const { property } of [requestDoor(program), searchDoor(program)]) await fc.assert(property, { numRuns: 200 });
  assert.equal((await get("/healthz")).status, 200);
  assert.equal(program.log.filter(({ level }) => Number(level) >= 50).length, 0);
});

test("an address longer than 8 KiB is 414, headers larger than 16 KiB are 431; both JSON", async () => {
  const long = await get(`/api/reviews/search?query=${"a".repeat(8_200)}`);
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
    const answer = await get(`/api/reviews/search?query=${encodeURIComponent(words)}`);
    assert.equal(answer.status, 200);
  }
});
