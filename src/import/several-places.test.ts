/** Files with reviews of several places: nothing of another place is imported (interface §6). */
import assert from "node:assert/strict";
import { rmSync } from "node:fs";
import { test } from "node:test";
import { openSandbox, type Sandbox, takeoutPage, takeoutReview } from "../../test/support/import-sandbox.ts";
import { workbookOf } from "../../test/support/workbook-writer.ts";
import { type ImportOptions, type ImportReport, readForPlaces } from "./importer.ts";
import { placesCalled } from "./place/place-choice.ts";

const TOWNS = ["Leeds", "York"] as const;
type Town = (typeof TOWNS)[number];
const LOCATIONS = { Leeds: "2000000000000000001", York: "2000000000000000002" };

/** The words of a town's reviews: they show what is published of which place. */
function wordsOf(town: Town, number: number): string {
  return `The branch in ${town}, visit ${number}`;
}

/** Two reviews of each town in a format, by a function of town and number. */
function each<Value>(make: (town: Town, number: number) => Value): Value[] {
  return TOWNS.flatMap((town) => [1, 2].map((number) => make(town, number)));
}

function takeoutOf(town: Town, number: number): Record<string, unknown> {
  const id = `${town}${number}`;
  return takeoutReview(id, {
    name: `accounts/1/locations/${LOCATIONS[town]}/reviews/${id}`,
    comment: wordsOf(town, number),
  });
}

function listing(name: string): object {
  return {
    attributes: [
      { id: { attributeType: "CATEGORY" }, values: [{ datum: { text: "Plumber" } }] },
      {
        id: { attributeType: "LISTING_NAME" },
        values: [{ datum: { listingName: { text: name, languageCode: "en" } } }],
      },
    ],
  };
}

/** Writes the Takeout of both towns: Leeds has a profile, York only its additional data. */
function writeTakeout(box: Sandbox, towns: readonly Town[] = TOWNS, folder = "Takeout"): string {
  for (const town of towns) {
    const at = `${folder}/Google Business Profile/account-1/location-${LOCATIONS[town]}`;
    box.write(`${at}/reviews-a.json`, takeoutPage(takeoutOf(town, 1), takeoutOf(town, 2)));
    if (town === "York") box.write(`${at}/additionalData.json`, listing("Northside York"));
    else box.write(`${at}/data.json`, { name: `locations/${LOCATIONS[town]}`, title: "Northside Leeds" });
  }
  return `${box.folder}/${folder}`;
}

const AT = "2024-05-06T07:08:09Z";
const SECONDS = Date.parse(AT) / 1000;
const idOf = (town: Town) => `ChIJ${town}-town-of-the-test`;

function flatReviews(town: Town): Record<string, unknown>[] {
  return [1, 2].map((number) => ({ author: "Bea", rating: 5, date: "2024-05-06", text: wordsOf(town, number) }));
}

/** Files of two places by format, each with the word that chooses Leeds. */
const FORMATS: Readonly<
  Record<string, { readonly files: Readonly<Record<string, unknown>>; readonly choose: string }>
