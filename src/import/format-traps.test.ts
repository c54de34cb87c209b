/** What exports do that a reader of their documentation would not expect, format by format. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { openSandbox, takeoutPage, takeoutReview } from "../../test/support/import-sandbox.ts";
import type { ImportOptions } from "./importer.ts";

/** Imports one file into a store of its own. */
async function imported(name: string, content: unknown, options: Partial<ImportOptions> = {}) {
  await using box = await openSandbox();
  const report = await box.take(box.write(name, content), options);
  return { report, reviews: await box.reviews(), rows: await box.rows() };
}

async function refusal(name: string, content: unknown, options: Partial<ImportOptions> = {}): Promise<string> {
  await using box = await openSandbox();
  return (await box.refusal(box.write(name, content), options)).join("\n");
}

describe("Google Takeout", () => {
  test("a star-only review has no comment, an anonymous one no name", async () => {
    const { reviews } = await imported(
      "r.json",
      takeoutPage(takeoutReview("a", { comment: undefined, reviewer: { isAnonymous: true } })),
    );
    assert.deepEqual([reviews[0]?.text, reviews[0]?.author], [null, "A Google user"]);
  });

  test("a name that is learned later is taken over, and kept when it is not told again", async () => {
    await using box = await openSandbox();
    const nameless = box.write("a.json", takeoutPage(takeoutReview("a", { reviewer: {} })));
    await box.take(nameless);
    await box.take(box.write("b.json", takeoutPage(takeoutReview("a"))));
    assert.equal((await box.reviews())[0]?.author, "Customer a");
    assert.equal((await box.take(nameless)).unchanged, 1);
    assert.equal((await box.reviews())[0]?.author, "Customer a");
  });

  test("a rating that is not specified is refused by index and field", async () => {
    const page = takeoutPage(takeoutReview("a"), takeoutReview("b", { starRating: "STAR_RATING_UNSPECIFIED" }));
    assert.equal(
      await refusal("r.json", page),
      'r.json, reviews[1]: starRating is "STAR_RATING_UNSPECIFIED", but must be a whole number of stars from 1 to 5',
    );
  });

  test("times carry no to nine decimals", async () => {
    for (const createTime of ["2024-05-06T07:08:09Z", "2024-05-06T07:08:09.1Z", "2024-05-06T07:08:09.123456789Z"]) {
      assert.equal(
        (await imported("r.json", takeoutPage(takeoutReview("a", { createTime })))).reviews[0]?.date,
        "2024-05-06",
      );
    }
  });

  test("the wrapper of a translation is taken off words and replies", async () => {
    const wrapped = (words: string) => `(Translated by Google) Something\n\n(Original)\n${words}`;
    const reviewReply = { comment: wrapped("Danke"), updateTime: "2024-06-01T00:00:00Z" };
    const { reviews } = await imported(
      "r.json",
      takeoutPage(takeoutReview("a", { comment: wrapped("Gut"), reviewReply })),
    );
    assert.deepEqual([reviews[0]?.text, reviews[0]?.owner_reply?.text], ["Gut", "Danke"]);
  });

  test("a location without reviews is an empty list", async () => {
    assert.equal((await imported("r.json", { reviews: [] })).report.read, 0);
  });

  test("what is no review among reviews is refused by index", async () => {
    const message = await refusal("r.json", { reviews: [takeoutReview("a"), null, "x"] });
    assert.match(message, /r\.json, reviews\[1\]: starRating is missing/);
    assert.match(message, /r\.json, reviews\[2\]: starRating is missing/);
  });
});

test("Business Profile API: batchGetReviews nests each review under its location", async () => {
  const { name, ...review } = takeoutReview("a");
  const batch = { locationReviews: [{ name: "accounts/1/locations/2", review: { name, reviewId: "a", ...review } }] };
  const { rows } = await imported("b.json", batch);
  assert.deepEqual(
    rows.map(({ source, source_id }) => [source, source_id]),
    [["google", "a"]],
  );
});

test("Places API (new): the customer's words and the time of publication count, not the relative words", async () => {
  const review = {
    name: "places/p/reviews/a",
    relativePublishTimeDescription: "3 months ago",
    rating: 5,
    text: { text: "Good", languageCode: "en" },
    originalText: { text: "Gut", languageCode: "de" },
    authorAttribution: { displayName: "Dana", photoUri: "//example.com/p.jpg" },
    publishTime: "2024-05-06T07:08:09.123456789Z",
  };
  const { rows } = await imported("p.json", { places: [{ reviews: [review] }] });
  const [row] = rows;
  assert.deepEqual(
    [row?.source_id, row?.text, row?.date, row?.author_avatar_url],
    ["a", "Gut", "2024-05-06", "https://example.com/p.jpg"],
  );
  const { publishTime: _time, ...undated } = review;
  assert.match(await refusal("p.json", { reviews: [undated] }), /publishTime is missing, but must be a day/);
});

