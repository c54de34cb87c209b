/** What contract §10 says of searches and single reviews: each sentence, asked at the address and of the tool alike. */
import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, describe, test } from "node:test";
import type { Insights } from "../../src/insights-document.ts";
import type { Review } from "../../src/review.ts";
import { callAt, openMcpServer, sampleEdition, sessionAt } from "../support/mcp-server.ts";
import { temporaryFolder } from "../support/program.ts";
import { editionOf } from "../support/real-edition.ts";
import { ask, json } from "../support/wire.ts";

interface Found {
  readonly matched: number;
  readonly reviews: readonly Review[];
  readonly hints?: readonly string[];
  readonly review_page?: string;
}

const ROWS: readonly (readonly [number, string, string])[] = [
  [5, "The A/C is cold. Dana’s team was kind.", "Thank you from Dana"],
  [1, "No parking, fair prices", ""],
  [2, "", "We are sorry about the lift"],
  [4, "Parken war schwierig, aber das Café ist sehr schön und der Saal ist groß", ""],
  [3, "The swimming lessons beside the pool are fine", "See you at the pool"],
  [5, "", ""],
  [5, "OK 👍", ""],
];

const folder = temporaryFolder();
writeFileSync(join(folder.path, "business.yaml"), "name: The Hall\ntime_zone: Europe/Berlin\n");
writeFileSync(
  join(folder.path, "reviews.json"),
  JSON.stringify(
    ROWS.map(([rating, text, reply], number) => ({
      ...{ id: String(number), author: `Author ${number}`, rating, date: `2026-0${9 - number}-01`, source: "google" },
      text: text === "" ? null : text,
      owner_reply: reply === "" ? null : { text: reply, date: "2026-10-01" },
    })),
  ),
);
const [hall, sample] = [(await editionOf(folder.path)).edition, await sampleEdition()];
const [own, bundled] = [await openMcpServer(hall), await openMcpServer(sample)];
const sessions = new Map([
  [own, await sessionAt(own.url)],
  [bundled, await sessionAt(bundled.url)],
]);
after(async () => {
  for (const server of sessions.keys()) await server[Symbol.asyncDispose]();
  folder[Symbol.dispose]();
});

async function callTool(server: typeof own, name: string, given: Readonly<Record<string, unknown>>) {
  const { text } = await callAt(server.url, sessions.get(server) ?? "", "tools/call", { name, arguments: given });
  return JSON.parse(text).result;
}

/** Asks at the address and of the tool, which have to agree. */
async function search(query: string, server = own): Promise<Found> {
  const found = json(await ask(`${server.origin}/api/reviews/search?${query}`)) as Found;
  const given = Object.fromEntries(new URLSearchParams(query));
  const { review_page: page, ...called } = (await callTool(server, "search_reviews", given)).structuredContent;
  assert.equal(page, `${hall.baseUrl}/reviews/{id}`);
  assert.deepEqual(called, found);
  return found;
}

