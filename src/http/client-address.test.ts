import assert from "node:assert/strict";
import { test } from "node:test";
import { parseAddressRanges } from "../outbound/address-class.ts";
import { clientAddress } from "./client-address.ts";

const TRUSTED = parseAddressRanges(["10.0.0.0/8", "::1"]);

const CASES: readonly [string, string | null, string][] = [
  ["203.0.113.9", "198.51.100.1", "203.0.113.9"],
  ["10.0.0.1", "198.51.100.1", "198.51.100.1"],
  ["::ffff:10.0.0.1", "198.51.100.1", "198.51.100.1"],
  ["10.0.0.1", "192.0.2.66, 198.51.100.1, 10.9.9.9", "198.51.100.1"],
  ["10.0.0.1", null, "10.0.0.1"],
  ["10.0.0.1", "evil\nheader", "10.0.0.1"],
  ["::1", "2001:db8::7", "2001:db8::7"],
  ["2002:a00:1::1", "198.51.100.1", "2002:a00:1::1"],
];

for (const [peer, forwarded, expected] of CASES) {
  test(`clientAddress() of ${peer} with ${JSON.stringify(forwarded)} is ${expected}`, () => {
    assert.equal(clientAddress(peer, forwarded, TRUSTED), expected);
  });
}
