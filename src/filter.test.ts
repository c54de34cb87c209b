import assert from "node:assert/strict";
import { test } from "node:test";
import { filterSchema, parseFilter, parseFilterQuery } from "./filter.ts";
import { FILTER_NAMES } from "./filter-names.ts";
import { Invalid } from "./issue.ts";

function issuesFor(query: string): readonly { path: readonly (string | number)[]; message: string }[] {
  try {
    parseFilterQuery(new URLSearchParams(query));
  } catch (error) {
    assert.ok(error instanceof Invalid);
    return error.issues;
  }
  return [];
}

test("limit is 20 and offset 0 when they are not given", () => {
  assert.deepEqual(parseFilterQuery(new URLSearchParams("")), { limit: 20, offset: 0 });
});

test("an absent or empty parameter asks nothing, and unknown parameters are ignored", () => {
  assert.deepEqual(parseFilterQuery(new URLSearchParams("rating=&since=&query=&color=red&limit=")), {
    limit: 20,
    offset: 0,
  });
});

test("all parameters are read by their types", () => {
  const query =
    "rating=5&min_rating=4.5&max_rating=5&since=2026-01-01&until=2026-02-01&query=a%20b&words=a,b&all_words=c&in=both&has_text=true&has_reply=false&language=de&topic=lift&mentions_technician=Dana&mentions_service=ac&sort=lowest&limit=100&offset=40";
  assert.deepEqual(parseFilterQuery(new URLSearchParams(query)), {
    rating: 5,
    min_rating: 4.5,
    max_rating: 5,
    since: "2026-01-01",
    until: "2026-02-01",
    query: "a b",
    words: "a,b",
    all_words: "c",
    in: "both",
    has_text: true,
    has_reply: false,
    language: "de",
    topic: "lift",
    mentions_technician: "Dana",
    mentions_service: "ac",
    sort: "lowest",
    limit: 100,
    offset: 40,
  });
});

const FAULTS: readonly [string, string, RegExp][] = [
  ["rating=4.5", "rating", /rating is 4.5, but must be a whole number from 1 to 5/],
  ["rating=0", "rating", /whole number from 1 to 5/],
  ["rating=6", "rating", /whole number from 1 to 5/],
  ["rating=five", "rating", /rating is "five"/],
  ["rating=1e0", "rating", /rating is "1e0"/],
  ["rating=%205", "rating", /rating is " 5"/],
  ["min_rating=5.1", "min_rating", /number from 1 to 5/],
  ["min_rating=NaN", "min_rating", /number from 1 to 5/],
  ["limit=0", "limit", /whole number from 1 to 100/],
  ["limit=101", "limit", /whole number from 1 to 100/],
  ["limit=-1", "limit", /whole number from 1 to 100/],
  ["offset=-1", "offset", /whole number from 0 to 1000000/],
  ["offset=1000001", "offset", /whole number from 0 to 1000000/],
  ["offset=0.5", "offset", /whole number from 0 to 1000000/],
  ["since=2026-02-30", "since", /since is "2026-02-30", but must be a real day.*February 2026 has 28 days/],
  ["until=01/02/2026", "until", /real day, YYYY-MM-DD/],
  ["rating=5&rating=5", "rating", /given 2 times/],
  ["max_rating=0", "max_rating", /number from 1 to 5/],
  ["has_text=yes", "has_text", /has_text is "yes", but must be true or false/],
  ["has_reply=1", "has_reply", /true or false/],
  ["in=title", "in", /text, reply, both/],
  ["sort=best", "sort", /newest, oldest, highest, lowest/],
  ["words=a,b,c,d,e,f,g,h,i,j,k", "words", /up to 10 words/],
  ["all_words=%E2%80%A6", "all_words", /is "…", but must be up to 10 words/],
  [`words=${"a".repeat(101)}`, "words", /at most 100 characters/],
];

for (const [query, path, message] of FAULTS) {
  test(`${query} is an issue`, () => {
    const issues = issuesFor(query);
    assert.equal(issues.length, 1);
    assert.deepEqual(issues[0]?.path, [path]);
    assert.match(issues[0]?.message ?? "", message);
  });
}

test("all faults are reported at once, in the order of the parameters", () => {
  const paths = issuesFor("limit=0&until=x&since=y&rating=9&min_rating=9&query=a&query=b").map(({ path }) => path[0]);
  assert.deepEqual(paths, ["rating", "min_rating", "since", "until", "query", "limit"]);
});

test("parseFilter() refuses members that it does not know, by name", () => {
  assert.throws(
    () => parseFilter({ stars: 5 }),
    (error) => error instanceof Invalid && error.issues[0]?.path[0] === "stars",
  );
});

test("parseFilter() takes numbers and booleans, also written as strings", () => {
  const parsed = { rating: 5, has_text: true, limit: 20, offset: 0 };
  assert.deepEqual(parseFilter({ rating: 5, has_text: true, query: "" }), parsed);
  assert.deepEqual(parseFilter({ rating: "5", has_text: "true", limit: "20" }), parsed);
  for (const fault of [{ rating: "five" }, { has_text: "yes" }, { has_text: 1 }, { words: ["a", "b"] }])
    assert.throws(() => parseFilter(fault), Invalid);
});

test("the names of the filters are those of the schema", () => {
  assert.deepEqual(FILTER_NAMES, Object.keys(filterSchema.shape));
});