> = {
  "a page of the Business Profile API over several locations": {
    files: {
      "a.json": {
        locationReviews: each((town, number) => ({
          name: `accounts/1/locations/${LOCATIONS[town]}`,
          review: { ...takeoutOf(town, number), name: undefined, reviewId: `${town}${number}` },
        })),
      },
    },
    choose: LOCATIONS.Leeds,
  },
  "Places API (new)": {
    files: {
      "a.json": {
        places: TOWNS.map((town) => ({
          id: idOf(town),
          displayName: { text: `Northside ${town}` },
          reviews: [1, 2].map((number) => ({
            name: `places/${idOf(town)}/reviews/${town}${number}`,
            rating: 5,
            originalText: { text: wordsOf(town, number) },
            authorAttribution: { displayName: "Bea" },
            publishTime: AT,
          })),
        })),
      },
    },
    choose: "northside  LEEDS",
  },
  "Places API (legacy), of which only names tell": {
    files: Object.fromEntries(
      TOWNS.map((town) => [
        `${town}.json`,
        {
          result: {
            name: `Northside ${town}`,
            reviews: [1, 2].map((number) => ({
              ...{ author_name: "Bea", rating: 5, time: SECONDS, relative_time_description: "a month ago" },
              text: wordsOf(town, number),
            })),
          },
        },
      ]),
    ),
    choose: "Northside Leeds",
  },
  "Outscraper CSV": {
    files: {
      "a.csv": `name,place_id,google_id,review_id,author_title,review_rating,review_timestamp,review_text\n${each(
        (town, number) =>
          `Northside ${town},${idOf(town)},0x0:0x${town === "Leeds" ? 1 : 2},${town}${number},Bea,5,${SECONDS},"${wordsOf(town, number)}"\n`,
      ).join("")}`,
    },
    choose: "Northside Leeds",
  },
  "Outscraper JSON": {
    files: {
      "a.json": TOWNS.map((town) => ({
        ...{ name: `Northside ${town}`, place_id: idOf(town) },
        reviews_data: [1, 2].map((number) => ({
          ...{ google_id: "", review_id: `${town}${number}`, author_title: "Bea", review_rating: 5 },
          ...{ review_timestamp: SECONDS, review_text: wordsOf(town, number) },
        })),
      })),
    },
    choose: "Northside Leeds",
  },
  Apify: {
    files: {
      "a.json": each((town, number) => ({
        ...{ name: "Bea", text: wordsOf(town, number), publishedAtDate: AT, reviewId: `${town}${number}`, stars: 5 },
        ...{ title: `Northside ${town}`, placeId: idOf(town) },
      })),
    },
    choose: idOf("Leeds").toUpperCase(),
  },
  SerpApi: {
    files: Object.fromEntries(
      TOWNS.map((town) => [
        `${town}.json`,
        {
          search_parameters: { engine: "google_maps_reviews", data_id: `0x0:0xA${town === "Leeds" ? 1 : 2}` },
          place_info: { title: `Northside ${town}` },
          reviews: [1, 2].map((number) => ({
            ...{ review_id: `${town}${number}`, rating: 5, iso_date: AT, snippet: wordsOf(town, number) },
            user: { name: "Bea" },
          })),
        },
      ]),
    ),
    choose: "0x0:0xa1",
  },
  "Trustpilot API": {
    files: {
      "a.json": {
        reviews: each((town, number) => ({
          ...{ id: `${town}${number}`, stars: 5, text: wordsOf(town, number), consumer: { displayName: "Bea" } },
          ...{ createdAt: AT, businessUnit: { id: `unit-${town}`, displayName: `Northside ${town}` } },
        })),
      },
    },
    choose: "unit-leeds",
  },
  "Yelp API": {
    files: {
      "a.json": {
        reviews: each((town, number) => ({
          ...{ id: `${town}${number}`, rating: 5, text: wordsOf(town, number), time_created: "2024-05-06 07:08:09" },
          ...{ user: { name: "Bea" }, url: `https://www.yelp.com/biz/northside-${town.toLowerCase()}?hrid=1` },
        })),
      },
    },
    choose: "northside-leeds",
  },
  "any table": {
    files: {
      "a.csv": `Business ID,Author,Rating,Date,Text\n${each(
        (town, number) => `${town === "Leeds" ? 7 : 8},Bea,5,2024-05-06,"${wordsOf(town, number)}"\n`,
      ).join("")}`,
    },
    choose: "7",
  },
  "any table with ids of locations, and their names under a word that customers' towns have too": {
    files: {
      "a.csv": `location_id,location,Author,Rating,Date,Text\n${each(
        (town, number) => `${town === "Leeds" ? 7 : 8},${town},Bea,5,2024-05-06,"${wordsOf(town, number)}"\n`,
      ).join("")}`,
    },
    choose: "Leeds",
  },
  "a workbook with a sheet for each place": {
    files: {
      "a.xlsx": workbookOf(
        Object.fromEntries(
          TOWNS.map((town) => {
            const rows = [1, 2].map((number) => ["Bea", 5, "2024-05-06", wordsOf(town, number)]);
            return [town, [["Author", "Rating", "Date", "Text"], ...rows]];
          }),
        ),
      ),
    },
    choose: "leeds",
  },
  "any table with the names of branches": {
    files: {
      "a.csv": `Branch;Name;Sterne;Datum;Text\n${each(
        (town, number) => `${town};Bea;5;2024-05-06;${wordsOf(town, number)}\n`,
      ).join("")}`,
    },
    choose: "leeds",
  },
  "any JSON, records beside their location": {
    files: {
      "a.json": {
        data: each((town, number) => ({
          ...{ author: "Bea", rating: 5, date: "2024-05-06", text: wordsOf(town, number) },
          location: { id: town === "Leeds" ? 7 : 8, name: `Northside ${town}` },
        })),
      },
    },
    choose: "Northside Leeds",
  },
  "any JSON, records below their branch": {
    files: {
      "a.json": {
        branches: TOWNS.map((town) => ({
          name: town,
          reviews: [1, 2].map((number) => ({
            author: "Bea",
            rating: 5,
            date: "2024-05-06",
            text: wordsOf(town, number),
          })),
        })),
      },
    },
    choose: "Leeds",
  },
  ...Object.fromEntries(
    Object.entries({
      "lists by the names of places": Object.fromEntries(TOWNS.map((town) => [town, flatReviews(town)])),
      "objects by the names of places": {
        business: "Northside",
        data: Object.fromEntries(TOWNS.map((town) => [town, { google: flatReviews(town), rating: 5 }])),
      },
      "lists of one business by the names of places": Object.fromEntries(
        TOWNS.map((town) => [`${town} reviews`, flatReviews(town).map((one) => ({ ...one, business: "Northside" }))]),
      ),
      "a list of named objects": TOWNS.map((town) => ({ label: town, feedback: flatReviews(town) })),
      "objects by their ids, with names": {
        tenants: Object.fromEntries(
          TOWNS.map((town, index) => [`t${index}`, { name: town, reviews: flatReviews(town) }]),
        ),
      },
      "a list of objects with their place": TOWNS.map((town) => ({ place: town, reviews: flatReviews(town) })),
      "pairs of name and list": TOWNS.map((town) => [town, flatReviews(town)]),
    }).map(([what, value]) => [`any JSON, ${what}`, { files: { "a.json": value }, choose: "LEEDS" }]),
  ),
  "JSON Lines": {
    files: {
      "a.jsonl": each((town, number) =>
        JSON.stringify({ store_id: town, author: "Bea", rating: 5, date: "2024-05-06", text: wordsOf(town, number) }),
      ).join("\n"),
    },
    choose: "Leeds",
  },
  "JSON-LD": {
    files: {
      "a.html": `<html><script type="application/ld+json">${JSON.stringify(
        TOWNS.map((town) => ({
          ...{ "@context": "https://schema.org", "@type": "LocalBusiness", name: `Northside ${town}` },
          review: [1, 2].map((number) => ({
            ...{ "@type": "Review", author: { "@type": "Person", name: "Bea" }, datePublished: "2024-05-06" },
            ...{ reviewRating: { ratingValue: 5 }, reviewBody: wordsOf(town, number) },
          })),
        })),
      )}</script></html>`,
    },
    choose: "Northside Leeds",
  },
};

