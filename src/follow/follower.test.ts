import assert from "node:assert/strict";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { test } from "node:test";
import { gzipSync } from "node:zlib";
import { listening, openTunnelProxy } from "../../test/support/loopback.ts";
import { parseBusinessFile } from "../import/business-file.ts";
import { importPaths } from "../import/importer.ts";
import { type Claim, FOLLOWING, openClaims } from "../store/claims.ts";
import { readFollowedSources } from "../store/followed-source-rows.ts";
import { openStore, readSnapshot, writeBusiness } from "../store/store.ts";
import { type FollowEvent, type FollowerParts, openFollower } from "./follower.ts";

const CSV =
  "id,author,rating,date,text,source\n1,Ann,5,2026-01-02,Cold again,google\n2,Bo,4,2026-01-03,In time,google\n";

type Answer = (request: IncomingMessage, response: ServerResponse) => void;

type BenchParts = { sources?: string; path?: string; url?: string } & Partial<FollowerParts>;

/** A server on loopback, a store with one followed address of it, and a follower whose clock stands still. */
async function openBench(answer: Answer, { sources = "", path = "/reviews.csv", url, ...parts }: BenchParts = {}) {
  const requests: IncomingMessage[] = [];
  const server = createServer((request, response) => {
    requests.push(request);
    answer(request, response);
  });
  const listens = await listening(server);
  const origin = `http://127.0.0.1:${listens.port}`;
  const store = await openStore("sqlite::memory:");
  const followed = url ?? `${origin}${path}`;
  const yaml = `name: A\ntime_zone: UTC\nsources:\n  - url: ${followed}\n    every: 1h\n${sources}`;
  await writeBusiness(store.database, parseBusinessFile("business.yaml", yaml));
  const events: FollowEvent[] = [];
  let time = Date.parse("2026-11-21T12:00:00Z");
  const follower = openFollower({
    store,
    allowedAddresses: ["127.0.0.0/8"],
    environment: () => undefined,
    importSource: async (file, source) =>
      await importPaths(store, [{ name: source.url, descriptor: file.fd }], {
        now: new Date(time),
        complete: source.complete,
        ...(source.source === undefined ? {} : { source: source.source }),
      }),
    log: (event) => events.push(event),
    now: () => new Date(time),
    random: () => 0,
    claims: openClaims(store),
    secret: Buffer.from("secret of the store"),
    ...parts,
  });
  return {
    ...{ origin, store, follower, requests, events },
    row: async () => [...(await readFollowedSources(store)).values()][0],
    reviews: async () => (await readSnapshot(store)).reviews,
    pass: (seconds: number) => {
      time += seconds * 1000;
    },
    async [Symbol.asyncDispose]() {
      await follower.close();
      await listens.close();
      await store.close();
    },
  };
}

const minutesUntil = (next: string | undefined, from = "2026-11-21T12:00:00Z") =>
  (Date.parse(next ?? "") - Date.parse(from)) / 60_000;

test("round() imports due sources, and repeats the request when due, with the validators of the last response", async () => {
  await using bench = await openBench((request, response) => {
    if (request.headers["if-none-match"] === '"v1"') response.writeHead(304).end();
    else response.writeHead(200, { ETag: '"v1"', "Last-Modified": "Sat, 21 Nov 2026 11:00:00 GMT" }).end(CSV);
  });
  await bench.follower.round();
  await bench.follower.round();
  assert.equal(bench.requests.length, 1);
  assert.equal((await bench.reviews()).length, 2);
  assert.equal((await bench.row())?.outcome, "imported: 2 added, 0 changed, 0 withdrawn");
  assert.equal(minutesUntil((await bench.row())?.next_at), 60);
  bench.pass(3601);
  await bench.follower.round();
  assert.equal(bench.requests[1]?.headers["if-none-match"], '"v1"');
  assert.equal(bench.requests[1]?.headers["if-modified-since"], "Sat, 21 Nov 2026 11:00:00 GMT");
  assert.equal((await bench.row())?.outcome, "not changed");
  assert.equal((await bench.row())?.etag, '"v1"');
  const events = bench.events.map(({ event }) => event);
  assert.deepEqual(events, ["imported", "unchanged"]);
});

