/** The tools: declared as hosts want them, and every answer fits what was declared. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { Ajv } from "ajv";
import { Ajv2020 } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import type { Edition } from "../../src/edition/edition.ts";
import { TOOLS } from "../../src/mcp/tool/tools.ts";
import { toolCalls } from "../support/mcp-calls.ts";
import { emptyEdition, endpointOf, openSession, sampleEdition } from "../support/mcp-server.ts";
import { editionOf } from "../support/real-edition.ts";
import { EXPORT_SETS } from "../support/shared-data.ts";

const sample = await sampleEdition();
const call = await openSession(endpointOf(sample));

interface Listed {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly inputSchema: {
    readonly additionalProperties: unknown;
    readonly properties: Record<string, { description?: string }>;
  };
  readonly outputSchema: { readonly type: string };
  readonly annotations: unknown;
}

async function listed(edition: Edition): Promise<Listed[]> {
  const list = await openSession(endpointOf(edition));
  return (await list("tools/list")).body.result.tools;
}

/** Both dialects that clients validate with. */
function validators(schema: object) {
  return [new Ajv({ strict: true }), new Ajv2020({ strict: true })].map((ajv) => {
    (addFormats as unknown as (ajv: unknown) => void)(ajv);
    return ajv.compile(schema);
  });
}