/** The options for files that name no source. */
const GOOGLE: Partial<ImportOptions> = { source: "google" };

async function towns(box: Sandbox): Promise<string[]> {
  return (await box.rows()).map(({ text }) => /in (\w+),/.exec(text ?? "")?.[1] ?? "?");
}

for (const [format, { files, choose }] of Object.entries(FORMATS)) {
  test(`${format}: two places are a fault that names both, and one can be chosen`, async () => {
    await using box = await openSandbox();
    const paths = Object.entries(files).map(([name, content]) => box.write(name, content));
    const [head = "", ...places] = await box.refusal(paths, GOOGLE);
    assert.match(head, /2 places/);
    assert.equal(places.length, 2, places.join("\n"));
    assert.ok(places.every((line) => line.endsWith(": 2 reviews")));
    assert.deepEqual(await box.rows(), []);
    const report = await box.take(paths, { ...GOOGLE, location: choose });
    assert.deepEqual([report.read, report.added, report.other_places], [4, 2, 2]);
    assert.deepEqual(await towns(box), ["Leeds", "Leeds"]);
    assert.deepEqual(await fromLog(paths, choose), { ...said(report), towns: ["Leeds", "Leeds"] });
  });
}

/** What a report says of the reviews of one place. */
function said({ read, other_places, added, unchanged, withheld, refused, warnings, issues }: ImportReport) {
  return { read: read - other_places, added, unchanged, withheld, refused, warnings, issues };
}