test("Places API (legacy): a translation is not the customer's words", async () => {
  const review = {
    author_name: "Dana",
    rating: 5,
    text: "Good",
    time: 1714979289,
    relative_time_description: "a year ago",
  };
  assert.equal((await imported("p.json", { result: { reviews: [review] } })).reviews[0]?.date, "2024-05-06");
  const { reviews, report } = await imported("p.json", { result: { reviews: [{ ...review, translated: true }] } });
  assert.deepEqual([reviews[0]?.rating, reviews[0]?.text], [5, null]);
  assert.match(
    report.warnings.join(),
    /text is Google's translation without .*reviews_no_translations=true.*imported without it/,
  );
});

describe("Outscraper", () => {
  const header =
    "google_id,review_id,author_title,review_text,owner_answer,owner_answer_timestamp,review_rating,review_timestamp,review_datetime_utc";

  test("its timestamp counts, not its date with the month first", async () => {
    const csv = `${header}\n0x1,a,Dana,Fine,Thanks,1714979289.0,5.0,1714979289,05/06/2024 07:08:09\n`;
    const { reviews } = await imported("o.csv", csv);
    assert.deepEqual(
      [reviews[0]?.date, reviews[0]?.rating, reviews[0]?.owner_reply],
      ["2024-05-06", 5, { text: "Thanks", date: "2024-05-06" }],
    );
    const undated = `${header}\n0x1,a,Dana,Fine,,,5,,05/06/2024 07:08:09\n`;
    assert.equal((await imported("o.csv", undated)).reviews[0]?.date, "2024-05-06");
    assert.match(
      await refusal("o.csv", undated.replace("05/06/2024 07:08:09", "")),
      /o\.csv, line 2: review_timestamp is missing, but must be seconds since 1970/,
    );
  });

  test("the customer's own words stand beside a translation, in its CSV and its JSON", async () => {
    const own = { review_id: "a", author_title: "Dana", review_rating: 5, review_timestamp: 1714979289 };
    const texts = { review_text: "Very friendly.", original_text: "Sehr freundlich." };
    const csv = `${header},original_text\n0x1,a,Dana,Very friendly.,,,5,1714979289,,Sehr freundlich.\n0x1,b,Al,Fine,,,5,1714979289,,\n`;
    const others = [
      { ...own, ...texts, google_id: "1" },
      { ...own, review_id: "b", review_text: "Fine" },
    ];
    for (const [name, content] of [
      ["o.csv", csv],
      ["o.json", [{ reviews_data: others.map((one) => ({ ...one, place_id: "p" })) }]],
    ] as const) {
      const { reviews, report } = await imported(name, content);
      assert.deepEqual(reviews.map(({ text }) => text).toSorted(), ["Fine", "Sehr freundlich."]);
      assert.match(
        report.warnings.join(),
        /the words of 1 review are read from the original text, not from "review_text", which has a translation/,
      );
    }
  });

  test("its answers nest reviews in several ways", async () => {
    const review = { review_id: "a", review_rating: 5, review_timestamp: 1714979289, review_text: null };
    for (const answer of [
      [review],
      [{ name: "Test Air", reviews_data: [review] }],
      { data: [[review]] },
      { data: [{ reviews_data: [review] }] },
    ]) {
      assert.equal((await imported("o.json", answer)).report.added, 1);
    }
  });
});

describe("Apify", () => {
  const review = {
    name: "Dana",
    reviewId: "a",
    stars: 5,
    text: "Fine",
    publishAt: "a year ago",
    publishedAtDate: "2024-05-06T07:08:09.123Z",
    reviewOrigin: "Google",
  };

  test("with personal data switched off nobody is named, and one day's reviews stay apart by their words", async () => {
    const anonymous = ["Fine", "Bad"].map((text) => ({ ...review, name: null, reviewId: null, reviewUrl: null, text }));
    const { reviews, rows } = await imported("a.json", anonymous);
    const authors = reviews.map(({ author }) => author);
    assert.deepEqual(authors, ["A Google user", "A Google user"]);
    const sourceIds = rows.map(({ source_id }) => source_id);
    assert.deepEqual(sourceIds, [null, null]);
  });

  test("a relative date alone is refused, another origin is its own source", async () => {
    assert.match(
      await refusal("a.json", [{ ...review, publishedAtDate: "a year ago" }]),
      /publishedAtDate is "a year ago", which gives an age, not a date/,
    );
    assert.equal(
      (await imported("a.json", [{ ...review, reviewOrigin: "Tripadvisor" }])).rows[0]?.source,
      "tripadvisor",
    );
  });
});