describe("contract §10: search, more", () => {
  /** The rows found, in the order in which they are given. */
  const FILTERS: readonly (readonly [query: string, rows: readonly number[]])[] = [
    ["max_rating=2", [1, 2]],
    ["min_rating=2&max_rating=3.5", [2, 4]],
    ["has_text=false", [2, 5]],
    ["has_text=true&max_rating=2", [1]],
    ["has_reply=false&max_rating=2", [1]],
    ["has_reply=true", [0, 2, 4]],
    ["language=de", [3]],
    ["language=EN", [0, 1, 4]],
    ["language=und", [6]],
    ["words=ac", [0]],
    ["words=dana", [0]],
    ["words=danas", [0]],
    ["words=Dana's", [0]],
    ["words=air", []],
    ["words=parking, pool", [1, 4]],
    ["words=cafe", [3]],
    ["words=GROSS", [3]],
    ["all_words=swimming pool", [4]],
    ["all_words=swimming parking", []],
    ["words=lift", []],
    ["words=lift&in=reply", [2]],
    ["words=pool&in=reply", [4]],
    ["words=lift parking&in=both", [1, 2]],
    ["all_words=lessons see&in=both", [4]],
    ["all_words=kind thank&in=text", []],
    ["query=SORRY&in=reply", [2]],
    ["query=the&in=both", [0, 2, 4]],
    ["sort=newest", [0, 1, 2, 3, 4, 5, 6]],
    ["sort=oldest", [6, 5, 4, 3, 2, 1, 0]],
    ["sort=highest", [0, 5, 6, 3, 4, 2, 1]],
    ["sort=lowest&limit=3", [1, 2, 4]],
  ];
  for (const [query, rows] of FILTERS) {
    test(`${query} finds ${rows.length === 0 ? "nothing" : rows.join(", ")}`, async () => {
      const { reviews, matched, hints } = await search(query);
      assert.deepEqual(
        reviews.map(({ author }) => Number(author.replace("Author ", ""))),
        rows,
      );
      assert.equal(matched, query.includes("limit") ? ROWS.length : rows.length);
      assert.equal(hints, undefined);
      const { text } = await ask(`${own.origin}/reviews?${query}`);
      const listed = [...text.matchAll(/<bdi>Author (\d)<\/bdi><\/a><\/h3>/g)].map(([, number]) => Number(number));
      assert.deepEqual(listed, rows, "the list on the page");
    });
  }

  test("topic takes the id of a topic, and finds the reviews that name it", async () => {
    const { topics, per_review: each } = json(await ask(`${bundled.origin}/insights.json`)) as Insights;
    assert.ok(topics.length > 5 && topics.length <= 20);
    for (const { id, review_count: count } of topics) {
      const { matched, reviews } = await search(`topic=${id}&limit=100`, bundled);
      assert.equal(matched, count);
      const naming = Object.keys(each).filter((review) => each[review]?.topics.includes(id));
      assert.deepEqual(reviews.map((review) => review.id).toSorted(), naming.toSorted());
    }
  });

  test("words and all_words are at most ten", async () => {
    for (const name of ["words", "all_words"]) {
      const [ten, eleven] = [10, 11].map((count) => Array.from({ length: count }, (_, at) => `w${at}`).join(" "));
      assert.equal((await search(`${name}=${ten}`)).matched, 0);
      const { status, text } = await ask(`${own.origin}/api/reviews/search?${name}=${eleven}`);
      const { isError, content } = await callTool(own, "search_reviews", { [name]: eleven });
      const [{ message }] = JSON.parse(text).issues;
      assert.deepEqual([status, isError, content[0].text], [400, true, `${message}.`]);
    }
  });

  const HINTS: readonly (readonly [query: string, hint: RegExp])[] = [
    ["since=2026-03-01&until=2026-02-01", /^since \(2026-03-01\) is after until \(2026-02-01\), so nothing matches/],
    ["min_rating=4&max_rating=2", /^min_rating \(4\) is above max_rating \(2\), so nothing matches/],
    ["mentions_technician=Zebulon", /no such technician; known: .*Priya Raman \(priya-raman\)/],
    ["mentions_service=plumbing", /no such service; known: .*AC repair \(ac-repair\)/],
    [
      "topic=weather",
      /no such topic; known: .+; topics are only what several reviews name: words finds anything else\.$/,
    ],
    ["language=en-GB", /^language is "en-GB", but there is no such language of a review; known: en/],
    [
      "query=zebra thermostat",
      /^No review holds "zebra thermostat" as it stands; single words are held: "thermostat" in \d+/,
    ],
    ["words=thermostats", /^No review is found with "thermostats"; .+ are: "thermostat" in \d+/],
    ["offset=1000", /^offset is 1000, but only 240 reviews match/],
  ];
  for (const [query, hint] of HINTS) {
    test(`${query} has a hint`, async () => {
      const { hints = [] } = await search(query, bundled);
      assert.equal(hints.length, 1, hints.join());
      assert.match(hints[0] ?? "", hint);
    });
  }

  test("a parameter that is not known is named with the nearest that is, and refused as an argument of the tool", async () => {
    for (const [name, nearest] of [
      ["min_ratting", "min_rating"],
      ["stars", "rating, or min_rating and max_rating"],
      ["page", "offset"],
    ]) {
      const { hints } = json(await ask(`${own.origin}/api/reviews/search?${name}=1`)) as Found;
      assert.deepEqual(hints, [`"${name}" is not a parameter and was ignored; the nearest is ${nearest}.`]);
    }
    const { isError, content } = await callTool(own, "search_reviews", { min_ratting: 4 });
    assert.equal(isError, true);
    assert.match(content[0].text, /^"min_ratting" is not an argument of this tool/);
  });

  test("the tool takes numbers and booleans, also written as strings", async () => {
    const typed = await callTool(own, "search_reviews", { max_rating: 2, has_text: true, limit: 1 });
    const written = await callTool(own, "search_reviews", { max_rating: "2", has_text: "true", limit: "1" });
    assert.equal(typed.structuredContent.matched, 1);
    assert.deepEqual(written, typed);
  });
});