/** Imports a place from what was read of the files before, into a store of its own; the files are gone. */
async function fromLog(paths: readonly string[], choose: string) {
  await using box = await openSandbox();
  using log = await readForPlaces(paths, GOOGLE);
  const [place] = placesCalled(choose, log.places.list());
  assert.ok(place);
  for (const path of paths) rmSync(path, { recursive: true });
  const report = await box.take([], { ...GOOGLE, location: place.id, logged: { place, log } });
  return { ...said(report), towns: await towns(box) };
}

test("an import of a place from what was read before says what one from the files does, faults and doubts too", async () => {
  const rows = ["7,Bea,5,2024-05-06,Good", "8,Bo,9,2024-05-06,Bad", "7,,5,2024-05-06,Known", ",Di,5,2024-05-06,Whose?"];
  const table = `store_id,author,rating,date,text\n${rows.join("\n")}\n`.replace(",9,", ",,");
  await using box = await openSandbox();
  const path = box.write("a.csv", `Our reviews\n\n${table}`);
  const first = "author,rating,date,text\nAda,5,2024-05-06,Known\n";
  await box.take(box.write("first.csv", first), GOOGLE);
  using log = await readForPlaces([path], GOOGLE);
  for (const place of log.places.list()) {
    const options = { ...GOOGLE, location: place.id, skipInvalid: true, dryRun: true, list: true };
    const [read, logged] = [await box.take(path, options), await box.take([], { ...options, logged: { place, log } })];
    assert.deepEqual({ ...said(logged), changes: logged.changes }, { ...said(read), changes: read.changes });
    assert.match(
      logged.warnings.join(),
      /"Our reviews" is passed over.*1 review is passed over with those of other places/,
    );
  }
  await assert.rejects(readForPlaces([`${path}.zip`]), /does not exist/);
});

test("a Takeout names its places in their profiles or in their additional data, all fifty too", async () => {
  await using box = await openSandbox();
  const takeout = writeTakeout(box);
  assert.deepEqual((await box.refusal(takeout)).slice(1), [
    `"Northside Leeds" (location ${LOCATIONS.Leeds}): 2 reviews`,
    `"Northside York" (location ${LOCATIONS.York}): 2 reviews`,
  ]);
  for (let at = 10; at < 60; at += 1) {
    const review = takeoutReview(`r${at}`, { name: `accounts/1/locations/${at}/reviews/r${at}` });
    box.write(`many/location-${at}/reviews.json`, takeoutPage(review));
    box.write(`many/location-${at}/profile.json`, { title: `Branch ${at}` });
  }
  const lines = await box.refusal(`${box.folder}/many`);
  assert.equal(lines.length, 51);
  for (let at = 10; at < 60; at += 1) assert.ok(lines.includes(`"Branch ${at}" (location ${at}): 1 review`));
});

test("a place is chosen by name or id in any case of letters; an unknown or ambiguous word lists the places", async () => {
  await using box = await openSandbox();
  const takeout = writeTakeout(box);
  const check = async (location: string) => (await box.take(takeout, { location, dryRun: true })).other_places;
  for (const word of [
    "NORTHSIDE York",
    LOCATIONS.York,
    `accounts/9/locations/${LOCATIONS.York}`,
    ` ${LOCATIONS.York} `,
  ])
    assert.equal(await check(word), 2, word);
  for (const word of ["Northside", "York", "2000000000000000003"]) {
    const lines = await box.refusal(takeout, { location: word });
    assert.deepEqual([lines[0]?.includes(`"${word}"`), lines.length], [true, 3], lines.join());
  }
  box.write(`Takeout/Google Business Profile/account-1/location-${LOCATIONS.York}/profile.json`, {
    ...{ name: `locations/${LOCATIONS.York}`, title: "Northside Leeds" },
  });
  assert.match(
    (await box.refusal(`${box.folder}/Takeout`, { location: "northside leeds" })).join(),
    /may be any of several/,
  );
  const table = box.write("untold.csv", "author,rating,date\nBea,5,2024-05-06\n");
  assert.match((await box.refusal(table, { ...GOOGLE, location: "Leeds" })).join(), /do not tell of which place/);
});

