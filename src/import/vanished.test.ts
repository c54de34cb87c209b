/** Which reviews an import finds to have vanished at their source (interface §9). */
import assert from "node:assert/strict";
import { utimesSync } from "node:fs";
import { describe, test } from "node:test";
import { openSandbox, type Sandbox, takeoutPage, takeoutReview } from "../../test/support/import-sandbox.ts";
import { zipOf } from "../../test/support/zip-writer.ts";
import { listVanishedRows } from "../store/sighting-rows.ts";

const [JANUARY, FEBRUARY, MARCH, APRIL] = [1, 2, 3, 4].map((month) => new Date(Date.UTC(2026, month, 1))) as [
  Date,
  Date,
  Date,
  Date,
];
const PAGE = 20;

const numbered = (count: number) => Array.from({ length: count }, (_, index) => index + 1);

/** Reviews of a place, edited in the order of their numbers. */
function reviewsOf(numbers: readonly number[], location = "2"): Record<string, unknown>[] {
  return numbers.map((number) => {
    const at = new Date(Date.UTC(2020, 0, number)).toISOString();
    const name = `accounts/1/locations/${location}/reviews/${number}`;
    return takeoutReview(String(number), { name, createTime: at, updateTime: at });
  });
}

/** The pages of a Takeout of these reviews. */
function pagesOf(numbers: readonly number[], location = "2"): Record<string, unknown> {
  const folder = `Takeout/Google Business Profile/account-1/location-${location}`;
  const pages = Array.from({ length: Math.max(1, Math.ceil(numbers.length / PAGE)) }, (_, page) => [
    `${folder}/reviews-${page}x.json`,
    takeoutPage(...reviewsOf(numbers.slice(page * PAGE, (page + 1) * PAGE), location)),
  ]);
  return Object.fromEntries(pages) as Record<string, unknown>;
}

/** Writes a Takeout as a folder. */
function takeoutOf(box: Sandbox, name: string, numbers: readonly number[], location = "2"): string {
  for (const [path, page] of Object.entries(pagesOf(numbers, location))) box.write(`${name}/${path}`, page);
  return `${box.folder}/${name}`;
}

/** A table of reviews with ids. */
function tableOf(numbers: readonly number[], column = ""): string {
  const rows = numbers.map(
    (number) =>
      `${number},Customer ${number},5,2020-02-${String(number).padStart(2, "0")},Words of ${number}${column && ",x"}`,
  );
  return [`id,author,rating,date,text${column && `,${column}`}`, ...rows].join("\n");
}

/** The authors of the reviews that have vanished and are not back. */
async function vanished(box: Sandbox): Promise<string[]> {
  const rows = await listVanishedRows(box.store.database);
  const authors = new Map((await box.rows()).map(({ id, author }) => [id, author]));
  return rows
    .filter(({ returned_at }) => returned_at === null)
    .map(({ id }) => authors.get(id) ?? "withdrawn")
    .toSorted();
}

test("a whole Takeout that lacks reviews lists them with the imports that had them last and lacked them first", async () => {
  await using box = await openSandbox();
  await box.take(takeoutOf(box, "a", numbered(45)), { now: JANUARY });
  await box.take(takeoutOf(box, "a", numbered(45)), { now: FEBRUARY });
  const report = await box.take(
    takeoutOf(
      box,
      "b",
      numbered(45).filter((number) => number % 20 !== 3),
    ),
    { now: MARCH },
  );
  assert.deepEqual([report.vanished, report.returned, report.withdrawn, report.revised], [3, 0, 0, false]);
  assert.match(
    report.warnings.join(),
    /3 reviews of earlier imports are gone from the source: they stay published\. goodword vanished lists them/,
  );
  await box.take(`${box.folder}/b`, { now: APRIL });
  assert.deepEqual(await vanished(box), ["Customer 23", "Customer 3", "Customer 43"]);
  assert.equal((await box.reviews()).length, 45);
  for (const row of await listVanishedRows(box.store.database))
    assert.deepEqual([row.had_last_at, row.lacked_first_at], [FEBRUARY.toISOString(), MARCH.toISOString()]);
});

const OLD = new Date("2021-03-03T00:00:00Z");