test("SerpApi: a relative date alone is refused of a review, and left out of a reply", async () => {
  const review = {
    review_id: "a",
    rating: 5,
    user: { name: "Dana" },
    snippet: "Good",
    extracted_snippet: { original: "Gut", translated: "Good" },
  };
  const dated = { ...review, iso_date: "2024-05-06T07:08:09Z", date: "a year ago" };
  assert.equal((await imported("s.json", { reviews: [dated] })).reviews[0]?.text, "Gut");
  assert.match(
    await refusal("s.json", { reviews: [{ ...review, date: "a year ago" }] }),
    /iso_date is "a year ago", which gives an age, not a date/,
  );
  const replied = { ...dated, response: { date: "3 months ago", snippet: "Thanks" } };
  const { report, reviews } = await imported("s.json", { reviews: [replied] });
  assert.deepEqual(reviews[0]?.owner_reply, { text: "Thanks", date: null });
  assert.match(report.warnings.join(), /response\.iso_date is "3 months ago".*imported without it/);
});

describe("schema.org JSON-LD", () => {
  const review = {
    "@type": "Review",
    "@id": "#a",
    author: { "@type": "Person", name: "Dana" },
    datePublished: "2024-05-06",
    reviewBody: "Fine",
    reviewRating: { "@type": "Rating", ratingValue: "5", bestRating: "5" },
  };
  const google = { source: "google" };
  const page = (...blocks: string[]) =>
    `<!doctype html>\n<html><head>\n${blocks.map((block) => `<script type="application/ld+json">${block}</script>`).join("\n")}\n</head></html>`;

  test("reviews stand alone, in a list, in a graph, or under the business", async () => {
    const documents: unknown[] = [
      review,
      [review],
      {
        "@context": "https://schema.org",
        "@graph": [{ "@type": "WebSite" }, { ...review, "@type": ["Review", "Thing"] }],
      },
      { "@type": "HVACBusiness", review },
      { "@type": "HVACBusiness", reviews: [review, { "@id": "#a" }] },
      {
        "@type": "LocalBusiness",
        review: [
          { ...review, "@type": "https://schema.org/Review", author: "Dana", reviewRating: [{ ratingValue: 5 }] },
        ],
      },
    ];
    for (const document of documents) {
      const { rows } = await imported("r.jsonld", document, google);
      assert.deepEqual(
        rows.map(({ source_id, author, rating, date, text }) => [source_id, author, rating, date, text]),
        [["a", "Dana", 5, "2024-05-06", "Fine"]],
      );
    }
  });

  test("reviews stand in the blocks of a page, but not in its comments", async () => {
    const hidden = page(JSON.stringify({ ...review, "@id": "#hidden" })).replace(
      /<!doctype html>|<\/?html>|<\/?head>/g,
      "",
    );
    const html = page(JSON.stringify({ "@type": "WebSite" }), JSON.stringify({ "@graph": [review] })).replace(
      "<head>",
      `<head><!-- ${hidden} -->`,
    );
    const { rows } = await imported(
      "page.html",
      html.replace('type="application/ld+json"', "type='application/LD+JSON' async"),
      google,
    );
    const sourceIds = rows.map(({ source_id }) => source_id);
    assert.deepEqual(sourceIds, ["a"]);
    const broken = page('{"@type": "WebSite"}', '{"@type": "Review",}');
    assert.match(await refusal("page.html", broken), /page\.html, block at line 4: is not valid JSON: .*column 20/);
  });

  test("another scale than five stars is refused", async () => {
    const ten = { ...review, reviewRating: { ratingValue: 9, bestRating: 10 } };
    assert.match(
      await refusal("r.jsonld", { "@graph": [review, ten] }),
      /r\.jsonld, review 2: reviewRating\.bestRating is 10, but must be 5/,
    );
  });

  test("reviews are the business's own unless a source is named", async () => {
    assert.equal((await imported("r.jsonld", [review])).rows[0]?.source, "first_party");
    assert.equal((await imported("r.jsonld", [{ ...review, "@id": "_:b0" }])).rows[0]?.source_id, null);
  });
});

