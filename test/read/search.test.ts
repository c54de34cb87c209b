/** Search and since against a brute-force filter written independently, on real reviews and random filters. */
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { SAMPLE_FOLDER } from "../../scripts/sample-snapshot.ts";
import { foldCase } from "../../src/edition/case-folding.ts";
import type { Filter } from "../../src/filter.ts";
import { FILTER_NAMES } from "../../src/filter-names.ts";
import type { Review } from "../../src/review.ts";
import { plainlyHolds } from "../support/plain-words.ts";
import { run, serveProgram, temporaryFolder } from "../support/program.ts";
import fc, { tries } from "../support/properties.ts";
import { editionOf, type ReadEdition } from "../support/real-edition.ts";
import { EXPORT_SETS } from "../support/shared-data.ts";
import { isMoreThanOne } from "../support/test-runs.ts";
import { ask } from "../support/wire.ts";

interface Result {
  readonly matched: number;
  readonly returned: number;
  readonly reviews: readonly Review[];
  readonly hints?: readonly string[];
}

/** Search as interface §2 describes it, one line for each rule. Compares by code points that are the same under /iu. */
function bruteForce({ reviews, analyses, edition }: ReadEdition, filter: Filter): Result {
  const lower = (text: string) => text.toLowerCase();
  const { technicians, services } = edition.business;
  const technician = technicians.filter(({ id, name }) =>
    [lower(id), lower(name)].includes(lower(filter.mentions_technician ?? "")),
  );
  const service = services.filter(({ id, label }) =>
    [lower(id), lower(label)].includes(lower(filter.mentions_service ?? "")),
  );
  const matching = reviews.filter((review) => {
    const analysis = analyses.get(review.id);
    if (filter.rating !== undefined && review.rating !== filter.rating) return false;
    if (filter.min_rating !== undefined && review.rating < filter.min_rating) return false;
    if (filter.max_rating !== undefined && review.rating > filter.max_rating) return false;
    if (filter.has_text !== undefined && (review.text !== null) !== filter.has_text) return false;
    if (filter.has_reply !== undefined && (review.owner_reply !== null) !== filter.has_reply) return false;
    if (filter.language !== undefined && analysis?.language !== lower(filter.language)) return false;
    if (filter.topic !== undefined && !analysis?.topics.includes(lower(filter.topic))) return false;
    if (filter.since !== undefined && review.date < filter.since) return false;
    if (filter.until !== undefined && review.date > filter.until) return false;
    const reply = review.owner_reply?.text ?? "";
    const texts = { text: [review.text ?? ""], reply: [reply], both: [review.text ?? "", reply] }[filter.in ?? "text"];
    const isHeld = (word: string) => texts.some((text) => plainlyHolds(word, text));
    const { query } = filter;
    if (query !== undefined && !texts.some((text) => contains(text, query))) return false;
    if (filter.words !== undefined && !filter.words.split(/[ ,]+/).some(isHeld)) return false;
    if (filter.all_words !== undefined && !filter.all_words.split(/[ ,]+/).every(isHeld)) return false;
    if (filter.mentions_technician !== undefined && !technician.some(({ id }) => analysis?.technicians.includes(id)))
      return false;
    if (filter.mentions_service !== undefined && !service.some(({ id }) => analysis?.services.includes(id)))
      return false;
    return true;
  });
  const order = { newest: 0, oldest: 0, highest: -1, lowest: 1 }[filter.sort ?? "newest"];
  matching.sort((a, b) => order * (a.rating - b.rating));
  if (filter.sort === "oldest") matching.reverse();
  const limited = matching.slice(filter.offset).slice(0, filter.limit);
  return { matched: matching.length, returned: limited.length, reviews: limited };
}

/** Whether the words stand in the text, case aside: the platform's own comparison by simple folding. */
function contains(text: string, words: string): boolean {
  return new RegExp(RegExp.escape(words), "iu").test(text);
}

/** Filters that often match: their words, names and days are taken from the reviews. */
function filters({ reviews, edition }: ReadEdition): fc.Arbitrary<Filter> {
  const texts = reviews.map(({ text }) => text).filter((text) => text !== null);
  const piece = fc
    .tuple(fc.constantFrom(...texts), fc.nat(), fc.integer({ min: 1, max: 12 }))
    .map(([text, start, length]) => {
      const points = [...text];
      return points.slice(start % points.length, (start % points.length) + length).join("");
    });
  const words = fc.oneof(
    piece,
    piece.map((text) => text.toUpperCase()),
    fc.string({ minLength: 1, maxLength: 3 }),
  );
  const held = texts.flatMap((text) => text.match(/[\p{L}\p{Nd}][^\s,]*/gu) ?? []);
  const wholeWords = fc
    .array(fc.oneof(fc.constantFrom(...held), fc.constantFrom("the", "parking", "Dana", "und")), {
      minLength: 1,
      maxLength: 3,
    })
    .map((list) => list.map((word) => word.slice(0, 90)).join(", "));
  const names = edition.business.technicians.flatMap(({ id, name }) => [id, name, name.toUpperCase()]);
  const labels = edition.business.services.flatMap(({ id, label }) => [id, label, label.toLowerCase()]);
  const day = fc.constantFrom(...reviews.map(({ date }) => date), "1970-01-01", "2099-12-31");
  const members = fc.record(
    {
      rating: fc.integer({ min: 1, max: 5 }),
      min_rating: fc.oneof(fc.integer({ min: 1, max: 5 }), fc.constantFrom(1.5, 4.5)),
      max_rating: fc.constantFrom(1, 2, 4.5, 5),
      has_text: fc.boolean(),
      has_reply: fc.boolean(),
      language: fc.constantFrom("en", "EN", "de", "und", "xx"),
      topic: fc.constantFrom("nothing", ...edition.insights.topics.map(({ id }) => id)),
      words: wholeWords,
      all_words: wholeWords,
      in: fc.constantFrom("text", "reply", "both"),
      sort: fc.constantFrom("newest", "oldest", "highest", "lowest"),
      since: day,
      until: day,
      query: words,
      mentions_technician: fc.constantFrom("Nobody", ...names),
      mentions_service: fc.constantFrom("nothing", ...labels),
      limit: fc.integer({ min: 1, max: 100 }),
      offset: fc.oneof({ weight: 2, arbitrary: fc.constant(0) }, fc.nat(30), fc.constantFrom(239, 1_000_000)),
    },
    {},
  );
  const few = fc.subarray(FILTER_NAMES.slice(0, -2), { minLength: 1, maxLength: 3 });
  return fc
    .tuple(members, fc.oneof(few, few, fc.subarray([...FILTER_NAMES])))
    .map(([{ limit, offset, ...rest }, names]) => ({
      ...Object.fromEntries(Object.entries(rest).filter(([name]) => (names as readonly string[]).includes(name))),
      ...{ limit, offset },
    }));
}