test("business.yaml chooses by location, also by an unquoted number, and is not compared with ids of other kinds", async () => {
  for (const line of [`location: ${LOCATIONS.Leeds}`, `location: "${LOCATIONS.Leeds}"`]) {
    await using box = await openSandbox();
    const business = box.write("business.yaml", `name: Northside\ntime_zone: UTC\n${line}\n`);
    const report = await box.take([business, writeTakeout(box)]);
    assert.deepEqual([report.added, report.other_places, await towns(box)], [2, 2, ["Leeds", "Leeds"]]);
    assert.equal((await box.take(`${box.folder}/Takeout`)).other_places, 2, "it is remembered");
    const apify = (FORMATS.Apify as { files: Record<string, object[]> }).files["a.json"] ?? [];
    assert.equal((await box.take(box.write("one.json", apify.slice(0, 2)))).other_places, 0);
    assert.match((await box.refusal(box.write("both.json", apify))).join(), /2 places/);
    const york = writeTakeout(box, ["York"], "later");
    assert.match((await box.refusal(york)).join("\n"), new RegExp(`${LOCATIONS.Leeds}".*\n"Northside York"`));
  }
});

test("nothing of another place is refused, warned of or counted, but in other_places", async () => {
  await using box = await openSandbox();
  const rows = [
    "7,Bea,5,2024-05-06,Good",
    "8,Bo,9,2024-05-06,Bad",
    "8,Cy,5,2999-05-06,Late",
    ",Di,5,2024-05-06,Whose?",
  ];
  const table = box.write("a.csv", `store_id,author,rating,date,text\n${rows.join("\n")}\n`);
  const report = await box
    .take(table, { ...GOOGLE, location: "7", dates: "dmy" })
    .catch((error: unknown) => String(error));
  assert.ok(typeof report === "string", "a table's scale is judged by all of its rows");
  const good = box.write("b.csv", `store_id,author,rating,date,text\n${rows.join("\n").replace(",9,", ",,")}\n`);
  const { read, added, refused, other_places, warnings } = await box.take(good, { ...GOOGLE, location: "7" });
  assert.deepEqual([read, added, refused, other_places], [4, 1, 0, 3]);
  assert.match(warnings.join(), /b\.csv: 1 review is passed over with those of other places/);
  assert.deepEqual(
    warnings.filter((warning) => /future|without it/.test(warning)),
    [],
  );
});

test("the place of a source's first import is remembered: a later one of another place is the same fault", async () => {
  await using box = await openSandbox();
  await box.take(writeTakeout(box, ["Leeds"], "first"));
  const york = writeTakeout(box, ["York"], "second");
  for (const options of [{}, { dryRun: true }, { location: LOCATIONS.York }, { yes: true }]) {
    const [head = "", ...places] = await box.refusal(york, options);
    assert.match(head, new RegExp(`${LOCATIONS.Leeds}.*${LOCATIONS.York}.*goodword withdraw --source google`));
    assert.deepEqual(places, [`"Northside York" (location ${LOCATIONS.York}): 2 reviews`]);
  }
  assert.deepEqual(await towns(box), ["Leeds", "Leeds"]);
  assert.equal((await box.take(`${box.folder}/first`)).unchanged, 2);
  assert.equal(
    (await box.take(york, { location: LOCATIONS.York, yes: true })).added,
    2,
    "the same place, with a new id",
  );
  assert.equal((await box.take(york)).unchanged, 2);
});

/** A file in which only the name of its list tells the place. */
const LISTS: Readonly<Record<string, (town: string) => readonly [string, unknown]>> = {
  "a key": (town) => ["a.json", { [town]: flatReviews("Leeds") }],
  "a key of a key": (town) => ["a.json", { data: { [town]: { reviews: flatReviews("Leeds") } } }],
  "the object's own name": (town) => ["a.json", { name: town, reviews: flatReviews("Leeds") }],
  "an object in a list": (town) => ["a.json", [{ title: town, items: flatReviews("Leeds") }]],
  "a line above a table": (town) => [
    "a.csv",
    `Branch: ${town}\n\n${sheetRows.map((row) => row.map((cell) => JSON.stringify(cell)).join(",")).join("\n")}`,
  ],
  "a sheet": (town) => ["a.xlsx", workbookOf({ [town]: sheetRows })],
};
const sheetRows = [
  ["author", "rating", "date", "text"],
  ["Bea", 5, "2024-05-06", wordsOf("Leeds", 1)],
];

