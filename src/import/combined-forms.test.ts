/** Files that combine forms, names of columns, scales, dates and states: what stands around the reviews is read, too. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { openSandbox } from "../../test/support/import-sandbox.ts";
import { imported, refused } from "../../test/support/imported-file.ts";
import { workbookOf } from "../../test/support/workbook-writer.ts";
import { zipOf } from "../../test/support/zip-writer.ts";

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

const withColumn = (column: string, values: readonly string[]) =>
  `${HEADER},${column}\n${ROWS.trim()
    .split("\n")
    .map((row, at) => `${row},${values[at % values.length]}`)
    .join("\n")}\n`;

test("What is no site in a column that names others is told", async () => {
  const { rows, warnings } = await imported("a.csv", withColumn("Posted on", ["Google", "Yelp", "our own website"]));
  assert.deepEqual(rows.map(({ source }) => source).toSorted(), ["google", "google", "yelp"]);
  assert.match(warnings, /1 review has no name of a site in "Posted on", which names those of others/);
  assert.doesNotMatch(
    (await imported("a.csv", withColumn("Posted on", ["Google", "Yelp"]))).warnings,
    /no name of a site/,
  );
});

test("A member that names a site is read in a service's own shape, and a link to Google is no source but told", async () => {
  const google = {
    reviewer: { displayName: "Al" },
    starRating: "FIVE",
    createTime: "2026-01-05T09:00:00Z",
    reviewId: "1",
  };
  for (const name of [
    "platform",
    "source",
    "provider",
    "network",
    "sourceType",
    "channel",
    "origin",
    "reviewSource",
    "sourceName",
  ]) {
    const { rows } = await imported("a.json", { reviews: [{ ...google, [name]: "facebook" }] });
    assert.deepEqual(rows.map(({ source }) => source), ["facebook"], name); // biome-ignore format: a row
  }
  assert.equal((await imported("a.json", { platform: "Houzz", reviews: [google] })).rows[0]?.source, "houzz");
  const linked = { reviews: [{ ...google, link: "https://www.facebook.com/acme/reviews/1" }] };
  assert.equal((await imported("a.json", linked)).rows[0]?.source, "facebook");
  const scraped = "google_id,author_title,review_rating,review_datetime_utc,review_text,site,source\n";
  for (const [site, expected] of [["Booking.com", "booking.com"], ["", "google"]] as const)
    assert.equal((await imported("a.csv", `${scraped}0x1,Ann,5,01/05/2026 09:00:00,Fine,https://facebook.com/acme,${site}\n`)).rows[0]?.source, expected); // biome-ignore format: a row
  assert.equal((await imported("a.json", { reviews: [{ ...google, source: "Google" }] })).rows[0]?.source, "google");
  const homemade = [
    { user: { name: "Ann V." }, rating: 5, snippet: "Lovely", original_text: "Lovely, on Sunday", date: "2026-04-01" },
  ];
  assert.equal((await imported("a.json", { reviews: homemade })).rows[0]?.text, "Lovely, on Sunday");
  await using box = await openSandbox();
  const report = await box.take(
    box.write("a.csv", "author,rating,date,text,link\nAl,5,2026-01-05,Fine,https://www.google.com/maps/reviews/x\n"),
    {},
  );
  assert.match(report.warnings.join("\n"), /1 review links to Google and names no source/);
});

test("What stands beside a service's own members is named, and a reply that is not shown is left out", async () => {
  const google = {
    reviewId: "1",
    reviewer: { displayName: "Al" },
    starRating: "FIVE",
    comment: "Fine",
    createTime: "2026-01-05T09:00:00Z",
  };
  const reply = { comment: "Thanks", updateTime: "2026-01-06T09:00:00Z" };
  const apify = {
    title: "Acme",
    placeId: "ChIJaaaaaaaaaaaaaaaaaaa",
    name: "Al",
    stars: 5,
    text: "Fine",
    publishedAtDate: "2026-01-05T09:00:00Z",
    responseFromOwnerText: "Thanks",
  };
  const legacy = {
    author_name: "Al",
    rating: 5,
    text: "Fine",
    time: 1_767_603_600,
    relative_time_description: "a week ago",
  };
  const outscraper = { google_id: "0x1", author_title: "Al", review_rating: 5, review_timestamp: 1_767_603_600, owner_answer: "Thanks" }; // biome-ignore format: a record
  const named: readonly (readonly [object, string])[] = [
    [{ reviews: [{ ...google, title: "Top marks" }] }, "title"],
    [{ reviews: [{ ...google, rating: 1 }] }, "rating"],
    [{ result: { reviews: [{ ...legacy, owner_reply: "Thanks" }] } }, "owner_reply"],
    [[{ ...apify, reviewTitle: "Top marks" }], "reviewTitle"],
    [[{ ...outscraper, owner_reply_text: "Dear Al" }], "owner_reply_text"],
  ];
  for (const [file, name] of named) {
    const { rows, warnings } = await imported("a.json", file);
    assert.equal(rows.length, 1, name);
    assert.match(warnings, new RegExp(`does not use the members "${name}"`));
  }
  const hidden: readonly (readonly [object, string])[] = [
    [{ reviews: [{ ...google, reviewReply: { ...reply, status: "draft" } }] }, "reviewReply.status"],
    [[{ ...apify, replyStatus: "pending" }], "replyStatus"],
    [[{ ...outscraper, owner_answer_status: "draft" }], "owner_answer_status"],
  ];
  for (const [file, name] of hidden) {
    const { rows, warnings } = await imported("a.json", file);
    assert.deepEqual(rows.map(({ reply_text }) => reply_text), [null], name); // biome-ignore format: a row
    assert.match(warnings, new RegExp(`1 reply is left out, because "${name}" says that it is not public`));
  }
  for (const file of [
    { reviews: [{ ...google, reviewReply: { ...reply, status: "published" } }] },
    [apify],
    [outscraper],
  ]) {
    const { rows, warnings } = await imported("a.json", file);
    assert.equal(rows[0]?.reply_text, "Thanks");
    assert.doesNotMatch(warnings, /does not use|left out/);
  }
});

test("A site is named by brackets behind a column, by a title with its year, and beside a list, and asked for in notes", async () => {
  const rows = "Al,5,2026-01-05,Fine\n";
  const named: readonly (readonly [string, string | object, string])[] = [
    ["a.csv", `Author (Yelp),Rating,Date,Text\n${rows}`, "yelp"],
    ["a.csv", `Author,Rating (Tripadvisor),Date,Text\n${rows}`, "tripadvisor"],
    ["a.csv", `Author,Rating (1-5),Date (UTC),Text\n${rows}`, "google"],
    ["a.csv", `Author (Yelp),Rating (Facebook),Date,Text\n${rows}`, "google"],
    ["a.csv", `Author,Rating,Date,Text,Page (Facebook)\n${rows.trim()},x\n`, "google"],
    ["a.csv", `Yelp reviews January to March 2026\n\nAuthor,Rating,Date,Text\n${rows}`, "yelp"],
    [
      "a.json",
      { sourceType: "houzz", reviews: [{ author: "Al", rating: 5, date: "2026-01-05", text: "Fine" }] },
      "houzz",
    ],
  ];
  for (const [name, content, source] of named) {
    const { rows: read } = await imported(name, content);
    assert.deepEqual(read.map((row) => row.source), [source], String(content)); // biome-ignore format: a row
  }
  const noted = `Author,Rating,Date,Text,Notes\nAl,5,2026-01-05,Fine,copied from Yelp.\nBo,5,2026-01-06,Good,from his wife\n`;
  assert.match((await imported("a.csv", noted)).warnings, /"Notes" may say where the reviews were written/);
  const marked = "Author,Rating,Date,Text,Google,Facebook\nAl,5,2026-01-05,Fine,x,\nBo,4,2026-01-06,Good,,x\n";
  const { shown, warnings } = await imported("a.csv", marked);
  assert.deepEqual(shown, ["Al", "Bo"]);
  assert.match(warnings, /"Google", "Facebook" may say where the reviews were written/);
});

test("Stars that a tool may have made of recommendations are told, and a shop's grade and date are read", async () => {
  const recommended =
    "Author,Date,Text,Rating,Recommendation\nAl,2026-01-05,Fine,5,Recommends\nBo,2026-01-06,Bad,1,Doesn't recommend\n";
  const told = /says whether customers recommend the business, and "Rating" has 5 and 1 alone/;
  assert.match((await imported("a.csv", recommended)).warnings, told);
  assert.doesNotMatch((await imported("a.csv", recommended.replace("Fine,5", "Fine,4"))).warnings, told);
  const { rows } = await imported("a.csv", "customer_name,grade,date_add,content\nAl,4,2026-01-05 10:00:00,Fine\n");
  assert.deepEqual(rows.map(({ rating, date }) => [rating, date]), [[4, "2026-01-05"]]); // biome-ignore format: a row
});

test("A Google review's resource name is nobody's, and its original begins where a line of its own says so", async () => {
  const rows = "FIVE,Fine,2026-01-05T09:00:00Z,accounts/1/locations/2/reviews/a\n";
  const { rows: unnamed } = await imported("a.csv", `starRating,comment,createTime,name\n${rows}`);
  assert.doesNotMatch(String(unnamed[0]?.author), /accounts/);
  const own = "Ze gebruikten (originele) onderdelen.";
  const comment = `(Translated by Google) They used (original) parts.\n\n(Original)\n${own}`;
  const google = {
    reviewer: { displayName: "Al" },
    starRating: "FIVE",
    createTime: "2026-01-05T09:00:00Z",
    reviewId: "1",
  };
  assert.equal((await imported("a.json", { reviews: [{ ...google, comment }] })).rows[0]?.text, own);
});

test("A booking is no site, unless the column is one of sites or names others", async () => {
  for (const column of ["Type", "Visit", "Kind of visit"]) {
    const { rows, warnings } = await imported("a.csv", withColumn(column, ["Booking", "Walk-in"]));
    assert.deepEqual([rows[0]?.source, rows[1]?.source], ["google", "google"], column);
    assert.match(warnings, /may say where the reviews were written/);
  }
  assert.equal((await imported("a.csv", withColumn("Found", ["Yelp", "Tripadvisor"]))).rows[0]?.source, "google");
  assert.match(await refused("a.csv", withColumn("Portal", ["Booking", "Google"])), /whose ratings count to 10/);
  assert.equal((await imported("a.csv", withColumn("Type", ["Yelp", "Bing"]))).rows[0]?.source, "yelp");
});

test("One name behind different first names is the business's", async () => {
  const named = (last: readonly string[]) =>
    `First name,Name,Rating,Date\n${["Ann", "Bo", "Cy"].map((first, at) => `${first},${last[at]},5,2025-01-1${at}`).join("\n")}\n`;
  const { rows, warnings } = await imported("a.csv", named(["N Shop", "N Shop", "N Shop"]));
  assert.deepEqual(
    rows.map(({ author }) => author),
    ["Ann", "Bo", "Cy"],
  );
  assert.match(warnings, /the authors are read from "First name", not from "Name"/);
  assert.equal((await imported("a.csv", named(["Baker", "Dunn", "Dunn"]))).rows[0]?.author, "Ann Baker");
});

test("Leave for advertising is none to publish, and hides no review", async () => {
  for (const column of ["Acepta publicidad", "Accetta pubblicità", "Accord publicité", "Aceita publicidade"])
    assert.deepEqual((await imported("a.csv", withColumn(column, ["no"]))).shown, ["Ann", "Bo", "Cy"], column);
});

test("Branches of one name at two addresses are two places", async () => {
  const review = (name: string, address: string | undefined, others = {}) => ({
    title: "N Coffee",
    name,
    stars: 5,
    publishedAtDate: "2025-01-05T10:00:00.000Z",
    text: `Fine ${name}`,
    reviewOrigin: "Google",
    isLocalGuide: false,
    address,
    ...others,
  });
  const [leeds, york] = ["1 High St, Leeds", "2 Low St, York"];
  const two = await refused("a.json", [review("Ann", leeds), review("Bo", leeds), review("Cy", york)]);
  assert.match(two, /reviews of 2 places/);
  assert.match(two, /"N Coffee" \(address 1 high st, leeds\): 2 reviews/);
  for (const same of [
    [review("Ann", leeds), review("Bo", leeds.toUpperCase())],
    [review("Ann", leeds), review("Bo", undefined)],
    [review("Ann", leeds, { placeId: "P1" }), review("Bo", york, { placeId: "P1" })],
  ])
    assert.equal((await imported("a.json", same)).rows.length, 2);
});

test("Branches are told apart beside a column with the business's name", async () => {
  const table = (columns: string, ...rows: readonly string[]) =>
    `${columns},Author,Rating,Date\n${rows.map((row, at) => `${row},C${at},5,2025-01-1${at}`).join("\n")}\n`;
  for (const columns of ["Business name,Branch", "Company name,Store", "Place name,Filiale", "Business,Location name"])
    assert.match(await refused("a.csv", table(columns, "N Coffee,Leeds", "N Coffee,York")), /of 2 places/, columns);
  const two = await refused("a.csv", table("Business name,Branch", "N Coffee,Leeds", "N Coffee,York"));
  assert.match(two, /"N Coffee" \(branch leeds\): 1 review/);
  assert.match(await refused("a.csv", table("Branch,Business name", "Leeds,N", "York,N")), /"Leeds": 1 review/);
  const located = ["Leeds", "York"].map((name, at) => ({
    business: { name: "N Coffee" },
    location: { name },
    author: `C${at}`,
    rating: 5,
    date: "2025-01-15",
  }));
  assert.match(await refused("a.json", located), /of 2 places/);
  assert.equal(
    (await imported("a.csv", table("Business name,Branch", "N Coffee,Leeds", "N Coffee,Leeds"))).rows.length,
    2,
  );
  assert.equal((await imported("a.csv", table("Business name,Branch", "N Coffee,Leeds", "N Coffee,"))).rows.length, 2);
  const ids = table("Place ID,Business name,Branch", "P1,N Coffee,Leeds", "P1,N Coffee,Leeds North");
  assert.equal((await imported("a.csv", ids)).rows.length, 2);
});

test("States that were added to Outscraper's own columns are respected", async () => {
  const table = (column: string, shown: string, hidden: string) =>
    `google_id,review_id,author_title,review_rating,review_timestamp,review_text,${column}\ng,r1,Ann,5,1736071872,Fine,${shown}\ng,r2,Bo,1,1736071999,Late,${hidden}\n`;
  for (const [column, shown, hidden] of [
    ["status", "published", "hidden"],
    ["is_spam", "0", "1"],
    ["moderation", "approved", "rejected"],
    ["visible", "true", "false"],
  ] as const)
    assert.deepEqual((await imported("a.csv", table(column, shown, hidden))).shown, ["Ann"], column);
  const [ann, bo] = [1, 2].map((at) => ({
    google_id: "g",
    review_id: `r${at}`,
    author_title: `C${at}`,
    review_rating: 5,
    review_timestamp: 1736071872 + at,
    isDeleted: at === 2,
  }));
  assert.deepEqual((await imported("a.json", [ann, bo])).shown, ["C1"]);
});

test("Two times of one review that contradict each other are told", async () => {
  const header = "google_id,review_id,author_title,review_rating,review_timestamp,review_datetime_utc,review_text\n";
  const row = (time: string) => `g,r1,Ann,5,1736071872,${time},Fine\n`; // 2025-01-05
  const { rows, warnings } = await imported("a.csv", header + row("05/01/2025 10:11:12"));
  assert.equal(rows[0]?.date, "2025-01-05");
  assert.match(
    warnings,
    /1 review has a day in "review_timestamp", which is read, and another in "review_datetime_utc"/,
  );
  assert.doesNotMatch((await imported("a.csv", header + row("01/05/2025 10:11:12"))).warnings, /another in/);
});

test("Further names of columns are known", async () => {
  for (const [author, rating, date, text, reply] of [
    ["Nome e cognome", "Stelle", "Inserito il", "Opinione", "Replica"],
    ["Nombre y apellidos", "Estrellas", "Fecha", "Comentario", "Contestación"],
    ["Vor- und Nachname", "Sterne", "Datum", "Freitext", "Antwort"],
    ["Déposé par", "Note sur 5", "Date", "Avis", "Réponse"],
    ["Geplaatst door", "Sterren", "Datum van plaatsing", "Toelichting", "Reactie van de eigenaar"],
  ] as const) {
    const row = "Ann,4,2025-01-15,Too late again,Thank you for telling us";
    const { rows } = await imported("a.csv", `${author},${rating},${date},${text},${reply}\n${row}\n`);
    const [{ author: name = "", text: words = "", reply_text: answer = "" } = {}] = rows;
    assert.deepEqual([name, words, answer], ["Ann", "Too late again", "Thank you for telling us"], author);
  }
});

test("Outscraper's reviews of an app are Google Play's, and those that do not tell their site are nobody's", async () => {
  const review = { review_id: "gp:1", author_title: "Al", review_rating: 5, review_timestamp: 1_767_603_600, owner_answer: "Thanks", owner_answer_timestamp: 1_767_603_700 }; // biome-ignore format: a record
  const app = await imported("a.json", [{ app_id: "app.example", place_id: null, ...review }]);
  assert.deepEqual([app.rows[0]?.source, app.shown], ["googleplay", []]);
  await using box = await openSandbox();
  const { warnings } = await box.take(box.write("b.json", [review]));
  assert.match(warnings.join("\n"), /source/);
});

test("A shape like Google's with the customer's name in other members is none of Google's", async () => {
  const review = { reviewId: "1", starRating: 4, comment: "Nice", createTime: "2026-03-01T10:00:00Z" };
  const named = { ...review, reviewer: { firstName: "Ivy", lastName: "Hart" } };
  const { rows } = await imported("a.json", { reviews: [named] });
  assert.equal(rows[0]?.author, "Ivy Hart");
});

test("What a site shows in the place of a review's words hides it, and what a customer writes of that does not", async () => {
  const gone = [
    "Bewertung gelöscht",
    "Diese Bewertung wurde deaktiviert.",
    "Esta reseña fue eliminada",
    "Recensione rimossa",
    "(deleted)",
    "*** REMOVED ***",
    "Review removed by Trustpilot for breaching guidelines",
    "Content hidden pending moderation",
  ];
  const own = ["Review was removed after I complained, so here it is again", "They removed my review.", "(Great)"];
  const rows = [...gone, ...own].map((text, at) => ({ author: `C${at}`, rating: 4, date: "2026-01-02", text }));
  const { shown } = await imported("a.json", rows);
  assert.deepEqual(shown, own.map((_, at) => `C${gone.length + at}`).toSorted());
});

test("A column without a name is read for notes, and named if it holds words", async () => {
  const header = "Name;Stars;Date;Comment;;";
  const { shown, warnings } = await imported(
    "a.csv",
    `${header}\nAnn;5;2026-02-14;Good;;x\nBo;1;2026-02-15;Bad;;do not publish\nCy;4;2026-02-16;Fine;;asked again\n`,
  );
  assert.deepEqual(shown, ["Ann", "Cy"]);
  assert.match(warnings, /column 6/);
  const told = await imported("a.csv", `${header}\nAnn;5;2026-02-14;Good;;by phone\nBo;1;2026-02-15;Bad;;\n`);
  assert.match(told.warnings, /does not use the columns "column 6"/);
  const numbered = await imported(
    "a.csv",
    ",Name,Stars,Date,Comment,,\n0,Ann,5,2026-02-14,Good,,\n1,Bo,5,2026-02-15,Bad,,\n",
  );
  assert.doesNotMatch(numbered.warnings, /column/);
});

test("In a service's shape, objects beside its own tell states and sites, and members in the place of its own are named", async () => {
  const review = (id: string, more: object) => ({
    ...{ reviewId: id, starRating: "FOUR", comment: "Nice", createTime: "2026-03-01T10:00:00Z" },
    ...{ reviewer: { displayName: `C${id}` }, ...more },
  });
  const { shown, rows, warnings } = await imported("a.json", {
    reviews: [
      review("1", {}),
      review("2", { meta: { published: false } }),
      review("3", { widget: { show: false } }),
      review("4", { site: { name: "Trustpilot" } }),
      review("5", { reviewer: { name: "Di" } }),
      review("6", { reviewReply: { text: "Thanks" } }),
      review("7", { replies: [{ comment: "Thanks" }] }),
      review("8", { place: { published: false } }),
    ],
  });
  assert.deepEqual(shown, ["A Google user", "C1", "C6", "C7", "C8"]);
  assert.equal(rows.find(({ author }) => author === "C4")?.source, "trustpilot");
  for (const name of ["reviewer.name", "reviewReply.text", "replies"]) assert.ok(warnings.includes(`"${name}"`), name);
  const renamed = await imported("a.json", { reviews: [{ ...review("1", {}), comment: undefined, content: "Fine" }] });
  assert.match(renamed.warnings, /the words are read from "content"/);
  assert.doesNotMatch(renamed.warnings, /does not use/);
});

test("A place's or a product's column gives way to the review's own in other languages, and a shop's post to its comments", async () => {
  for (const header of [
    "nom,auteur_avis,note,date,avis",
    "Naam,Auteur recensie,Waardering,Datum,Tekst",
    "nombre,autor_reseña,estrellas,fecha,texto",
    "nome,autore_recensione,voto,data,testo",
  ]) {
    const { rows } = await imported("a.csv", `${header}\nGarage,Ann,4,2025-01-05,Bien\nGarage,Bo,2,2025-01-16,Mal\n`);
    assert.deepEqual(
      rows.map(({ author }) => author),
      ["Ann", "Bo"],
      header,
    );
  }
  const stars = await imported(
    "a.csv",
    "Name,Bewertung,Sterne Rezension,Datum\nAnn,4.6,2,2025-01-05\nBo,4.6,5,2025-01-06\n",
  );
  assert.deepEqual(
    stars.rows.map(({ rating }) => rating),
    [2, 5],
  );
  const many = await imported(
    "a.csv",
    "nom,nombre_avis,note,date,avis\nAnn,12,4,2025-01-05,Bien\nBo,3,2,2025-01-16,Mal\n",
  );
  assert.deepEqual(
    many.rows.map(({ author }) => author),
    ["Ann", "Bo"],
  );
  const shop = await imported(
    "a.csv",
    "post_title,post_date,comment_date,comment_author,comment_content,rating\nMug,2020-05-01,2025-01-05,Ann,Nice,5\nMug,2020-05-01,2025-02-06,Bo,Bad,2\n",
  );
  assert.deepEqual(
    shop.rows.map(({ date, text }) => `${date} ${text}`),
    ["2025-01-05 Nice", "2025-02-06 Bad"],
  );
});

test("A day of publication that is missing hides a review in other languages, too", async () => {
  for (const name of ["Veröffentlicht am", "Publié le", "Publicado el", "Gepubliceerd op"]) {
    const { shown } = await imported(
      "a.csv",
      `Name,Rating,Date,Text,${name}\nAnn,4,2025-01-05,Quick,2025-01-06\nBo,2,2025-01-16,Late,\n`,
    );
    assert.deepEqual(shown, ["Ann"], name);
  }
});

test("In a service's shape and table, states and notes in further words are respected, and a scale refuses the file", async () => {
  const header = "google_id,author_title,review_rating,review_text,review_timestamp";
  for (const [column, shown, hidden] of [
    ["Publish?", "yes", "no"],
    ["Veröffentlichen", "ja", "nein"],
    ["Notiz", "", "nicht zeigen"],
    ["May we publish this?", "Yes", "No"],
  ] as const) {
    const table = `${header},${column}\n0x1,Ann,5,Good,1770800400,${shown}\n0x1,Bo,1,Bad,1771405200,${hidden}\n`;
    assert.deepEqual((await imported("a.csv", table)).shown, ["Ann"], column);
  }
  const from = await imported("a.csv", `${header},Quelle\n0x1,Ann,5,Good,1770800400,Trustpilot\n`);
  assert.equal(from.rows[0]?.source, "trustpilot");
  const lost = await imported(
    "a.csv",
    `${header},reviewer_name\n0x1,Ann,5,Good,1770800400,\n0x1,,1,Bad,1771405200,Bo\n`,
  );
  assert.match(lost.warnings, /does not use the members "reviewer_name"/);
  const v4 = { reviewId: "1", reviewer: { displayName: "Ann" }, starRating: 4, createTime: "2026-03-01T10:00:00Z" };
  assert.deepEqual((await imported("a.json", { reviews: [{ ...v4, publish: false }] })).shown, []);
  assert.match(await refused("a.json", { bestRating: 10, reviews: [v4] }), /bestRating is 10, but must be 5/);
  const places = { rating: 5, publishTime: "2026-03-01T10:00:00Z", text: { text: "Fine" }, originalText: null };
  const { rows } = await imported("a.json", { reviews: [{ ...places, authorAttribution: { displayName: "Ann" } }] });
  assert.equal(rows[0]?.text, "Fine");
});

test("Lines above a table that hide what is below, or say that 1 is the best, are heard, and months that became days are told", async () => {
  for (const line of ["Rejected reviews", "Status: abgelehnt", "DRAFT - internal - do not publish"])
    assert.deepEqual((await imported("a.csv", `${line}\n\n${TABLE}`)).shown, [], line);
  assert.equal((await imported("a.csv", `Reviews - Leeds\n\n${TABLE}`)).shown.length, 3);
  for (const line of ["Schulnoten 1-6", "1 = excellent ... 5 = poor", "Skala: 1 = sehr gut bis 5 = schlecht"])
    assert.match(await refused("a.csv", `${line}\n\n${TABLE}`), /in which 1 is the best/, line);
  const months = (days: readonly string[]) =>
    `${HEADER}\n${days.map((day, at) => `C${at},4,2025-${day},Fine`).join("\n")}\n`;
  const firsts = await imported("a.csv", months(["02-01", "03-01", "03-01", "08-01"]));
  assert.match(firsts.warnings, /each of the 4 days is the first of its month/);
  for (const days of [
    ["02-01", "03-01", "08-01"],
    ["02-01", "03-01", "08-01", "08-02"],
    ["02-01", "02-01", "02-01", "02-01"],
  ])
    assert.doesNotMatch((await imported("a.csv", months(days))).warnings, /first of its month/);
});

test("A service's ratings of another scale refuse its file, as any other's do", async () => {
  const header = "google_id,author_title,review_rating,review_text,review_timestamp";
  const table = `${header}\n0x1,Ann,10,Calm,1767607200\n0x1,Bo,5,Slow,1767693600\n`;
  assert.match(await refused("a.csv", table), /line 2 has "?10"?, so the ratings seem to count to 10/);
  const apify = { placeId: "P", name: "Ann", publishedAtDate: "2026-03-01T10:00:00Z", text: "Fine" };
  const list = [
    { ...apify, reviewId: "1", stars: 10 },
    { ...apify, reviewId: "2", stars: 5 },
  ];
  assert.match(await refused("a.json", list), /count to 10/);
  for (const site of ["HolidayCheck", "Hotels.com", "Trivago"])
    assert.match(await refused("a.csv", `${HEADER},Site\nAnn,5,2025-01-05,Quick,${site}\n`), /count to (?:6|10)/, site);
  await using box = await openSandbox();
  const nps = box.write("a.csv", "Name,NPS,Date,Text\nAnn,4,2025-01-05,Quick\nBo,5,2025-01-06,Late\n");
  assert.match((await box.refusal(nps, { columns: { rating: "NPS" } })).join(), /counts to 10/);
});

test("A service's records that were deleted, rejected or left without a mark are not shown", async () => {
  const v4 = (id: string, more: object) => ({
    ...{ reviewId: id, reviewer: { displayName: `C${id}` }, starRating: "TWO", createTime: "2026-03-01T10:00:00Z" },
    ...more,
  });
  const { shown } = await imported("a.json", {
    reviews: [
      v4("1", { deletedAt: null }),
      v4("2", { deletedAt: "2026-03-02T10:00:00Z" }),
      v4("3", { moderation: { state: "rejected" } }),
    ],
  });
  assert.deepEqual(shown, ["C1"]);
  const header = "google_id,author_title,review_rating,review_text,review_timestamp,Show on site";
  const marked = await imported("a.csv", `${header}\n0x1,Ann,4,Calm,1767607200,x\n0x1,Bo,5,Slow,1767693600,\n`);
  assert.deepEqual(marked.shown, ["Ann"]);
  const unmarked = await imported("a.csv", `${header}\n0x1,Ann,4,Calm,1767607200,\n0x1,Bo,5,Slow,1767693600,\n`);
  assert.deepEqual(unmarked.shown, ["Ann", "Bo"]);
  for (const name of ["publish_date", "date_published"]) {
    const text = `Name,Rating,Date,Text,${name}\nAnn,4,2025-01-05,Quick,2025-01-06\nBo,2,2025-01-16,Late,\n`;
    assert.deepEqual((await imported("a.csv", text)).shown, ["Ann"], name);
  }
  const facebook = { created_time: "2026-01-05T10:00:00+0000", review_text: "Calm", reviewer: { name: "Ann" } };
  const recommended = { data: [{ ...facebook, recommendation_type: "positive", rating: 5 }] };
  assert.match(await refused("a.json", recommended), /is without stars/);
});

test("Lost letters, and what spreadsheets show in the place of words, are told in further languages", async () => {
  for (const text of ["It?s good, don?t worry", "Gr??e aus K?ln"]) {
    const { warnings } = await imported("a.csv", `${HEADER}\nAnn,4,2025-01-05,"${text}"\n`);
    assert.match(warnings, /has lost characters/, text);
  }
  for (const text of ["Really? Yes", "Why?", "See https://a.example/b?c=d", "What?!"]) {
    const { warnings } = await imported("a.csv", `${HEADER}\nAnn,4,2025-01-05,"${text}"\n`);
    assert.doesNotMatch(warnings, /lost characters/, text);
  }
  for (const text of ["#WERT!", "#BEZUG!", "#¡VALOR!", "#NOME?"]) {
    const { rows, warnings } = await imported("a.csv", `${HEADER}\nAnn,4,2025-01-05,${text}\n`);
    assert.match(warnings, /by which the spreadsheet replaced the words/, text);
    assert.equal(rows[0]?.text, null);
  }
});

test("A file or a folder inside an archive that is called as what is hidden, or after a site, says so of its reviews", async () => {
  await using box = await openSandbox();
  const table = (name: string) => `${HEADER}\n${name},4,2025-01-05,Quick\n`;
  const files = { "approved.csv": table("Ann"), "rejected.csv": table("Bo"), "drafts/1.csv": table("Cy") };
  const all = { ...files, "yelp/reviews.csv": table("Di"), "archive/2019.csv": table("Ed") };
  const zip = box.write("a.zip", zipOf(Object.entries(all).map(([name, content]) => ({ name, content }))));
  await box.take(zip, { source: "google" });
  const shown = (await box.reviews()).map(({ author }) => author).toSorted();
  assert.deepEqual(shown, ["Ann", "Ed"]);
  assert.equal((await box.rows()).find(({ author }) => author === "Di")?.source, "yelp");
});

test("Who does not want to be named is not, and words or a translation in an unknown place are told", async () => {
  for (const column of ["Kunde will nicht genannt werden", "Do not name", "Ne pas nommer"]) {
    const answers = column.startsWith("K") ? ["nein", "ja"] : ["no", "yes"];
    const text = `Name,Rating,Date,Text,${column}\nAnn,4,2025-01-05,Quick,${answers[0]}\nBo,2,2025-01-16,Late,${answers[1]}\n`;
    assert.deepEqual((await imported("a.csv", text)).shown, ["A Google user", "Ann"], column);
  }
  const header = "google_id,author_title,review_rating,review_title,review_text,review_timestamp,review_likes_answer";
  const g2 = await imported("a.csv", `${header}\n0x1,Ann,4,Decent,,1760000000,The quick work they do\n`);
  assert.match(g2.warnings, /does not use the members "review_likes_answer"/);
  const deepl = `${HEADER}\nAnn,4,2025-01-05,(Translated by DeepL) Nice work. (Original) Gute Arbeit.\n`;
  assert.equal((await imported("a.csv", deepl)).rows[0]?.text, "Gute Arbeit.");
  const alone = `${HEADER}\nAnn,4,2025-01-05,Nice work. (Translated by DeepL)\n`;
  assert.match((await imported("a.csv", alone)).warnings, /machine's translation/);
});

test("A customer's yes without the name, notes to do, and whether there is an answer, are what they say", async () => {
  for (const answer of ["Ja, aber ohne meinen Namen", "Oui, de façon anonyme", "Yes, without my name"]) {
    const column = "Dürfen wir Ihre Bewertung auf unserer Webseite zeigen?";
    const text = `Name,Rating,Date,Text,${column}\nAnn,4,2025-01-05,Quick,"${answer}"\nBo,2,2025-01-16,Late,Ja\n`;
    assert.deepEqual((await imported("a.csv", text)).shown, ["A Google user", "Bo"], answer);
  }
  const answered =
    "Nombre,Estrellas,Fecha,Texto,Respuesta\nAnn,5,2025-01-02,Bien,Sí\nBo,1,2025-01-03,Mal,No\nCy,2,2025-01-04,Mal,Pendiente\n";
  assert.deepEqual((await imported("a.csv", answered)).shown, ["Ann", "Bo", "Cy"]);
  const notes = `${HEADER},Reply\nAnn,4,2025-01-05,Quick,TODO ask the boss\nBo,2,2025-01-16,Late,Thank you for coming!\n`;
  assert.deepEqual(
    (await imported("a.csv", notes)).rows.map(({ reply_text }) => reply_text),
    [null, "Thank you for coming!"],
  );
});

test("A channel of another scale, and a mean above five, say what ratings count to", async () => {
  const channel =
    "Guest,Overall rating,Date,Comment,Channel\nAnn,5,2025-01-02,Good,TheFork\nBo,4,2025-01-03,Bad,TheFork\n";
  assert.match(await refused("a.csv", channel), /count to 10/);
  assert.match(
    await refused("a.json", { averageRating: 9.1, reviews: REVIEWS }),
    /averageRating is "?9.1"?, more than 5/,
  );
  assert.equal((await imported("a.json", { averageRating: 4.6, reviews: REVIEWS })).rows.length, 2);
  const titled = "Title,Text,Rating,Date,Name\n5 stars,Quick,5,2025-01-05,Ann\nGreat,Fine,5,2025-01-06,Bo\n";
  assert.match((await imported("a.csv", titled)).warnings, /1 title gives nothing but the stars: left out/);
});

test("A site in a column that only its values tell, a mean beside the list, and a question say what ratings count to", async () => {
  const found =
    "Name,Date,Rating,Comment,Gefunden auf\nAnn,2026-01-05,4,Cold,Booking.com\nBo,2026-02-03,5,Average,Booking.com\n";
  assert.match(await refused("a.csv", found), /count to 10/);
  assert.match(await refused("a.json", { hotel: { score: 8.7 }, reviews: REVIEWS }), /8\.7.*more than 5/);
  const asked = "Name,Sur une échelle de 0 à 10, quelle est votre satisfaction ?,Date,Text\n".replace("10,", "10;");
  await using box = await openSandbox();
  const file = box.write("a.csv", `${asked}Ann,4,2025-01-05,Quick\n`);
  const [, rating = ""] = asked.split(",");
  assert.match((await box.refusal(file, { columns: { rating }, source: "google" })).join(), /counts to 10/);
});

test("Drafts of replies are none, a name is shown as its customer answers, and links lose their entities", async () => {
  const drafts = `${HEADER},Reply\nAnn,4,2025-01-05,Quick,Thank you Ann!\nBo,1,2025-01-16,Never,DRAFT - not sent: we are sorry\n`;
  assert.deepEqual(
    (await imported("a.csv", drafts)).rows.map(({ reply_text }) => reply_text),
    ["Thank you Ann!", null],
  );
  for (const column of ["Namensnennung", "Darf Ihr Name genannt werden?"]) {
    const text = `Name,Rating,Date,Text,${column}\nAnn,4,2025-01-05,Quick,ja\nBo,2,2025-01-16,Late,nein\n`;
    assert.deepEqual((await imported("a.csv", text)).shown, ["A Google user", "Ann"], column);
  }
  const only = `Name,Rating,Date,Text,Veröffentlichen\nAnn,4,2025-01-05,Quick,"ja, ohne Namen"\nBo,2,2025-01-16,Late,ja\n`;
  assert.deepEqual((await imported("a.csv", only)).shown, ["A Google user", "Bo"]);
  const linked = (link: string) => imported("a.json", [{ ...REVIEWS[0], link }]);
  for (const link of ["https://example.com/?p=5&#038;cpage=1", "https://example.com/?p=5&amp;amp;cpage=1"])
    assert.equal((await linked(link)).rows[0]?.source_url, "https://example.com/?p=5&cpage=1", link);
});

test("Totals of a period, further labels of translators, tags in a service's shape and grades in brackets are known", async () => {
  for (const name of ["Total May", "Average 2026", "Overall", "Gesamt Mai 2026", "Átlag", "Durchschnitt Q2"]) {
    const { rows } = await imported("a.csv", `${TABLE}${name},4,2025-05-31,\n`);
    assert.deepEqual(
      rows.map(({ author }) => author),
      ["Ann", "Bo", "Cy"],
      name,
    );
  }
  const texts = (text: string) => imported("a.json", [{ ...REVIEWS[0], text }]);
  assert.equal(
    (await texts("(Preložené Googlom) Veľmi milí.\n\n(Pôvodné)\nVery friendly")).rows[0]?.text,
    "Very friendly",
  );
  for (const text of [
    "Nette Leute. Von Google übersetzt ∙ Original ansehen (Englisch)",
    "Nice people. Translated with DeepL.com (free version)",
    "Translated by Booking.com",
  ])
    assert.match((await texts(text)).warnings, /machine's translation/, text);
  assert.equal((await texts("k. A.")).rows[0]?.text, null);
  const v4 = { reviewId: "1", reviewer: { displayName: "Ann" }, starRating: "TWO", createTime: "2026-03-01T10:00:00Z" };
  const tagged = await imported("a.json", { reviews: [{ ...v4, comment: "Booked<br>twice." }] });
  assert.equal(tagged.rows[0]?.text, "Booked\ntwice.");
  assert.match(tagged.warnings, /1 text has tags of HTML/);
  assert.match(await refused("a.csv", `Skala: 1 (sehr gut) bis 5 (mangelhaft)\n\n${TABLE}`), /in which 1 is the best/);
});

test("What a service's table says of the place is no note on its reviews", async () => {
  const header = "name,google_id,author_title,review_rating,review_text,review_timestamp,remark";
  const table = `${header}\nSmith Clinic (private),0x1,Ann,5,Good,1760000000,\nSmith Clinic (private),0x1,Bo,2,Late,1760000001,Complaint (private)\n`;
  assert.deepEqual((await imported("a.csv", table)).shown, ["Ann"]);
});

test("What missing or misplaced quotation marks leave in a table's cells is refused, and what looks like it is not", async () => {
  const header = "Author,Rating,Date,Review,Reply";
  const cut = `${header}\nAnn,5,2026-05-11,Very careful, tidy and on time.\nBo,5,2026-05-12,Fine.,Thanks Bo\n`;
  assert.match(await refused("a.csv", cut), /line 2.*"tidy and on time\." seems to be the rest of the words/);
  assert.match(await refused("a.csv", cut.replaceAll(/,(?! )/g, ";").replace(", ", "; ")), /"tidy and on time\."/);
  const whole = `${header}\nAnn,5,2026-05-11,Very careful., thanks a lot\nBo,5,2026-05-12,"One, two", Thanks Bo\n`;
  assert.deepEqual(
    (await imported("a.csv", whole)).rows.map(({ reply_text }) => reply_text?.trim()),
    ["thanks a lot", "Thanks Bo"],
  );
  const open = 'Author,Rating,Date,Review\nAnn,5,2026-05-11,"Good work\nBo,1,2026-05-12,"\nCy,4,2026-05-13,Fine\n';
  assert.match(await refused("a.csv", open), /line 2.*a row of its own \("Bo,1,2026-05-12,"\)/);
  const list = 'Author,Rating,Date,Review\nAnn,5,2026-05-11,"Good work\nOn 1, 5, 2026 they came, too"\n';
  assert.equal((await imported("a.csv", list)).rows.length, 1);
});

test("Of two ratings that differ, the advice names the one that is not the same for every review", async () => {
  const table = (first: string, other: string) =>
    `title,${first},author,${other},date,text\nCorner,4,Ann,1,2026-05-11,Bad\nCorner,4,Bo,5,2026-05-12,Good\n`;
  for (const [place, own] of [["review_rating", "user_rating"] as const, ["rating", "stars"] as const]) {
    assert.match(await refused("a.csv", table(place, own)), new RegExp(`--columns rating="${own}"`));
    assert.match(await refused("a.csv", table(own, place)), new RegExp(`--columns rating="${place}"`));
  }
});

test("Numbers of sites are no ids, ranks no titles, and one day beside ages that differ is told as the export's", async () => {
  const numbered = {
    sources: { 1: "Google", 2: "Yelp" },
    reviews: REVIEWS.map((each, at) => ({ ...each, source_id: at + 1 })),
  };
  const { rows, warnings } = await imported("a.json", numbered);
  assert.deepEqual(
    rows.map(({ source_id }) => source_id),
    [null, null],
  );
  assert.match(warnings, /"source_id" may say where the reviews were written/);
  const own = "id,source_id,Name,Rating,Date\na1,1,Ann,4,2025-01-05\na2,2,Bo,2,2025-01-16\n";
  assert.deepEqual((await imported("a.csv", own)).rows.map(({ source_id }) => source_id).toSorted(), ["a1", "a2"]);
  const ids = "source_id,Name,Rating,Date\n9001,Ann,4,2025-01-05\n9002,Bo,2,2025-01-16\n";
  assert.deepEqual((await imported("a.csv", ids)).rows.map(({ source_id }) => source_id).toSorted(), ["9001", "9002"]);
  const ranked = await imported(
    "a.csv",
    "Name,Title,Rating,Date,Text\nAnn,Local Guide · 12 reviews,4,2025-01-05,Quick\nBo,Verified buyer,2,2025-01-16,Late\nCy,Verified: great,5,2025-01-17,Fine\n",
  );
  assert.deepEqual(ranked.rows.map(({ text }) => text).toSorted(), ["Late", "Quick", "Verified: great\n\nFine"]);
  assert.match(ranked.warnings, /2 titles are the rank of a customer/);
  const [ann, bo] = REVIEWS.map(({ date: _, ...review }) => ({ ...review, createdAt: "2026-03-17T10:00:00Z" }));
  const aged = [
    { ...ann, when: "3 months ago" },
    { ...bo, when: "a year ago" },
  ];
  assert.match((await imported("a.json", aged)).warnings, /"createdAt" has one day .*"3 months ago", "a year ago"/);
});

test("One day and one text for three reviews and more are the list's, where other columns have different ones", async () => {
  const rows = ["Anna,5,2026-05-20,2026-01-02,Da Gino,Ottimo", "Bruno,1,2026-05-20,2026-02-03,Da Gino,Freddo"];
  const header = "Nome,Stelle,Data,Data recensione,Testo,Recensione";
  const table = [header, ...rows, "Carla,4,2026-05-20,2026-03-04,Da Gino,Bene"].join("\n");
  const { rows: read, warnings } = await imported("a.csv", table);
  assert.deepEqual(
    read.map(({ date, text }) => [date, text]),
    [
      ["2026-01-02", "Ottimo"],
      ["2026-02-03", "Freddo"],
      ["2026-03-04", "Bene"],
    ],
  );
  assert.match(warnings, /a day in "Data recensione", which is read, and another in "Data"/);
});

test("Of two times of a record, the report names the one that is not read, and the first record dates the review", async () => {
  const v4 = {
    reviewId: "1",
    reviewer: { displayName: "Ann" },
    starRating: "THREE",
    updateTime: "2026-03-01T10:00:00Z",
  };
  const stored = { ...v4, createTime: "2026-03-01T10:00:00Z", createdAt: "2026-04-01T10:00:00Z" };
  const read = await imported("a.json", [stored]);
  assert.equal(read.rows[0]?.date, "2026-03-01");
  assert.match(read.warnings, /"createdAt" is later than "createTime"; 1 review is dated by "createTime"/);
  for (const name of ["create_time", "time", "timestamp", "datetime", "date_created", "written_at", "reviewed_at"]) {
    const table = `author,rating,text,${name},created_at\nAnn,5,Good,2026-03-01 10:00,2026-04-01 10:00\n`;
    const { rows, warnings } = await imported("a.csv", table);
    assert.equal(rows[0]?.date, "2026-03-01", name);
    assert.match(warnings, new RegExp(`"created_at".*"${name}"`), name);
  }
  const edited = "author,rating,text,create_time,inserted_on,created_at\nAnn,5,Good,,2026-03-01,2026-04-01 10:00\n";
  assert.match((await imported("a.csv", edited)).warnings, /"inserted_on"/);
});

test("Sums of a period are no reviews, wherever their word stands", async () => {
  const header = "Date,Name,Stars,Comment";
  const rows = ["2026-01-05,Al,4,Fine", "2026-02-05,Bo,1,Bad"];
  for (const row of [
    "2026-01-31,Monthly average,4,",
    "2026-01-31,January total,4,",
    "2026-01-31,Januar gesamt,4,2 Bewertungen",
    "2026-01-31,Zwischensumme,4,",
    "2026-01-31,Media de enero,4,",
    "2026-01-31,Our target,4,",
    "2026-01-31,Industry average,4,",
    "2026-01-31,,4,Total",
  ]) {
    const { rows: read, warnings } = await imported("a.csv", [header, ...rows, row].join("\n"));
    assert.deepEqual(
      read.map(({ author }) => author),
      ["Al", "Bo"],
      row,
    );
    assert.match(warnings, /is a total and no review/, row);
  }
  const weekly = "Week,Date,Name,Stars,Comment\nW1,2026-01-05,Al,4,Fine\nW1 total,2026-01-11,,4,\n";
  assert.equal((await imported("a.csv", weekly)).rows.length, 1);
  const survey = "Id,Date,Stars,Category\nq1,2026-01-05,4,Overall\nq2,2026-01-06,5,Overall\n";
  assert.equal((await imported("a.csv", survey)).rows.length, 2, "nobody is named there");
});

test("A row with one word is a site's heading, or says why it is refused", async () => {
  const header = "Name,Rating,Date,Text";
  const yelp = `${header}\nAnn,4,2025-01-05,Quick\nReviews on Yelp,,,\nBo,2,2025-01-16,Late\n`;
  await using box = await openSandbox();
  await box.take(box.write("a.csv", yelp), { source: "google", skipInvalid: true });
  assert.deepEqual((await box.rows()).map(({ author, source }) => [author, source]).toSorted(), [
    ["Ann", "google"],
    ["Bo", "yelp"],
  ]);
  for (const word of ["Leeds branch", "Source: Tripadvisor"])
    assert.match(
      await refused("a.csv", `${header}\n${word},,,\nAnn,4,2025-01-05,Quick\n`),
      new RegExp(`line 2: Rating is missing, and "${word}" stands alone in its row: if it says of which site or place`),
    );
});

test("Another column with other names or links is named, and customers go before authors", async () => {
  const staff = "stars,text,date,Author,Customer\n4,Fine,2026-01-05,staff1,Ann Lee\n2,Bad,2026-01-06,staff2,Bob Ray\n";
  const { rows, warnings } = await imported("a.csv", staff);
  assert.deepEqual(rows.map(({ author }) => author).toSorted(), ["Ann Lee", "Bob Ray"]);
  assert.match(warnings, /2 reviews have a name in "Customer", which is read, and another in "Author"/);
  const linked = (own: string) =>
    `author,stars,text,date,url,${own}\n${[1, 2, 3].map((at) => `C${at},4,Fine,2026-01-0${at},https://maps.google.com/?cid=1,https://maps.google.com/r${at}`).join("\n")}\n`;
  for (const own of ["link", "permalink", "source_url"]) {
    const read = await imported("a.csv", linked(own));
    assert.equal(read.rows[0]?.source_url, "https://maps.google.com/r1", own);
    assert.match(read.warnings, /"url"/, own);
  }
  const one = linked("link").replaceAll(/,(?:link|https:\/\/maps\.google\.com\/r\d)(?=\n)/g, "");
  assert.match((await imported("a.csv", one)).warnings, /"url" is the same for every review/);
  const titled = `Title,Rating,Review,Name,Date\nFull groom,4,Good.,Ann,2026-01-03\nNail trim,2,Bad.,Bob,2026-01-04\nFull groom,5,Fine.,Cy,2026-01-05\n`;
  assert.match(
    (await imported("a.csv", titled)).warnings,
    /"Title" \("Full groom", "Nail trim"\) stands above the words/,
  );
});

test("Marks above six are no school grades: the refusal says that they count to ten", async () => {
  const table = "Gast,Note,Datum,Kommentar\nAnna Huber,8,12.03.2025,Schön\nKarl Maier,4,15.03.2025,Zu laut\n";
  const said = await refused("a.csv", table);
  assert.match(said, /line 2.*Note is "8"/);
  assert.match(said, /line 3.*5 of 10 is not 5 of 5/);
  assert.doesNotMatch(said, /school/);
});

test("A column, a list, a sheet and what stands around a list say where reviews are from, and what is from nowhere there is told", async () => {
  const table = (column: string, other: string) =>
    `Name,Rating,Date,Text,${column}\nAnn,4,2025-01-05,Quick,Google\nBo,2,2025-01-16,Late,${other}\n`;
  for (const column of ["How received", "Origin", "Medium", "Obtained via", "Came from"])
    for (const other of ["Email", "Comment card", "WhatsApp"]) {
      const { rows } = await imported("a.csv", table(column, other));
      const sources = rows.map(({ author, source }) => [author, source]).toSorted();
      assert.deepEqual(sources, [
        ["Ann", "google"],
        ["Bo", other.toLowerCase().replace(" ", "_")],
      ]);
    }
  for (const around of [
    { export: { provider: "trustpilot" } },
    { data: { platform: "trustpilot" } },
    { vendor: "Trustpilot" },
    { exportedFrom: "Trustpilot Business" },
    { generator: "Trustpilot exporter 2.1" },
    { title: "Trustpilot reviews" },
  ]) {
    const { rows } = await imported("a.json", { ...around, reviews: REVIEWS });
    assert.deepEqual(new Set(rows.map(({ source }) => source)), new Set(["trustpilot"]), JSON.stringify(around));
  }
  assert.equal(
    (await imported("a.json", { generator: "Google Sheets", reviews: REVIEWS })).rows[0]?.source,
    (await imported("a.json", { reviews: REVIEWS })).rows[0]?.source,
  );
  const [ann, bo] = REVIEWS;
  for (const name of ["website", "emails"]) {
    const { rows } = await imported("a.json", { reviews: { yelp: [ann], [name]: [bo] } });
    assert.deepEqual(rows.map(({ source }) => source).toSorted(), [name, "yelp"].toSorted());
  }
  const sheet = (name: string) =>
    [
      ["Name", "Rating", "Date"],
      [name, 4, "2025-01-05"],
    ] as const;
  const sheets = await imported("a.xlsx", workbookOf({ Yelp: sheet("Ann"), "Phone calls": sheet("Bo") }));
  assert.match(sheets.warnings, /sheet "Phone calls": the sheet is called after no site, as others are/);
});

test("A mean above five beside a list, aspects above five and a line of ten tell that ratings count to ten", async () => {
  for (const around of [
    { hotel: { name: "N", avg_score: 8.4 } },
    { name: "N", rating: 8.4 },
    { stats: { average: 8.4 } },
    { overall: { value: "8,4" } },
  ])
    assert.match(await refused("a.json", { ...around, reviews: REVIEWS }), /8\.4, more than 5/, JSON.stringify(around));
  assert.equal((await imported("a.json", { name: "N", rating: 4.4, reviews: REVIEWS })).rows.length, 2);
  assert.equal((await imported("a.json", { stats: { total: 8, count: 9 }, reviews: REVIEWS })).rows.length, 2);
  const line = "Guest survey 2026 - scores from 0 (poor) to 10 (excellent)";
  assert.match(await refused("a.csv", `${line}\n\n${TABLE}`), /count to 10/);
  const aspects = "Name,Overall,Cleanliness,Date\nAnn,5,9,2025-01-05\nBo,4,7,2025-01-16\n";
  assert.match(
    (await imported("a.csv", aspects)).warnings,
    /"Cleanliness" has more than 5: if "Overall" counts to ten/,
  );
});

test("Objects in cells are refused, replies have their own order of days, and an author is no title", async () => {
  const cell = `author,rating,date,text\n"{'displayName': 'Ann', 'uri': 'x'}",5,2026-01-05,Good\n`;
  assert.match(await refused("a.csv", cell), /line 2: author is .* a program's object, and neither a name nor words/);
  const reply = `Name,Rating,Date,Text,Reply\nAnn,5,2026-01-05,Good,"{""comment"":""Thanks Ann"",""at"":""1""}"\nBo,4,2026-01-06,Fine,Thanks Bo\n`;
  assert.match(await refused("a.csv", reply), /line 2: Reply is .* a program's object/);
  const braces = 'Name,Rating,Date,Text\nAnn,5,2026-01-05,"{ so good: really }"\n';
  assert.equal((await imported("a.csv", braces)).rows.length, 1);
  const replied = `Name,Rating,Date,Text,Reply,Reply date\nAnn,5,26/01/2026,Good,Thanks a lot,2/3/2026\nBo,4,27/01/2026,Fine,Thanks Bo,2/26/2026\n`;
  const { rows } = await imported("a.csv", replied);
  assert.deepEqual(rows.map(({ reply_date }) => reply_date).toSorted(), ["2026-02-03", "2026-02-26"]);
  const titled = await imported("a.csv", "Author,Author title,Rating,Date\nAnn,Manager,5,2026-01-05\n");
  assert.equal(titled.rows[0]?.author, "Ann");
});

test("Marks, and questions whether a review is for the business alone, are told", async () => {
  const table = (column: string, ...values: readonly string[]) =>
    `Name,Rating,Date,${column}\n${values.map((value, at) => `C${at},4,2025-01-0${at + 1},${value}`).join("\n")}\n`;
  for (const [column, ...values] of [
    ["Web", "✅", "❌", "⏳"],
    ["Testimonial OK", "checked", ""],
    ["Do you want this to stay between us?", "no", "yes"],
    ["DSGVO-Einwilligung", "ja", "nein"],
  ] as const)
    assert.match(
      (await imported("a.csv", table(column, ...values))).warnings,
      /is not known to say|does not say to what/,
      column,
    );
  assert.deepEqual((await imported("a.csv", table("Keep private", "no", "yes"))).shown, ["C0"]);
});

test("A time beside a day may have its zone, and entities may have lost their ends", async () => {
  for (const [time, day] of [
    ["8:30 PM UTC", "2026-01-06"],
    ["20:30Z", "2026-01-06"],
    ["20:30:00+00:00", "2026-01-06"],
    ["20:30", "2026-01-05"],
  ] as const) {
    await using box = await openSandbox();
    const business = box.write("business.yaml", "name: N\ntime_zone: Asia/Kolkata\n");
    const table = `Date,Time,Name,Rating,Text\n2026-01-05,${time},Ann,5,Good work.\n`;
    await box.take(business);
    await box.take(box.write("a.csv", table), { source: "google" });
    assert.equal((await box.rows())[0]?.date, day, time);
  }
  for (const [text, words] of [
    ["It&#39s fine", "It's fine"],
    ["Cost &#8364 20", "Cost € 20"],
    ["Gr&uuml toll", "Grü toll"],
    ["Don&rsquot", "Don’t"],
    ["Good &#x2019 work", "Good ’ work"],
    ["&amp Tidy &lt3", "& Tidy <3"],
    ["AT&amp;amp;amp;T", "AT&T"],
    ["R&D, Smith&ltd, ?a=1&europe", "R&D, Smith&ltd, ?a=1&europe"],
    ["&amp;lt;b&amp;gt;", "&lt;b&gt;"],
  ] as const)
    assert.equal((await imported("a.json", [{ ...REVIEWS[0], text }])).rows[0]?.text, words, text);
});

test("A way of the business's own beside a list is where its reviews are from", async () => {
  for (const [around, source] of [
    [{ source: { type: "DIRECT" } }, "direct"],
    [{ channel: "email" }, "email"],
    [{ origin: "survey" }, "survey"],
  ] as const) {
    const { rows } = await imported("a.json", { ...around, reviews: REVIEWS });
    assert.deepEqual(new Set(rows.map((row) => row.source)), new Set([source]), JSON.stringify(around));
  }
  const [ann, bo] = REVIEWS;
  const named = {
    sources: [
      { name: "Yelp", reviews: [ann] },
      { name: "Own survey", reviews: [bo] },
    ],
  };
  assert.deepEqual((await imported("a.json", named)).rows.map(({ source }) => source).toSorted(), [
    "own_survey",
    "yelp",
  ]);
});

test("The review's own day is read in other languages too, and is not filled with the day of the list", async () => {
  for (const [general, own] of [
    ["Date", "Date de l'avis"],
    ["Datum", "Datum der Bewertung"],
    ["Data", "Data recensione"],
    ["Fecha", "Fecha de la reseña"],
  ] as const) {
    const table = `Name;Sterne;Text;${general};${own}\nL;2;Spät;20.02.2026;15.01.2026\nM;5;Gut;20.02.2026;16.01.2026\n`;
    const { rows } = await imported("a.csv", table);
    assert.deepEqual(rows.map(({ date }) => date).toSorted(), ["2026-01-15", "2026-01-16"], own);
  }
  const days = ["2025-12-05", "2025-12-15", ""].map((day, at) => `C${at},1,Bad,${day},2026-02-01`);
  const gap = `author,review_rating,text,review_date,date\n${days.join("\n")}\n`;
  assert.match(await refused("a.csv", gap), /line 4: review_date is missing/);
});

test("Sites in columns of other things, addresses of publishers and short replies are read as what they are", async () => {
  const table = (column: string, ...values: readonly string[]) =>
    `Customer,Stars,Date,Comment,${column}\n${values.map((value, at) => `C${at},4,2026-01-0${at + 1},Good,${value}`).join("\n")}\n`;
  for (const column of [
    "Invite sent for",
    "Wie haben Sie von uns erfahren?",
    "Tags",
    "Sign-in",
    "Zahlungsart",
    "engineer",
  ])
    assert.match(
      (await imported("a.csv", table(column, "Google", "Yelp"))).warnings,
      /may say where the reviews were written/,
      column,
    );
  assert.match(
    (await imported("a.csv", table("Shown at the door", "Google", "Yelp"))).warnings,
    /is taken for where the reviews were written/,
  );
  for (const reply of ["Ta", "Noted.", "Google"])
    assert.equal(
      (await imported("a.csv", table("owner reply", reply, ""))).rows.some(({ source }) => source === "tripadvisor"),
      false,
      reply,
    );
  assert.equal((await imported("a.csv", table("owner reply", "Noted.", ""))).rows[0]?.reply_text, "Noted.");
  const page = {
    "@type": "Review",
    author: { name: "Ann" },
    reviewRating: { ratingValue: 4 },
    datePublished: "2026-01-05",
  };
  for (const publisher of [
    "https://www.google.com",
    { "@id": "https://www.google.com" },
    { url: "https://www.google.de/maps" },
  ]) {
    const html = `<script type="application/ld+json">${JSON.stringify({ "@context": "https://schema.org", ...page, publisher, itemReviewed: { "@type": "LocalBusiness", name: "N" } })}</script>`;
    assert.equal((await imported("a.html", html)).rows[0]?.source, "google", JSON.stringify(publisher));
  }
});

test("Google's labels in one line are known in more languages, and words by more names", async () => {
  for (const [translated, original] of [
    ["Преведено от Google", "Оригинал"],
    ["Tõlkinud Google", "Originaal"],
    ["Preveo Google", "Izvornik"],
    ["Prevedel Google", "Izvirnik"],
    ["Превео Google", "Оригинал"],
    ["תורגם על ידי Google", "מקורי"],
    ["თარგმნა Google-მა", "ორიგინალი"],
  ] as const) {
    const text = `(${translated}) Добра работа, хвала. (${original}) Good work, thank you very much.`;
    assert.equal(
      (await imported("a.json", [{ ...REVIEWS[0], text }])).rows[0]?.text,
      "Good work, thank you very much.",
      original,
    );
  }
  for (const name of ["Nachricht", "Erfahrung", "quote", "experience", "Experiencia"])
    assert.equal(
      (await imported("a.csv", `Name,Sterne,Datum,Betreff,${name}\nAnn,5,2026-01-05,Gut,Alles war gut\n`)).rows[0]
        ?.text,
      "Gut\n\nAlles war gut",
      name,
    );
});

test("A row that is commented out is not published, a description for all is no words, and more marks of machines are told", async () => {
  for (const name of ["# Bo", "//Bo", "-- Bo", "~~Bo~~"]) {
    const { shown, rows } = await imported("a.csv", `${HEADER}\nAnn,4,2025-01-05,Quick\n${name},1,2025-01-16,Bad\n`);
    assert.deepEqual([shown, rows.length], [["Ann"], 2], name);
  }
  assert.deepEqual(
    (await imported("a.csv", `${HEADER}\n#Bo1,1,2025-01-16,Bad\nAnn,4,2025-01-05,Quick\n`)).shown.length,
    2,
  );
  const described =
    "review_author,review_rating,review_text,review_date,description\nUwe,1,,2025-12-05,Family garage.\nIna,5,,2025-12-09,Family garage.\n";
  assert.deepEqual(
    (await imported("a.csv", described)).rows.map(({ text }) => text),
    [null, null],
  );
  for (const text of [
    "[Maschinelle Übersetzung] Gute Arbeit",
    "Google-Übersetzung: Gute Arbeit",
    "Gute Arbeit. Automatisch aus dem Englischen übersetzt.",
    "(Translated) Good work",
    "Here is the translation: good work",
    "[:en]Good work[:de]Gute Arbeit[:]",
  ])
    assert.match((await imported("a.json", [{ ...REVIEWS[0], text }])).warnings, /machine's translation/, text);
});

test("A title that is the author's name, or that a page makes of it, is none", async () => {
  for (const title of ["Ann", "Review by Ann", "Ann's review of Corner"]) {
    assert.equal(
      (await imported("a.csv", `Name,Title,Rating,Date,Text\nAnn,${title},4,2025-01-05,Quick\n`)).rows[0]?.text,
      "Quick",
      title,
    );
    const node = {
      "@type": "Review",
      name: title,
      author: { name: "Ann" },
      reviewRating: { ratingValue: 4 },
      datePublished: "2026-01-05",
      reviewBody: "Quick",
      itemReviewed: { "@type": "LocalBusiness", name: "N" },
    };
    const page = `<script type="application/ld+json">${JSON.stringify({ "@context": "https://schema.org", ...node })}</script>`;
    assert.equal((await imported("a.html", page)).rows[0]?.text, "Quick", title);
  }
  const theme =
    '<div itemscope itemtype="https://schema.org/LocalBusiness"><span itemprop="name">N</span><div itemprop="review" itemscope itemtype="https://schema.org/Review"><span itemprop="author"><span itemprop="name">Ann B.</span></span><span itemprop="reviewRating" itemscope itemtype="https://schema.org/Rating"><meta itemprop="ratingValue" content="2"></span><meta itemprop="datePublished" content="2026-01-05"><p itemprop="reviewBody">Cold.</p></div></div>';
  assert.equal((await imported("a.html", theme)).rows[0]?.text, "Cold.");
});

test("Sums of money, counts and pages are no means, and what an office or an agency writes goes behind the customers' own", async () => {
  for (const around of [
    { total: 212 },
    { total: 8 },
    { page: { value: 7 } },
    { totals: { total: 9, overall_count: 8 } },
  ])
    assert.equal((await imported("a.json", { ...around, reviews: REVIEWS })).rows.length, 2, JSON.stringify(around));
  assert.equal(
    (await imported("a.csv", "Name,Stars,Date,Comment,Total\nAnn,5,2026-01-05,Good,120.50\n")).rows.length,
    1,
  );
  const job = "Kunde;Sterne;Datum;Beschreibung;Kommentar\nAnn;5;2026-01-05;Pumpe getauscht;War gut\n";
  assert.equal((await imported("a.csv", job)).rows[0]?.text, "War gut");
  const agency = "Client,Author,Rating,Date,Text\nAcme,Ann,5,2026-01-05,Good\nZed,Bo,4,2026-01-06,Fine\n";
  assert.deepEqual((await imported("a.csv", agency)).rows.map(({ author }) => author).toSorted(), ["Ann", "Bo"]);
  const spaced = "Author, Rating, Date, Review, Reply\nAnn, 5, 2026-01-05, Good work, thanks a lot\n";
  assert.equal((await imported("a.csv", spaced)).rows[0]?.reply_text?.trim(), "thanks a lot");
  const titled = "Google Business Profile reviews 2026\n\nName,Rating,Date,Text\nAnn,5,2026-01-05,Good\n";
  assert.equal((await imported("a.csv", titled)).rows[0]?.source, "google");
  const shared = "Name,Rating,Date,Text,shareUrl\nAnn,5,2026-01-05,Good,https://www.yelp.com/biz/x\n";
  assert.equal((await imported("a.csv", shared)).rows[0]?.source, "yelp");
  const plain = { ...REVIEWS[0], text: "I could not prevent that they asked for Google" };
  assert.doesNotMatch((await imported("a.json", [plain])).warnings, /translation/);
});

test("A list that is called as lists of reviews are is of no site, beside one that is called after a site", async () => {
  const [ann, bo] = REVIEWS;
  for (const name of ["comments", "reviews", "bewertungen"]) {
    const { rows } = await imported("a.json", { yelp: [ann], [name]: [bo] });
    const source = rows.find(({ author }) => author === "Bo")?.source;
    assert.equal(source, (await imported("a.json", [bo])).rows[0]?.source, name);
  }
});
