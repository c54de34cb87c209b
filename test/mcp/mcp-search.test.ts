/** Search has two doors, the HTTP address and the tool; whatever is asked, both answer the same. */
import assert from "node:assert/strict";
import { after, test } from "node:test";
import { callAt, endpointOf, openMcpServer, openSession, sampleEdition, sessionAt } from "../support/mcp-server.ts";
import fc, { tries } from "../support/properties.ts";
import { editionOf } from "../support/real-edition.ts";
import { EXPORT_SETS } from "../support/shared-data.ts";
import { ask } from "../support/wire.ts";

const sample = await sampleEdition();
const { technicians, services } = sample.business;

const server = await openMcpServer(sample);
after(() => server[Symbol.asyncDispose]());

const number = fc.oneof(
  fc.constantFrom("1", "2", "3", "4", "5", "4.5", "0", "6", "101", "-1", "5.0", "05", "1e2", " 3", "abc", ""),
  fc.integer({ min: -10, max: 200 }).map(String),
  fc.double({ noNaN: true, noDefaultInfinity: true, min: -10, max: 110 }).map(String),
);
const day = fc.oneof(
  fc.constantFrom("2026-02-30", "2026-13-01", "2024-02-29", "2023-02-29", "tomorrow", "2026-1-1", "", "0000-00-00"),
  fc
    .date({ min: new Date("2022-01-01"), max: new Date("2027-01-01"), noInvalidDate: true })
    .map((date) => date.toISOString().slice(0, 10)),
);
const words = fc.oneof(
  fc.constantFrom("price", "PRICE", "the", "ß", "İ", "%", "_", ".*", "😀", "nobody writes this", "", " "),
  fc.string({ unit: "grapheme", maxLength: 12 }),
);
const named = (names: readonly string[]) =>
  fc.oneof(
    fc.constantFrom(...names, ...names.map((name) => name.toUpperCase()), "nobody", ""),
    fc.string({ maxLength: 8 }),
  );

const technician = named(technicians.flatMap(({ id, name }) => [id, name]));
const service = named(services.flatMap(({ id, label }) => [id, label]));

/** Each value as text, as a query string carries it: anything, or such as may be asked. */
const askedInText = fc.oneof(
  fc.record(
    {
      rating: number,
      min_rating: number,
      since: day,
      until: day,
      query: words,
      mentions_technician: technician,
      mentions_service: service,
      limit: number,
      max_rating: number,
      has_text: fc.constantFrom("true", "false", "yes", "1", ""),
      words: fc.oneof(words, fc.constantFrom("price, late", "a b c d e f g h i j k")),
      all_words: words,
      in: fc.constantFrom("text", "reply", "both", "title", ""),
      sort: fc.constantFrom("newest", "lowest", "best", ""),
    },
    { requiredKeys: [] },
  ),
  fc.record(
    {
      rating: fc.constantFrom("", "1", "3", "4", "5"),
      min_rating: fc.constantFrom("", "1", "2.5", "4"),
      since: fc.constantFrom("", "2023-01-01", "2025-06-30", "2030-01-01"),
      until: fc.constantFrom("", "2024-12-31", "2026-06-01"),
      query: words,
      mentions_technician: technician,
      mentions_service: service,
      limit: fc.constantFrom("", "1", "7", "100"),
      offset: fc.constantFrom("", "3", "1000"),
      max_rating: fc.constantFrom("", "2", "3.5"),
      has_text: fc.constantFrom("true", "false"),
      has_reply: fc.constantFrom("true", "false"),
      language: fc.constantFrom("en", "de", ""),
      topic: fc.constantFrom("nothing", ""),
      words: fc.constantFrom("price, late", "the", "Dana's", ""),
      all_words: fc.constantFrom("the a", "the price", ""),
      in: fc.constantFrom("text", "reply", "both", ""),
      sort: fc.constantFrom("newest", "oldest", "highest", "lowest", ""),
    },
    { requiredKeys: [] },
  ),
);