test("every tool is declared with title, description, strict input, object output and all four annotations", async () => {
  const tools = await listed(sample);
  assert.deepEqual(
    tools.map(({ name }) => name),
    [
      "get_business",
      "search_reviews",
      "get_review",
      "list_aspects",
      "get_aspect_sentiment",
      "get_technician",
      "get_service",
      "get_trends",
      "get_faq",
      "get_summary",
    ],
  );
  for (const { name, title, description, inputSchema, outputSchema, annotations } of tools) {
    assert.match(name, /^[a-z_]{1,64}$/);
    assert.ok(title.length > 3 && description.length > 60, name);
    assert.equal(inputSchema.additionalProperties, false, name);
    assert.equal(outputSchema.type, "object", name);
    for (const [argument, schema] of Object.entries(inputSchema.properties))
      assert.ok(schema.description, `${name}.${argument}`);
    assert.deepEqual(annotations, {
      readOnlyHint: true,
      destructiveHint: false,
      idempotentHint: true,
      openWorldHint: false,
    });
    assert.doesNotMatch(JSON.stringify([inputSchema, outputSchema]), /"\$ref"|"type":\[/, name);
  }
});

async function holdAnswers(edition: Edition): Promise<void> {
  const ask = await openSession(endpointOf(edition));
  const schemas = new Map((await listed(edition)).map((tool) => [tool.name, validators(tool.outputSchema)]));
  const strict = new Map(TOOLS.map((tool) => [tool.name, tool.output]));
  const { reviews } = JSON.parse(Buffer.from(edition.search({ limit: 100, offset: 0 }).body).toString("utf8"));
  const calls = [
    ...toolCalls(edition),
    { name: "search_reviews", arguments: { limit: 100 } },
    { name: "search_reviews", arguments: { limit: 5, offset: 7 } },
    { name: "search_reviews", arguments: { query: "nobody ever wrote this" } },
    { name: "get_trends", arguments: {} },
    { name: "get_trends", arguments: { until: "2000-01-01" } },
    { name: "get_faq", arguments: {} },
    { name: "get_faq", arguments: { query: "qqqq" } },
    ...reviews.map(({ id }: { id: string }) => ({ name: "get_review", arguments: { id } })),
    ...edition.insights.aspects.map(({ id }) => ({ name: "get_aspect_sentiment", arguments: { aspect: id } })),
    ...edition.business.technicians.map(({ id }) => ({ name: "get_technician", arguments: { name: id } })),
    ...edition.business.services.map(({ label }) => ({ name: "get_service", arguments: { service: label } })),
  ];
  for (const { name, arguments: args } of calls) {
    const { status, body } = await ask("tools/call", { name, arguments: args });
    assert.equal(status, 200);
    const { isError, structuredContent, content } = body.result;
    assert.equal(isError, undefined, `${name} ${JSON.stringify(args)}: ${JSON.stringify(content)}`);
    for (const validate of schemas.get(name) ?? []) {
      assert.ok(validate(structuredContent), `${name}: ${JSON.stringify(validate.errors)}`);
    }
    assert.deepEqual(strict.get(name)?.parse(structuredContent), structuredContent, name);
    assert.deepEqual(JSON.parse(content[0].text), structuredContent);
  }
}

test("every answer fits the declared output, over the sample", async () => await holdAnswers(sample));

for (const { name, takeout } of EXPORT_SETS) {
  test(`every answer fits the declared output, over ${name}`, async () => {
    await holdAnswers((await editionOf(takeout)).edition);
  });
}

test("every tool answers when there are no reviews and nothing is known of the business", async () => {
  const empty = await emptyEdition();
  const ask = await openSession(endpointOf(empty));
  for (const tool of await listed(empty)) {
    const { body } = await ask("tools/call", { name: tool.name, arguments: {} });
    const { structuredContent, isError, content } = body.result;
    if (isError) assert.match(content[0].text, /is missing/);
    else
      for (const validate of validators(tool.outputSchema))
        assert.ok(validate(structuredContent), `${tool.name}: ${JSON.stringify(validate.errors)}`);
  }
});

const REFUSED: readonly [string, object, RegExp][] = [
  [
    "get_review",
    { id: "nope" },
    /^id is "nope", but an id has 26 digits and letters, and this one has 4; search_reviews gives the ids\.$/,
  ],
  ["get_review", {}, /^id is missing; it must be the id of a review/],
  ["get_review", { id: 3 }, /^id is 3, but must be the id of a review/],
  [
    "get_aspect_sentiment",
    { aspect: "colour" },
    /^aspect is "colour", which names none of them; the choices are .*Honesty \(honesty\)/,
  ],
  ["get_technician", { name: "Zebulon" }, /the choices are .*Priya Raman \(priya-raman\)/],
  ["get_service", { service: "plumbing" }, /the choices are .*AC repair \(ac-repair\)/],
  [
    "get_service",
    { name: "ac-repair" },
    /"name" is not an argument of this tool; allowed: service\.\nservice is missing/,
  ],
  ["get_aspect_sentiment", {}, /^aspect is missing; it must be .*Honesty \(honesty\)/],
  ["get_technician", { name: 5 }, /^name is 5, but must be .*Priya Raman \(priya-raman\)/],
  ["get_service", { service: "" }, /^service is missing; it must be .*AC repair \(ac-repair\)/],
  ["get_trends", { since: "May" }, /^since is "May", but must be a real day or month[^\n]*$/],
  ["get_trends", { since: "2026-02-31" }, /^since is "2026-02-31", but must be a real day or month/],
  ["get_business", { verbose: true }, /^"verbose" is not an argument of this tool; there are no arguments\.$/],
  [
    "search_reviews",
    { rating: 4.5, limit: 0, until: "2026-02-30" },
    /rating is 4\.5.*\n.*until is "2026-02-30".*February 2026 has 28 days.*\n.*limit is 0/s,
  ],
  ["search_reviews", JSON.parse('{"__proto__":1}'), /"__proto__" is not an argument of this tool/],
];

for (const [name, args, text] of REFUSED) {
  test(`${name} refuses ${JSON.stringify(args)} with the argument, the rule and the choices`, async () => {
    const { status, body } = await call("tools/call", { name, arguments: args });
    assert.equal(status, 200);
    assert.equal(body.result.isError, true);
    assert.equal("structuredContent" in body.result, false);
    assert.match(body.result.content[0].text, text);
  });
}

const SAME: readonly [string, string, readonly string[]][] = [
  ["get_technician", "name", ["walt-sorensen", "Walter Sorensen", "WALTER SORENSEN", " walter ", "walt"]],
  ["get_service", "service", ["ac-repair", "AC repair", "ac REPAIR"]],
  ["get_aspect_sentiment", "aspect", ["technical_knowledge", "Technical knowledge"]],
];

for (const [name, argument, spellings] of SAME) {
  test(`${name} takes ${spellings.map((spelling) => JSON.stringify(spelling)).join(", ")} for the same`, async () => {
    const answers = await Promise.all(
      spellings.map((spelling) => call("tools/call", { name, arguments: { [argument]: spelling } })),
    );
    for (const { body } of answers) {
      assert.equal(body.result.isError, undefined, JSON.stringify(body));
      assert.deepEqual(body.result.structuredContent, answers[0]?.body.result.structuredContent);
    }
  });
}

test("get_technician says what the reviews that name them say, and shows the newest", async () => {
  const { body } = await call("tools/call", { name: "get_technician", arguments: { name: "priya-raman" } });
  const { technician, aspects, reviews } = body.result.structuredContent;
  const mentioning = sample.mentioning("technicians", "priya-raman", 1_000);
  assert.equal(technician.mention_count, mentioning.length);
  assert.deepEqual(reviews, mentioning.slice(0, 10));
  const counted = new Map<string, number>();
  for (const { id } of mentioning)
    for (const aspect of sample.analysis(id)?.aspects ?? []) counted.set(aspect.id, (counted.get(aspect.id) ?? 0) + 1);
  assert.deepEqual(
    new Map(aspects.map((aspect: { id: string; mention_count: number }) => [aspect.id, aspect.mention_count])),
    counted,
  );
  for (const { evidence } of aspects)
    for (const { review_id, text } of evidence) assert.ok(sample.review(review_id)?.text?.includes(text));
});

/** The structured result of a call about the sample. */
async function resultOf(name: string, args: object = {}) {
  return (await call("tools/call", { name, arguments: args })).body.result.structuredContent;
}

for (const [args, periods] of [
  [{ since: "2025-03-17", until: "2025-05" }, ["2025-03", "2025-04", "2025-05"]],
  [{ by: "month", since: "2025-11", until: "2025" }, ["2025-11", "2025-12"]],
  [{ by: "year", since: "2025-03-17", until: "2026-01" }, ["2025", "2026"]],
  [{ by: "year", since: "2026" }, ["2026"]],
] as const) {
  test(`get_trends shows whole periods for ${JSON.stringify(args)}, and the trend of all`, async () => {
    const { monthly, yearly, ...trend } = await resultOf("get_trends", args);
    const shown: { month?: string; year?: string }[] = monthly ?? yearly;
    assert.equal(monthly === undefined, "by" in args && args.by === "year");
    assert.deepEqual(
      shown.map(({ month, year }) => month ?? year),
      periods,
    );
    const { monthly: _, ...published } = sample.insights.temporal;
    assert.deepEqual(trend, published);
  });
}

test("the figures of get_trends are those of the reviews of these days", async () => {
  const { yearly, trend_basis: basis } = await resultOf("get_trends", { by: "year" });
  const years = yearly.map(({ year, ...figures }: { year: string; review_count: number; average_rating: number }) => ({
    ...{ from: `${year}-01-01`, until: `${year}-12-31` },
    ...figures,
  }));
  for (const { from, until, review_count, average_rating } of [...years, basis.recent, basis.before]) {
    const { matched, reviews } = sample.list({ since: from, until, limit: 100_000, offset: 0 });
    assert.equal(review_count, matched);
    const stars = reviews.reduce((sum, { rating }) => sum + rating, 0) / matched;
    if (matched > 0) assert.ok(Math.abs(average_rating - stars) <= 0.00501, `${from}: ${average_rating}, ${stars}`);
  }
});

test("get_business says how new the reviews are, how they were gathered, and where to be notified", async () => {
  const { newest_review, gathered, notifications } = await resultOf("get_business");
  assert.equal(newest_review, sample.list({ limit: 1, offset: 0 }).reviews[0]?.date);
  assert.match(
    gathered,
    /^“Verified” means that the business vouches for .* \(google.*is counted \(.*\) at http:\/\/localhost:8080\/about$/,
  );
  assert.deepEqual(notifications, {
    hub: `${sample.baseUrl}/api/websub/hub`,
    topics: ["/feed.xml", "/api/feed.json", "/reviews.json"].map((path) => sample.baseUrl + path),
  });
});

test("get_aspect_sentiment quotes praise and criticism where there are both, newest first, at most ten", async () => {
  for (const { id, mention_count, positive_count, neutral_count, negative_count } of sample.insights.aspects) {
    const { quotes, note } = await resultOf("get_aspect_sentiment", { aspect: id });
    const count = (sentiment: string) => quotes.filter((quote: { sentiment: string }) => quote.sentiment === sentiment);
    assert.equal(quotes.length, Math.min(10, mention_count), id);
    assert.ok(count("positive").length >= Math.min(5, positive_count), id);
    assert.ok(count("negative").length >= Math.min(5, negative_count), id);
    assert.equal(count("neutral").length, Math.min(neutral_count, 10 - Math.min(10, positive_count + negative_count)));
    assert.equal(note !== undefined, mention_count === 0);
    const order = quotes.map((one: { sentiment: string; date: string; review_id: string }) =>
      one.sentiment === "neutral" ? "" : `${one.date} ${one.review_id}`,
    );
    assert.deepEqual(order, order.toSorted().reverse(), id);
    for (const { review_id, url, date, rating, quote } of quotes) {
      const review = sample.review(review_id);
      assert.ok(review?.text?.includes(quote), quote);
      assert.deepEqual([date, rating, url], [review?.date, review?.rating, `${sample.baseUrl}/reviews/${review_id}`]);
    }
  }
});

test("get_faq answers all without a query, and sends to search_reviews when nothing matches", async () => {
  assert.deepEqual(await resultOf("get_faq", { query: "" }), { faq: sample.insights.faq });
  const { faq, note } = await resultOf("get_faq", { query: "swimming pool" });
  assert.deepEqual(faq, []);
  assert.match(note, /^No question is about this\. .*get_aspect_sentiment knows: .*Pricing.*search_reviews/);
  const { matched: poor } = await resultOf("search_reviews", { max_rating: 2, limit: 1 });
  const { matched: open } = await resultOf("search_reviews", { max_rating: 2, has_reply: false, limit: 1 });
  assert.match(
    (await resultOf("get_faq", { query: "How many poor reviews are unanswered?" })).note,
    new RegExp(`, and to ${poor - open} of the ${poor} with one or two stars: .*max_rating 2`),
  );
  const {
    review_count: count,
    average_rating: mean,
    year,
  } = (await resultOf("get_trends", { by: "year" })).yearly?.[0] ?? assert.fail();
  const { note: ofYear } = await resultOf("get_faq", { query: `How many reviews are of ${year}?` });
  assert.ok(ofYear?.startsWith(`${year}: ${count} reviews, ${mean} stars on average. get_trends`), ofYear);
  assert.match((await resultOf("get_faq", { query: "Which year was worst?" })).note, /^get_trends tells .*`by` year/);
  const { aspects } = await resultOf("list_aspects");
  const most = Math.max(...aspects.map((aspect: { positive_count: number }) => aspect.positive_count));
  const liked = await resultOf("get_faq", { query: "What do people like most?" });
  const [praised] = aspects.filter((aspect: { positive_count: number }) => aspect.positive_count === most);
  assert.deepEqual(liked.faq[0].about, [praised.id]);
  assert.ok(liked.note.startsWith(`Praised most: ${praised.label} (about ${most} reviews)`), liked.note);
  const empty = await openSession(endpointOf(await emptyEdition()));
  for (const [query, note] of [
    ["Are there any complaints?", /^Complaints: none recognised .*0 of the 0 reviews/],
    ["What do people like most?", /^Praise: none recognised/],
  ] as const) {
    const { body } = await empty("tools/call", { name: "get_faq", arguments: { query } });
    assert.match(body.result.structuredContent.note, note);
  }
  const noise = await resultOf("get_faq", { query: "Is it noisy?" });
  assert.match(noise.faq[0].answer, /^\P{Lu}*“(noise|noisy|loud)”|no review has “noisy”/iu);
  for (const id of noise.faq[0].review_ids)
    assert.match((await resultOf("get_review", { id })).review.text, /\b(nois[ey]|loud|quiet|calm|silent|peaceful)/i);
  const [quoted] = sample.insights.faq.flatMap(({ answer }) => /“(\p{L}{5,})/u.exec(answer)?.[1] ?? []);
  const byChance = await resultOf("get_faq", { query: quoted });
  assert.ok(byChance.faq.length > 0);
  assert.match(byChance.note, /\. These answers only share a word with it\./);
  const { matched: answered } = await resultOf("search_reviews", { has_reply: true, limit: 1 });
  assert.match(
    (await resultOf("get_faq", { query: "Do they reply to reviews?" })).note,
    new RegExp(`^The owner replied to ${answered} of the ${sample.reviewCount} reviews .*has_reply`),
  );
  const partly = await resultOf("get_faq", { query: "Are their prices fair for asbestos?" });
  assert.ok(partly.faq.length > 0);
  assert.match(
    partly.note,
    /No answer says anything of "asbestos", and search_reviews with words "asbestos" finds no review\./,
  );
  const [first, , , , , sixth] = sample.insights.topics;
  assert.ok(first !== undefined && sixth !== undefined);
  const counted = async (stars: object) =>
    (await resultOf("search_reviews", { topic: sixth.id, ...stars, limit: 1 })).matched;
  const both = await resultOf("get_faq", { query: `Is the ${first.label} as good as the ${sixth.label}?` });
  assert.deepEqual(both.faq.slice(0, 2).flatMap(({ about }: { about: string[] }) => about).toSorted(), [first.id, sixth.id].toSorted()); // biome-ignore format: a row
  const added = both.faq.find(({ about }: { about: string[] }) => about[0] === sixth.id);
  const [poor6, good6] = [await counted({ max_rating: 2 }), await counted({ min_rating: 4 })];
  assert.equal(added.question, `What do customers say about ${sixth.label}?`);
  assert.deepEqual(
    added.answer.match(/\d+/g).map(Number),
    [sixth.review_count, poor6, good6, sixth.praised, sixth.criticised].filter((count) => count > 0),
  );
  assert.ok(added.review_ids.length > 0);
  const { gathered } = await resultOf("get_business");
  assert.equal((await resultOf("get_faq", { query: "Can they hide bad reviews?" })).note, `${gathered}.`);
});

test("get_faq tells of other forms of a topic where more reviews hold one, with their number", async () => {
  const { topics } = sample.insights;
  const told = [];
  for (const { id, label, review_count } of topics) {
    const { faq, note = "" } = await resultOf("get_faq", { query: label });
    assert.ok(faq.some(({ about }: { about: string[] }) => about[0] === id), label); // biome-ignore format: a row
    const [, words, count] = /More reviews may mean "[^"]+" in other words: search_reviews with words "(\S+ [^"]+)" finds (\d+)\./.exec(note) ?? []; // biome-ignore format: a row
    if (words === undefined || !words.startsWith(`${label} `)) continue;
    const { matched } = await resultOf("search_reviews", { words, limit: 1 });
    assert.deepEqual([matched, matched > review_count], [Number(count), true], label);
    told.push(label);
  }
  assert.ok(told.length > 0);
});

test("get_faq names the tool that knows what the publication itself is asked", async () => {
  const { rating_counts: counts } = (await resultOf("get_business")).aggregate_rating;
  const stars = new RegExp(`\\(5 stars: ${counts["5"]}, 4: ${counts["4"]}, 3: ${counts["3"]}, 2: ${counts["2"]}, 1: ${counts["1"]}\\)`); // biome-ignore format: a row
  const [newest] = (await resultOf("search_reviews", { limit: 1 })).reviews;
  for (const [query, named] of [
    ["How can I be told of new reviews?", /get_business names in notifications/],
    ["notify me", /get_business names in notifications/],
    ["verified", /“Verified” means/],
    ["reply", /^The owner replied to .*search_reviews with has_reply/],
    ["unanswered", /^The owner replied to .*search_reviews with has_reply/],
    ["How fast does the owner reply?", /How long a reply took/],
    ["average rating", new RegExp(`^${sample.reviewCount} reviews .*search_reviews with rating`)],
    ["three star reviews", /search_reviews with rating/],
    ["how many reviews", stars],
    ["What share of the ratings is five stars?", stars],
    ["worst review", /^search_reviews gives .* sort .*lowest/],
    ["newest review", new RegExp(`; the newest is of ${newest?.date}\\.$`)],
    ["declining", /^get_trends tells/],
    ["phone number", /^get_business gives the address, telephone and opening hours/],
    ["opening hours", /^get_business gives the address, telephone and opening hours/],
  ] as const) {
    const { faq, note = "" } = await resultOf("get_faq", { query });
    assert.match(note, named, query);
    assert.doesNotMatch(note, /No question is about this/, query);
    if (query.includes(" ")) assert.ok(faq.length <= 2, `${query}: ${faq.length} answers`);
  }
});

test("get_faq sends to search_reviews with words that reviews hold", async () => {
  for (const query of ["Are there crowds?", "thermostatic", "asbestos", "zebras", "q".repeat(2_000)]) {
    const { note = "" } = await resultOf("get_faq", { query });
    const [, words, count = "0"] = /search_reviews with words "([^"]+)" finds (\d+|no) review/.exec(note) ?? [];
    if (query.length > 1_000) assert.match(note, /search_reviews finds no such words/);
    else if (words === undefined)
      assert.match(note, /No review is found with .*"thermostat" in \d+\. search_reviews/, query);
    else
      assert.equal(
        (await resultOf("search_reviews", { words, limit: 1 })).matched,
        Number(count.replace("no", "0")),
        `${query} ${note}`,
      );
  }
});

test("an empty count reads “none recognised”, and never that the reviews do not say", async () => {
  const empty = await openSession(endpointOf(await emptyEdition()));
  for (const [name, args] of [
    ["get_aspect_sentiment", { aspect: "pricing" }],
    ["list_aspects", {}],
  ]) {
    const { body } = await empty("tools/call", { name, arguments: args });
    assert.match(body.result.structuredContent.note, /“none recognised”.*search_reviews/);
  }
  assert.doesNotMatch(JSON.stringify(await listed(sample)), /reviews do not say/);
});

test("tools/list stays within 20 KB, whatever names the business has", async () => {
  const many = Array.from({ length: 90 }, (_, index) => ({
    id: `n-${index}`,
    label: `A name of forty characters, or so ${index}`,
  }));
  const technicians = many.map(({ id, label }) => ({ id, name: label }));
  const named = { ...sample, business: { ...sample.business, services: many, technicians } };
  for (const edition of [sample, named]) {
    const { body } = await (await openSession(endpointOf(edition)))("tools/list");
    assert.ok(Buffer.byteLength(JSON.stringify(body)) <= 20_000, String(JSON.stringify(body).length));
  }
});