const parsed = (body: Uint8Array) => JSON.parse(Buffer.from(body).toString()) as Result;

const ends: (() => Promise<void>)[] = [];
after(async () => {
  for (const end of ends) await end();
});

/** Searches by the address, where several processes of the whole program have imported the paths. */
async function replicasOf(paths: readonly string[]): Promise<(filter: Filter) => Promise<Result>> {
  const folder = temporaryFolder();
  const imported = await run(folder.path, ["import", ...paths]);
  assert.equal(imported.code, 0, imported.stderr);
  const served = await serveProgram(folder.path);
  ends.push(async () => {
    await served.stop();
    folder[Symbol.dispose]();
  });
  return async (filter) => {
    const query = new URLSearchParams(Object.entries(filter).map(([name, value]) => [name, String(value)]));
    return parsed((await ask(`${served.url}/api/reviews/search?${query}`)).body);
  };
}

const SETS = [
  { name: "the sample", paths: [SAMPLE_FOLDER] },
  ...EXPORT_SETS.map(({ name, takeout }) => ({ name, paths: [takeout] })),
];

for (const { name, paths } of SETS) {
  describe(`on ${name}`, () => {
    let read: ReadEdition;
    let search: (filter: Filter) => Promise<Result>;
    before(async () => {
      read = await editionOf(...paths);
      search = isMoreThanOne() ? await replicasOf(paths) : async (filter) => parsed(read.edition.search(filter).body);
    });

    test("search equals the brute-force filter, counts included", async () => {
      let seen = 0;
      const property = fc.asyncProperty(filters(read), async (filter) => {
        const { hints: _hints, ...found } = await search(filter);
        assert.deepEqual(found, bruteForce(read, filter));
        if (found.matched > 0 && found.matched < read.reviews.length) seen++;
      });
      await fc.assert(property, { numRuns: tries(300) });
      assert.ok(seen > tries(75), `${seen} found some`);
    });

    test("since equals the reviews on or after the day, newest first, and its tag is that of its bytes", () => {
      const day = fc.oneof(
        fc.constantFrom(...read.reviews.map(({ date }) => date)),
        fc
          .date({ min: new Date("2017-01-01"), max: new Date("2030-01-01"), noInvalidDate: true })
          .map((date) => date.toISOString().slice(0, 10)),
      );
      fc.assert(
        fc.property(day, (date) => {
          const document = read.edition.since(date);
          const expected = read.reviews.filter((review) => review.date >= date);
          const text = Buffer.from(document.body).toString();
          assert.deepEqual(JSON.parse(text), expected);
          assert.equal(text, JSON.stringify(expected));
        }),
      );
    });

    test("every review is found by its id, and no other id is", () => {
      const { id: known = "" } = read.reviews[0] ?? {};
      const lookalikes = [...known].map((digit, at) => {
        const other = String.fromCodePoint((digit.codePointAt(0) ?? 0) + 0x100); // the same byte in Latin-1
        return known.slice(0, at) + other + known.slice(at + 1);
      });
      for (const review of read.reviews) {
        assert.deepEqual(read.edition.review(review.id), review);
        assert.deepEqual(read.edition.analysis(review.id), read.analyses.get(review.id));
      }
      for (const id of [
        "",
        "x",
        "0".repeat(26),
        "7ZZZZZZZZZZZZZZZZZZZZZZZZZ",
        `${read.reviews[0]?.id}x`,
        ...lookalikes,
      ]) {
        assert.equal(read.edition.review(id), undefined);
      }
    });
  });
}

test("foldCase() is Unicode simple folding: equal exactly where /iu finds two code points equal", () => {
  const cased = fc.integer({ min: 0x80, max: 0x1ffff }).filter((point) => point < 0xd800 || point > 0xdfff);
  fc.assert(
    fc.property(cased, (point) => {
      const character = String.fromCodePoint(point);
      const single = (text: string) => ([...text].length === 1 ? [text] : []);
      for (const other of [...single(character.toUpperCase()), ...single(character.toLowerCase())]) {
        const same = new RegExp(`^\\u{${point.toString(16)}}$`, "iu").test(other);
        assert.equal(foldCase(character) === foldCase(other), same, `${character} ${other}`);
      }
    }),
    { numRuns: tries(2_000) },
  );
  assert.equal(foldCase("ΣΑΣ"), foldCase("σας"));
  assert.notEqual(foldCase("ı"), foldCase("i"));
  assert.notEqual(foldCase("ß"), foldCase("ss"));
  assert.equal(foldCase("ẞ"), foldCase("ß"));
});
