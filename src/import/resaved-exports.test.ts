/** Exports that a spreadsheet or a tool has written again: days, places and words that it changed are read right, or told. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { openSandbox } from "../../test/support/import-sandbox.ts";
import { imported, refused } from "../../test/support/imported-file.ts";
import { workbookOf } from "../../test/support/workbook-writer.ts";

const csv = (...rows: readonly (readonly string[])[]) => rows.map((row) => `${row.join(",")}\n`).join("");

test("Days that a spreadsheet of another country took for months are refused, in Outscraper's own column too", async () => {
  const texts = ["02/22/2026 15:00:00", "01/28/2026 15:00:00"];
  const rows = (column: string, days: readonly string[]) =>
    csv(
      ["author_title", "review_rating", "review_text", column],
      ...[...days, ...texts].map((day, at) => [`C${at}`, "5", `Good ${at}`, day]),
    );
  for (const column of ["review_datetime_utc", "Date"]) {
    const cells = [new Date("2026-03-02"), new Date("2026-05-02"), ...texts].map((day, at) => [
      `C${at}`,
      5,
      "Good",
      day,
    ]);
    const sheet = workbookOf({ S: [["author_title", "review_rating", "review_text", column], ...cells] });
    assert.match(await refused("a.xlsx", sheet), /took day for month/, column);
    for (const days of [
      ["2026-03-02 15:00", "2026-05-02 15:00"],
      ["2026-03-02", "2026-05-02"],
    ])
      assert.match(await refused("a.csv", rows(column, days)), /took day for month/, column);
    const dotted = rows(column, ["02.03.2026 15:00", "02.05.2026 15:00"]);
    assert.match(await refused("a.csv", dotted), /"02\.03\.2026 15:00" .* has dots, .*"02\/22\/2026/, column);
  }
  assert.equal(
    (await imported("a.csv", rows("review_datetime_utc", ["02/03/2026 15:00:00"]))).rows[0]?.date,
    "2026-02-03",
  );
  assert.equal(
    (await imported("a.csv", rows("review_datetime_utc", ["2026-02-13 15:00"]))).rows[0]?.date,
    "2026-02-13",
  );
});

test("Of two exact times of one review on other days, the number of seconds is read, which no spreadsheet changes", async () => {
  const { rows, warnings } = await imported(
    "a.csv",
    csv(
      ["author_title", "review_rating", "review_text", "review_timestamp", "review_datetime_utc"],
      ["Ann", "5", "Good", "1770130800", "03/02/2026 15:00:00"],
      ["Bo", "1", "Bad", "1771772400", "02/22/2026 15:00:00"],
    ),
  );
  assert.deepEqual(
    rows.map(({ date }) => date),
    ["2026-02-03", "2026-02-22"],
  );
  assert.match(
    warnings,
    /1 review has a day in "review_timestamp", which is read, and another in "review_datetime_utc"/,
  );
});

test("A time of day whose column names a zone beside a day is read in that zone", async () => {
  const rows = (time: string) =>
    csv(["Name", "Rating", "Date", time, "Text"], ["Ann", "5", "2026-02-03", "03:30", "Good"]);
  await using box = await openSandbox();
  const business = box.write("business.yaml", "name: N\ncategory: Store\ntime_zone: America/Chicago\n");
  await box.take([business, box.write("a.csv", rows("Time (UTC)"))]);
  assert.equal((await box.rows())[0]?.date, "2026-02-02");
  assert.equal((await imported("a.csv", rows("Time"))).rows[0]?.date, "2026-02-03");
});

test("Two places are told apart by the names that Apify and Outscraper give them, without ids and as CSV", async () => {
  const reviews = [
    { title: "Depot Nord", name: "Ann", stars: 5, text: "Good" },
    { title: "Depot Nord", name: "Ed", stars: 4, text: "Fine" },
    { title: "Depot Süd", name: "Bo", stars: 1, text: "Bad" },
  ].map((review, at) => ({
    ...review,
    publishedAtDate: "2026-02-03T15:00:00.000Z",
    reviewUrl: `https://www.google.com/maps/reviews/${at}`,
  }));
  const both = /2 places.*"Depot Nord".*"Depot Süd"/s;
  assert.match(await refused("a.json", reviews), both);
  const columns = Object.keys(reviews[0] ?? {});
  assert.match(
    await refused("a.csv", csv(columns, ...reviews.map((review) => Object.values(review).map(String)))),
    both,
  );
  const outscraper = (name: string) =>
    csv(
      ["name", "author_title", "review_rating", "review_text", "review_timestamp"],
      ["Depot Nord", "Ann", "5", "Good", "1771858800"],
      [name, "Bo", "1", "Bad", "1771772400"],
    );
  assert.match(await refused("a.csv", outscraper("Depot Süd")), both);
  assert.equal((await imported("a.csv", outscraper("Depot Nord"))).rows.length, 2);
  const one = reviews.slice(0, 1);
  const [row] = (await imported("a.csv", csv(columns, ...one.map((review) => Object.values(review).map(String))))).rows;
  assert.deepEqual([row?.author, row?.text], ["Ann", "Good"]); // the place's name is no title of the customer's
});

test("Two places are told apart by the links of their reviews", async () => {
  const ids = ["ChIJN1t_tDeuEmsRUsoyG83frY4", "ChIJP3Sa8ziYEmsRUKgyFmh9AQM"];
  for (const link of [
    (at: number) => `https://www.yelp.com/biz/depot-${at}?hrid=r${at}`,
    (at: number) => `https://www.tripadvisor.com/ShowUserReviews-g1-d10${at}-r${at}-Depot.html`,
    (at: number) => `https://search.google.com/local/reviews?placeid=${ids[at]}`,
  ]) {
    const rows = [0, 1].map((at) => ({
      author: `C${at}`,
      rating: 5,
      date: "2026-02-03",
      text: `Good ${at}`,
      link: link(at),
    }));
    assert.match(await refused("a.json", rows), /2 places/);
    const table = csv(
      ["Name", "Stars", "Date", "Review", "Link"],
      ...rows.map((row) => Object.values(row).map(String)),
    );
    assert.match(await refused("a.csv", table), /2 places/);
    const same = rows.map((row) => ({ ...row, link: link(0) }));
    assert.equal((await imported("a.json", same)).rows.length, 2);
  }
  const searched = ids.map((id, at) => ({
    name: `C${at}`,
    stars: 5,
    text: `Good ${at}`,
    publishedAtDate: "2026-02-03T15:00:00.000Z",
    reviewUrl: `https://www.google.com/maps/reviews/${at}`,
    url: `https://www.google.com/maps/place/?q=place_id:${id}`,
  }));
  assert.match(await refused("a.json", searched), /2 places/);
});

test("Columns that may name several places are told", async () => {
  const rows = (column: string, places: readonly string[]) =>
    csv(
      ["Name", "Rating", "Date", "Review", column],
      ...places.map((place, at) => [`C${at}`, "5", "2026-02-03", `Good ${at}`, place]),
    );
  for (const column of ["Property", "Shop", "Company", "Profile", "Address"]) {
    const { warnings } = await imported("a.csv", rows(column, ["Sea View", "Hill House", "Sea View"]));
    assert.match(warnings, new RegExp(`"${column}" \\("Sea View", "Hill House"\\) .*import one file for each`));
    const alone = await imported("a.csv", rows(column, ["Sea View", "Sea View"]));
    assert.doesNotMatch(alone.warnings, /one file for each/);
  }
  // As many as customers: theirs.
  const many = Array.from({ length: 12 }, (_, at) => `${at} High Street`);
  assert.doesNotMatch((await imported("a.csv", rows("Address", many))).warnings, /one file for each/);
});

test("Titles and names that a program fills in for none are not published", async () => {
  const titles = [
    "(no title)",
    "No title",
    "Untitled",
    "Sans titre",
    "Ohne Titel",
    "n/a",
    "Sin título",
    "(Senza titolo)",
  ];
  const { rows } = await imported(
    "a.csv",
    csv(
      ["Title", "Review", "Name", "Rating", "Date"],
      ...["Lovely", ...titles].map((title, at) => [title, `Good ${at}`, `C${at}`, "5", "2026-02-03"]),
    ),
  );
  assert.deepEqual(
    rows.map(({ text }) => text),
    ["Lovely\n\nGood 0", ...titles.map((_, at) => `Good ${at + 1}`)],
  );
  const names = ["N/A", "-", "undefined undefined", "null", "n/a", "—"];
  const unnamed = await imported(
    "a.csv",
    csv(
      ["Name", "Rating", "Date", "Review"],
      ...["Na", ...names].map((name, at) => [name, "5", "2026-02-03", `Good ${at}`]),
    ),
  );
  assert.deepEqual([...new Set(unnamed.rows.map(({ author }) => author))], ["A Google user", "Na"]);
});

test("The label of the original is no word of the customer's, first or alone", async () => {
  const texts = [
    "(Original)\nSehr freundlich.\n\n(Translated by Google)\nVery friendly.",
    "(Original)\nSehr freundlich.",
    "(Original) Sehr freundlich.",
    "(Original) Sehr freundlich. (Translated by Google) Very friendly.",
  ];
  const rows = texts.map((text, at) => ({ author: `C${at}`, rating: 5, date: "2026-02-03", text }));
  for (const { text } of (await imported("a.json", rows)).rows) assert.equal(text, "Sehr freundlich.");
  const own = [{ author: "Ann", rating: 5, date: "2026-02-03", text: "(Original parts used) Fine." }];
  assert.equal((await imported("a.json", own)).rows[0]?.text, "(Original parts used) Fine.");
});

test("A reply is its words, and not the name of who wrote it", async () => {
  const owner_replies = [{ owner: "Dana", comment: "Thanks" }];
  const review = { user: { name: "Ann" }, comment: { text: "Good" }, date: "2026-02-03", rating: 5, owner_replies };
  assert.equal((await imported("a.json", { reviews: [review] }, "yelp")).rows[0]?.reply_text, "Thanks");
});

test("The customer's own words are read where another column has the translation, or some rows have theirs in another", async () => {
  for (const [text, original] of [
    ["Text", "Originaltext"],
    ["Comment", "Comment in original language"],
  ] as const) {
    const { rows } = await imported(
      "a.csv",
      csv(
        ["Author", "Rating", "Date", text, original],
        ["Ann", "5", "2026-02-03", "Very friendly.", "Sehr freundlich."],
      ),
    );
    assert.equal(rows[0]?.text, "Sehr freundlich.", original);
  }
  const { warnings } = await imported(
    "a.csv",
    csv(
      ["Name", "Rating", "Date", "Feedback", "Google review text", "Survey comment"],
      ["Ann", "5", "2026-02-03", "They were quick", "", ""],
      ["Bo", "1", "2026-02-03", "", "They were very late", ""],
      ["Cy", "1", "2026-02-03", "", "", "Nobody came at all"],
      ["Di", "1", "2026-02-03", "", "", ""],
    ),
  );
  assert.match(
    warnings,
    /1 review has no words in "Feedback", which is read, and some in "Google review text", which is not/,
  );
  assert.match(
    warnings,
    /1 review has no words in "Feedback", which is read, and some in "Survey comment", which is not/,
  );
});

test("Where no column holds the authors, one of titles may", async () => {
  const rows = csv(
    ["Title", "Content", "Rating", "Date"],
    ["Ann Bell", "Good work", "5", "2026-02-03"],
    ["Bo Stone", "Bad work", "1", "2026-02-02"],
  );
  assert.match((await imported("a.csv", rows)).warnings, /"Title" .* --columns author="Title"/);
  const play = [
    {
      id: "1",
      title: "Ann B.",
      avatar: "https://n.example/a",
      rating: 5,
      snippet: "Good",
      iso_date: "2026-02-03T15:00:00Z",
    },
    {
      id: "2",
      title: "Bo C.",
      avatar: "https://n.example/b",
      rating: 1,
      snippet: "Bad",
      iso_date: "2026-02-02T15:00:00Z",
    },
  ];
  const engine = { search_parameters: { engine: "google_play_product" }, reviews: play };
  assert.match((await imported("a.json", engine)).warnings, /"title" .* --columns author="title"/);
});

test("What a heading says is not for the public is not published, and the heading is quoted", async () => {
  for (const heading of ["Not for the website", "Internal complaints", "Rejected"]) {
    const { shown, warnings } = await imported(
      "a.csv",
      csv(
        ["Name", "Rating", "Date", "Review"],
        ["Ann", "5", "2026-02-03", "Good"],
        ["", "", "", ""],
        [heading, "", "", ""],
        ["Cy", "1", "2026-02-01", "Private matter"],
      ),
    );
    assert.deepEqual(shown, ["Ann"], heading);
    assert.match(warnings, new RegExp(`above: ${heading}`));
    assert.match(warnings, new RegExp(`"${heading}" stands alone in its row`));
  }
});

test("A message names what the file has, and what can be done with it", async () => {
  const details = (name: string, author: string) => ({
    result: {
      name,
      reviews: [{ author_name: author, rating: 5, text: "Good", time: 1770130800, relative_time_description: "x" }],
    },
    status: "OK",
  });
  assert.equal((await imported("a.json", [details("Depot Nord", "Ann")])).rows[0]?.author, "Ann");
  assert.match(await refused("a.json", [details("Depot Nord", "Ann"), details("Depot Süd", "Bo")]), /2 places/);

  const own = { reviews: [{ user: { name: "Ann" }, rating: 5, snippet: "Good", publishTime: "2026-02-03T15:00:00Z" }] };
  const [row] = (await imported("a.json", own)).rows;
  assert.deepEqual([row?.author, row?.text, row?.date], ["Ann", "Good", "2026-02-03"]);

  const outscraper = (day: string) =>
    csv(
      [
        "author_title",
        "review_rating",
        "review_text",
        "review_datetime_utc",
        "review_link",
        "owner_answer",
        "owner_answer_date",
      ],
      ["Ann", "5", "Good", day, "https://www.google.com/maps/reviews/1", "Thanks", "soon"],
    );
  assert.match(
    await refused("a.csv", outscraper("03.02.2026 15:00")),
    /review_datetime_utc is "03\.02\.2026 15:00".*01\/30\/2026/,
  );
  assert.match((await imported("a.csv", outscraper("02/03/2026 15:00:00"))).warnings, /owner_answer_date is "soon"/);

  const codes = csv(["Name", "Rating", "Date", "Review"], ["Ann", "5", "2026-02-03", "Good_x000D_work"]);
  const { warnings } = await imported("a.csv", codes);
  assert.match(warnings, /"Good_x000D_work" has a program's code in the place of a character/);
  assert.doesNotMatch(warnings, /lost characters/);
});

test("A second table with the same header below a blank line is passed over with a warning", async () => {
  const header = ["Name", "Rating", "Date", "Review"];
  for (const title of [[], ["Removed reviews", "", "", ""]]) {
    const { rows, warnings } = await imported(
      "a.csv",
      `${csv(header, ["Ann", "5", "2026-02-03", "Good"])}\n${csv(...(title.length === 0 ? [] : [title]), header, [
        "Cy",
        "1",
        "2026-02-01",
        "Late",
      ])}`,
    );
    assert.deepEqual(
      rows.map(({ author }) => author),
      ["Ann"],
    );
    assert.match(warnings, /another table begins here/);
  }
});

test("Days with dots in a column whose vendor writes slashes are told while each could be a month", async () => {
  const header = ["author_title", "review_rating", "review_text", "review_datetime_utc"];
  const of = (...rows: readonly (readonly string[])[]) => csv(header, ...rows);
  const low = ["Ann", "5", "Good", "03.04.2026 10:11"];
  assert.match(await refused("a.csv", of(low)), /03\.04\.2026 10:11.*may have taken days for months.*--dates dmy/);
  // A day that is no month shows that the spreadsheet read the months as they were meant.
  const { rows } = await imported("a.csv", of(low, ["Bo", "1", "Bad", "30.01.2026 10:11"]));
  assert.deepEqual(rows.map(({ date }) => date).toSorted(), ["2026-01-30", "2026-04-03"]);
  await using box = await openSandbox();
  await box.take(box.write("a.csv", of(low)), { dates: "dmy", source: "google" });
  assert.equal((await box.rows())[0]?.date, "2026-04-03");
  const replied = csv(
    [...header, "owner_answer", "owner_answer_timestamp_datetime_utc"],
    ["Ann", "5", "Good", "01/30/2026 10:11:12", "Thanks a lot", "02.03.2026 09:00"],
  );
  const reply = await imported("a.csv", replied);
  assert.deepEqual([reply.rows[0]?.date, reply.rows[0]?.reply_text], ["2026-01-30", "Thanks a lot"]);
  assert.match(reply.warnings, /02\.03\.2026 09:00.*the review is imported without it/);
});