describe("contract §10: one review", () => {
  test("an id in any case of letters gives the review, its analysis and its page", async () => {
    const { reviews } = await search("words=ac");
    const [{ id } = { id: "" }] = reviews;
    for (const asked of [id, id.toLowerCase()]) {
      const answer = await ask(`${own.origin}/api/reviews/${asked}`);
      const found = json(answer) as object;
      assert.deepEqual(found, {
        review: reviews[0],
        analysis: hall.analysis(id),
        url: `${hall.baseUrl}/reviews/${id}`,
      });
      assert.deepEqual((await callTool(own, "get_review", { id: asked })).structuredContent, found);
      assert.match(String(answer.headers.link), new RegExp(`/reviews/${id}>; rel="alternate"`));
      const again = await ask(`${own.origin}/api/reviews/${asked}`, {
        headers: { "If-None-Match": String(answer.headers.etag) },
      });
      assert.deepEqual([again.status, again.text], [304, ""]);
      assert.ok(answer.headers["last-modified"]);
    }
  });

  test("404 says what is wrong with an id that has not 26 characters", async () => {
    for (const [id, fault] of [
      ["01ABC", /an id has 26 digits and letters, and this one has 5/],
      ["0".repeat(26), /no published review has it/],
    ] as const) {
      const answer = await ask(`${own.origin}/api/reviews/${id}`);
      assert.equal(answer.status, 404);
      assert.match((json(answer) as { error: string }).error, fault);
      assert.match((await callTool(own, "get_review", { id })).content[0].text, fault);
    }
  });
});

describe("contract §10: themes and answers", () => {
  test("what customers name is the same in insights, the summary and the questions, praise and criticism counted", async () => {
    const { topics, faq } = json(await ask(`${bundled.origin}/insights.json`)) as Insights;
    const { structuredContent: summary } = await callTool(bundled, "get_summary", {});
    assert.deepEqual(summary.topics, topics);
    for (const { label, review_count, praised, criticised } of topics) {
      assert.ok(review_count >= 3 && praised + criticised <= review_count, label);
    }
    for (const { id, label } of topics.slice(0, 5)) {
      const { structuredContent: asked } = await callTool(bundled, "get_faq", { query: label });
      const question = faq.find(({ about }) => about.length === 1 && about[0] === id);
      assert.equal(question?.question, `What do customers say about ${label}?`);
      assert.deepEqual(asked.faq[0], question);
    }
  });

  test("a trend says what it rests on, in insights and of the tool alike", async () => {
    const { temporal } = json(await ask(`${bundled.origin}/insights.json`)) as Insights;
    const { structuredContent: asked } = await callTool(bundled, "get_trends", {});
    assert.deepEqual([asked.trend, asked.trend_basis], [temporal.trend, temporal.trend_basis]);
    for (const { from, until, review_count: count, average_rating: mean } of Object.values(temporal.trend_basis)) {
      const found = await search(`since=${from}&until=${until}&limit=100`, bundled);
      const stars = found.reviews.reduce((sum, { rating }) => sum + rating, 0);
      assert.deepEqual(
        [found.matched, Math.round((stars / found.matched) * 10) / 10],
        [count, mean && Math.round(mean * 10) / 10],
      );
    }
  });
});