test("round() repeats no validator for whose size or characters a server might refuse every later request", async () => {
  for (const [name, value] of [
    ["ETag", '"\u00e9\u0113"'],
    ["ETag", `"${"x".repeat(8_000)}"`],
    ["Last-Modified", "\u00c4\u0113 2026"],
  ] as const) {
    await using bench = await openBench((_request, response) => {
      // The bytes of UTF-8, which Node sends as Latin-1.
      response.writeHead(200, { [name]: Buffer.from(value).toString("latin1") }).end(CSV);
    });
    for (const outcome of [/^imported: 2 added/, /^imported: 0 added/]) {
      await bench.follower.round();
      assert.match((await bench.row())?.outcome ?? "", outcome, value.slice(0, 20));
      bench.pass(3601);
    }
    assert.equal(bench.requests[1]?.headers[name === "ETag" ? "if-none-match" : "if-modified-since"], undefined);
  }
});

test("secondsSinceRound() grows while no round ends", async () => {
  let milliseconds = 0;
  const held = Promise.withResolvers<void>();
  await using bench = await openBench((_request, response) => void held.promise.then(() => response.end(CSV)), {
    clock: () => milliseconds,
    intervalMs: 60_000,
  });
  bench.follower.start();
  while (bench.requests.length === 0) await new Promise(setImmediate);
  milliseconds = 90_000;
  assert.equal(bench.follower.secondsSinceRound(), 90);
  held.resolve();
  while (bench.follower.secondsSinceRound() > 0) await new Promise(setImmediate);
});

test("round() backs off from failures up to six hours, and respects Retry-After", async () => {
  let headers: Record<string, string> = {};
  let status = 500;
  await using bench = await openBench((_request, response) => response.writeHead(status, headers).end(CSV));
  const waits: number[] = [];
  for (let time = 0; time < 10; time += 1) {
    await bench.follower.round();
    const row = await bench.row();
    waits.push(minutesUntil(row?.next_at, row?.last_at));
    bench.pass((waits.at(-1) ?? 0) * 60);
  }
  assert.deepEqual(waits, [5, 10, 20, 40, 80, 160, 320, 360, 360, 360]);
  [status, headers] = [503, { "Retry-After": "36000" }];
  await bench.follower.round();
  const row = await bench.row();
  assert.equal(minutesUntil(row?.next_at, row?.last_at), 600);
  assert.match(row?.outcome ?? "", /^failed: It answered with 503/);
  bench.pass(36_000);
  status = 200;
  await bench.follower.round();
  assert.equal((await bench.row())?.failures, 0);
});

test("round() records no failure of a forced round", async () => {
  let status = 200;
  await using bench = await openBench((_request, response) => response.writeHead(status).end(CSV));
  await bench.follower.round();
  const before = await bench.row();
  status = 500;
  await bench.follower.round({ isForced: true });
  assert.deepEqual(await bench.row(), before);
  const events = bench.events.map(({ event }) => event);
  assert.deepEqual(events, ["imported", "failed"]);
});

test("round() refuses loopback and private addresses unless they are allowed, also by a redirect", async () => {
  await using direct = await openBench((_request, response) => response.end(CSV), { allowedAddresses: [] });
  await direct.follower.round();
  assert.match(
    (await direct.row())?.outcome ?? "",
    /private or local address.*SOURCES_ALLOW=127\.0\.0\.1\/32 into the file goodword\.env in the server's folder/,
  );
  assert.equal(direct.requests.length, 0);
  for (const target of [
    "http://10.1.2.3/x",
    "http://[::ffff:169.254.169.254]/latest",
    "http://localtest.example/x",
    "http://[::1]:1/",
  ]) {
    const resolution = {
      resolve: async (host: string) =>
        host === "localtest.example" ? ["192.168.0.1"] : [host.replace(/^\[|\]$/g, "")],
      isAnswering: async () => true,
    };
    await using bench = await openBench((_request, response) => response.writeHead(302, { Location: target }).end(), {
      resolution,
    });
    await bench.follower.round();
    assert.match(
      (await bench.row())?.outcome ?? "",
      /^failed: It redirects to .*, which has a private or local address/,
      target,
    );
  }
});

