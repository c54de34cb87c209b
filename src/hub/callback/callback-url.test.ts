import assert from "node:assert/strict";
import { describe, test } from "node:test";
import fc from "../../../test/support/properties.ts";
import { parseAddressRanges } from "../../outbound/address-class.ts";
import { appendParameters, parseCallback, subscriptionId } from "./callback-url.ts";

function parsed(text: string) {
  const callback = parseCallback(text, []);
  assert.ok(typeof callback !== "string", `${text} ${callback}`);
  return callback;
}

describe("parseCallback()", () => {
  const faults: readonly [string, RegExp][] = [
    ["http://a.example/cb", /scheme http, but must be https/],
    ["ftp://a.example/", /scheme ftp/],
    ["javascript:alert(1)", /no absolute URL/],
    ["//a.example/cb", /no absolute URL/],
    ["a.example/cb", /no absolute URL/],
    ["https:/a.example/cb", /no absolute URL/],
    ["https://a.example\\@b.example/", /no absolute URL/],
    ["https://user@a.example/", /user name or password/],
    ["https://user:secret@a.example/", /user name or password/],
    ["https://@a.example/", /user name or password/],
    ["https://a.example/cb#part", /fragment/],
    ["https://a.example/cb#", /fragment/],
    ["https://a.example:22/", /port 22/],
    ["https://a.example:80/", /port 80/],
    ["https://a.example:1023/", /port 1023/],
    ["https://a.example:0/", /port 0/],
    ["https://a.example:65536/", /no absolute URL/],
    ["https://a.example/a b", /space/],
    ["https://a.example/a\tb", /control character/],
    ["https://a.example/a\r\nX-Evil: 1", /control character/],
    ["https://a.example/\u0000", /control character/],
    ["https://a.example/é", /outside ASCII/],
    ["https://①②⑦.⓪.⓪.①/", /outside ASCII/],
    [`https://a.example/${"x".repeat(2048)}`, /longer than 2048/],
    ...[
      ...["127.0.0.1", "127.1", "0x7f.1", "0x7f000001", "2130706433", "017700000001", "0177.0.0.1", "127.0.0.1."],
      ...["169.254.169.254", "10.1.2.3", "192.168.0.1", "0", "%31%32%37.0.0.1"],
      ...[
        "[::1]",
        "[::]",
        "[::ffff:127.0.0.1]",
        "[::ffff:7f00:1]",
        "[64:ff9b::7f00:1]",
        "[fd00:ec2::254]",
        "[fe80::1]",
      ],
    ].map((host): [string, RegExp] => [`https://${host}/`, /which is not public/]),
  ];
  for (const [text, fault] of faults) {
    test(`refuses ${JSON.stringify(text.slice(0, 60))}`, () => assert.match(String(parseCallback(text, [])), fault));
  }

  test("takes 443 and ports from 1024 on", () => {
    assert.equal(parsed("https://a.example:443/cb").url, "https://a.example/cb");
    assert.equal(parsed("https://a.example:1024/cb").url, "https://a.example:1024/cb");
  });

  test("is the same for spellings of the same host, and leaves path and query to the byte", () => {
    const target = "/A/../b/%7e;x?flag&a=1&a=2&x=%2F+%2f'{|}~&";
    assert.equal(parsed(`HTTPS://A.Example:443${target}`).url, `https://a.example${target}`);
    assert.equal(parsed("https://a.example").url, "https://a.example/");
    assert.equal(parsed("https://a.example?x=1").url, "https://a.example/?x=1");
  });

  test("takes a literal address that is public, or that the operator allows", () => {
    assert.equal(parsed("https://1.1.1.1/").origin, "https://1.1.1.1");
    assert.ok(typeof parseCallback("https://127.1:8443/", parseAddressRanges(["127.0.0.0/8"])) !== "string");
  });

  test("names the registrable domain", () => {
    const sites = ["a.b.example.com", "x.co.uk", "y.x.co.uk", "example.com", "localhost", "8.8.8.8"];
    const names = sites.map((host) => parsed(`https://${host}/`).site);
    assert.deepEqual(names, ["example.com", "x.co.uk", "x.co.uk", "example.com", "localhost", "8.8.8.8"]);
    assert.equal(parsed("https://[2a00:1450::1]/").site, parsed("https://[2a00:1450::2:3]/").site);
  });

  test("gives the owner of a short domain one site, and each customer of a provider of subdomains its own", () => {
    const siteOf = (host: string) => parsed(`https://${host}/`).site;
    assert.deepEqual(["a.abc.xyz", "b.abc.xyz", "abc.xyz"].map(siteOf), ["abc.xyz", "abc.xyz", "abc.xyz"]);
    assert.deepEqual(["a.b.abc.co.uk", "abc.co.uk"].map(siteOf), ["abc.co.uk", "abc.co.uk"]);
    assert.deepEqual(["one.github.io", "x.two.github.io"].map(siteOf), ["one.github.io", "two.github.io"]);
  });

  test("puts all callbacks of a host into one shard", () => {
    assert.equal(parsed("https://a.example/1").shard, parsed("https://a.example:8443/2").shard);
  });
});

describe("appendParameters()", () => {
  const cases: readonly [string, string][] = [
    ["/cb", "/cb?hub.mode=x"],
    ["/cb?", "/cb?hub.mode=x"],
    ["/cb?a=1", "/cb?a=1&hub.mode=x"],
    ["/cb?a=1&", "/cb?a=1&hub.mode=x"],
    ["/cb?flag&hub.mode=mine", "/cb?flag&hub.mode=mine&hub.mode=x"],
  ];
  for (const [target, expected] of cases) {
    test(`${target} becomes ${expected}`, () => assert.equal(appendParameters(target, { "hub.mode": "x" }), expected));
  }

  test("keeps the existing query and encodes added values, for any of both", () => {
    fc.assert(
      fc.property(fc.stringMatching(/^\/[!-~]{0,30}$/), fc.string({ unit: "grapheme" }), (target, value) => {
        const result = appendParameters(target, { "hub.topic": value });
        assert.ok(result.startsWith(target));
        assert.equal(
          new URLSearchParams(result.slice(result.indexOf("hub.topic=", target.length))).get("hub.topic"),
          value,
        );
      }),
    );
  });
});

test("subscriptionId() tells topics and callbacks apart", () => {
  const ids = [
    subscriptionId("/a", "https://x/"),
    subscriptionId("/b", "https://x/"),
    subscriptionId("/a", "https://y/"),
  ];
  assert.equal(new Set(ids).size, 3);
  assert.match(ids[0] ?? "", /^[0-9a-f]{32}$/);
});