describe("contract §10: developers' habits", () => {
  const ask_ = (path: string, method = "GET", headers = {}) => ask(own.origin + path, { method, headers });

  const [{ id } = { id: "" }] = hall.list({ limit: 1, offset: 0 }).reviews;
  const SPELLINGS: readonly (readonly [path: string, target: string])[] = [
    ["/openapi.json", "/.well-known/openapi.json"],
    ["/feed.json", "/api/feed.json"],
    ["/rss.xml", "/feed.xml"],
    ["/atom.xml", "/feed.xml"],
    ["/reviews.json/", "/reviews.json"],
    ["/Reviews.JSON", "/reviews.json"],
    ["/reviews/?min_rating=4&query=a%20b", "/reviews?min_rating=4&query=a%20b"],
    ["/API/Reviews/Search/?rating=5", "/api/reviews/search?rating=5"],
    ["/api/reviews/SEARCH?rating=5", "/api/reviews/search?rating=5"],
    ["/api/reviews/since/2026-01-01/", "/api/reviews/since/2026-01-01"],
    ["/Api/Reviews/Since/2026-01-01", "/api/reviews/since/2026-01-01"],
    ["/API/changes/", "/api/changes"],
    ["/Api/Changes/aB3-_.1a/", "/api/changes/aB3-_.1a"],
    [`/api/reviews/${id}/`, `/api/reviews/${id}`],
    [`/reviews/${id}/`, `/reviews/${id}`],
    [`/reviews/${id.toLowerCase()}`, `/reviews/${id}`],
    ["/MCP/", "/mcp"],
    ["/index.html", "/"],
    ["/Docs/", "/docs"],
  ];
  for (const [path, target] of SPELLINGS) {
    test(`${path} redirects to what is meant`, async () => {
      for (const method of path.includes("MCP") ? ["POST"] : ["GET", "HEAD"]) {
        const { status, headers } = await ask_(path, method);
        assert.deepEqual([status, headers.location], [308, target]);
        assert.equal(headers["access-control-allow-origin"], "*");
      }
    });
  }

  test("what is not known is not found, whatever its spelling", async () => {
    for (const path of [
      "/Nothing/",
      "//reviews.json",
      "/reviews/x/y/",
      "/api/reviews/since/",
      "/reviews/01abc",
      "/rss.xml/x",
    ])
      assert.equal((await ask_(path)).status, 404, path);
  });

  test("OPTIONS of an unknown path is 404, and of a known one a preflight that allows every header it names", async () => {
    assert.equal((await ask_("/nothing", "OPTIONS")).status, 404);
    for (const path of ["/reviews.json", "/mcp", `/api/reviews/${id}`, "/api/reviews/search"]) {
      const named = { "Access-Control-Request-Headers": "x-anything, traceparent" };
      const { status, headers } = await ask_(path, "OPTIONS", named);
      assert.deepEqual([status, headers["access-control-allow-headers"]], [204, "x-anything, traceparent"], path);
      assert.match(String(headers["access-control-expose-headers"]), /\bRetry-After\b/);
      const odd = await ask_(path, "OPTIONS", { "Access-Control-Request-Headers": "a b, ;" });
      assert.match(String(odd.headers["access-control-allow-headers"]), /^Accept, /, "no header is named");
    }
  });

  test("a feed item's content ends with the owner's reply where there is one", async () => {
    const { items } = json(await ask_("/api/feed.json")) as { items: { content_text: string }[] };
    const atom = (await ask_("/feed.xml")).text;
    for (const [number, [, text, reply]] of ROWS.entries()) {
      const content = items[number]?.content_text ?? "";
      assert.ok(content.startsWith(text), content);
      assert.equal(content.endsWith(`\n\nReply from The Hall: ${reply}`), reply !== "", content);
      if (reply !== "") assert.match(atom, new RegExp(`Reply from The Hall: ${reply}</content>`));
    }
  });
});