const NUMBERS = new Set(["rating", "min_rating", "max_rating", "limit", "offset"]);

/** The same values with their types, as most tool calls carry them: a decimal numeral is a number. */
function typed(asked: Readonly<Record<string, string>>): Record<string, unknown> {
  const isNumeral = (text: string) => /^-?\d{1,15}(\.\d{1,15})?$/.test(text);
  const typedOf = (name: string, text: string) => {
    if (NUMBERS.has(name) && isNumeral(text)) return Number(text);
    return name.startsWith("has_") && /^(true|false)$/.test(text) ? text === "true" : text;
  };
  return Object.fromEntries(Object.entries(asked).map(([name, text]) => [name, typedOf(name, text)]));
}

interface Doors {
  readonly origin: string;
  readonly url: string;
  readonly session: string;
}

/** Asks at both doors and holds the answers against each other. Gives whether the question was valid. */
async function compare(doors: Doors, asked: Readonly<Record<string, string>>, asText = false): Promise<boolean> {
  const params = { name: "search_reviews", arguments: asText ? asked : typed(asked) };
  const [read, called] = await Promise.all([
    ask(`${doors.origin}/api/reviews/search?${new URLSearchParams(asked)}`),
    callAt(doors.url, doors.session, "tools/call", params),
  ]);
  assert.equal(called.status, 200);
  const { result } = JSON.parse(called.text);
  if (read.status === 200) {
    assert.equal(result.isError, undefined, called.text.slice(0, 500));
    const page = `,"review_page":"${result.structuredContent.review_page}"}`;
    assert.match(page, /\/reviews\/\{id\}"\}$/);
    const same = `${read.text.slice(0, -1)}${page}`;
    assert.ok(called.text.endsWith(`"structuredContent":${same}}}`), "the same bytes, and the template of addresses");
    assert.equal(result.content[0].text, same);
    return true;
  }
  assert.equal(read.status, 400);
  assert.equal(result.isError, true);
  assert.equal("structuredContent" in result, false);
  const { issues } = JSON.parse(read.text) as { issues: { message: string }[] };
  assert.deepEqual(
    result.content[0].text.split("\n").toSorted(),
    issues.map(({ message }) => `${message}.`).toSorted(),
  );
  return false;
}

test("search_reviews and GET search give the same answer for any arguments, over real HTTP", async () => {
  const doors = { ...server, session: await sessionAt(server.url) };
  const seen = { valid: 0, invalid: 0 };
  await fc.assert(
    fc.asyncProperty(askedInText, fc.boolean(), async (asked, asText) => {
      seen[(await compare(doors, asked, asText)) ? "valid" : "invalid"]++;
    }),
    { numRuns: tries(300) },
  );
  assert.ok(seen.valid > tries(50) && seen.invalid > tries(50), JSON.stringify(seen));
});

for (const { name, takeout } of EXPORT_SETS) {
  test(`search_reviews and GET search give the same answer over ${name}`, async () => {
    await using real = await openMcpServer((await editionOf(takeout)).edition);
    const doors = { ...real, session: await sessionAt(real.url) };
    await fc.assert(
      fc.asyncProperty(askedInText, async (asked) => void (await compare(doors, asked))),
      { numRuns: tries(200) },
    );
  });
}

test("search_reviews refuses what the address ignores, an argument that it does not know, and says which there are", async () => {
  const call = await openSession(endpointOf(sample));
  const { body } = await call("tools/call", { name: "search_reviews", arguments: { stars: 5 } });
  assert.equal(body.result.isError, true);
  assert.equal(
    body.result.content[0].text,
    '"stars" is not an argument of this tool; allowed: rating, min_rating, max_rating, since, until, query, words, all_words, in, has_text, has_reply, language, topic, mentions_technician, mentions_service, sort, limit, offset.',
  );
});
