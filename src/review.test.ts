import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "../test/support/properties.ts";
import { deriveReviewId, newestFirst } from "../test/support/review-id.ts";
import { dateOfReviewId, reviewSchema } from "./review.ts";

test("deriveReviewId() gives a ULID whose time part is the date at midnight UTC", () => {
  const id = deriveReviewId("google", "abc", "2016-07-30");
  assert.match(id, /^[0-7][0-9A-HJKMNP-TV-Z]{25}$/);
  const time = [...id.slice(0, 10)].reduce(
    (sum, digit) => sum * 32 + "0123456789ABCDEFGHJKMNPQRSTVWXYZ".indexOf(digit),
    0,
  );
  assert.equal(time, Date.UTC(2016, 6, 30));
  assert.equal(dateOfReviewId(id), "2016-07-30");
});

test("deriveReviewId() is the same on every machine", () => {
  assert.equal(deriveReviewId("google", "abc", "2016-07-30"), deriveReviewId("google", "abc", "2016-07-30"));
  assert.equal(deriveReviewId("google", "r-1", "2026-01-02"), "01KDY02100DZTMQ1HZQAEBER1Y");
});

test("deriveReviewId() differs by source and by the source's own id, never by how the two are cut", () => {
  const ids = [
    deriveReviewId("google", "1", "2026-01-01"),
    deriveReviewId("yelp", "1", "2026-01-01"),
    deriveReviewId("google", "2", "2026-01-01"),
    deriveReviewId("goog", "le1", "2026-01-01"),
  ];
  assert.equal(new Set(ids).size, ids.length);
});

test("ids in descending order are in the order of publication: newest date first", () => {
  const day = fc.integer({ min: 0, max: 40_000 }).map((days) => new Date(days * 86_400_000).toISOString().slice(0, 10));
  const review = fc
    .record({ date: day, own: fc.string() })
    .map(({ date, own }) => ({ date, id: deriveReviewId("s", own, date) }));
  fc.assert(
    fc.property(fc.array(review), (reviews) => {
      const dates = reviews.toSorted(newestFirst).map(({ id }) => dateOfReviewId(id));
      assert.deepEqual(
        dates,
        reviews
          .map(({ date }) => date)
          .toSorted()
          .reverse(),
      );
    }),
  );
});

test("a review has exactly ten fields", () => {
  assert.equal(Object.keys(reviewSchema.shape).length, 10);
});
