/** The pages over the wire: what they say, that it agrees with the datasets, and how they are kept, refused and moved. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from "node:zlib";
import type { AggregateRating } from "../../src/edition/aggregate-rating.ts";
import { PAGE_PATHS } from "../../src/interface.ts";
import type { Review } from "../../src/review.ts";
import { program } from "../support/served-sample.ts";
import { ask, json, unescaped } from "../support/wire.ts";

interface Dataset {
  readonly business: { readonly name: string; readonly telephone: string; readonly category: string };
  readonly aggregate_rating: AggregateRating;
  readonly reviews: readonly Review[];
}

const BROWSER = { Accept: "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8" };

const get = (path: string, headers: Record<string, string> = {}) => ask(`${program.url}${path}`, { headers });
const dataset = json(await get("/reviews.json")) as Dataset;

/** The ids that a list links to, in order. */
function listed(page: string): string[] {
  return [...page.matchAll(/<h3><a href="\/reviews\/([0-9A-Z]{26})"/g)].map(([, id = ""]) => id);
}

function structured(page: string): Record<string, unknown> {
  const [, data = ""] = /<script type="application\/ld\+json">(.*?)<\/script>/s.exec(page) ?? [];
  return JSON.parse(data) as Record<string, unknown>;
}

describe("each page", () => {
  for (const path of PAGE_PATHS) {
    test(`${path} has a tag, a date, codings and 304`, async () => {
      const plain = await get(path);
      assert.equal(plain.status, 200);
      assert.match(plain.headers.etag ?? "", /^"[\w-]{22}"$/);
      assert.ok(plain.headers["last-modified"]);
      assert.equal(plain.headers["cache-control"], "no-cache");
      assert.equal(plain.headers["access-control-allow-origin"], "*");
      const coded = await get(path, { "Accept-Encoding": "br" });
      assert.equal(coded.headers["content-encoding"] ?? "identity", plain.body.length < 512 ? "identity" : "br");
      const held = await get(path, { "If-None-Match": String(coded.headers.etag) });
      assert.equal(held.status, 304);
      assert.equal(held.body.length, 0);
    });
  }

  test("loads nothing from elsewhere and runs nothing inline", async () => {
    for (const path of ["/", "/reviews", "/docs", "/embed", "/embed/reviews", `/reviews/${dataset.reviews[0]?.id}`]) {
      const { headers, text } = await get(path);
      const policy = String(headers["content-security-policy"]);
      assert.match(policy, /default-src 'none'/);
      assert.doesNotMatch(policy, /unsafe|https:|\bdata:/);
      assert.equal(policy.includes("frame-ancestors *"), path === "/embed/reviews", path);
      assert.doesNotMatch(
        text,
        /<style|\sstyle="|\son[a-z]+="|<script(?![^>]*(?:src="\/|application\/ld\+json))/,
        path,
      );
    }
  });

  test("answers HEAD as GET without the body", async () => {
    const head = await ask(`${program.url}/reviews?rating=5`, { method: "HEAD" });
    const whole = await get("/reviews?rating=5");
    assert.equal(head.headers.etag, whole.headers.etag);
    assert.equal(head.headers["content-length"], String(whole.body.length));
  });
});

describe("the front page", () => {
  test("has less than 60 kB of HTML, style and script on the wire", async () => {
    const page = await get("/", { "Accept-Encoding": "gzip" });
    const { text } = await get("/");
    const loaded = [...text.matchAll(/(?:<script[^>]*src|<link rel="stylesheet" href)="([^"]+)"/g)];
    let bytes = page.body.length;
    for (const [, path = ""] of loaded) bytes += (await get(path, { "Accept-Encoding": "gzip" })).body.length;
    assert.ok(bytes < 60_000, `${bytes} bytes`);
  });

  test("describes the business in JSON-LD as the dataset does", async () => {
    const data = structured((await get("/")).text);
    const { name, telephone, category } = dataset.business;
    assert.deepEqual([data["@type"], data.name, data.telephone], [category, name, telephone]);
  });

  test("draws each chart with a title, a description and a table of the same figures", async () => {
    const { text } = await get("/");
    for (const id of ["rating-chart", "aspect-chart", "month-chart"]) {
      assert.match(
        text,
        new RegExp(`<svg class="chart" id="${id}" role="img" aria-labelledby="${id}-title ${id}-text"`),
      );
      assert.match(text, new RegExp(`<title id="${id}-title">[^<]+</title><desc id="${id}-text">[^<]+</desc>`));
    }
    const table = /rating-chart.*?<tbody>(.*?)<\/tbody>/s.exec(text)?.[1] ?? "";
    const counts = [...table.matchAll(/<tr><th scope="row">(\d)<\/th><td>([\d,]+)<\/td>/g)].map(([, stars, count]) => [
      stars,
      Number(count),
    ]);
    assert.deepEqual(Object.fromEntries(counts), dataset.aggregate_rating.rating_counts);
  });

  test("names the author of the pull quote and links the review that holds it", async () => {
    const { text } = await get("/");
    const { pull_quote: quote } = json(await get("/insights.json")) as { pull_quote: string };
    const id = /<figcaption>.*?href="\/reviews\/([0-9A-Z]{26})"/s.exec(text)?.[1];
    assert.ok(dataset.reviews.find((review) => review.id === id)?.text?.includes(quote));
  });

  test("quotes customers by topic: each quote is evidence of the review that it links", async () => {
    const { text } = await get("/");
    const { per_review: analyses } = json(await get("/insights.json")) as {
      per_review: Record<string, { aspects: { evidence: string; sentiment: string }[] }>;
    };
    const quotes = [
      ...text.matchAll(
        /<dd class="excerpt (positive|negative)"><q dir="auto">([^<]+)<\/q> <a class="author" href="\/reviews\/([0-9A-Z]{26})"/g,
      ),
    ];
    assert.ok(quotes.length >= 5);
    for (const [, sentiment, words = "", id = ""] of quotes) {
      const said = unescaped(words);
      assert.ok(
        analyses[id]?.aspects.some((one) => one.evidence === said && one.sentiment === sentiment),
        `${id}: ${said}`,
      );
    }
  });

  test("shows the newest poor review that has words, and counts the poor ones and the owner's replies", async () => {
    const { text } = await get("/");
    const section = /<section aria-labelledby="criticism">.*?<\/section>/s.exec(text)?.[0] ?? "";
    const poor = dataset.reviews.filter(({ rating }) => rating <= 2);
    const replied = poor.filter(({ owner_reply }) => owner_reply !== null);
    assert.deepEqual(listed(section), [poor.find((review) => review.text !== null)?.id]);
    assert.ok(section.includes(`${poor.length} reviews gave one or two stars.`));
    assert.ok(section.includes(`The owner replied to ${replied.length} of these.`));
  });

  test("counts praise and criticism at the top as the insights do, and leads from there to customers' words", async () => {
    const { text } = await get("/");
    const { aspects } = json(await get("/insights.json")) as {
      aspects: { label: string; positive_count: number; negative_count: number }[];
    };
    const chips = [...text.matchAll(/<a class="chip (good|bad)" href="#([^"]+)"><span>([^<]+)<\/span> <b>(\d+)<\/b>/g)];
    assert.ok(chips.length > 2);
    for (const [, kind, anchor = "", label = "", count] of chips) {
      const aspect = aspects.find((one) => one.label === label);
      assert.equal(Number(count), kind === "good" ? aspect?.positive_count : aspect?.negative_count, label);
      const quotes = new RegExp(`<div id="${anchor}"><dt>${label}</dt>.*?</div>`, "s").exec(text)?.[0] ?? "";
      assert.ok(
        quotes.includes(`excerpt ${kind === "good" ? "positive" : "negative"}`),
        `${label} leads to its evidence`,
      );
    }
  });

  test("says beside the rating how new the newest review is", async () => {
    const { text } = await get("/");
    const panel = /<section class="card rating".*?<\/section>/s.exec(text)?.[0] ?? "";
    assert.ok(panel.includes(`Newest: <time datetime="${dataset.reviews[0]?.date}">`));
  });

  test("has a field that searches all reviews", async () => {
    const { text } = await get("/");
    assert.match(
      text,
      /<form class="find" action="\/reviews" method="get"><input type="search" name="query" required /,
    );
  });

  test("leads with its feeds, a description and a picture for shared links", async () => {
    const { text } = await get("/");
    assert.match(text, /<link rel="alternate" type="application\/feed\+json"[^>]*\/api\/feed\.json"/);
    assert.match(text, /<link rel="alternate" type="application\/atom\+xml"[^>]*\/feed\.xml"/);
    assert.match(text, /<meta property="og:title" content="[^"]+">/);
    assert.match(text, /<meta name="description" content="[^"]*4\.10 of 5 stars from 240 verified reviews/);
  });
});

describe("the list of reviews", () => {
  test("pages through every review once, in the dataset's order, by the links it gives", async () => {
    const seen: string[] = [];
    let path: string | undefined = "/reviews";
    while (path !== undefined) {
      const { status, text } = await get(path);
      assert.equal(status, 200);
      seen.push(...listed(text));
      path = /<a [^>]*rel="next" href="([^"]+)"/.exec(text)?.[1]?.replaceAll("&amp;", "&");
    }
    assert.deepEqual(
      seen,
      dataset.reviews.map(({ id }) => id),
    );
  });

  const SEARCHES = [
    "query=thermostat",
    "rating=1",
    "min_rating=4&query=price",
    "mentions_technician=roz-whitaker",
    "mentions_service=duct-cleaning",
    "since=2026-01-01&until=2026-06-30",
    "query=<script>",
  ];
  for (const query of SEARCHES) {
    test(`?${query} shows what the search address finds`, async () => {
      const parameters = new URLSearchParams(query);
      const { text } = await get(`/reviews?${parameters}`);
      const found = json(await get(`/api/reviews/search?${parameters}&limit=20`)) as {
        matched: number;
        reviews: Review[];
      };
      assert.deepEqual(
        listed(text),
        found.reviews.map(({ id }) => id),
      );
      assert.match(text, new RegExp(`>${found.matched} reviews? match`));
      assert.ok(!text.includes("<script>"));
    });
  }

  test("?has_reply= shows only reviews with or without a reply", async () => {
    const withReply = dataset.reviews.filter(({ owner_reply }) => owner_reply !== null).map(({ id }) => id);
    const { text } = await get("/reviews?has_reply=true");
    assert.deepEqual(listed(text), withReply.slice(0, 20));
    const without = await get("/reviews?has_reply=false");
    assert.ok(listed(without.text).every((id) => !withReply.includes(id)));
    assert.equal(listed(without.text).length, 20);
  });

  test("?has_text= shows only reviews with text or those of stars alone, and a list of mostly stars leads to the others", async () => {
    const spoken = dataset.reviews.filter(({ text }) => text !== null).map(({ id }) => id);
    assert.deepEqual(listed((await get("/reviews?has_text=true")).text), spoken.slice(0, 20));
    assert.doesNotMatch((await get("/reviews")).text, /class="narrower"/);
    const { text } = await get("/reviews?has_text=false&rating=5");
    const bare = dataset.reviews.filter((review) => review.text === null && review.rating === 5).map(({ id }) => id);
    assert.deepEqual(listed(text), bare.slice(0, 20));
    assert.doesNotMatch(text, /class="narrower"/, "only stars were asked for");
    assert.match((await get("/reviews?has_text=some")).text, /has_text is &quot;some&quot;, but must be true or false/);
  });

  test("names each filter as a link to the same list without it, and marks the words", async () => {
    const { text } = await get("/reviews?query=THE&rating=5&has_reply=true");
    const chosen = /<ul class="chosen".*?<\/ul>/s.exec(text)?.[0] ?? "";
    const links = [...chosen.matchAll(/href="([^"]+)" aria-label="Remove filter: ([^"]+)"/g)].map(
      ([, path = "", name = ""]) => [unescaped(path), name],
    );
    assert.deepEqual(links, [
      ["/reviews?query=THE&has_reply=true", "Only 5 stars"],
      ["/reviews?rating=5&has_reply=true", "“THE”"],
      ["/reviews?rating=5&query=THE", "With a reply"],
    ]);
    assert.ok((await get("/reviews?min_rating=4.5")).text.includes("Remove filter: 4.5 stars or more"));
    const marks = [...text.matchAll(/<mark>([^<]+)<\/mark>/g)].map(([, words = ""]) => words.toLowerCase());
    assert.ok(marks.length > 0 && marks.every((words) => words === "the"));
  });

  test("says all that is wrong with a query, as a page with status 400", async () => {
    const { status, text, headers } = await get("/reviews?rating=9&offset=-1&has_reply=maybe&since=2026-02-30");
    assert.equal(status, 400);
    assert.equal(headers["content-type"], "text/html; charset=utf-8");
    for (const name of ["rating is 9", "offset is", "has_reply is", "since is"]) assert.ok(text.includes(name), name);
  });

  test("says after the last page that the list has ended, with links to the last and the first page", async () => {
    for (const [query, last, first] of [
      ["offset=500", "/reviews?offset=220", "/reviews"],
      ["offset=240", "/reviews?offset=220", "/reviews"],
      ["rating=1&limit=5&offset=10000", undefined, "/reviews?rating=1&limit=5"],
    ]) {
      const { text, status } = await get(`/reviews?${query}`);
      assert.equal(status, 200);
      const box = unescaped(/<div class="card" id="past-end">.*?<\/div>/s.exec(text)?.[0] ?? "");
      const [toLast = "", toFirst] = [...box.matchAll(/href="([^"]+)"/g)].map(([, link]) => link);
      if (last !== undefined) assert.equal(toLast, last);
      assert.equal(toFirst, first);
      const end = await get(toLast);
      assert.ok(listed(end.text).length > 0);
      assert.doesNotMatch(end.text, /rel="next"|past-end/);
      assert.doesNotMatch(text, /class="pager"/);
    }
    assert.doesNotMatch((await get("/reviews?offset=500&query=zzzz")).text, /past-end/);
    const { matched } = json(await get("/api/reviews/search?offset=500")) as { matched: number };
    assert.equal(matched, 240);
  });

  test("is the same document whatever else the query says", async () => {
    const plain = await get("/reviews");
    assert.equal((await get("/reviews?utm_source=letter&rating=")).headers.etag, plain.headers.etag);
  });
});

describe("the page of a review", () => {
  test("marks the evidence of the analysis in the words, and links its neighbours", async () => {
    const insights = json(await get("/insights.json")) as {
      per_review: Record<string, { aspects: { evidence: string; sentiment: string }[] }>;
    };
    const position = dataset.reviews.findIndex(
      ({ id }, index) => index > 0 && (insights.per_review[id]?.aspects.length ?? 0) > 1,
    );
    const review = dataset.reviews[position];
    assert.ok(review !== undefined && position > 0);
    const { text, status } = await get(`/reviews/${review.id}`);
    assert.equal(status, 200);
    assert.match(text, /<mark class="(?:positive|neutral|negative)">[^<]+<\/mark>/);
    const words = (/<blockquote[^>]*>(.*?)<\/blockquote>/s.exec(text)?.[1] ?? "").replaceAll(/<\/?mark[^>]*>/g, "");
    assert.equal(words.replaceAll("&#39;", "'").replaceAll("&quot;", '"').replaceAll("&amp;", "&"), review.text);
    assert.ok(text.includes(`rel="prev" href="/reviews/${dataset.reviews[position - 1]?.id}"`));
    assert.ok(text.includes(`rel="next" href="/reviews/${dataset.reviews[position + 1]?.id}"`));
  });

  test("is compressed in every coding, although it is rendered on request", async () => {
    const path = `/reviews/${dataset.reviews[3]?.id}`;
    const plain = await get(path);
    const decoders = { br: brotliDecompressSync, zstd: zstdDecompressSync, gzip: gunzipSync };
    for (const [coding, decode] of Object.entries(decoders)) {
      const coded = await get(path, { "Accept-Encoding": coding });
      assert.equal(coded.headers["content-encoding"], coding);
      assert.equal(coded.headers.vary, "Accept-Encoding");
      assert.ok(coded.body.length < plain.body.length);
      assert.ok(decode(coded.body).equals(plain.body));
      assert.notEqual(coded.headers.etag, plain.headers.etag);
    }
  });

  test("is answered with 304 under the tag of each coding", async () => {
    const path = `/reviews/${dataset.reviews[3]?.id}`;
    for (const coding of ["br", "zstd", "gzip", "identity"]) {
      const { headers } = await get(path, { "Accept-Encoding": coding });
      assert.equal((await get(path, { "If-None-Match": String(headers.etag) })).status, 304, coding);
    }
  });
});

describe("data", () => {
  const PAGES = [
    ["/insights.json", "/"],
    ["/api/reviews/since/2026-01-01", "/reviews?since=2026-01-01"],
    ["/api/reviews/since/2026-06-01", "/reviews?since=2026-06-01"],
    ["/api/reviews/search", "/reviews"],
    ["/api/reviews/search?rating=5&query=they&limit=3", "/reviews?rating=5&query=they&limit=3"],
    ["/api/reviews/search?offset=20&rating=&utm=1&limit=10", "/reviews?limit=10&offset=20"],
    ["/.well-known/openapi.json", "/docs"],
    ["/.well-known/ai-catalog.json", "/docs#mcp-guide"],
    ["/mcp/server-card", "/docs#mcp-guide"],
  ] as const;
  for (const [data, page] of PAGES) {
    test(`${data} leads to ${page}, also without a body and as 304`, async () => {
      const link = `<${program.url}${page}>; rel="alternate"; type="text/html"`;
      const whole = await get(data);
      assert.equal(whole.headers.link, link);
      assert.equal((await ask(`${program.url}${data}`, { method: "HEAD" })).headers.link, link);
      const held = await get(data, { "If-None-Match": String(whole.headers.etag) });
      assert.equal(held.status, 304);
      assert.equal(held.headers.link, link);
      assert.equal((await get(page)).status, 200);
    });
  }

  test("a search whose address would make the header too large for clients has no link", async () => {
    const answer = await get(`/api/reviews/search?query=${"(".repeat(8_000)}`);
    assert.equal(answer.status, 200);
    assert.equal(answer.headers.link, undefined);
  });

  test("pages name their data", async () => {
    for (const [page, data] of [
      ["/", "/reviews.json"],
      ["/reviews", "/reviews.json"],
      ["/docs", "/.well-known/openapi.json"],
    ]) {
      const { text } = await get(page ?? "");
      assert.ok(
        text.includes(`<link rel="alternate" type="application/json" href="${program.url}${data}">`),
        String(page),
      );
    }
  });

  test("every public JSON address leads to a page, and that page to it", async () => {
    const { paths } = json(await get("/.well-known/openapi.json")) as {
      paths: Record<
        string,
        Record<string, { externalDocs?: { url: string }; responses: Record<string, { content?: object }> }>
      >;
    };
    const [search, since] = [
      "/api/reviews/search?min_rating=4&query=e&limit=3&offset=3",
      "/api/reviews/since/2026-01-01",
    ];
    let checked = 0;
    for (const [path, methods] of Object.entries(paths)) {
      for (const [method, { externalDocs, responses }] of Object.entries(methods)) {
        if (externalDocs === undefined) continue; // nothing for people says the same
        const named = new URL(externalDocs.url);
        const page = await get(`${named.pathname}${named.search}`);
        assert.equal(page.headers["content-type"], "text/html; charset=utf-8", path);
        if (named.hash !== "") assert.ok(page.text.includes(`id="${named.hash.slice(1)}"`), externalDocs.url);
        if (method !== "get") continue;
        assert.ok(responses["200"]?.content, path);
        const data = path.includes("search")
          ? search
          : path.replace("{date}", "2026-01-01").replace("{id}", dataset.reviews[0]?.id ?? "");
        const { text, headers } = await get(data);
        const human =
          /<([^>]+)>; rel="alternate"; type="text\/html"/.exec(String(headers.link))?.[1] ??
          /"home_page_url":"([^"]+)"|<link rel="alternate" type="text\/html" href="([^"]+)"/
            .exec(text)
            ?.slice(1)
            .find(Boolean) ??
          (path === "/reviews.json" ? externalDocs.url : ""); // a topic's Link header holds the hub and itself alone
        const back = await get(human.replace(program.url, ""));
        assert.equal(back.headers["content-type"], "text/html; charset=utf-8", `${path}: ${human}`);
        const sameReviews = data === since ? "/api/reviews/search?since=2026-01-01" : data;
        assert.ok(unescaped(back.text).includes(`${sameReviews}"`), `${human} does not lead to ${sameReviews}`);
        checked++;
      }
    }
    assert.ok(checked >= 7, String(checked));
  });

  test("each page of a list leads to the data of the reviews that it shows", async () => {
    for (const query of ["offset=20", "min_rating=4&limit=5&offset=10", "query=they"]) {
      const { text } = await get(`/reviews?${query}`);
      const links = [...unescaped(text).matchAll(/href="([^"]*\/api\/reviews\/search[^"]*)"/g)].map(
        ([, link = ""]) => link,
      );
      assert.equal(links.length, 2, query); // in the head and at the end
      for (const link of links) {
        const { reviews } = json(await get(link.replace(program.url, ""))) as Dataset;
        const ids = reviews.map(({ id }) => id);
        assert.deepEqual(ids, listed(text));
      }
    }
  });

  test("the page of a review leads to its record", async () => {
    for (const review of [dataset.reviews[0], dataset.reviews.at(-1)]) {
      const { text } = await get(`/reviews/${review?.id}`);
      const link = /<a href="([^"]*\/api\/reviews\/[^"]*)"/.exec(text)?.[1] ?? "";
      const record = json(await get(link)) as { review: Review; url: string };
      assert.deepEqual([record.review, record.url], [review, `${program.url}/reviews/${review?.id}`]);
      assert.ok(unescaped(text).includes(`type="application/json" href="${program.url}${link}"`));
    }
  });
});

describe("errors and other spellings", () => {
  test("an error is a page for a browser and JSON for a program", async () => {
    for (const [path, status] of [
      ["/nothing-here", 404],
      ["/reviews/NOPE", 404],
    ] as const) {
      const page = await get(path, BROWSER);
      assert.equal(page.status, status);
      assert.equal(page.headers["content-type"], "text/html; charset=utf-8");
      assert.match(page.text, /<h1>/);
      assert.match(String(page.headers["content-security-policy"]), /default-src 'none'/);
      const program = await get(path, { Accept: "application/json" });
      assert.equal(program.status, status);
      assert.ok("error" in (json(program) as object));
    }
  });

  test("too long an address is a page for a browser and JSON for a program", async () => {
    const path = `/reviews?query=${"a".repeat(8_200)}`;
    const page = await get(path, BROWSER);
    assert.equal(page.status, 414);
    assert.equal(page.headers["content-type"], "text/html; charset=utf-8");
    assert.match(page.text, /<h1>This address is too long<\/h1>/);
    assert.equal(page.headers.connection, "close");
    const program = await get(path, { Accept: "application/json" });
    assert.equal(program.status, 414);
    assert.match((json(program) as { error: string }).error, /longer than 8192 bytes/);
    assert.equal((await get(`/reviews?query=${"a".repeat(8_192 - 15)}`)).status, 200);
  });

  test("the page for an unknown address leads people to pages, and its JSON programs to the description", async () => {
    const { text } = await get("/nothing-here", BROWSER);
    assert.doesNotMatch(text, /openapi/);
    assert.match(text, /<a class="button" href="\/">/);
    assert.match((await get("/nothing-here")).text, /openapi\.json/);
  });

  test("405 is a page with Allow, too", async () => {
    const page = await ask(`${program.url}/reviews`, { method: "DELETE", headers: BROWSER });
    assert.equal(page.status, 405);
    assert.equal(page.headers.allow, "GET, HEAD, OPTIONS");
    assert.equal(page.headers["content-type"], "text/html; charset=utf-8");
  });

  test("below the programs' addresses an error stays JSON for everybody", async () => {
    for (const path of ["/api/nothing", "/api/reviews/search?rating=9", "/.well-known/nothing", "/mcp"]) {
      const answer = await get(path, BROWSER);
      assert.equal(answer.headers["content-type"], "application/json", path);
      assert.ok(answer.status >= 400, path);
    }
  });

  test("other spellings of a page lead to it", async () => {
    for (const [path, target] of [
      ["/docs/", "/docs"],
      ["/index.html", "/"],
      ["/reviews/", "/reviews"],
      ["/embed/index.html", "/embed"],
    ] as const) {
      const answer = await get(path, BROWSER);
      assert.equal(answer.status, 308, path);
      assert.equal(answer.headers.location, target);
    }
    assert.equal((await get("/nothing/", BROWSER)).status, 404);
  });
});