describe("an import covers a place only when it is all of it", () => {
  const all = numbered(45);
  const fewer = all.filter((number) => number !== 7);
  const write = (box: Sandbox, name: string, pages: Record<string, unknown>) =>
    box.write(
      name,
      zipOf(Object.entries(pages).map(([path, page]) => ({ name: path, content: JSON.stringify(page) }))),
    );
  const pages = pagesOf(fewer);
  const [first = "", second = "", third = ""] = Object.keys(pages);
  type Second = (box: Sandbox) => Promise<unknown>;
  const cases: Readonly<Record<string, readonly [number, Second]>> = {
    "an archive of every page does": [1, (box) => box.take(write(box, "b.zip", pages))],
    "the first of one numbered archive does": [
      1,
      (box) => box.take(write(box, "takeout-20260101T000000Z-001.zip", pages)),
    ],
    "all files of a folder named one by one do": [
      1,
      async (box) => {
        takeoutOf(box, "b", fewer);
        await box.take([first, second, third].map((page) => `${box.folder}/b/${page}`));
      },
    ],
    "a file with --complete does": [1, (box) => box.take(takeoutOf(box, "b", fewer), { complete: true })],
    "some files of a folder named one by one do not": [
      0,
      async (box) => {
        takeoutOf(box, "b", fewer);
        box.write(`b/${second}`, takeoutPage(...reviewsOf(fewer.slice(PAGE, 2 * PAGE - 1)))); // as short as a last one
        await box.take([first, second].map((page) => `${box.folder}/b/${page}`));
      },
    ],
    "pages that name another one do not": [
      0,
      (box) => {
        const named = Object.entries(pages).map(([path, page]) => [path, { ...(page as object), nextPageToken: "n" }]);
        return box.take(write(box, "b.zip", Object.fromEntries(named) as typeof pages));
      },
    ],
    "a page from elsewhere does not": [0, (box) => box.take(box.write("reviews-2x.json", pages[third]))],
    "a folder without one of the pages does not": [
      0,
      (box) => box.take(write(box, "b.zip", { [first]: pages[first], [third]: pages[third] })),
    ],
    "one archive of two does not": [
      0,
      async (box) => {
        write(box, "takeout-20260101T000000Z-001.zip", {});
        await box.take(write(box, "takeout-20260101T000000Z-002.zip", pages));
      },
    ],
    "an archive beside which there is another one does not": [
      0,
      async (box) => {
        write(box, "takeout-20260101T000000Z-002.zip", {});
        await box.take(write(box, "takeout-20260101T000000Z-001.zip", pages));
      },
    ],
    "one with a page that cannot be read does not": [
      0,
      (box) => box.take(write(box, "b.zip", { ...pages, [second]: {} })),
    ],
    "one read with --skip-invalid does not": [0, (box) => box.take(takeoutOf(box, "b", fewer), { skipInvalid: true })],
    "one with a record that cannot be read does not": [
      0,
      (box) => {
        const faulty = takeoutPage(...reviewsOf([1, 2]), takeoutReview("3", { starRating: "SEVEN" }));
        return box.take(write(box, "b.zip", { ...pages, [first]: faulty }), { skipInvalid: true });
      },
    ],
    "a Takeout of another place does not": [
      0,
      (box) => box.take(takeoutOf(box, "b", fewer, "3"), { location: "3", yes: true }),
    ],
    "a Takeout that is older than the one before does not": [
      0,
      (box) => {
        const path = takeoutOf(box, "b", fewer);
        for (const page of [first, second, third]) utimesSync(`${path}/${page}`, OLD, OLD);
        return box.take(path);
      },
    ],
    "a part of the reviews in another format does not": [
      0,
      (box) => box.take(box.write("b.csv", tableOf(numbered(5))), { source: "google" }),
    ],
  };
  for (const [name, [count, take]] of Object.entries(cases)) {
    test(name, async () => {
      await using box = await openSandbox();
      await box.take(takeoutOf(box, "a", all));
      await take(box);
      assert.equal((await listVanishedRows(box.store.database)).length, count);
    });
  }
});

test("a page's worth of reviews in a row counts as a lost page until the owner confirms that they are gone", async () => {
  await using box = await openSandbox();
  await box.take(takeoutOf(box, "a", numbered(65)), { now: JANUARY });
  const path = takeoutOf(
    box,
    "b",
    numbered(65).filter((number) => number < 21 || number > 40),
  );
  const doubted = await box.take(path, { now: FEBRUARY });
  assert.equal(doubted.vanished, 0);
  assert.match(
    doubted.warnings.join(),
    /20 reviews that the source lists one after the other are missing, as if a file reviews….json/,
  );
  const confirmed = await box.take(path, { now: MARCH, yes: true });
  assert.equal(confirmed.vanished, 20);
  const [row] = await listVanishedRows(box.store.database);
  assert.deepEqual([row?.had_last_at, row?.lacked_first_at], [JANUARY.toISOString(), MARCH.toISOString()]);
});

test("the last page counts as lost where all others are full, and a small business's missing review is told", async () => {
  for (const [before, given, count] of [
    [numbered(45), numbered(40), 0],
    [numbered(45), numbered(45).slice(5), 0],
    [numbered(21), numbered(20), 0],
    [numbered(45), numbered(44), 1],
    [numbered(21), numbered(21).filter((number) => number !== 7), 1],
    [numbered(5), numbered(4), 1],
    [numbered(5), numbered(1), 4],
  ] as const) {
    await using box = await openSandbox();
    await box.take(takeoutOf(box, "a", before), { now: JANUARY });
    const { vanished: found, warnings } = await box.take(takeoutOf(box, "b", given), { now: FEBRUARY });
    assert.equal(found, count, `${given.length} of ${before.length}`);
    if (count === 0) assert.match(warnings.join(), /as if a file reviews….json of the Takeout had been lost/);
    const confirmed = await box.take(`${box.folder}/b`, { now: MARCH, yes: true });
    assert.equal(found + confirmed.vanished, before.length - given.length);
  }
});

