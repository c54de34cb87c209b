/** Host and Origin: who may ask at the MCP address. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { makeHostGuard } from "./host-guard.ts";

const NAMES = ["reviews.example.com:8443", "localhost", "127.0.0.1", "::1"];

const CASES: readonly [string, string | undefined, boolean][] = [
  ["reviews.example.com", undefined, true],
  ["REVIEWS.example.com:443", undefined, true],
  ["reviews.example.com.", undefined, true],
  ["localhost:8080", undefined, true],
  ["127.0.0.1:8080", undefined, true],
  ["[::1]:8080", undefined, true],
  ["evil.example", undefined, false],
  ["reviews.example.com.evil.example", undefined, false],
  ["evil.example:reviews.example.com", undefined, false],
  ["reviews.example.com@evil.example", undefined, false],
  ["localhost", "http://localhost:6274", true],
  ["localhost", "https://reviews.example.com", true],
  ["localhost", "https://evil.example", false],
  ["reviews.example.com", "https://reviews.example.com", true],
  ["reviews.example.com", "null", false],
  ["reviews.example.com", "https://evil.example/reviews.example.com", false],
  ["reviews.example.com", "https://reviews.example.com@evil.example", false],
  ["reviews.example.com", "file://", false],
  ["reviews.example.com", "", false],
];

function refusal(names: readonly string[], host: string, origin: string | undefined): string | undefined {
  const headers = { Host: host, ...(origin === undefined ? {} : { Origin: origin }) };
  return makeHostGuard(names)(new Request("http://localhost/mcp", { headers }));
}

for (const [host, origin, allowed] of CASES) {
  test(`a Host ${host} with ${origin === undefined ? "no Origin" : `the Origin ${JSON.stringify(origin)}`} is ${allowed ? "allowed" : "refused"}`, () => {
    assert.equal(refusal(NAMES, host, origin) === undefined, allowed);
  });
}

test("* allows every Host and Origin, but no foreign Origin at a loopback Host", () => {
  assert.equal(refusal(["*"], "any.example", "https://other.example"), undefined);
  assert.notEqual(refusal(["*", "localhost"], "localhost", "https://other.example"), undefined);
  assert.equal(refusal(["*", "localhost"], "localhost", "http://localhost:1"), undefined);
  assert.notEqual(refusal(["*"], "localhost", undefined), undefined);
});

test("an Origin that is named is allowed, at a loopback Host too, and the refusal of another names the setting", () => {
  const named = ["localhost", "reviews.example.com", "https://claude.ai", "vscode-webview://*", "null"];
  for (const host of ["localhost", "reviews.example.com"]) {
    for (const origin of ["https://claude.ai", "HTTPS://Claude.ai", "vscode-webview://0ab1", "null"])
      assert.equal(refusal(named, host, origin), undefined, origin);
    for (const origin of [
      "http://claude.ai",
      "https://claude.ai.evil.example",
      "chrome-extension://abc",
      "vscode-webview",
    ])
      assert.match(String(refusal(named, host, origin)), /Origin ".*ALLOWED_HOSTS/, origin);
  }
  for (const origin of ["chrome-extension://abc", "vscode-webview://0ab1", "null", "https://claude.ai"]) {
    assert.equal(refusal(["*"], "any.example", origin), undefined, origin);
    assert.notEqual(refusal(["*", "localhost"], "localhost", origin), undefined, origin);
  }
});

test("a request without a Host header is judged by its address", () => {
  assert.equal(makeHostGuard(["localhost"])(new Request("http://localhost/mcp")), undefined);
  assert.notEqual(makeHostGuard(["localhost"])(new Request("http://evil.example/mcp")), undefined);
});
