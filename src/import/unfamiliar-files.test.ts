/** Files in shapes that nobody here had tried: each is read as its owner means it, or refused with what to do. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { openSandbox, takeoutPage, takeoutReview } from "../../test/support/import-sandbox.ts";
import type { ImportOptions } from "./importer.ts";

/** Imports one file, given what the business file says, into a store of its own. */
async function imported(name: string, content: unknown, options: Partial<ImportOptions> & { business?: string } = {}) {
  await using box = await openSandbox();
  const { business, ...rest } = options;
  const paths = business === undefined ? [] : [box.write("business.yaml", `name: Test\n${business}`)];
  const report = await box.take([...paths, box.write(name, content)], rest);
  const rows = (await box.rows()).toSorted((a, b) => (a.date + a.author < b.date + b.author ? -1 : 1));
  const warnings = report.warnings.map((warning) => warning.replaceAll(`${box.folder}/`, "")).join("\n");
  return { report, rows, warnings, published: await box.reviews() };
}

async function refusal(name: string, content: unknown, options: Partial<ImportOptions> = {}): Promise<string> {
  await using box = await openSandbox();
  const messages = await box.refusal(box.write(name, content), options);
  assert.equal((await box.rows()).length, 0);
  return messages.join("\n");
}

describe("a vendor's format is recognised only by the vendor's own shape", () => {
  test("flat reviews with a publishTime are not taken for the Places API: names and words stay", async () => {
    const at = "2026-02-01T12:00:00.000Z";
    const reviews = [
      { author: "Ann B.", rating: 5, relativeTime: "4 months ago", publishTime: "2026-01-05T12:00:00.000Z", text: "A" },
      { author: "Bo C.", rating: 5, relativeTime: "3 months ago", publishTime: at, text: "Fair price, tidy work." },
      { authorName: "Cy D.", rating: 5, relativeTime: "3 months ago", publishTime: at, text: "Fixed at once." },
    ];
    const { rows } = await imported("a.json", { fetchedAt: at, rating: 4.9, reviews });
    assert.deepEqual(
      rows.map(({ author, text, source }) => [author, text, source]),
      [
        ["Ann B.", "A", "first_party"],
        ["Bo C.", "Fair price, tidy work.", "first_party"],
        ["Cy D.", "Fixed at once.", "first_party"],
      ],
    );
  });

  test("a flat record among those of the Places API is refused by its member", async () => {
    const review = {
      name: "places/p/reviews/a",
      rating: 5,
      text: { text: "Good" },
      authorAttribution: { displayName: "Dana" },
      publishTime: "2026-01-05T12:00:00Z",
    };
    assert.match(
      await refusal("a.json", { reviews: [review, { ...review, text: "Fine" }] }),
      /^a\.json, reviews\[1\]: text is "Fine", but must be an object in this format$/,
    );
  });

  test("flat reviews with a time are not taken for the legacy Places API", async () => {
    const { rows } = await imported("a.json", {
      reviews: [{ author_name: "Dana", rating: 5, text: "A", time: 1788447744 }],
    });
    assert.deepEqual([rows[0]?.author, rows[0]?.source, rows[0]?.date], ["Dana", "first_party", "2026-09-03"]);
  });

  test("Google's shape with stars as numbers is Google's, if all the rest is there", async () => {
    const review = {
      reviewId: "r1",
      reviewer: { displayName: "Ivy H.", profilePhotoUrl: "", isAnonymous: false },
      comment: "Booked them twice since.",
      starRating: 5,
      createTime: "2026-03-01T10:00:00.000Z",
      updateTime: "2026-03-01T10:00:00.000Z",
      reviewReply: { comment: "Thank you!", updateTime: "2026-03-02T10:00:00Z" },
    };
    const { published } = await imported("a.json", { success: true, reviews: [review], averageRating: 5 });
    assert.deepEqual(
      published.map(({ author, rating, date, owner_reply }) => [author, rating, date, owner_reply]),
      [["Ivy H.", 5, "2026-03-01", { text: "Thank you!", date: "2026-03-02" }]],
    );
    const { published: other } = await imported("b.json", {
      reviews: [{ starRating: 4, createTime: "2026-03-01", comment: "A" }],
    });
    assert.deepEqual(other, [], "three of its names are not Google's shape");
  });

  test("Outscraper's reviews of Trustpilot are Trustpilot's, with their titles and replies", async () => {
    const csv =
      "query,review_id,review_rating,review_title,review_text,review_timestamp,review_datetime_utc,review_verified,owner_answer,owner_answer_date,author_title\n" +
      "corner.example,tp1,1,Never again,They kept my deposit.,1767603600,01/05/2026 09:00:00,True,We are sorry.,01/07/2026 10:00:00,Ann B.\n";
    const { rows, published } = await imported("a.csv", csv, { source: "google" });
    assert.deepEqual(published, []);
    assert.deepEqual(
      rows.map(({ source, text, date, reply_text, reply_date }) => [source, text, date, reply_text, reply_date]),
      [["trustpilot", "Never again\n\nThey kept my deposit.", "2026-01-05", "We are sorry.", "2026-01-07"]],
    );
  });

  test("SerpApi's reviews of another site are not Google's", async () => {
    const review = { user: { name: "Dana" }, rating: 4, snippet: "Good", iso_date: "2026-01-05T00:00:00Z" };
    const { published } = await imported("a.json", {
      search_parameters: { engine: "yelp_reviews" },
      reviews: [review],
    });
    assert.deepEqual(published, []);
  });
});

describe("--source names the source of reviews that name none", () => {
  const table =
    "author,rating,date,text,source\nAl,5,2026-01-02,Quick.,google\nBo,1,2026-01-03,Never came.,yelp\nCy,5,2026-01-04,Invented.,fictive\n";

  test("rows that name another keep it, and the report says so", async () => {
    const { rows, published, warnings } = await imported("a.csv", table, { source: "google" });
    assert.deepEqual(
      rows.map(({ source }) => source),
      ["google", "yelp", "fictive"],
    );
    assert.deepEqual(
      published.map(({ author }) => author),
      ["Al"],
    );
    assert.match(warnings, /1 review names yelp as its source and keeps it: .* --override-source google\./);
  });

  test("--override-source replaces it, and the report says what was replaced", async () => {
    const { rows, warnings } = await imported("a.csv", table, { overrideSource: "google" });
    assert.deepEqual(
      rows.map(({ source }) => source),
      ["google", "google", "google"],
    );
    assert.match(warnings, /1 review names yelp as its source, and counts as google now\./);
  });

  test("an export's own site is named by the export, and a link shows the site of a row without a source", async () => {
    const page = takeoutPage(takeoutReview("a"));
    assert.equal((await imported("t.json", page, { source: "yelp" })).rows[0]?.source, "google");
    const linked = "author,rating,date,link\nAl,5,2026-01-02,https://www.trustpilot.com/reviews/1\nBo,4,2026-01-03,\n";
    const { rows } = await imported("a.csv", linked, { source: "google" });
    assert.deepEqual(
      rows.map(({ source }) => source),
      ["trustpilot", "google"],
    );
  });

  test("a source in other letters is nobody else's, and refuses nothing", async () => {
    const odd = "author,rating,date,source\nAl,5,2026-01-02,Hôtel & Co\nBo,4,2026-01-03,楽天\n";
    const { rows } = await imported("a.csv", odd, { source: "google" });
    assert.deepEqual(
      rows.map(({ source }) => source),
      ["hotel_co", "other"],
    );
  });
});