describe("our own CSV", () => {
  test("knows common spellings in any order, and names the columns that it does not use", async () => {
    const csv = "Comment;Star Rating;reviewDate;Name;Colour\nFine;5;2024-05-06;Dana;red\n";
    const { rows, report } = await imported("a.csv", csv);
    const [row] = rows;
    assert.deepEqual(
      [row?.text, row?.rating, row?.date, row?.author, row?.source],
      ["Fine", 5, "2024-05-06", "Dana", "first_party"],
    );
    assert.match(report.warnings[0] ?? "", /a\.csv, line 1: does not use the columns "Colour"/);
  });

  test("may begin with a byte order mark and quote new lines; faults name the right line", async () => {
    const csv = '\uFEFFid,rating,date,text\r\n1,5,2024-05-06,"two\r\nlines"\r\n\r\n2,6,2026-02-30,x\r\n';
    const message = await refusal("a.csv", csv);
    assert.match(message, /^a\.csv, line 5: rating is "6"/);
    assert.match(message, /\na\.csv, line 5: date is "2026-02-30".*February 2026 has 28 days$/);
    assert.equal((await imported("a.csv", csv, { skipInvalid: true })).rows[0]?.text, "two\nlines");
  });

  test("prefers the instant to the day", async () => {
    const { rows } = await imported(
      "a.csv",
      "id,date,created,rating\n1,2024-05-06,2024-05-06T23:30:00-05:00,5\n2,2024-05-06,,5\n",
    );
    assert.deepEqual(rows.map(({ date }) => date).toSorted(), ["2024-05-06", "2024-05-07"]);
  });

  test("a reply without its day is published without one, an empty one is none", async () => {
    const csv = "id,rating,date,reply,replied\n1,5,2024-05-06,Thanks,2024-05-07\n2,5,2024-05-06,,\n";
    const { rows } = await imported("a.csv", csv);
    assert.deepEqual(
      rows.map(({ reply_text, reply_date }) => [reply_text, reply_date]).toSorted(),
      [
        ["Thanks", "2024-05-07"],
        [null, null],
      ].toSorted(),
    );
    const { rows: undated } = await imported("a.csv", "id,rating,date,reply\n1,5,2024-05-06,Thanks\n");
    assert.deepEqual([undated[0]?.reply_text, undated[0]?.reply_date], ["Thanks", null]);
  });

  test("a text above 1 MB is refused, and a quotation mark that swallows the file", async () => {
    assert.match(
      await refusal("a.csv", `id,rating,date,text\n1,5,2024-05-06,${"a".repeat(1_000_001)}\n`),
      /line 2: text has 1000001 bytes/,
    );
    const swallowed = `id,rating,date,text\n1,5,2024-05-06,"${"word ".repeat(2_000_000)}\n`;
    assert.match(
      await refusal("a.csv", swallowed),
      /a\.csv, line 2: is longer than 8000000 characters; a quotation mark is never closed\?/,
    );
  });
});

describe("our own JSON and JSON Lines", () => {
  const review = {
    id: "1",
    author: "Dana",
    rating: 5,
    date: "2024-05-06",
    text: "Fine",
    owner_reply: { text: "Thanks", date: "2024-05-07" },
  };

  test("reviews stand in a list, under `reviews`, a line each, or alone", async () => {
    const forms: [string, string][] = [
      ["a.json", JSON.stringify([review])],
      ["b.json", JSON.stringify({ reviews: [review] })],
      ["c.json", JSON.stringify(review, undefined, 2)],
      ["d.jsonl", JSON.stringify(review)],
      ["e.jsonl", `\uFEFF${JSON.stringify(review)}\r\n\r\n${JSON.stringify(review)}\r\n`],
    ];
    for (const [name, text] of forms) {
      const { rows } = await imported(name, text);
      assert.deepEqual(
        rows.map(({ source_id, reply_text, reply_date }) => [source_id, reply_text, reply_date]),
        [["1", "Thanks", "2024-05-07"]],
        name,
      );
    }
  });

  test("faults name line or index, and members that are not used are named", async () => {
    const lines = `${JSON.stringify(review)}\n{"id":2,\n[1]\n${JSON.stringify({ ...review, id: "3", rating: 4.5, colour: "red" })}\n`;
    const message = await refusal("a.jsonl", lines);
    assert.match(message, /^a\.jsonl, line 2: is not valid JSON/);
    assert.match(message, /\na\.jsonl, line 3: is \[1\], but must be an object/);
    assert.match(message, /\na\.jsonl, line 4: rating is 4\.5/);
    assert.match(
      await refusal("a.json", [review, { ...review, id: "2", date: "soon" }]),
      /^a\.json, \[1\]: date is "soon"/,
    );
    const { report } = await imported("a.json", [{ ...review, colour: "red" }]);
    assert.match(report.warnings[0] ?? "", /a\.json: does not use the members "colour"/);
  });

  test("a very long first line is still JSON Lines", async () => {
    const long = JSON.stringify({ ...review, text: "a".repeat(900_000) });
    assert.equal((await imported("a.jsonl", `${long}\n${JSON.stringify({ ...review, id: "2" })}\n`)).report.added, 2);
  });
});
