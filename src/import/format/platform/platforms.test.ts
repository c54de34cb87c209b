/** Exports of review platforms, in the shapes that their public documentation and users describe. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { openSandbox } from "../../../../test/support/import-sandbox.ts";

const BUSINESS =
  "name: Test Air\ntime_zone: America/Chicago\nverified_sources: [google, yelp, facebook, trustpilot, our_website]\n";

async function imported(name: string, content: unknown, options = {}) {
  await using box = await openSandbox();
  const report = await box.take([box.write("business.yaml", BUSINESS), box.write(name, content)], options);
  const reviews = (await box.reviews()).map(
    ({ id: _id, verified: _verified, author_avatar_url: _avatar, ...rest }) => rest,
  );
  return { report, reviews, rows: await box.rows() };
}

async function refusal(name: string, content: unknown, options = {}): Promise<string> {
  await using box = await openSandbox();
  return (await box.refusal(box.write(name, content), options)).join("\n");
}

test("Trustpilot: the table of Trustpilot Business, times in UTC, title and content together", async () => {
  const header =
    "Domain Url,Business Unit Id,Review Id,Review Created (UTC),Review Username,Review Title,Review Content,Review Stars,Company Response,Company Reply Date (UTC)";
  const rows = [
    'example.com,1,t1,2024-05-06 03:30:00,Dana,Great,"They came early.",5,Thank you,2024-05-07 12:00:00',
    "example.com,1,t2,2024-05-06T18:00:00Z,Kim,They came…,They came late.,2,,",
  ];
  const { reviews, rows: stored } = await imported("t.csv", `${header}\n${rows.join("\n")}\n`);
  assert.deepEqual(reviews, [
    {
      author: "Kim",
      rating: 2,
      date: "2024-05-06",
      text: "They came late.",
      source: "trustpilot",
      source_url: null,
      owner_reply: null,
    },
    {
      author: "Dana",
      rating: 5,
      date: "2024-05-05",
      text: "Great\n\nThey came early.",
      source: "trustpilot",
      source_url: null,
      owner_reply: { text: "Thank you", date: "2024-05-07" },
    },
  ]);
  assert.deepEqual(stored.map(({ source_id }) => source_id).toSorted(), ["t1", "t2"]);
  assert.match(await refusal("t.csv", `${header}\nd,1,t1,2024-05-06,D,,,9,,\n`), /line 2: Review Stars is "9"/);
});

test("Trustpilot: a page of the API, and that it is a page", async () => {
  const review = {
    id: "t1",
    stars: 4,
    title: "Good",
    text: null,
    createdAt: "2024-05-06T18:00:00Z",
    updatedAt: null,
    consumer: { displayName: "Dana" },
    companyReply: { text: "Thanks", createdAt: "2024-05-07T18:00:00Z" },
  };
  const page = { links: [{ rel: "next-page", href: "https://example.com/" }], reviews: [review] };
  const { reviews } = await imported("t.json", page);
  assert.deepEqual(
    [reviews[0]?.author, reviews[0]?.rating, reviews[0]?.text, reviews[0]?.owner_reply?.date],
    ["Dana", 4, "Good", "2024-05-07"],
  );
  assert.match(await refusal("t.json", page, { complete: true }), /the last page of the Trustpilot API is missing/);
});

describe("Birdeye", () => {
  const review = {
    reviewId: 77,
    rating: 5,
    comments: "Quick and kind",
    reviewDate: "May 06, 2024",
    reviewer: { firstName: "Dana", lastName: "K.", nickName: null, thumbnailUrl: "" },
    sourceType: "Google",
    uniqueReviewUrl: "https://example.com/r",
    response: "Thanks",
    responseDate: "May 07, 2024 09:15 AM",
  };

  test("gives the reviews of other sites, under these sites", async () => {
    const { reviews } = await imported("b.json", [review, { ...review, sourceType: "Our Website", comments: "Else" }]);
    assert.deepEqual(reviews.map(({ source }) => source).toSorted(), ["google", "our_website"]);
    const google = reviews.find(({ source }) => source === "google");
    assert.deepEqual(google, {
      author: "Dana K.",
      rating: 5,
      date: "2024-05-06",
      text: "Quick and kind",
      source: "google",
      source_url: "https://example.com/r",
      owner_reply: { text: "Thanks", date: "2024-05-07" },
    });
  });

  test("finds a review again that Google Takeout brought, and invents no stars", async () => {
    await using box = await openSandbox();
    const takeout = {
      name: "accounts/1/locations/2/reviews/a",
      reviewer: { displayName: "Dana K." },
      starRating: "FIVE",
      comment: "Quick and kind",
      createTime: "2024-05-06T12:00:00Z",
    };
    await box.take(box.write("t.json", { reviews: [takeout] }));
    assert.deepEqual((await box.take(box.write("b.json", [review]))).added, 0);
    const recommendation = { ...review, rating: 0, sourceType: "Facebook" };
    assert.match(
      (await box.refusal(box.write("f.json", [recommendation]))).join(),
      /^f\.json, \[0\]: is without stars, as recommendations on Facebook are/,
    );
  });
});

test("Podium: nested reviews with the site's own ids; recommendations are not taken for stars", async () => {
  const record = (siteName: string, siteReviewId: string) => ({
    uid: "podium",
    author: { name: "Dana" },
    review: { body: "Quick", url: "https://example.com/r", rating: 5, siteName, siteReviewId },
    createdAt: "2024-05-06T18:00:00Z",
    responses: [{ body: "Thanks", createdAt: "2024-05-07T18:00:00Z" }],
  });
  const { reviews, rows } = await imported("p.json", { data: [record("google", "g1")], metadata: {} });
  assert.deepEqual([reviews[0]?.text, reviews[0]?.owner_reply?.text, rows[0]?.source_id], ["Quick", "Thanks", "g1"]);
  assert.match(await refusal("p.json", { data: [record("Facebook", "f1")] }), /without stars, as recommendations/);
  const page = { data: [record("google", "g1")], metadata: { nextCursor: "x" } };
  assert.match(await refusal("p.json", page, { complete: true }), /the last page of the Podium API is missing/);
});

test("Facebook: old ratings have stars, recommendations have none", async () => {
  const old = {
    created_time: "2017-05-06T18:00:00+0000",
    has_rating: true,
    rating: 4,
    review_text: "Fine",
    reviewer: { name: "Dana" },
  };
  const { reviews } = await imported("f.json", { data: [old] });
  assert.deepEqual([reviews[0]?.date, reviews[0]?.rating, reviews[0]?.source], ["2017-05-06", 4, "facebook"]);
  const recommended = {
    created_time: "2024-05-06T18:00:00+0000",
    recommendation_type: "positive",
    review_text: "Fine",
  };
  assert.match(
    await refusal("f.json", { data: [recommended] }),
    /^f\.json, data\[0\]: is without stars, as recommendations on Facebook/,
  );
  const { report } = await imported("f.json", { data: [old, recommended] }, { skipInvalid: true });
  assert.deepEqual([report.added, report.refused], [1, 1]);
});

test("Yelp: whole reviews are taken, cut ones named with what to do instead", async () => {
  const review = (text: string) => ({
    id: "y1",
    url: "https://www.example.com/biz",
    text,
    rating: 5,
    time_created: "2024-05-06 19:32:11",
    user: { name: "Dana K.", image_url: null },
  });
  const { reviews } = await imported("y.json", { reviews: [review("Best in town...")], total: 1 });
  assert.deepEqual([reviews[0]?.text, reviews[0]?.date, reviews[0]?.source], ["Best in town...", "2024-05-06", "yelp"]);
  const cut = `${"They came early and left the place clean. ".repeat(4).slice(0, 156)}...`;
  assert.match(
    await refusal("y.json", { reviews: [review(cut)] }),
    /only the beginning of the review.*copy the whole review/,
  );
  assert.match(await refusal("y.json", { reviews: [review("Fine")] }, { complete: true }), /never gives all reviews/);
});

test("a page saved from Google Maps says why it cannot be used, and what can", async () => {
  const page =
    "<!doctype html><html><head><title>Test Air - Google Maps</title></head><body>5 stars, 3 weeks ago</body></html>";
  assert.match(
    await refusal("maps.html", page),
    /^maps\.html is a page saved from Google Maps: it holds only the reviews that were on the screen.*Google Takeout/,
  );
});
