import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { Invalid } from "../issue.ts";
import { parseHubRequest, readForm } from "./hub-request.ts";

const FORMS = {
  baseUrl: "https://reviews.example",
  lease: { shortest: 60, default: 864_000, longest: 2_592_000 },
  allowed: [],
};
const GOOD = {
  "hub.mode": "subscribe",
  "hub.topic": "https://reviews.example/feed.xml",
  "hub.callback": "https://a.example/cb",
};

function parse(fields: Readonly<Record<string, string>>, more = "") {
  return parseHubRequest(new URLSearchParams(fields).toString() + more, FORMS);
}

function faults(fields: Readonly<Record<string, string>>, more = ""): string[] {
  try {
    parse(fields, more);
  } catch (error) {
    assert.ok(error instanceof Invalid);
    return error.issues.map(({ message }) => message);
  }
  assert.fail("It was accepted");
}

describe("parseHubRequest()", () => {
  test("reads what subscribing needs", () => {
    const { mode, topic, callback, secret, leaseSeconds } = parse(GOOD);
    assert.deepEqual(
      [mode, topic, callback.url, secret, leaseSeconds],
      ["subscribe", "/feed.xml", GOOD["hub.callback"], undefined, 864_000],
    );
  });

  const invalid: readonly [string, Record<string, string>, string, RegExp][] = [
    ["no mode", { "hub.mode": "" }, "", /^hub\.mode is missing/],
    ["publish", { "hub.mode": "publish" }, "", /^hub\.mode is "publish", but must be subscribe or unsubscribe/],
    ["denied", { "hub.mode": "denied" }, "", /^hub\.mode is "denied"/],
    ["no topic", { "hub.topic": "" }, "", /^hub\.topic is missing/],
    [
      "an unknown topic",
      { "hub.topic": "https://reviews.example/insights.json" },
      "",
      /^hub\.topic is .* one of https:\/\/reviews/,
    ],
    ["a topic elsewhere", { "hub.topic": "https://other.example/feed.xml" }, "", /^hub\.topic/],
    ["a topic with a query", { "hub.topic": "https://reviews.example/feed.xml?x" }, "", /^hub\.topic/],
    ["no callback", { "hub.callback": "" }, "", /^hub\.callback is missing/],
    ["plain http", { "hub.callback": "http://a.example/" }, "", /^hub\.callback has the scheme http/],
    ["a private address", { "hub.callback": "https://0x7f.1/" }, "", /^hub\.callback has the address 127\.0\.0\.1/],
    ["a secret of 200 bytes", { "hub.secret": "x".repeat(200) }, "", /^hub\.secret has 200 bytes/],
    ["a secret of 200 bytes in fewer characters", { "hub.secret": "é".repeat(100) }, "", /^hub\.secret has 200 bytes/],
    [
      "a secret with a NUL, which PostgreSQL does not store",
      {},
      "&hub.secret=a%00b",
      /^hub\.secret holds the character NUL/,
    ],
    ["a secret that is no UTF-8", {}, "&hub.secret=%FF%FE", /^hub\.secret is not UTF-8 text/],
    ["a lease of 0", { "hub.lease_seconds": "0" }, "", /^hub\.lease_seconds is "0"/],
    ["a negative lease", { "hub.lease_seconds": "-5" }, "", /^hub\.lease_seconds/],
    ["a lease of 1.5", { "hub.lease_seconds": "1.5" }, "", /^hub\.lease_seconds/],
    ["a lease in words", { "hub.lease_seconds": "forever" }, "", /^hub\.lease_seconds/],
    ["a repeated mode", {}, "&hub.mode=subscribe", /^hub\.mode is given 2 times/],
    ["a repeated callback", {}, "&hub.callback=https%3A%2F%2Fb.example%2F", /^hub\.callback is given 2 times/],
    ["a repeated secret", {}, "&hub.secret=a&hub.secret=b", /^hub\.secret is given 2 times/],
  ];
  for (const [name, fields, more, message] of invalid) {
    test(`refuses ${name}`, () => {
      const messages = faults({ ...GOOD, ...fields }, more);
      assert.equal(messages.length, 1);
      assert.match(messages[0] ?? "", message);
    });
  }

  test("names all faults at once", () => {
    assert.equal(faults({}).length, 3);
  });

  test("takes a secret of 199 bytes, and an empty one for none", () => {
    assert.equal(parse({ ...GOOD, "hub.secret": "x".repeat(199) }).secret?.length, 199);
    assert.equal(parse({ ...GOOD, "hub.secret": "" }).secret, undefined);
  });

  test("brings a lease within its bounds, and takes an empty one for none", () => {
    const leases = ["1", "60", "7200", "2592000", "99999999999999999999", "", "007200"].map(
      (lease) => parse({ ...GOOD, "hub.lease_seconds": lease }).leaseSeconds,
    );
    assert.deepEqual(leases, [60, 60, 7200, 2_592_000, 2_592_000, 864_000, 7200]);
  });

  test("ignores lease and secret when unsubscribing, even malformed ones", () => {
    const fields = { ...GOOD, "hub.mode": "unsubscribe", "hub.lease_seconds": "never", "hub.secret": "x".repeat(300) };
    assert.equal(parse(fields).mode, "unsubscribe");
  });

  test("refuses another spelling of a topic, which the callback would not know again", () => {
    const topics = [
      "https://REVIEWS.example/feed.xml",
      "HTTPS://Reviews.Example:443/feed.xml",
      "https://reviews.example/f%65ed%2Exml",
      "https://reviews.example/./feed.xml",
    ];
    for (const topic of topics) assert.match(faults({ ...GOOD, "hub.topic": topic }).join(), /must be one of https:/);
  });
});

describe("readForm()", () => {
  function post(
    body: string | Uint8Array | ReadableStream,
    type: string | undefined,
    more: Record<string, string> = {},
  ): Request {
    const headers = { ...(type !== undefined && { "Content-Type": type }), ...more };
    return new Request("https://reviews.example/", { method: "POST", body, headers, duplex: "half" } as RequestInit);
  }

  test("gives a form's text; parameters of its media type are ignored", async () => {
    assert.equal(await readForm(post("a=b", "Application/X-WWW-Form-URLEncoded; charset=UTF-8")), "a=b");
  });

  test("refuses another media type with 415", async () => {
    for (const type of ["application/json", "multipart/form-data; boundary=x", undefined]) {
      assert.equal(await readForm(post(new Uint8Array([65]), type)), 415);
    }
  });
});
