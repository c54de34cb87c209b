/** Files that combine forms, names of columns, scales, dates and states: what stands around the reviews is read, too. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { openSandbox } from "../../test/support/import-sandbox.ts";
import { imported, refused } from "../../test/support/imported-file.ts";
import { workbookOf } from "../../test/support/workbook-writer.ts";

const HEADER = "Name,Rating,Date,Text";
const ROWS = "Ann,4,2025-01-05,Quick\nBo,2,2025-01-16,Late\nCy,5,2025-01-17,Fine\n";
const TABLE = `${HEADER}\n${ROWS}`;
const REVIEWS = [
  { author: "Ann", rating: 4, date: "2025-01-05", text: "Quick" },
  { author: "Bo", rating: 2, date: "2025-01-16", text: "Late" },
];

test("A scale that a line above a table states is that of its ratings", async () => {
  for (const line of [
    "Rating (out of 10)",
    "Ratings from 1 to 10",
    "Scale: 1-10",
    "10-point scale",
    "Max. 10 points",
    "Bewertung von 1 bis 10",
    "Notes sur 10",
    "Puntuación de 1 a 10",
    "Cijfers 1 tot 10",
  ])
    assert.match(await refused("a.csv", `${line}\n\n${TABLE}`), /says that the ratings count to 10/, line);
  const sheet = workbookOf({ Reviews: [["Scale 1-10"], [], ["Name", "Rating", "Date"], ["Ann", 4, "2025-01-05"]] });
  assert.match(await refused("a.xlsx", sheet), /"Scale 1-10" above it says that the ratings count to 10/);
  for (const line of [
    "Rating (1-5)",
    "Rating out of 5",
    "Reviews 1-10",
    "Ratings, page 1 of 10",
    "Ratings 1-10 of 212",
    "Top 10 reviews",
    "Bewertungen von 10 Kunden",
  ])
    assert.equal((await imported("a.csv", `${line}\n\n${TABLE}`)).rows.length, 3, line);
  const own = `Scale 1-10\n\n${TABLE.replace("Rating", "Rating (1-5)")}`;
  assert.equal((await imported("a.csv", own)).rows.length, 3);
});

test("What stands above a table says the same in a spreadsheet as in CSV: its site and its place", async () => {
  const sheet = (title: string, rows = [["Ann", 4, "2025-01-05"]]) => [
    [title],
    [],
    ["Name", "Rating", "Date"],
    ...rows,
  ];
  const of = await imported("a.xlsx", workbookOf({ Sheet1: sheet("Trustpilot reviews") }));
  assert.equal(of.rows[0]?.source, "trustpilot");
  assert.match(of.warnings, /above the header, "Trustpilot reviews" is passed over/);
  const branches = workbookOf({
    Sheet1: sheet("Branch: Leeds"),
    Sheet2: sheet("Branch: York", [["Bo", 1, "2025-01-06"]]),
  });
  assert.match(await refused("a.xlsx", branches), /reviews of 2 places/);
});

test("A scale that is stated around a list is that of its ratings", async () => {
  for (const around of [
    { out_of: 10 },
    { bestRating: "10" },
    { rating_scale: "1-10" },
    { bewertungsskala: "1 bis 10" },
    { maxPoints: 10 },
    { settings: { ratingMax: 10 } },
    { survey: { scale: { min: 1, max: 10 } } },
    { meta: { max_score: 10 } },
  ])
    assert.match(
      await refused("a.json", { ...around, data: { reviews: REVIEWS } }),
      /must be 5: other scales/,
      JSON.stringify(around),
    );
  for (const around of [{ bestRating: 5 }, { page: 1, of: 10 }, { max: 100 }, { scale: "1-5" }])
    assert.equal((await imported("a.json", { ...around, reviews: REVIEWS })).rows.length, 2, JSON.stringify(around));
});

test("A header in other brackets says what its ratings count to", async () => {
  for (const name of ["Stars (10)", "Stars (1..10)", "Stars (0…10)", "Sterren (1 tot 10)"])
    assert.match(await refused("a.csv", TABLE.replace("Rating", name)), /counts to 10/, name);
  for (const name of ["Stars (5)", "Stars (1..5)"])
    assert.equal((await imported("a.csv", TABLE.replace("Rating", name))).rows.length, 3, name);
});

test("Naming the column of ratings does not set aside the scale beside it, unless it names another column", async () => {
  const table = "Name,Grade,Max rating,Date,Own\nAnn,4,10,2025-01-05,5\nBo,2,10,2025-01-16,1\n";
  await using box = await openSandbox();
  const columns = { rating: "Grade" };
  assert.match((await box.refusal(box.write("a.csv", table), { columns })).join(), /Max rating is "10"/);
  const titled = `Scale 1-10\n\n${table.replaceAll(",10,", ",5,")}`;
  assert.match((await box.refusal(box.write("b.csv", titled), { columns })).join(), /count to 10/);
  const other = box.write("c.csv", table.replace("Grade", "Rating"));
  await box.take(other, { columns: { rating: "Own" }, source: "google" });
  assert.deepEqual((await box.rows()).map(({ rating }) => rating).toSorted(), [1, 5]);
});
