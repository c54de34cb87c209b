import assert from "node:assert/strict";
import { test } from "node:test";
import { parseAddressRanges } from "../outbound/address-class.ts";
import { hostKeys, originKey, requestHost } from "./request-host.ts";

const PROXY = parseAddressRanges(["192.0.2.1"]);

/** The keys of the host of a request; undefined for 400. */
function keysOf(rawHeaders: readonly string[], { url = "/", peer = "192.0.2.9" } = {}) {
  const headers: Record<string, string> = {};
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = String(rawHeaders[at]).toLowerCase();
    headers[name] = name in headers ? `${headers[name]}, ${rawHeaders[at + 1]}` : String(rawHeaders[at + 1]);
  }
  const host = requestHost({ url, headers, socket: { remoteAddress: peer } }, PROXY);
  return host && hostKeys(host);
}

test("requestHost() compares hosts without regard to case and a trailing dot, and refuses what is none", () => {
  const cases: readonly (readonly [string[], readonly string[] | undefined])[] = [
    [["Host", "a.example"], ["a.example"]],
    [["hOST", "A.Example."], ["a.example"]],
    [
      ["Host", "a.example:8080"],
      ["a.example:8080", "a.example"],
    ],
    [["Host", "a.example:"], ["a.example"]],
    [
      ["Host", "a.example.:80"],
      ["a.example:80", "a.example"],
    ],
    [
      ["Host", "[2001:DB8::1]:80"],
      ["[2001:db8::1]:80", "[2001:db8::1]"],
    ],
    [["Host", "xn--mnchen-3ya.example"], ["xn--mnchen-3ya.example"]],
    [[], undefined],
    [["Host", ""], undefined],
    [["Host", "a.example", "Host", "a.example"], undefined],
    [["Host", "a.example", "host", "b.example"], undefined],
    ...["a.example, b.example", "user@a.example", "a.example/", "a..example", "a example", "a.example:x"].map(
      (host) => [["Host", host], undefined] as const,
    ),
    ...["a.example:99999", "https://a.example", "[::1", "ä.example", `${"a".repeat(64)}.example`, ".", "*"].map(
      (host) => [["Host", host], undefined] as const,
    ),
  ].map(([headers, keys]) => [headers as string[], keys]);
  for (const [headers, keys] of cases) assert.deepEqual(keysOf(headers), keys, JSON.stringify(headers));
});

test("requestHost() takes the first X-Forwarded-Host from a trusted proxy only, before an absolute target, before Host", () => {
  const forwarded = ["Host", "h.example", "X-Forwarded-Host", "f.example, g.example"];
  const absolute = { url: "http://T.example:81/reviews.json" };
  assert.deepEqual(keysOf(forwarded, { peer: "192.0.2.1" }), ["f.example"]);
  assert.deepEqual(keysOf(forwarded, { peer: "192.0.2.1", ...absolute }), ["f.example"]);
  assert.deepEqual(keysOf(forwarded), ["h.example"]);
  assert.deepEqual(keysOf(forwarded, absolute), ["t.example:81", "t.example"]);
  assert.deepEqual(keysOf(["Host", "h.example", "X-Forwarded-Host", ""], { peer: "192.0.2.1" }), ["h.example"]);
  assert.equal(keysOf(["Host", "h.example", "X-Forwarded-Host", "f/.."], { peer: "192.0.2.1" }), undefined);
  for (const url of ["http://u@t.example/", "ftp://t.example/", "http:///x", "t.example"])
    assert.equal(keysOf(["Host", "h.example"], { url }), undefined, url);
});

test("originKey() has the port that an address names", () => {
  const cases = [
    ["https://A.example", "a.example"],
    ["https://a.example:443", "a.example"],
    ["http://a.example.:8080", "a.example:8080"],
  ] as const;
  for (const [origin, key] of cases) assert.equal(originKey(origin), key);
});