for (const [what, make] of Object.entries(LISTS)) {
  test(`a list named by ${what} is of another place than one named otherwise, in one import and in a later one`, async () => {
    await using box = await openSandbox();
    const write = (folder: string, town: string) => {
      const [name, content] = make(town);
      return box.write(`${folder}/${name}`, content);
    };
    const [leeds, york] = [write("leeds", "Leeds"), write("york", "York")];
    const [both = "", ...named] = await box.refusal([leeds, york], GOOGLE);
    assert.match(both, /2 places.*If these are no places/);
    assert.ok(named.every((line) => /^"(?:Leeds|York)": \d reviews?$/.test(line)));
    await box.take(leeds, GOOGLE);
    const [head = ""] = await box.refusal(york, GOOGLE);
    assert.match(head, /"leeds".*"york".*--location "york" --yes/);
    for (const same of ["LEEDS", "Leeds reviews", "Leeds 2024-11", "Leeds (Nov 2024)", "reviews"])
      assert.equal((await box.take(write("same", same), GOOGLE)).added, 0, same);
    await box.take(york, { ...GOOGLE, location: "York", yes: true });
    await box.take(york, GOOGLE);
  });
}

test("the name of a list alone is compared with no name that a record gives", async () => {
  await using box = await openSandbox();
  const named = flatReviews("Leeds").map((review) => ({ ...review, business: "Northside" }));
  await box.take(box.write("a.json", { Kim: flatReviews("Leeds") }), GOOGLE);
  assert.equal((await box.take(box.write("b.json", named), GOOGLE)).unchanged, 2);
  assert.equal((await box.take(box.write("c.json", { Northside: named }), GOOGLE)).unchanged, 2);
});

test("one of several lists is remembered as it is called", async () => {
  await using box = await openSandbox();
  const both = { Leeds: flatReviews("Leeds"), York: flatReviews("York") };
  await box.take(box.write("a.json", both), { ...GOOGLE, location: "Leeds" });
  const [head = ""] = await box.refusal(box.write("b.json", { York: flatReviews("York") }), GOOGLE);
  assert.match(head, /"leeds".*"york"/);
});

for (const [written, stored] of [
  ["ChIJ\0town\u001b[31m", "ChIJtown[31m"],
  ["ChIJ\ud83dtown", "ChIJ\ufffdtown"],
]) {
  test(`an id of a place is stored as ${JSON.stringify(stored)}, which every database and reader takes`, async () => {
    await using box = await openSandbox();
    const review = { place_id: written, rating: 5, date: AT, author: "A", text: "Words" };
    assert.equal((await box.take(box.write("a.json", [review]), GOOGLE)).added, 1);
    const places = await box.store.database.selectFrom("source_place").select("id").execute();
    assert.deepEqual(
      places.map(({ id }) => id),
      [stored],
    );
  });
}

test("lists named by sites, days, stars, states or what they hold are of one place", async () => {
  for (const [one, other] of [
    ["google", "yelp"],
    ["2024", "2025"],
    ["January 2026", "février"],
    ["5 stars", "1_star"],
    ["approved", "pendingReviews"],
    ["reviews", "testimonials"],
    ["Positive Bewertungen", "negativeReviews"],
    ["q1", "q2"],
    ["de", "en"],
    ["reviews", "York"],
  ] as const) {
    await using box = await openSandbox();
    const content = { [one]: flatReviews("Leeds"), [other]: flatReviews("York") };
    assert.equal((await box.take(box.write("a.json", content), GOOGLE)).added, 4, one);
    const named = [one, other].map((name, index) => ({ name, reviews: flatReviews(TOWNS[index] as Town) }));
    await using second = await openSandbox();
    assert.equal((await second.take(second.write("a.json", named), GOOGLE)).added, 4, one);
  }
});

test("a sheet or an object that is called as a site is of it", async () => {
  const named = ["Google", "Trustpilot"].map((name, index) => ({ name, reviews: flatReviews(TOWNS[index] as Town) }));
  const rows = (town: Town) => [
    ["author", "rating", "date", "text"],
    ["Bea", 5, "2024-05-06", wordsOf(town, 1)],
  ];
  const sheets = workbookOf({ Google: rows("Leeds"), "Trustpilot reviews": rows("York") });
  for (const [name, content] of [
    ["a.json", named],
    ["a.xlsx", sheets],
  ] as const) {
    await using box = await openSandbox();
    await box.take(box.write(name, content), GOOGLE);
    const sources = (await box.rows()).map(({ source, text }) => [source, /in (\w+),/.exec(text ?? "")?.[1]]);
    assert.deepEqual([...new Set(sources.map((one) => one.join()))].toSorted(), ["google,Leeds", "trustpilot,York"]);
  }
});
