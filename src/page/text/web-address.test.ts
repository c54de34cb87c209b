import assert from "node:assert/strict";
import { test } from "node:test";
import { webAddress } from "./web-address.ts";

const ADDRESSES: readonly (readonly [string, string | undefined])[] = [
  ["https://example.com/a?b=c#d", "https://example.com/a?b=c#d"],
  ["https://example.com", "https://example.com/"],
  ["https://example.com/a b|c`d?e={f}|[g]^#h#i", "https://example.com/a%20b%7Cc%60d?e=%7Bf%7D%7C%5Bg%5D%5E#h%23i"],
  ["https://example.com/100%?a=%zz&b=%20", "https://example.com/100%25?a=%25zz&b=%20"],
  ['https://example.com/"><b>\\', "https://example.com/%22%3E%3Cb%3E/"],
  ["https://[::1]:8080/ü", "https://[::1]:8080/%C3%BC"],
  ["javascript:alert(1)", undefined],
  ["ftp://example.com/", undefined],
  ["not an address", undefined],
];

for (const [address, link] of ADDRESSES) {
  test(`webAddress() of ${address} is ${link}`, () => assert.equal(webAddress(address), link));
}