test("reviews that are back are said to be, and may vanish again", async () => {
  await using box = await openSandbox();
  const [all, fewer] = [takeoutOf(box, "a", numbered(5)), takeoutOf(box, "b", numbered(4))];
  await box.take(all, { now: JANUARY });
  await box.take(fewer, { now: FEBRUARY });
  const back = await box.take(all, { now: MARCH });
  assert.deepEqual([back.vanished, back.returned, await vanished(box)], [0, 1, []]);
  const [row] = await listVanishedRows(box.store.database);
  assert.deepEqual([row?.lacked_first_at, row?.returned_at], [FEBRUARY.toISOString(), MARCH.toISOString()]);
  assert.equal((await box.take(fewer, { now: APRIL })).vanished, 1);
  const [again] = await listVanishedRows(box.store.database);
  assert.deepEqual(
    [again?.had_last_at, again?.lacked_first_at, again?.returned_at],
    [MARCH.toISOString(), APRIL.toISOString(), null],
  );
});

test("an import of some reviews counts as one that had these last", async () => {
  await using box = await openSandbox();
  await box.take(takeoutOf(box, "a", numbered(30)), { now: JANUARY });
  await box.take(box.write("reviews-0x.json", takeoutPage(...reviewsOf([5, 6]))), { now: FEBRUARY });
  await box.take(
    takeoutOf(
      box,
      "b",
      numbered(30).filter((number) => number > 2 && number !== 5),
    ),
    { now: MARCH },
  );
  const rows = await listVanishedRows(box.store.database);
  const authors = new Map((await box.rows()).map(({ id, author }) => [id, author]));
  assert.deepEqual(Object.fromEntries(rows.map(({ id, had_last_at }) => [authors.get(id), had_last_at])), {
    "Customer 1": JANUARY.toISOString(),
    "Customer 2": JANUARY.toISOString(),
    "Customer 5": FEBRUARY.toISOString(),
  });
});

test("with --complete they are withdrawn, and listed without their words", async () => {
  await using box = await openSandbox();
  await box.take(box.write("a.csv", tableOf(numbered(9))), { source: "yelp", now: JANUARY });
  const report = await box.take(box.write("b.csv", tableOf(numbered(7))), {
    source: "yelp",
    complete: true,
    yes: true,
    now: MARCH,
  });
  assert.deepEqual([report.withdrawn, report.vanished], [2, 2]);
  assert.deepEqual(await vanished(box), ["withdrawn", "withdrawn"]);
  const back = await box.take(`${box.folder}/a.csv`, { source: "yelp", now: APRIL });
  assert.deepEqual([back.added, back.returned], [2, 2]);
});

test("a text that was edited in a file without ids has not vanished", async () => {
  await using box = await openSandbox();
  const rows = (text: string) =>
    `author,rating,date,text\nAnn,5,2020-02-03,${text}\nBob,4,2020-02-04,Fine\nCyd,1,2020-02-04,Bad`;
  await box.take(box.write("a.csv", rows("Good")));
  const edited = rows("Very good").replace("\nCyd,1,2020-02-04,Bad", "");
  const report = await box.take(box.write("b.csv", edited), { complete: true, yes: true });
  assert.deepEqual([report.withdrawn, report.vanished], [2, 1]);
});

test("a table that does not tell its place lies between two Takeouts that do", async () => {
  await using box = await openSandbox();
  await box.take(takeoutOf(box, "a", numbered(5)), { now: JANUARY });
  await box.take(box.write("b.csv", tableOf(numbered(7))), { source: "google", now: FEBRUARY });
  await box.take(takeoutOf(box, "c", [1, 2, 3]), { now: MARCH });
  assert.deepEqual(await vanished(box), ["Customer 4", "Customer 5"], "6 and 7 were in no Takeout");
  assert.equal((await listVanishedRows(box.store.database))[0]?.had_last_at, JANUARY.toISOString());
});

test("reviews of a scraper are not missing from a Takeout, which has other ids", async () => {
  await using box = await openSandbox();
  const scraped = tableOf([1, 2, 3], "place_id").replaceAll(",x", ",ChIJscraped-of-the-test-1");
  await box.take(box.write("a.csv", scraped), { source: "google" });
  for (const name of ["b", "c"]) assert.equal((await box.take(takeoutOf(box, name, numbered(3)))).vanished, 0);
});