test("round() never follows a redirect from a public address into what SOURCES_ALLOW allows", async () => {
  let port = 0;
  let answers = 0;
  await using proxy = await openTunnelProxy(() => port);
  const proxyUrl = `http://127.0.0.1:${proxy.port}`;
  const resolution = {
    resolve: async (host: string) => {
      const isInside = host === "inside.example" || host === "192.168.1.20";
      return [isInside || (host === "rebound.example" && answers > 0) ? "192.168.1.20" : "1.1.1.1"];
    },
    isAnswering: async () => true,
  };
  for (const [source, target, isFollowed] of [
    ["http://public.example", "http://192.168.1.20/reviews.csv", false],
    ["http://public.example", "http://inside.example/reviews.csv", false],
    ["http://rebound.example", "http://rebound.example/inside.csv", false],
    ["http://public.example", "http://another.example/reviews.csv", true],
    ["http://inside.example", "http://192.168.1.20/reviews.csv", true],
  ] as const) {
    answers = 0;
    await using bench = await openBench(
      (_request, response) => {
        if (answers++ === 0) response.writeHead(302, { Location: target }).end();
        else response.end(CSV);
      },
      { resolution, proxyUrl, allowedAddresses: ["192.168.1.0/24"], url: `${source}/reviews.csv` },
    );
    port = Number(new URL(bench.origin).port);
    await bench.follower.round();
    const { outcome = "" } = (await bench.row()) ?? {};
    if (isFollowed) assert.match(outcome, /^imported: 2 added/, `${source} to ${target}`);
    else
      assert.match(outcome, /redirects from a public address to .*; that is never followed/, `${source} to ${target}`);
    assert.equal(answers, isFollowed ? 2 : 1);
  }
});

test("round() sends the key to the origin that it is for and to no other, and says when it is not set", async () => {
  let other = "";
  const sources = "    header: { name: Authorization, from_env: KEY_FEED }\n";
  const redirecting: Answer = (_request, response) => response.writeHead(307, { Location: other }).end();
  await using target = await openBench((_request, response) => response.end(CSV));
  other = `${target.origin}/reviews.csv`;
  await using bench = await openBench(redirecting, {
    sources,
    environment: (name) => (name === "KEY_FEED" ? "Bearer x" : undefined),
  });
  await bench.follower.round();
  assert.equal(bench.requests[0]?.headers.authorization, "Bearer x");
  assert.equal(target.requests[0]?.headers.authorization, undefined);
  assert.equal((await bench.reviews()).length, 2);
  await using without = await openBench(redirecting, { sources });
  await without.follower.round();
  assert.match((await without.row())?.outcome ?? "", /KEY_FEED.*is not set/);
  assert.equal(without.requests.length, 0);
});

test("round() bounds what it takes, packed or not, and how long", async () => {
  const large = Buffer.alloc(2_000_000, "a");
  for (const [headers, body] of [
    [{}, large],
    [{ "Content-Encoding": "gzip" }, gzipSync(large)],
  ] as const) {
    await using bench = await openBench((_request, response) => response.writeHead(200, headers).end(body), {
      maxBytes: 1_000_000,
    });
    await bench.follower.round();
    assert.equal((await bench.row())?.outcome, "failed: It holds more than 1 MB");
  }
  await using packed = await openBench((_request, response) =>
    response.writeHead(200, { "Content-Encoding": "gzip" }).end(gzipSync(CSV)),
  );
  await packed.follower.round();
  assert.equal((await packed.reviews()).length, 2);
  await using silent = await openBench((_request, response) => response.writeHead(200).write("id"), {
    deadlineMs: 100,
  });
  await silent.follower.round();
  assert.match((await silent.row())?.outcome ?? "", /did not answer in full within 0.1 seconds/);
});

test("round() withdraws only what a whole source lacks, and never more than a fifth", async () => {
  const rows = Array.from({ length: 10 }, (_, index) => `${index},Ann ${index},5,2026-01-02,Text ${index},google`);
  const csv = (count: number) => ["id,author,rating,date,text,source", ...rows.slice(0, count)].join("\n");
  let body = csv(10);
  await using bench = await openBench((_request, response) => response.end(body), { sources: "    complete: true\n" });
  for (const [count, left] of [
    [10, 10],
    [8, 8],
    [5, 8],
  ] as const) {
    body = csv(count);
    await bench.follower.round();
    bench.pass(24 * 3600);
    assert.equal((await bench.reviews()).length, left);
  }
  assert.match((await bench.row())?.outcome ?? "", /^failed: .*withdraw 3 of the 8/);
});

