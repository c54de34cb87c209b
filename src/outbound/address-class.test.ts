import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { isAllowed, mayReach, networkOf, parseAddressRanges, widerNetworkOf } from "./address-class.ts";

describe("mayReach()", () => {
  const refused = [
    ...["0.0.0.0", "0.1.2.3", "10.0.0.1", "100.64.0.1", "127.0.0.1", "127.255.255.254", "169.254.169.254"],
    ...["172.16.0.1", "172.31.255.255", "192.0.0.8", "192.0.2.1", "192.88.99.1", "192.168.1.1", "198.18.0.1"],
    ...["198.51.100.1", "203.0.113.1", "224.0.0.1", "239.255.255.255", "240.0.0.1", "255.255.255.255"],
    ...["::", "::1", "::127.0.0.1", "::ffff:127.0.0.1", "::ffff:a9fe:a9fe", "::ffff:10.0.0.1", "::ffff:0:7f00:1"],
    ...["64:ff9b::7f00:1", "64:ff9b::10.0.0.1", "64:ff9b:1::808:808", "100::1", "2001::1", "2001:0:4136:e378::1"],
    ...["2001:2::1", "2001:10::1", "2001:20::1", "2001:db8::1", "2002:7f00:1::1", "2002:a00:1::", "2002:c0a8:101::1"],
    ...["3fff::1", "5f00::1", "fc00::1", "fd00:ec2::254", "fe80::1", "fe80::1%eth0", "fec0::1", "ff02::1"],
    ...["168.63.129.16", "::ffff:168.63.129.16", "64:ff9b::168.63.129.16", "161.26.0.10", "166.9.48.10"],
    ...["192.0.0.192", "100.100.100.200", "169.254.170.2", "fd20:ce::254", "fd00:42::42", "fe80::a9fe:a9fe"],
    ...["4000::1", "2001:4860::5efe:7f00:1", "2001:4860::200:5efe:a00:1", "", "localhost", "1.2.3", "1.2.3.4.5"],
  ];
  for (const address of refused)
    test(`refuses ${address || "nothing"}`, () => assert.equal(mayReach(address, []), false));

  const reached = [
    "168.63.129.15",
    "166.12.0.1",
    "1.1.1.1",
    "8.8.8.8",
    "172.32.0.1",
    "::ffff:8.8.8.8",
    "64:ff9b::8.8.8.8",
    "2002:808:808::1",
  ];
  for (const address of [...reached, "2606:4700:4700::1111", "2a00:1450:4001:81b::200e"]) {
    test(`reaches ${address}`, () => assert.equal(mayReach(address, []), true));
  }

  test("reaches what the operator allows, in whatever disguise, and no more", () => {
    const allowed = parseAddressRanges(["127.0.0.0/8", "::1"]);
    assert.deepEqual(
      ["127.9.9.9", "::ffff:127.0.0.1", "64:ff9b::7f00:1", "::1", "10.0.0.1", "::2"].map((address) =>
        mayReach(address, allowed),
      ),
      [true, true, true, true, false, false],
    );
    assert.equal(isAllowed("8.8.8.8", allowed), false);
  });
});

test("networkOf() takes a household for one client", () => {
  assert.equal(networkOf("2001:db8:1:2:3::4"), networkOf("2001:db8:1:2:ffff::1"));
  assert.notEqual(networkOf("2001:db8:1:2::"), networkOf("2001:db8:1:3::"));
  assert.equal(networkOf("::ffff:192.0.2.1"), "192.0.2.1");
  assert.equal(networkOf("nobody"), "nobody");
});

test("widerNetworkOf() takes what one customer or provider has for one", () => {
  const wider = (address: string) => widerNetworkOf(networkOf(address));
  assert.equal(wider("2001:db8:1:2::"), wider("2001:db8:1:ffff::1"));
  assert.notEqual(wider("2001:db8:1::"), wider("2001:db8:2::"));
  assert.equal(wider("192.0.2.1"), wider("::ffff:192.0.2.255"));
  assert.notEqual(wider("192.0.2.1"), wider("192.0.3.1"));
  assert.equal(wider("nobody"), "nobody");
});
