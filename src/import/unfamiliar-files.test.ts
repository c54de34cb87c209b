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

  test("where a column names sites, one that is not known is a source of its own, and no gap to fill", async () => {
    for (const [column, value, source] of [
      ["Kanał", "Opineo", "opineo"],
      ["来源", "某网站", "other"],
      ["via", "Email invite", "email_invite"],
    ] as const) {
      const csv = `author,rating,date,text,${column}\nA,5,2025-01-02,x,${value}\nB,4,2025-01-03,y,Google\n`;
      const { rows } = await imported("a.csv", csv, { source: "google" });
      assert.deepEqual(rows.map((row) => [row.author, row.source]).toSorted(), [
        ["A", source],
        ["B", "google"],
      ]);
    }
  });

  test("a site is known by its name, an address, or what says how the file was made", async () => {
    const review = { author: "Al", rating: 5, date: "2026-01-02" };
    for (const [content, source] of [
      ["author,rating,date,Website\nAl,5,2026-01-02,Trustpilot\n", "trustpilot"],
      ["author,rating,date,fuente\nAl,5,2026-01-02,Tripadvisor reviews\n", "tripadvisor"],
      ["author,rating,date,source\nAl,5,2026-01-02,Google My Business\n", "google"],
      ["author,rating,date,query\nAl,5,2026-01-02,https://www.yelp.com/biz/x\n", "yelp"],
      ["author,rating,date,link\nAl,5,2026-01-02,https://www.checkatrade.com/r/1\n", "checkatrade"],
      ["author,rating,date,Website\nAl,5,2026-01-02,https://www.facebook.com/ours\n", "google"],
      ["author,rating,date,Provider\nAl,5,2026-01-02,Dr Jo Booking\n", "google"],
      [{ checkatrade: [review] }, "checkatrade"],
      [{ meta: { provider: "Yelp" }, reviews: [review] }, "yelp"],
      [{ url: "https://uk.trustpilot.com/review/x", reviews: [review] }, "trustpilot"],
      ["author,rating,date,query\nAl,5,2026-01-02,trustpilot.com/review/x\n", "trustpilot"],
      ["author,rating,date,website\nAl,5,2026-01-02,https://www.trustpilot.com/review/x\n", "trustpilot"],
      ["author,rating,date,menu_link\nAl,5,2026-01-02,https://www.opentable.com/r/x\n", "google"],
      ...["input", "url", "searchUrl", "startUrl", "from", "crawled_url", "metadata.url", "whatever"].map(
        (member) => [[{ ...review, [member]: "trustpilot.com/review/x" }], "trustpilot"] as const,
      ),
      [{ startUrls: [{ url: "yelp.com/biz/x" }], reviews: [review] }, "yelp"],
      ["Tripadvisor reviews export\n\nauthor,rating,date,text\nAl,5,2026-01-02,x\n", "tripadvisor"],
      [{ search_parameters: { engine: "tripadvisor_reviews" }, reviews: [review] }, "tripadvisor"],
    ] as const) {
      const { rows } = await imported("a.csv", content, { source: "google" });
      assert.deepEqual(
        rows.map((row) => row.source),
        [source],
        JSON.stringify(content),
      );
    }
  });

  test("a site that is not known, or a column that may name one, is said", async () => {
    const csv = "author,rating,date,link,found_on\nAl,5,2026-01-02,https://best-trades.example/r/1,Yelp\n";
    const { warnings } = await imported("a.csv", csv, { source: "google" });
    assert.match(
      warnings,
      /1 review links to a site that is not known here \(best-trades\.example\), and counts as google/,
    );
    assert.match(
      warnings,
      /"found_on" \("Yelp"\) may say where the reviews were written: .*--columns source="found_on"/,
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

describe("the ratings of a file are judged together", () => {
  const table = (...ratings: readonly unknown[]) =>
    `author,rating,text,date,source\n${ratings.map((rating, index) => `A${index},${rating},x,2026-01-0${index + 1},google`).join("\n")}\n`;

  test("none is read where one shows that they count to ten, not even with --skip-invalid", async () => {
    for (const ratings of [
      [10, 9, 8, 10, 5],
      [10, 5, 4],
      [3, "85%", 5],
      [100, 80, 5],
      [6, 6, 5],
    ]) {
      const { rows } = await imported("a.csv", table(...ratings), { skipInvalid: true });
      assert.deepEqual(rows, [], ratings.join());
    }
    const message = await refusal("a.csv", table(10, 5, 4));
    assert.match(message, /line 3: rating is "5", but line 2 has "10", so the ratings seem to count to 10\./);
    assert.match(message, /--columns rating=/);
  });

  test("nor where the header, another column or the site says so", async () => {
    for (const content of [
      "author,Rating (1-10),date\nA,5,2026-01-01\n",
      "author,score /10,date\nA,5,2026-01-01\n",
      "author,rating,best_rating,date\nA,5,10,2026-01-01\n",
      "author,rating,date,source\nA,5,2026-01-01,Booking.com\nB,4,2026-01-02,Booking.com\n",
      JSON.stringify([{ author: "A", rating: { value: 4, max: 10 }, max_rating: 10, date: "2026-01-01" }]),
    ]) {
      const { rows } = await imported("a.csv", content, { skipInvalid: true });
      assert.deepEqual(rows, [], content);
    }
    const five = "author,Rating (1-5),date,source\nA,5,2026-01-01,Booking.com\n";
    assert.equal((await imported("a.csv", five)).rows[0]?.rating, 5);
  });

  test("the review's own column goes before one that the place has too", async () => {
    const csv =
      'place_id,name,address,rating,type,review_text,review_rating,date,review_author\nP1,Depot Nord,"Hauptstr. 1",4,Werkstatt,Sehr unfreundlich,1,2026-01-05,Uwe M.\nP1,Depot Nord,"Hauptstr. 1",4,Werkstatt,Alles bestens,5,2026-01-09,Ina K.\n';
    const { rows, warnings } = await imported("a.csv", csv);
    assert.deepEqual(
      rows.map(({ author, rating }) => [author, rating]),
      [
        ["Uwe M.", 1],
        ["Ina K.", 5],
      ],
    );
    assert.match(warnings, /the stars are read from "review_rating", not from "rating"/);
  });

  test("a filled column goes before an empty one, of all records and of each", async () => {
    const csv = "author,rating,stars,date\nA,,2,2026-01-05\nB,,5,2026-01-06\n";
    assert.deepEqual(
      (await imported("a.csv", csv)).rows.map(({ rating }) => rating),
      [2, 5],
    );
    const json = [
      { author: "A", rating: null, stars: 2, date: "2026-01-05" },
      { author: "B", rating: 5, date: "2026-01-06" },
    ];
    assert.deepEqual(
      (await imported("a.json", json)).rows.map(({ rating }) => rating),
      [2, 5],
    );
    const link =
      "author,rating,date,url,reviewUrl,place_id\nA,5,2026-01-05,https://example.com/place,https://example.com/r/1,p\n";
    assert.equal((await imported("a.csv", link)).rows[0]?.source_url, "https://example.com/r/1");
  });

  test("two columns with different stars are refused until one is named", async () => {
    const csv = "author,rating,stars,date\nA,5,2,2026-01-05\n";
    assert.match(await refusal("a.csv", csv), /^a\.csv, line 2: rating is "5", but stars is "2": name the one/);
    assert.equal((await imported("a.csv", csv, { columns: { rating: "stars" } })).rows[0]?.rating, 2);
  });

  test("an id that is the same for all records is the place's", async () => {
    const csv = "id,author,rating,date,text\np1,A,5,2026-01-05,So very good\np1,B,1,2026-01-06,So very bad\n";
    assert.equal((await imported("a.csv", csv)).rows.length, 2);
  });
});

describe("what the owner's own system hides is not published", () => {
  const business = "time_zone: UTC\nverified_sources: [google, first_party]\n";

  test("unapproved rows are kept, withheld and named; a later import shows or hides them again", async () => {
    await using box = await openSandbox();
    const csv = (approved: number) =>
      `date,date_gmt,title,content,rating,name,email,is_approved,is_pinned\n"2021-12-20 10:11:12","2021-12-20 09:11:12","Best in town","They came within an hour.",5,"Jo D.",jo@example.com,1,0\n"2021-12-21 10:11:12","2021-12-21 09:11:12","Cheap watches","Visit my shop for watches now.",5,"Seller",s@example.com,${approved},0\n`;
    box.write("business.yaml", `name: Test\n${business}`);
    await box.take(`${box.folder}/business.yaml`);
    const authors = async () => (await box.reviews()).map(({ author }) => author).toSorted();
    const report = await box.take(box.write("a.csv", csv(0)));
    assert.deepEqual(await authors(), ["Jo D."]);
    assert.deepEqual([report.withheld, report.withheld_states], [1, { "is_approved: 0": 1 }]);
    assert.match(
      report.warnings.join(),
      /1 review is kept but not published, because the system.*is_approved: 0 \(1\)/,
    );
    await box.take(box.write("a.csv", csv(1)));
    assert.deepEqual(await authors(), ["Jo D.", "Seller"]);
    await box.take(box.write("a.csv", csv(0)));
    assert.deepEqual(await authors(), ["Jo D."]);
    const bare =
      'date,content,rating,name,title\n2021-12-21,"Visit my shop for watches now.",5,"Seller","Cheap watches"\n';
    await box.take(box.write("b.csv", bare));
    assert.deepEqual(await authors(), ["Jo D."], "a file without states changes none");
  });

  test("Yotpo's rejected reviews and its comments that are not public stay out", async () => {
    const csv =
      "Review ID,Review Creation Date,Review Status,Review Score,Review Title,Review Content,Comment Date,Comment Content,Comment Public,Reviewer Display Name\n" +
      "501,2022-06-01,published,5,Spotless,They cleaned every room.,2022-06-03,Thank you!,true,Rita M.\n" +
      "502,2022-06-02,rejected,1,Spam,Buy my pills at my site.,,,false,Bot\n" +
      "503,2022-06-05,published,4,Good,The mop works well.,2022-06-06,Internal note: offer a refund.,false,Omar\n";
    const columns = {
      rating: "Review Score",
      date: "Review Creation Date",
      author: "Reviewer Display Name",
      text: "Review Content",
      owner_reply_text: "Comment Content",
      owner_reply_date: "Comment Date",
    };
    for (const options of [{ business, columns }, { business }]) {
      const { published, warnings } = await imported("a.csv", csv, options);
      assert.deepEqual(
        published.map(({ author, text, owner_reply }) => [author, text, owner_reply]),
        [
          ["Omar", "Good\n\nThe mop works well.", null],
          ["Rita M.", "Spotless\n\nThey cleaned every room.", { text: "Thank you!", date: "2022-06-03" }],
        ],
      );
      assert.match(warnings, /1 reply is left out, because "Comment Public" says that it is not public/);
    }
  });

  for (const [header, shown, hidden] of [
    ["status", "approved", "spam"],
    ["Status", "Freigegeben", "Papierkorb"],
    ["state", "published", "unpublished"],
    ["comment_approved", "1", "trash"],
    ["published", "TRUE", "FALSE"],
    ["hidden", "0", "1"],
    ["is_spam", "no", "yes"],
    ["deleted_at", "", "2026-02-01 10:00:00"],
    ["visibility", "public", "private"],
    ["curated", "ok", "spam"],
    ["statut", "publié", "en attente"],
    ["Statut de modération", "Validé", "Refusé"],
    ["Sichtbarkeit", "Öffentlich", "Nur intern"],
    ["Show on website", "TRUE", "FALSE"],
    ["May we publish this?", "Yes", "No"],
    ["Do not publish", "", "x"],
    ["is_hidden_by_moderator", "false", "true"],
    ["Approved", "checked", ""],
    ["deletedAt", "NULL", "2026-02-01"],
    ["post_status", "publish", "draft"],
    ["rejection_reason", "", "Insulting"],
    ["publishedAt", "2026-01-01", ""],
    ["공개여부", "공개", "비공개"],
    ["Опубликовано", "да", "нет"],
    ["Vises på nettsiden", "Ja", "Nei"],
    ["Is suspicious?", "no", "yes"],
    ["flagged", "0", "1"],
    ["reported", "", "TRUE"],
    ["quarantined", "false", "true"],
    ["junk", "no", "yes"],
    ["awaiting_approval", "no", "yes"],
    ["internal_only", "no", "yes"],
    ["moderation_result", "pass", "fail"],
    ["shadow_banned", "0", "1"],
    ["revoked_at", "", "2026-02-01"],
    ["suspended", "0", "1"],
    ["reported_as_fake", "no", "yes"],
    ["violates_policy", "no", "yes"],
    ["exclude from site", "", "x"],
    ["spam_status", "ham", "spam"],
    ["verdict", "genuine", "fake"],
    ["on_website", "yes", "no"],
    ["Verdächtig", "nein", "ja"],
    ["signalé", "non", "oui"],
  ] as const) {
    test(`${header} ${hidden}`, async () => {
      const csv = `author,rating,date,text,${header}\nA,5,2026-01-05,Good,${shown}\nB,1,2026-01-06,Bad,${hidden}\n`;
      const { published } = await imported("a.csv", csv, { business });
      assert.deepEqual(
        published.map(({ author }) => author),
        ["A"],
      );
      const json = [
        { author: "A", rating: 5, date: "2026-01-05", [header]: shown },
        { author: "B", rating: 1, date: "2026-01-06", [header]: hidden },
      ];
      const inJson = await imported("a.json", json, { business });
      assert.deepEqual(
        inJson.published.map(({ author }) => author),
        ["A"],
      );
    });
  }

  test("a state that only some records have hides those alone, unless it is an approval", async () => {
    const record = (author: string, state: object) => ({
      author,
      rating: 5,
      date: "2026-01-05",
      text: author,
      ...state,
    });
    for (const [states, shown] of [
      [
        [{}, { post_status: "trash" }, { post_status: "" }],
        ["A", "C"],
      ],
      [
        [{}, { hidden: true }, { hidden: null }],
        ["A", "C"],
      ],
      [
        [{}, { visible: false }, {}],
        ["A", "C"],
      ],
      [[{ status: "published" }, { status: "spam" }, { status: "" }], ["A"]],
      [[{ approved: "" }, { approved: "no" }, { approved: "" }], []],
    ] as const) {
      const json = states.map((state, index) => record("ABC".charAt(index), state));
      const { published, report } = await imported("a.json", json, { business });
      assert.deepEqual(published.map(({ author }) => author).toSorted(), shown, JSON.stringify(states));
      assert.equal(report.withheld, 3 - shown.length);
    }
    const csv = "author,rating,date,text,post_status\nA,5,2026-01-05,A,\nB,4,2026-01-06,B,trash\nC,1,2026-01-07,C,\n";
    const { published, warnings } = await imported("a.csv", csv, { business });
    assert.deepEqual(published.map(({ author }) => author).toSorted(), ["A", "C"]);
    assert.match(warnings, /1 review is kept but not published.*post_status: trash \(1\)/);
  });

  test("a name that its customer hides is left out, and a reply in other words of its state", async () => {
    const csv =
      "author,rating,date,reply,Anonymous,Show my name,Show reply\nAl,5,2026-01-05,Secret,no,yes,no\nBo,4,2026-01-06,Thanks,yes,yes,yes\nCy,3,2026-01-07,,no,no,yes\n";
    const { rows, warnings } = await imported("a.csv", csv, { business });
    assert.deepEqual(rows.map(({ date, author, reply_text }) => [date, author, reply_text]).toSorted(), [
      ["2026-01-05", "Al", null],
      ["2026-01-06", "Anonymous", "Thanks"],
      ["2026-01-07", "Anonymous", null],
    ]);
    assert.match(warnings, /1 reply is left out, because "Show reply"/);
    assert.match(warnings, /2 names are left out, because "Anonymous", "Show my name" says/);
  });

  test("words of a state that are not known are named, and other columns hide nothing", async () => {
    const csv =
      "author,rating,date,text,Consent to publish,Marketing consent,Our view\nA,5,2026-01-05,Good,I agree,no,spam\n";
    const { published, warnings } = await imported("a.csv", csv, { business });
    assert.equal(published.length, 1);
    assert.match(warnings, /"Consent to publish" \("I agree"\) is not known to say which reviews are shown/);
    assert.match(warnings, /"Our view" \("spam"\) is not known to say which reviews are shown/);
  });

  test("a service's own state counts in its own format, too", async () => {
    const review = (id: string, status: string) => ({
      id,
      stars: 5,
      text: "Good",
      createdAt: "2026-01-05T10:00:00Z",
      consumer: { displayName: id },
      status,
    });
    const { published } = await imported(
      "a.json",
      { reviews: [review("a", "active"), review("b", "archived")] },
      { business: "time_zone: UTC\nverified_sources: [trustpilot]\n" },
    );
    assert.deepEqual(
      published.map(({ author }) => author),
      ["a"],
    );
  });

  test("a state of the country is none of the review, and an unknown word is named", async () => {
    const csv = (state: string) => `author,rating,date,state\nA,5,2026-01-05,${state}\n`;
    const { published, warnings } = await imported("a.csv", csv("Texas"), { business });
    assert.equal(published.length, 1);
    assert.match(warnings, /"state" \("Texas"\) is not known to say which reviews are shown/);
  });
});

describe("the day of a review", () => {
  test("is that of the exact date that stands beside an age", async () => {
    const json = [
      { author: "Ann B.", rating: "★★★★★", text: "Calm.", date: "il y a 2 mois", isoDate: "2026-02-25T19:40:07Z" },
    ];
    const { rows, warnings } = await imported("a.json", json);
    assert.deepEqual([rows[0]?.date, rows[0]?.rating], ["2026-02-25", 5]);
    assert.match(warnings, /"date" gives no day; 1 review is dated by "isoDate" instead/);
    const csv =
      "review_id,name,rating,published_at,published_at_date,review_text\nr1,Ann B.,5,5 days ago,2025-02-24T10:00:00,Quick.\n";
    assert.equal((await imported("b.csv", csv)).rows[0]?.date, "2025-02-24");
  });

  test("is never another one where its own is no valid day", async () => {
    const csv = "author,rating,review_date,created_at\nA,5,2026-02-30,2026-03-05\n";
    assert.match(await refusal("a.csv", csv), /review_date is "2026-02-30"/);
  });

  test("follows from milliseconds, seconds and compact days", async () => {
    for (const [time, day] of [
      [1788447744000, "2026-09-03"],
      [1788447744, "2026-09-03"],
      ["1788447744000", "2026-09-03"],
      [20260105, "2026-01-05"],
    ]) {
      const { rows } = await imported("a.json", {
        reviews: [{ name: "A", rating: 5, relTime: "il y a 2 semaines", time }],
      });
      assert.equal(rows[0]?.date, day);
    }
  });

  test("follows from a zone's abbreviation, if the business's clock has it", async () => {
    const csv =
      "Date,Customer Name,Rating,Review\n26-05-2026 08:56 AM IST,Asha N.,5,Patient.\n26-05-2026 09:10 PM IST,Ravi K.,4,Fair.\n";
    const { rows } = await imported("a.csv", csv, { business: "time_zone: Asia/Kolkata\n" });
    assert.deepEqual(
      rows.map(({ date }) => date),
      ["2026-05-26", "2026-05-26"],
    );
    assert.match(await refusal("a.csv", csv), /names the time zone "IST", which is none of the business's \(UTC\)/);
    const eastern = "author,rating,date\nA,5,2026-01-05 23:30 EST\n";
    const inChicago = await imported("a.csv", eastern, { business: "time_zone: America/Chicago\n" });
    assert.deepEqual([inChicago.rows[0]?.date, inChicago.rows[0]?.written_at], ["2026-01-05", "2026-01-06T04:30:00Z"]);
  });

  test("is not made from an age or a month, in any language", async () => {
    for (const age of [
      "3 weeks ago",
      "il y a 6 mois",
      "vor 10 Monaten",
      "9 meses atrás",
      "hace 3 semanas",
      "3 mesi fa",
      "een jaar geleden",
      "2 lata temu",
      "för 3 år sedan",
      "3 週間前",
      "2 года назад",
      "3 ay önce",
      "vor einem Jahr",
    ])
      assert.match(
        await refusal("a.csv", `author,rating,date\nA,5,${age}\n`),
        /gives an age, not a date.*takeout\.google/,
        age,
      );
    for (const month of [
      "Feb 2025",
      "Août 2025",
      "Janvier 2023",
      "2025-02",
      "02/2025",
      "2025年2月",
      "luty 2025",
      "Januar",
      "janvier",
      "March",
      "févr.",
      "styczeń",
      "Январь",
      "1月",
    ])
      assert.match(
        await refusal("a.csv", `author,rating,date\nA,5,${month}\n`),
        /names a month, not a day.*takeout/,
        month,
      );
  });

  test("is read month first in UTC where Outscraper's columns were chosen", async () => {
    const csv =
      "review_text,review_rating,review_datetime_utc,author_title\nGood work,5,01/30/2026 10:11:12,Ann B.\nBad,1,02/03/2026 10:11:12,Bo\n";
    const { rows } = await imported("a.csv", csv);
    assert.deepEqual(
      rows.map(({ date, rating }) => [date, rating]),
      [
        ["2026-01-30", 5],
        ["2026-02-03", 1],
      ],
    );
  });
});

describe("the customer's words", () => {
  test("are without the entities of HTML, which are decoded once", async () => {
    const csv =
      'author,rating,date,text\nAnn &amp; Bo,5,2026-01-05,"I&#x27;ll make this short &amp; sweet: &quot;tidy&quot; work."\nC,4,2026-01-06,"It&#039;s &amp;lt; good &amp; cheap &unknown; AT&T"\n';
    const { rows } = await imported("a.csv", csv);
    assert.deepEqual(
      rows.map(({ author, text }) => [author, text]),
      [
        ["Ann & Bo", `I'll make this short & sweet: "tidy" work.`],
        ["C", "It's &lt; good & cheap &unknown; AT&T"],
      ],
    );
    const takeout = takeoutPage(takeoutReview("a", { comment: "Good &amp; cheap" }));
    assert.equal((await imported("t.json", takeout)).rows[0]?.text, "Good & cheap");
  });

  test("are without the tags of a text that is HTML, and keep other angles", async () => {
    const json = [
      { author: "A", rating: 5, date: "2026-01-05", text: "<p>Quick &amp; <b>kind</b>.</p>\n<p>Again!</p>" },
      { author: "B", rating: 5, date: "2026-01-06", text: "I <3 them, a<b>c" },
    ];
    const { rows, warnings } = await imported("a.json", json);
    assert.deepEqual(
      rows.map(({ text }) => text),
      ["Quick & kind.\n\nAgain!", "I <3 them, a<b>c"],
    );
    assert.match(warnings, /1 text has tags of HTML, BBCode or WordPress, which are left out/);
  });

  test("include the title, which stands alone where there is no text", async () => {
    const csv =
      "title,body,rating,review_date,reviewer_name\nNever again,They kept my deposit.,1,2026-02-10,John S.\nExcellent!,,5,2026-02-11,Mia R.\n";
    const { rows } = await imported("a.csv", csv);
    assert.deepEqual(
      rows.map(({ text }) => text),
      ["Never again\n\nThey kept my deposit.", "Excellent!"],
    );
    const place = [
      { placeId: "p", title: "Depot Nord", text: "Good work here", stars: 5, date: "2026-01-05" },
      { placeId: "p", title: "Depot Nord", text: "Bad work here", stars: 1, date: "2026-01-06" },
    ];
    assert.deepEqual(
      (await imported("a.json", place)).rows.map(({ text }) => text),
      ["Good work here", "Bad work here"],
    );
  });
});

describe("the owner's reply", () => {
  const csv = (column: string) =>
    `author,rating,date,text,${column},Response date\nA,5,2026-01-05,It was all very good,Thank you for coming,2026-01-06\nB,4,2026-01-07,It was fine,,\n`;

  for (const column of [
    "Public Response",
    "Response from the owner",
    "Business reply",
    "Reply text",
    "Antwort des Inhabers",
    "Management Response",
    "Réponse de l'établissement",
    "Risposta della struttura",
    "Hotel response",
    "Kommentar des Inhabers",
    "Reactie van de eigenaar",
    "businessResponse.text",
  ])
    test(`is read from ${column}`, async () => {
      const { rows, warnings } = await imported("a.csv", csv(column));
      assert.deepEqual(
        rows.map(({ reply_text, reply_date }) => [reply_text, reply_date]),
        [
          ["Thank you for coming", "2026-01-06"],
          [null, null],
        ],
      );
      assert.doesNotMatch(warnings, /not known to say which reviews are shown/);
    });

  for (const column of [
    "Manager note",
    "Suggested reply by our AI",
    "Internal response of the team",
    "Draft owner reply",
    "Reply (draft)",
  ])
    test(`is never read from ${column}`, async () => {
      assert.equal((await imported("a.csv", csv(column))).rows[0]?.reply_text, null);
    });

  test("of a column that does not say whose it is, is named", async () => {
    const { warnings } = await imported("a.csv", csv("Stellungnahme"));
    assert.match(warnings, /"Stellungnahme" may hold replies.*--columns owner_reply_text="Stellungnahme"/);
  });
});

describe("a reply without a date", () => {
  test("is published without one, from a table and from JSON", async () => {
    const csv =
      "title,body,rating,review_date,reviewer_name,reviewer_email,product_id,product_handle,reply,picture_urls\nGreat service,They were quick.,5,2026-02-10 15:30:40 UTC,John S.,j@example.com,,,Thank you John!,\nOkay,It works.,4,2026-02-11 09:00:00 UTC,Mia R.,m@example.com,,,,\n";
    const { published } = await imported("a.csv", csv, { source: "google" });
    assert.deepEqual(
      published.map(({ owner_reply }) => owner_reply),
      [null, { text: "Thank you John!", date: null }],
    );
    const json = { reviews: [{ author: "Al N.", rating: 5, date: "2026-01-02", text: "Quick.", reply: "Thanks Al" }] };
    const inJson = await imported("b.json", json, { source: "google" });
    assert.deepEqual(inJson.published[0]?.owner_reply, { text: "Thanks Al", date: null });
  });

  for (const [column, value] of [
    ["reply_date", "03/04/2025"],
    ["reply_date", "00/00/0000"],
    ["updated", "03/04/2025"],
  ] as const)
    test(`is published without one where ${column} is ${value} in all rows, with a warning`, async () => {
      const csv = `author,rating,date,text,reply,${column}\nA,5,2025-01-02,x,Thanks,${value}\nB,5,2025-01-03,y,Thanks,${value}\n`;
      const { published, report } = await imported("a.csv", csv, { source: "google" });
      assert.deepEqual(
        published.map(({ owner_reply }) => owner_reply),
        [
          { text: "Thanks", date: null },
          { text: "Thanks", date: null },
        ],
      );
      assert.match(report.warnings.join("\n"), new RegExp(`${column} is .*2 reviews are imported without it`));
    });

  test("keeps the date that another export gave, and takes one that comes later", async () => {
    await using box = await openSandbox();
    const bare = box.write("a.csv", "id,rating,date,reply\n1,5,2026-01-02,Thanks\n");
    const dated = box.write("b.csv", "id,rating,date,reply,reply_date\n1,5,2026-01-02,Thanks,2026-01-03\n");
    const reply = async () => (await box.reviews())[0]?.owner_reply;
    for (const [path, date] of [
      [bare, null],
      [dated, "2026-01-03"],
      [bare, "2026-01-03"],
    ] as const) {
      await box.take(path, { source: "google" });
      assert.deepEqual(await reply(), { text: "Thanks", date });
    }
  });
});

describe("JSON of any shape", () => {
  test("is read by dotted names, at any depth, and by --columns", async () => {
    const nested = {
      data: { business: { feedback: [{ by: { label: "Ann" }, mark: 4, on: "2026-01-05", says: { de: "Gut" } }] } },
    };
    assert.match(
      await refusal("a.json", nested),
      /has the members "by\.label", "mark", "on", "says\.de".*--columns rating="…"/,
    );
    const columns = { author: "by.label", rating: "mark", date: "on", text: "says.de" };
    const { rows } = await imported("a.json", nested, { columns });
    assert.deepEqual(
      rows.map(({ author, rating, date, text }) => [author, rating, date, text]),
      [["Ann", 4, "2026-01-05", "Gut"]],
    );
    assert.match(await refusal("a.json", nested, { columns: { ...columns, text: "tells" } }), /has no member "tells"/);
  });

  test("takes the reviews inside the places, not the places", async () => {
    const places = [
      {
        name: "Depot",
        rating: 4.6,
        created_at: "2020-01-01",
        reviews: [{ author: "Ann", stars: 2, date: "2026-01-05" }],
      },
    ];
    const { rows } = await imported("a.json", places);
    assert.deepEqual(
      rows.map(({ author, rating }) => [author, rating]),
      [["Ann", 2]],
    );
  });

  test("takes the site that the file names once for all, or by the name of a list", async () => {
    const review = (author: string) => ({ author, rating: 5, date: "2026-01-05" });
    const once = { platform: "Yelp", best_rating: 5, reviews: [review("Ann")] };
    assert.equal((await imported("a.json", once, { source: "google" })).rows[0]?.source, "yelp");
    const lists = { reviews: { google: [review("Ann")], yelp: [review("Bo")] } };
    const { rows } = await imported("a.json", lists, { source: "google" });
    assert.deepEqual(
      rows.map(({ author, source }) => [author, source]),
      [
        ["Ann", "google"],
        ["Bo", "yelp"],
      ],
    );
    for (const scale of [{ best_rating: 10 }, { scale: 10 }, { rating_scale: { min: 0, max: 10 } }])
      assert.deepEqual(
        (await imported("a.json", { ...scale, reviews: [review("Ann")] }, { skipInvalid: true })).rows,
        [],
      );
  });

  for (const text of [
    "(Translated by Google) Very good work at a fair price.",
    "(Übersetzt von Google) Sehr gute Arbeit.",
    "(Translated by Google)\nVery good work.\n\n(Original)\n",
    "Very good work.\n\n(Translated by Google)",
    "Traduit par Google : Très bon travail.",
    "（由 Google 翻譯）做得很好",
  ])
    test(`are none in ${JSON.stringify(text)}: the machine's are left out, with a line in the report`, async () => {
      const reviewReply = { comment: text, updateTime: "2024-06-07T00:00:00Z" };
      await using box = await openSandbox();
      const { warnings } = await box.take(
        box.write("a.json", takeoutPage(takeoutReview("a", { comment: text, reviewReply }), takeoutReview("b"))),
      );
      assert.deepEqual(
        (await box.rows()).map((row) => [row.rating, row.text, row.reply_text]).toSorted(),
        [
          [5, "The words of b", null],
          [5, null, null],
        ].toSorted(),
      );
      assert.match(warnings.join("\n"), /comment is Google's translation without the customer's own words/);
    });

  test("takes the customer's own words before a translation", async () => {
    const json = [
      { author: "A", rating: 5, date: "2026-01-05", text: { text: "Good" }, originalText: { text: "Gut" } },
    ];
    assert.equal((await imported("a.json", json)).rows[0]?.text, "Gut");
  });

  test("of a shop: 'verified' says that the customer bought something, and verifies no source", async () => {
    const json = [
      {
        id: 7,
        product_id: 3,
        reviewer: "Jo",
        review: "<p>Great.</p>",
        rating: 5,
        verified: true,
        status: "approved",
        date_created: "2026-01-05T10:00:00",
      },
    ];
    const { published, rows } = await imported("a.json", json);
    assert.deepEqual([published.length, rows[0]?.author, rows[0]?.text], [0, "Jo", "Great."]);
  });
});

describe("a CSV that is more than a table", () => {
  const rows =
    "投稿日,投稿者,評価,口コミ,返信\n2026-05-11,田中 は.,5,とても丁寧でした。,ありがとうございます。\n2026-05-02,Sam O.,4,Quick repair.,\n";

  test("is read below its title, up to the next table, and both are named", async () => {
    const columns = { date: "投稿日", author: "投稿者", rating: "評価", text: "口コミ" };
    for (const end of ["\n【言語別統計】\n言語,件数\nja,1\n", "\n【言語別統計】,,,,\n言語,件数,,,\nja,1,,,\n"]) {
      for (const options of [{ columns }, {}]) {
        const { rows: read, warnings } = await imported("a.csv", `\uFEFF【口コミ一覧】\n${rows}${end}`, options);
        assert.deepEqual(
          read.map(({ author, rating }) => [author, rating]),
          [
            ["Sam O.", 4],
            ["田中 は.", 5],
          ],
        );
        assert.match(warnings, /above the header \(line 2\), "【口コミ一覧】" is passed over/);
        assert.match(warnings, /line 6: another table begins here \("【言語別統計】"\).*3 rows are left out/);
      }
    }
    const metadata = `Business,Depot Nord\nExported,2026-06-01\n\n${rows}`;
    assert.equal((await imported("a.csv", metadata)).rows.length, 2);
  });

  test("keeps narrow rows as faults where reviews follow them", async () => {
    const broken = "author,rating,date,text\nA,5,2026-01-05,x\n\nB,4\nC,3,2026-01-07,y\n";
    assert.match(await refusal("a.csv", broken), /line 4: has 2 fields, but the header names 4 columns/);
  });
});

describe("the reviews of a web page", () => {
  const microdata = `<!doctype html><html><head><meta charset="utf-8"><title>Opinie</title></head><body>
<div itemscope itemtype="https://schema.org/LocalBusiness"><span itemprop="name">Example</span>
<article itemprop="review" itemscope itemtype="https://schema.org/Review"><span itemprop="author" itemscope itemtype="https://schema.org/Person"><span itemprop="name">Jan K.</span></span>
<span itemprop="reviewRating" itemscope itemtype="https://schema.org/Rating"><meta itemprop="ratingValue" content="5"><meta itemprop="bestRating" content="5"></span>
<time itemprop="datePublished" datetime="2024-11-12">listopad 2024</time><p itemprop="reviewBody">Sprawnie<br>i <b>uczciwie</b> &amp; tanio.</p></article></div></body></html>`;
  const rdfa = `<!doctype html><html><body vocab="https://schema.org/" typeof="LocalBusiness">
<div property="review" typeof="schema:Review"><span property="author" typeof="Person"><b property="name">Jan K.</b></span>
<span property="reviewRating" typeof="Rating"><span property="ratingValue">5</span>/<span property="bestRating">5</span></span>
<meta property="datePublished" content="2024-11-12"><h3 property="name">Polecam</h3><p property="reviewBody">Sprawnie.</p></div></body></html>`;

  test("are read from microdata and RDFa as from JSON-LD", async () => {
    for (const [page, text] of [
      [microdata, "Sprawnie\ni uczciwie & tanio."],
      [rdfa, "Polecam\n\nSprawnie."],
    ] as const) {
      const { rows } = await imported("page.html", page);
      assert.deepEqual(
        rows.map(({ author, rating, date, text, source }) => [author, rating, date, text, source]),
        [["Jan K.", 5, "2024-11-12", text, "first_party"]],
      );
    }
  });

  test("are of the site that their publisher is, and of products with a warning", async () => {
    const review = { "@type": "Review", author: "Jan", reviewRating: { ratingValue: 4 }, datePublished: "2024-11-12" };
    const page = (node: object) => `<script type="application/ld+json">${JSON.stringify(node)}</script>`;
    const published = page({ ...review, publisher: { "@type": "Organization", name: "Yelp" } });
    assert.equal((await imported("a.html", published, { source: "google" })).rows[0]?.source, "yelp");
    const { rows, warnings } = await imported("b.html", page({ "@type": "Product", name: "Boiler", review: [review] }));
    assert.equal(rows.length, 1);
    assert.match(warnings, /1 review is of a product in the page's words, and counts as the business's/);
  });

  test("are read once where the page describes them twice, and the report says so", async () => {
    const node = { "@type": "Review", author: "Jan", reviewRating: { ratingValue: 4 }, datePublished: "2024-11-12" };
    const block = `<script type="application/ld+json">${JSON.stringify([node, { ...node, author: "Ewa" }])}</script>`;
    const { rows, warnings } = await imported("page.html", microdata.replace("</body>", `${block}</body>`));
    assert.deepEqual(
      rows.map(({ author }) => author),
      ["Ewa", "Jan"],
    );
    assert.match(warnings, /the 2 in JSON-LD are read, 1 in microdata passed over/);
  });

  test("are of five stars: none is read where one shows another scale", async () => {
    const ten = [9, 5].map((ratingValue) => ({
      "@type": "Review",
      author: `${ratingValue}`,
      datePublished: "2024-11-12",
      reviewRating: { ratingValue },
    }));
    assert.deepEqual((await imported("a.jsonld", ten, { skipInvalid: true })).rows, []);
    const marked = microdata.replace('itemprop="bestRating" content="5"', 'itemprop="bestRating" content="10"');
    assert.match(await refusal("page.html", marked), /reviewRating\.bestRating is "10", but must be 5/);
    const mean = (value: string, best: string) =>
      `<div itemprop="aggregateRating" itemscope itemtype="https://schema.org/AggregateRating"><meta itemprop="ratingValue" content="${value}">${best}</div>`;
    const unscaled = (other: string) =>
      microdata.replace('<meta itemprop="bestRating" content="5">', "").replace("</body>", `${other}</body>`);
    for (const other of [
      mean("8.4", '<meta itemprop="bestRating" content="10">'),
      mean("8.43333", ""),
      mean("84", '<meta itemprop="bestRating" content="100">'),
    ])
      assert.match(
        await refusal("page.html", unscaled(other)),
        /ratingValue is "5", but the mean of all ratings .* count to 10/,
        other,
      );
    assert.equal(
      (await imported("page.html", unscaled(mean("4.4", '<meta itemprop="bestRating" content="5">')))).rows.length,
      1,
    );
  });

  test("of a hostile page do not stop the import", async () => {
    const deep = (elements: number) =>
      `<!doctype html><div itemscope itemtype="https://schema.org/Review">${'<div itemprop="reviewBody">a'.repeat(elements)}`;
    assert.match(await refusal("page.html", deep(4_900)), /page\.html, microdata, review 1: reviewRating/);
    assert.match(await refusal("page.html", deep(50_000)), /page\.html nests its elements too deep to be read: export/);
  });
});

describe("a small file, as somebody's system writes it,", () => {
  type Case = readonly [what: string, content: unknown, right: object | RegExp, said?: RegExp];
  const of = (columns: string, ...rows: string[]) =>
    `author,rating,date,${columns}\n${rows.map((row) => `A,${row}\n`).join("")}`;
  const json = (others: object) => [{ author: "A", rating: 4, date: "2026-01-05", ...others }];
  const page = (author: string, more = "") =>
    `<!doctype html><html><body><div itemscope itemtype="https://schema.org/Review">${author}<div itemprop="reviewRating" itemscope><meta itemprop="ratingValue" content="5"></div><meta itemprop="datePublished" content="2026-01-05">${more}</div></body></html>`;
  const cases: readonly Case[] = [
    ["counts to ten beside the column", of("max_score", "4,2026-01-05,10"), /max_score is "10", but must be 5/],
    ["counts to ten as a range says", of("rating_scale", "4,2026-01-05,1-10"), /rating_scale is "1-10", but must be 5/],
    [
      "counts to ten in a word",
      "author,Rating (out of ten),date\nA,4,2026-01-05\n",
      /counts to 10.*; if another column holds stars/,
    ],
    [
      "was made on two days",
      "author,rating,date,timestamp\nA,5,2 weeks ago,2026-01-20\nB,4,a year ago,2026-01-21\n",
      /gives an age/,
    ],
    ["counts to one", json({ rating: "0.8" }).concat(json({ rating: "1.0" })), /seem to count to 1\./],
    ["has school grades", "Kunde;Note;Datum\nA;1;05.01.2026\n", /"Note" seems to hold school grades/],
    [
      "says of a column of its own that it has school grades",
      "Datum;Zufriedenheit (Schulnote)\n05.01.2026;1\n",
      /"Zufriedenheit \(Schulnote\)", which seems to hold school grades.*1 is not one star/,
    ],
    ["says that 1 is the best", "Datum;Laune (1=sehr gut)\n05.01.2026;1\n", /seems to hold school grades/],
    ["has two columns of one name", of("rating", "5,2026-01-05,1"), /rating is "5", but rating \(2\) is "1"/],
    [
      "names the exact days otherwise",
      of("exact_date", "4,vor 2 Wochen,2026-01-05"),
      /"exact_date" holds days: .*--columns date="exact_date"/,
    ],
    ["is of employees", [{ "@type": "EmployerReview", ...json({})[0] }], /not in a review format/],
    ["has whole names in halves", "Vorname,Nachname,rating,date\nUwe,Meier,4,2026-01-05\n", { author: "Uwe Meier" }],
    ["calls the halves First and Last", "First,Last,rating,date\nUwe,Meier,4,2026-01-05\n", { author: "Uwe Meier" }],
    ["calls one half First", "First,Surname,rating,date\nUwe,Meier,4,2026-01-05\n", { author: "Uwe Meier" }],
    [
      "holds first and last visits",
      "First,Last,customer,rating,date\n2026-01-01,2026-01-04,Uwe,4,2026-01-05\n",
      { author: "Uwe" },
    ],
    ["has halves in JSON", json({ author: { first_name: "Eva", last_name: "Lind" } }), { author: "Eva Lind" }],
    [
      "was kept by one person",
      "author,client,rating,date\nadmin,Uwe,4,2026-01-05\nadmin,Ina,4,2026-01-06\n",
      { author: "Uwe" },
    ],
    ["links its authors", page('<a itemprop="author" href="/u/7">Eva</a>'), { author: "Eva" }],
    [
      "names persons in halves",
      page('<div itemprop="author" itemscope><i itemprop="givenName">Eva</i><i itemprop="familyName">Roth</i></div>'),
      { author: "Eva Roth" },
    ],
    [
      "has comments",
      page('<b itemprop="author">Eva</b>', '<div itemprop="comment" itemscope><i itemprop="text">Hi</i></div>'),
      { author: "Eva" },
      /comments on 1 review are left out/,
    ],
    [
      "has replies in a list",
      json({ replies: [{ text: "Thanks a lot", date: "2026-01-07" }] }),
      { reply_text: "Thanks a lot", reply_date: "2026-01-07" },
    ],
    [
      "has comments that may be its owner's",
      json({ comments: [{ text: "Hi" }] }),
      { text: null, reply_text: null },
      /"comments\.text"/,
    ],
    ["says whether there is a reply", of("reply", "4,2026-01-05,Yes"), { reply_text: null }],
    [
      "has objects for words",
      json({ title: { rendered: "Fine" }, content: { rendered: "<div>One</div><div>two</div>" } }),
      { text: "Fine\n\nOne\ntwo" },
    ],
    [
      "has a product's title",
      "title,author,rating,date,text\nTap,A,4,2026-01-05,Good\nTap,B,4,2026-01-06,Fine\n",
      { text: "Good" },
      /"title" is "Tap" for every review/,
    ],
    ["has a title like its text", of("title,text", "4,2026-01-05,Good,Goodness me"), { text: "Good\n\nGoodness me" }],
    [
      "keeps originals",
      json({ title: "Good", originalTitle: "Gut", text: "Fine", original: "Fein" }),
      { text: "Gut\n\nFein" },
    ],
    [
      "escapes HTML",
      of("text", '4,2026-01-05,"&lt;p&gt;It&amp;#039;s &lt;b&gt;good&lt;/b&gt;&lt;/p&gt;"'),
      { text: "It's good" },
      /tags of HTML/,
    ],
    [
      "has marked words",
      of("text", '4,2026-01-05,"<![CDATA[A <strong>good</strong> job]]><script>x()</script>"'),
      { text: "A good job" },
    ],
    ...["They came and … More", "War gut und... Mehr anzeigen", "Très bien… Lire la suite"].map(
      (text) =>
        ["is cut short by a page", of("text", `4,2026-01-05,${text}`), { text }, /a text ends as a page cuts/] as const,
    ),
    [
      "has what a page writes below words",
      of("text", "4,2026-01-05,Gut. See translation"),
      { text: "Gut." },
      /1 text ends with buttons of a page/,
    ],
    ["has escapes of an address", of("text", "4,2026-01-05,Caf%C3%A9"), { text: "Caf%C3%A9" }, /has lost characters/],
    ["has escapes of a program", of("text", "4,2026-01-05,Sch\\u00f6n"), { text: "Schön" }, /1 text has codes such as/],
    ["has lost its words", of("text", "4,2026-01-05,#NAME?"), { text: null }, /1 text is "#NAME\?"/],
    [
      "sums up with a day",
      of("text", "4,2026-01-05,Good").concat("Total,4,2026-01-31,\n"),
      { text: "Good" },
      /"Total" is a total/,
    ],
    [
      "labels translations in brackets",
      of("text", "4,2026-01-05,[Translated by Google] Good work [Original] Gute Arbeit"),
      { text: "Gute Arbeit" },
    ],
    [
      "translates without labels",
      of("text", "4,2026-01-05,Good. Translated by Google"),
      { text: "Good. Translated by Google" },
      /a text names a machine's translation/,
    ],
    [
      "was created in a system on another day",
      of("createdAt", "4,2026-01-06,2026-01-05T10:00:00Z"),
      { date: "2026-01-06" },
    ],
    [
      "dates replies in words of its own",
      json({ reply: { text: "Thanks", published_at: "2026-01-07" } }),
      { reply_date: "2026-01-07" },
    ],
    [
      "has its owner's replies",
      of("response_of_owner", "4,2026-01-05,We are sorry"),
      { reply_text: "We are sorry" },
      /replies are read from "response_of_owner"/,
    ],
    [
      "has a last name beside the name",
      "Nome,Cognome,rating,date\nAnna,Rossi,4,2026-01-05\n",
      { author: "Anna Rossi" },
    ],
    [
      "has JSON in a cell",
      'author,rating,date\n"{""name"":""Ann""}",4,2026-01-05\n',
      { author: "Anonymous" },
      /known to hold the authors/,
    ],
    [
      "wraps its values",
      json({ rating: { $numberInt: "4" }, date: { $date: { $numberLong: "1767603600000" } } }),
      { rating: 4, date: "2026-01-05" },
    ],
    [
      "has a list for each of something",
      { newest: json({}), featured: json({ author: "B" }) },
      { author: "A" },
      /the reviews of 2 lists are read: "newest", "featured"/,
    ],
    [
      "names what is reviewed in Schema.org's word",
      {
        reviews: ["Leeds", "York"].map((name, at) => ({
          author: "A",
          rating: 4,
          date: `2026-01-0${5 + at}`,
          itemReviewed: { name },
        })),
      },
      /2 places/,
    ],
    [
      "has lists of what is not shown",
      { reviews: json({}), spam: json({ author: "B" }), pendingReviews: json({ author: "C" }) },
      { author: "A" },
      /2 reviews are kept but not published.*spam \(1\), pendingReviews \(1\)/,
    ],
    [
      "has towns",
      of("Location", "4,2026-01-05,Leeds").concat("B,4,2026-01-06,York\n"),
      { author: "A" },
      /"Location" \("Leeds", "York"\) is taken for where the customers are/,
    ],
    [
      "has places in another language",
      of("établissement", "4,2026-01-05,Lyon").concat("B,4,2026-01-06,Paris\n"),
      /2 places/,
    ],
    [
      "has places in links",
      ["a", "b"].map((each) => ({
        ...json({})[0],
        url: `https://www.google.com/maps/place/?q=place_id:ChIJ${each.repeat(20)}`,
      })),
      /2 places/,
    ],
    [
      "has translations alone",
      json({ review: { en: "Fine", de: "Fein" } }),
      { text: null },
      /hold the customers' words, so the reviews come without them: if one does/,
    ],
    [
      "is a dump",
      "INSERT INTO reviews (author,rating,date,text) VALUES ('A',5,'2026-01-05','Good');\n",
      /but a table of reviews needs/,
    ],
    [
      "has e-mail addresses for names",
      "author,rating,date\nann@x.example,4,2026-01-05\n",
      { author: "Anonymous" },
      /author is an e-mail address/,
    ],
    ["names sites where days are expected", of("reviewed on", "4,2026-01-05,Yelp"), { source: "yelp" }],
    [
      "names its author in nodes of GraphQL",
      { reviews: { edges: [{ node: { author: { node: { name: "A" } }, rating: 4, date: "2026-01-05" } }] } },
      { author: "A" },
    ],
    ["has first names alone", "First Name,rating,date\nA,4,2026-01-05\n", { author: "A" }],
    ["has bars between its cells", "author|rating|date|text\nA|4|2026-01-05|Good, quick\n", { text: "Good, quick" }],
    ["is of a site in an object", { source: { name: "Yelp" }, reviews: json({}) }, { source: "yelp" }],
    ["has a quarter", of("text", "4,Q1 2026,x"), /names no whole day/],
    ["has ages in Hungarian", of("text", "4,2 hónapja,x"), /gives an age/],
  ];
  for (const [what, content, right, said] of cases)
    test(what, async () => {
      const name = typeof content === "string" && content.startsWith("<") ? "a.html" : "a.csv";
      if (right instanceof RegExp) return assert.match(await refusal(name, content), right);
      const { rows, warnings } = await imported(name, content);
      assert.deepEqual({ ...rows[0], ...right }, { ...rows[0] });
      if (said !== undefined) assert.match(warnings, said);
    });
});