test("round() takes reviews only: a business file from elsewhere is refused", async () => {
  const yaml = "name: Evil\ntime_zone: UTC\nverified_sources: [anything]\n";
  for (const path of ["/reviews.csv", "/business.yaml"]) {
    await using bench = await openBench((_request, response) => response.end(yaml), { path });
    await bench.follower.round();
    assert.match((await bench.row())?.outcome ?? "", /^failed: .*describes a business and is passed over/);
    assert.equal((await readSnapshot(bench.store)).business?.name, "A");
  }
});

test("round() stores and logs of a refused file the kind of fault and its place, and no cell", async () => {
  const contents = [
    ["id,author,rating,date,text\n1,Zebulonquux,9,2026-01-02,Xylographer\n", /line 2: rating is not valid/],
    ["id,author,rating,date,text\n1,Ann,4,Zebulonquux,Xylographer\n", /line 2: date is not valid/],
    ["id,author,rating\nZebulonquux,Xylographer,4,2026,Zebulonquux\n", /a table without a column rating or date/],
    ["Zebulonquux,Xylographer\n1,2\n", /a table without a column rating or date/],
    ["id,author,rating,date\nZebulonquux Xylographer,Ann,5,2026-01-02,5\n", /line 2: a record cannot be read/],
    ['{"Zebulonquux": ["Xylographer"]}', /its format is not known/],
    ['{"Zebulonquux": ["Xylographer}', /its content cannot be read|its format is not known/],
    ["Zebulonquux Xylographer\n".repeat(3), /./],
    ["Zebulonquux: [Xylographer", /./],
    ["id,author,rating,date,text\n1,Ann,4,2026-01-02,Zebulonquux\n1,Bo,5,2026-01-02,Xylographer\n", /two records say/],
    [`id,author,rating,date\n${"1,Zebulonquux,Xylographer,2026-01-02\n".repeat(30)}`, /and 25 more/],
  ] as const;
  for (const [content, expected] of contents) {
    await using bench = await openBench((_request, response) => response.end(content));
    await bench.follower.round();
    const { outcome = "" } = (await bench.row()) ?? {};
    assert.match(outcome, /^failed: Its content was not imported: .*goodword sources --fetch/, content);
    assert.match(outcome, expected);
    assert.doesNotMatch(outcome, /zebulon|xylogr/i);
    const [event] = bench.events;
    assert.ok(event?.event === "failed");
    assert.equal(outcome, `failed: ${event.reason}`);
    assert.match(event.quoting, /not imported/);
  }
});

test("round() stores no word of another server: neither of an unexpected error nor of its headers", async () => {
  const importSource = () => Promise.reject(new SyntaxError('Unexpected token, "Zebulonquux" is not valid JSON'));
  const encoded: Answer = (_request, response) => response.writeHead(200, { "Content-Encoding": "Zebulonquux" }).end();
  const redirecting: Answer = (_request, response) => {
    response.writeHead(302, { Location: `http://${"a".repeat(9_000)}.localtest.example/Zebulonquux` }).end();
  };
  const resolution = {
    resolve: async (host: string) => (/^\d/.test(host) ? [host] : ["10.0.0.1"]),
    isAnswering: async () => true,
  };
  for (const [answer, parts] of [
    [(_request, response) => response.end(CSV), { importSource }],
    [encoded, {}],
    [redirecting, { resolution }],
  ] as const satisfies readonly [Answer, Partial<FollowerParts>][]) {
    await using bench = await openBench(answer, parts);
    await bench.follower.round();
    const { outcome = "" } = (await bench.row()) ?? {};
    assert.match(outcome, /^failed: /);
    assert.doesNotMatch(outcome, /zebulon/i);
    assert.ok(outcome.length < 700, outcome);
  }
});

test("round() does nothing while another process holds the claim", async () => {
  await using bench = await openBench((_request, response) => response.end(CSV));
  const another = openClaims(bench.store);
  const claimed = await another.take([FOLLOWING]);
  assert.equal(claimed.length, 1);
  assert.equal(await bench.follower.round(), false);
  assert.equal(bench.requests.length, 0);
  bench.pass(86_400);
  assert.equal(await bench.follower.round(), false, "a claim does not end with time");
  await another.release(claimed);
  assert.equal(await bench.follower.round(), true);
  assert.equal(bench.requests.length, 1);
  assert.equal((await another.take([FOLLOWING])).length, 1, "a round gives its claim back");
  await another.close();
});

