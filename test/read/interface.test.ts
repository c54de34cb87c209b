/** The interface's sentences on the read endpoints, asked of the whole program. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from "node:zlib";
import type { Review } from "../../src/review.ts";
import { get, program } from "../support/served-sample.ts";
import { SITES } from "../support/test-runs.ts";
import { json } from "../support/wire.ts";

const JSON_DOCUMENTS = ["/reviews.json", "/insights.json", "/api/feed.json", "/.well-known/openapi.json"];
const SEARCH = "/api/reviews/search?min_rating=4&limit=30";
const SINCE = "/api/reviews/since/2025-01-01";
const TAGGED = [...JSON_DOCUMENTS, "/feed.xml", SEARCH, SINCE, "/"];
const TOPICS = ["/feed.xml", "/api/feed.json", "/reviews.json"];

describe("interface §2: endpoints", () => {
  for (const path of [...JSON_DOCUMENTS, SEARCH, SINCE]) {
    test(`GET ${path} returns 200 with application/json`, async () => {
      const answer = await get(path);
      assert.equal(answer.status, 200);
      assert.equal(answer.headers["content-type"], "application/json");
      json(answer);
    });
  }

  test("/reviews.json holds business metadata, aggregate rating and the full set of verified reviews", async () => {
    const dataset = json(await get("/reviews.json")) as {
      business: object;
      aggregate_rating: Record<string, unknown>;
      reviews: Review[];
    };
    assert.deepEqual(Object.keys(dataset), ["business", "aggregate_rating", "reviews"]);
    assert.equal(dataset.reviews.length, 240);
    assert.equal(dataset.aggregate_rating.review_count, 240);
    const mean = dataset.reviews.reduce((sum, { rating }) => sum + rating, 0) / 240;
    assert.equal(dataset.aggregate_rating.rating_value, Math.round(mean * 100) / 100);
    assert.ok(dataset.reviews.every(({ verified }) => verified));
  });

  test("a review has exactly its ten fields", async () => {
    const { reviews } = json(await get("/reviews.json")) as { reviews: Review[] };
    const fields = [
      "id",
      "author",
      "author_avatar_url",
      "rating",
      "date",
      "text",
      "source",
      "source_url",
      "owner_reply",
      "verified",
    ];
    for (const review of reviews) assert.deepEqual(Object.keys(review), fields);
  });

  test("reviews stand newest date first, then id descending", async () => {
    const { reviews } = json(await get("/reviews.json")) as { reviews: Review[] };
    const keys = reviews.map(({ date, id }) => `${date} ${id}`);
    assert.deepEqual(keys, keys.toSorted().reverse());
  });

  test("/api/feed.json is a JSON Feed v1.1 document with the 50 newest reviews", async () => {
    const feed = json(await get("/api/feed.json")) as Record<string, unknown> & {
      items: { id: string; url: string }[];
    };
    const { reviews } = json(await get("/reviews.json")) as { reviews: Review[] };
    assert.equal(feed.version, "https://jsonfeed.org/version/1.1");
    const expected = reviews.slice(0, 50).map(({ id }) => `${program.url}/reviews/${id}`);
    const ids = feed.items.map(({ id }) => id);
    assert.deepEqual(ids, expected);
    const urls = feed.items.map(({ url }) => url);
    assert.deepEqual(urls, expected);
    assert.deepEqual(feed.hubs, [{ type: "WebSub", url: `${program.url}/api/websub/hub` }]);
  });

  test("the address of a feed item answers with the page of its review", async () => {
    const { reviews } = json(await get("/reviews.json")) as { reviews: Review[] };
    const review = reviews.find(({ text }) => text !== null);
    const page = await get(`/reviews/${review?.id}`);
    assert.equal(page.status, 200);
    assert.equal(page.headers["content-type"], "text/html; charset=utf-8");
    assert.ok(page.text.includes(`from ${review?.author}`));
  });

  test("search: valid parameters return matched, returned and full reviews; limit is 20 by default", async () => {
    const result = json(await get("/api/reviews/search?rating=5")) as {
      matched: number;
      returned: number;
      reviews: Review[];
    };
    assert.deepEqual(Object.keys(result), ["matched", "returned", "reviews"]);
    assert.equal(result.returned, 20);
    assert.ok(result.matched > 100);
    assert.ok(result.reviews.every(({ rating }) => rating === 5));
  });

  test("search: invalid parameters return 400 application/json with an object that has an issues array", async () => {
    const answer = await get("/api/reviews/search?rating=9&limit=0&since=2026-02-30");
    const body = json(answer) as { error: string; issues: { code: string; path: string[]; message: string }[] };
    assert.equal(answer.status, 400);
    assert.equal(answer.headers["content-type"], "application/json");
    assert.deepEqual(
      body.issues.map(({ path }) => path[0]),
      ["rating", "since", "limit"],
    );
    for (const issue of body.issues) assert.deepEqual(Object.keys(issue), ["code", "path", "message"]);
  });

  test("search: since later than until matches nothing; an unknown name matches nothing", async () => {
    for (const query of [
      "since=2026-02-02&until=2026-02-01",
      "mentions_technician=nobody",
      "mentions_service=nothing",
    ]) {
      const { hints, ...found } = json(await get(`/api/reviews/search?${query}`)) as Record<string, unknown>;
      assert.deepEqual(found, { matched: 0, returned: 0, reviews: [] });
      assert.equal((hints as string[]).length, 1);
    }
  });

  test("search: a technician is found by name and by id, a service by id and by label, case aside", async () => {
    const { business } = json(await get("/reviews.json")) as {
      business: { technicians: { id: string; name: string }[]; services: { id: string; label: string }[] };
    };
    const [technician] = business.technicians;
    const [service] = business.services;
    assert.ok(technician !== undefined && service !== undefined);
    const matched = async (query: Record<string, string>) =>
      (json(await get(`/api/reviews/search?${new URLSearchParams(query)}`)) as { matched: number }).matched;
    const byId = await matched({ mentions_technician: technician.id });
    assert.ok(byId > 0);
    assert.equal(await matched({ mentions_technician: technician.name.toUpperCase() }), byId);
    const byService = await matched({ mentions_service: service.id });
    assert.ok(byService > 0);
    assert.equal(await matched({ mentions_service: service.label.toLowerCase() }), byService);
  });

  test("since/{date} returns a bare array of the reviews on or after the date; a future date gives []", async () => {
    const { reviews } = json(await get("/reviews.json")) as { reviews: Review[] };
    assert.deepEqual(
      json(await get(SINCE)),
      reviews.filter(({ date }) => date >= "2025-01-01"),
    );
    assert.deepEqual(json(await get("/api/reviews/since/2099-01-01")), []);
  });

  for (const date of ["2026-02-30", "2026-1-1", "today", "2026-01-01T00:00:00Z", "%00", "20260101"]) {
    test(`since/${date} is 400 with issues`, async () => {
      const answer = await get(`/api/reviews/since/${date}`);
      const body = json(answer) as { issues: { path: string[] }[] };
      assert.equal(answer.status, 400);
      const paths = body.issues.map(({ path }) => path);
      assert.deepEqual(paths, [["date"]]);
    });
  }
});

describe("interface §2: HTTP", () => {
  for (const path of TAGGED) {
    test(`${path}: a matching If-None-Match gives 304 with an empty body and its headers, on HEAD too`, async () => {
      const full = await get(path);
      const tag = full.headers.etag ?? "";
      assert.match(tag, /^"[\w-]+"$/);
      assert.ok(full.headers["last-modified"]);
      for (const method of ["GET", "HEAD"]) {
        for (const held of [tag, `W/${tag}`, `"x", ${tag}`, "*", `"with,comma", ${tag}`]) {
          const answer = await get(path, { method, headers: { "If-None-Match": held } });
          assert.equal(answer.status, 304, held);
          assert.equal(answer.body.length, 0);
          for (const name of ["etag", "last-modified", "cache-control", "vary", "link"])
            assert.equal(answer.headers[name], full.headers[name], name);
        }
      }
      assert.equal((await get(path, { headers: { "If-None-Match": '"other"' } })).status, 200);
    });

    test(`${path}: If-Modified-Since is weighed only without If-None-Match, in all three forms`, async () => {
      const { headers } = await get(path);
      const date = headers["last-modified"] ?? "";
      assert.equal((await get(path, { headers: { "If-Modified-Since": date } })).status, 304);
      assert.equal(
        (await get(path, { headers: { "If-Modified-Since": date, "If-None-Match": '"other"' } })).status,
        200,
      );
      assert.equal(
        (await get(path, { headers: { "If-Modified-Since": "Sun, 06 Nov 1994 08:49:37 GMT" } })).status,
        200,
      );
      assert.equal((await get(path, { headers: { "If-Modified-Since": "2099-01-01T00:00:00Z" } })).status, 200);
      assert.equal(
        (await get(path, { headers: { "If-Modified-Since": "Thursday, 01-Jan-60 00:00:00 GMT" } })).status,
        304,
      );
      assert.equal((await get(path, { headers: { "If-Modified-Since": "Thu Jan  1 00:00:00 2099" } })).status, 304);
    });

    test(`${path}: HEAD has the headers of GET and no body`, async () => {
      const [whole, head] = [await get(path), await get(path, { method: "HEAD" })];
      assert.equal(head.status, 200);
      assert.equal(head.body.length, 0);
      for (const name of ["etag", "content-type", "content-length", "last-modified", "vary"])
        assert.equal(head.headers[name], whole.headers[name]);
      assert.equal(Number(whole.headers["content-length"]), whole.body.length);
    });

    test(`${path}: codings give the same bytes under tags of their own, and each tag gives 304`, async () => {
      const plain = await get(path);
      const decoders = { br: brotliDecompressSync, zstd: zstdDecompressSync, gzip: gunzipSync };
      for (const [coding, decode] of Object.entries(decoders)) {
        const coded = await get(path, { headers: { "Accept-Encoding": coding } });
        assert.equal(coded.headers["content-encoding"], coding);
        assert.equal(coded.headers.vary, "Accept-Encoding");
        assert.ok(coded.body.length < plain.body.length);
        assert.ok(decode(coded.body).equals(plain.body));
        assert.notEqual(coded.headers.etag, plain.headers.etag);
        assert.equal((await get(path, { headers: { "If-None-Match": coded.headers.etag ?? "" } })).status, 304);
      }
      assert.equal(plain.headers["content-encoding"], undefined);
    });
  }

  for (const path of TOPICS) {
    test(`${path} sends one Link header with hub and self on GET, HEAD and 304`, async () => {
      const link = `<${program.url}/api/websub/hub>; rel="hub", <${program.url}${path}>; rel="self"`;
      const plain = await get(path);
      const held = await get(path, { headers: { "If-None-Match": plain.headers.etag ?? "" } });
      for (const answer of [plain, await get(path, { method: "HEAD" }), held]) assert.equal(answer.headers.link, link);
    });
  }

  test("the Atom feed is exactly application/atom+xml", async () => {
    assert.equal((await get("/feed.xml")).headers["content-type"], "application/atom+xml");
  });

  test("one representation per address: Accept changes nothing", async () => {
    const plain = await get("/reviews.json");
    const asked = await get("/reviews.json", { headers: { Accept: "text/html" } });
    assert.ok(asked.body.equals(plain.body));
  });

  test("an Authorization header is ignored", async () => {
    assert.equal((await get("/reviews.json", { headers: { Authorization: "Bearer nonsense" } })).status, 200);
  });

  test("every public response may be read by any web page, errors among them", async () => {
    for (const path of [...TAGGED, "/nothing", "/api/reviews/search?rating=9", "/healthz"]) {
      const { headers } = await get(path);
      assert.equal(headers["access-control-allow-origin"], "*", path);
      assert.equal(
        headers["access-control-expose-headers"],
        "ETag, Last-Modified, Link, Retry-After, Mcp-Session-Id, MCP-Protocol-Version",
      );
    }
  });

  test("OPTIONS answers a CORS preflight", async () => {
    const headers = {
      Origin: "https://example.com",
      "Access-Control-Request-Method": "GET",
      "Access-Control-Request-Headers": "if-none-match",
    };
    const answer = await get("/reviews.json", { method: "OPTIONS", headers });
    assert.equal(answer.status, 204);
    assert.match(answer.headers["access-control-allow-methods"] ?? "", /GET/);
    assert.match(answer.headers["access-control-allow-headers"] ?? "", /if-none-match/i);
  });

  test("a wrong method is 405 with Allow, an unknown path 404; both JSON", async () => {
    for (const path of [...TAGGED, "/api/reviews/since/x", "/healthz"]) {
      for (const method of ["POST", "PUT", "DELETE", "PATCH"]) {
        const answer = await get(path, { method });
        assert.equal(answer.status, 405, `${method} ${path}`);
        assert.equal(answer.headers.allow, "GET, HEAD, OPTIONS");
        assert.ok((json(answer) as { error: string }).error);
      }
    }
    for (const path of ["/nothing", "/reviews/x", "/api/reviews/since/", "//reviews.json", "/Nothing/"]) {
      const answer = await get(path);
      assert.equal(answer.status, 404, path);
      assert.equal(answer.headers["content-type"], "application/json");
    }
  });

  test("the sitemap has lastmod, and only reviews with words", async () => {
    const { reviews } = json(await get("/reviews.json")) as { reviews: Review[] };
    const { text } = await get("/sitemap.xml");
    const entries = [...text.matchAll(/<loc>[^<]*\/reviews\/(\w+)<\/loc><lastmod>([^<]+)<\/lastmod>/g)];
    const days = new Map(entries.map(([, id = "", day]) => [id, day]));
    for (const { id, text, date, owner_reply: reply } of reviews)
      assert.equal(days.get(id), text === null ? undefined : [date, reply?.date ?? date].toSorted()[1], id);
    assert.equal([...text.matchAll(/<url>/g)].length, [...text.matchAll(/<lastmod>\d{4}-\d\d-\d\d</g)].length);
  });

  test("/healthz and /readyz are 200 when the program serves; /metrics speaks Prometheus", async () => {
    assert.equal((await get("/healthz")).status, 200);
    assert.equal((await get("/readyz")).status, 200);
    if (SITES > 0) return; // they are on a port of their own
    const metrics = await get("/metrics");
    assert.match(metrics.text, /^goodword_published_reviews 240$/m);
    assert.match(metrics.text, /^goodword_http_requests_total\{route="\/reviews.json",status="200"\} \d+$/m);
  });
});