test("round() begins no address while its claim is uncertain, and leaves the rest to the next round", async () => {
  await using bench = await openBench((_request, response) => response.end(CSV), {
    claims: {
      take: async ([id = 0]) => [{ id, token: 1, lost: new AbortController().signal, isCertain: () => isCertain }],
      release: async (claims: readonly Claim[]) => void released.push(...claims),
      onResumed: () => {},
      close: async () => {},
    },
  });
  let isCertain = false;
  const released: Claim[] = [];
  await bench.follower.round();
  assert.equal(bench.requests.length, 0);
  assert.equal(released.length, 1);
  isCertain = true;
  await bench.follower.round();
  assert.equal(bench.requests.length, 1);
});

test("round() fetches a source whose due time lies beyond the longest wait", async () => {
  await using bench = await openBench((_request, response) => response.end(CSV));
  await bench.follower.round();
  assert.equal(bench.requests.length, 1);
  bench.pass(-2 * 86_400);
  await bench.follower.round();
  assert.equal(bench.requests.length, 2, "what is due in two days, although every hour");
  bench.pass(600);
  await bench.follower.round();
  assert.equal(bench.requests.length, 2);
});

test("round() forgets an address that is no longer followed", async () => {
  await using bench = await openBench((_request, response) => response.end(CSV));
  await bench.follower.round();
  const yaml = `name: A\ntime_zone: UTC\nsources:\n  - url: ${bench.origin}/other.csv\n`;
  await writeBusiness(bench.store.database, parseBusinessFile("business.yaml", yaml));
  await bench.follower.round();
  assert.equal((await readFollowedSources(bench.store)).size, 1);
  assert.equal(bench.requests[1]?.url, "/other.csv");
});

test("business.yaml refuses sources that cannot be followed, each with its line", () => {
  const fault = (source: string) => {
    try {
      parseBusinessFile("b.yaml", `name: A\ntime_zone: UTC\nsources:\n  - ${source}\n`);
      return "";
    } catch (error) {
      return (error as Error).message;
    }
  };
  for (const [source, expected] of [
    ["{ url: ftp://example.com/x }", /b\.yaml:4: sources\[0\]\.url .*http or https/],
    ["{ url: https://me:secret@example.com/x }", /no user name or password/],
    ["{ url: https://example.com/x, every: 30s }", /every is "30s".*at least 1m/],
    ["{ url: https://example.com/x, source: Big Site }", /source is "Big Site"/],
    ["{ url: https://example.com/x, header: { name: A b, from_env: KEY_K } }", /header\.name/],
    ["{ every: 1h }", /url is missing/],
  ] as const)
    assert.match(fault(source), expected);
});

test("the sources of business.yaml are published nowhere", async () => {
  await using bench = await openBench((_request, response) => response.end(CSV));
  const { publishedBusiness } = await import("../business.ts");
  const { business } = await readSnapshot(bench.store);
  assert.ok(business !== undefined && business.sources !== undefined);
  assert.equal("sources" in publishedBusiness(business), false);
});

test("round() connects through a proxy to the vetted address, and reports a proxy that is down", async () => {
  await using proxy = await openTunnelProxy();
  const proxyUrl = `http://127.0.0.1:${proxy.port}`;
  await using bench = await openBench((_request, response) => response.end(CSV), { proxyUrl });
  await bench.follower.round();
  assert.equal((await bench.row())?.outcome, "imported: 2 added, 0 changed, 0 withdrawn");
  const tunnels = proxy.asked.map(({ url }) => url);
  assert.deepEqual(tunnels, [new URL(bench.origin).host]);
  await using refused = await openBench((_request, response) => response.end(CSV), { proxyUrl, allowedAddresses: [] });
  await refused.follower.round();
  assert.match((await refused.row())?.outcome ?? "", /private or local address/);
  assert.equal(proxy.asked.length, 1, "the proxy is not asked for what is refused");
  await proxy.close();
  bench.pass(3700);
  await bench.follower.round();
  assert.match((await bench.row())?.outcome ?? "", /^failed: No tunnel through the proxy/);
});
