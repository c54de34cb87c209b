import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { deriveReviewId } from "../test/support/review-id.ts";
import { compareReviews, type Review } from "./review.ts";
import { listAll, listOf, type ReviewList, type ReviewSource } from "./review-list.ts";

function reviewOf(number: number): Review {
  const date = `2026-01-${String(1 + (number % 9)).padStart(2, "0")}`;
  return {
    id: deriveReviewId("google", String(number), date),
    author: `Customer ${number}`,
    author_avatar_url: null,
    rating: 1 + (number % 5),
    date,
    text: `Words of ${number}`,
    source: "google",
    source_url: null,
    owner_reply: null,
    verified: true,
  };
}

const numbers = (most: number) => fc.uniqueArray(fc.nat(60), { maxLength: most });
const ordered = (given: readonly number[]) => given.map(reviewOf).sort(compareReviews);

/** Reviews that are made anew whenever they are asked for. */
function written(reviews: readonly Review[]): ReviewSource {
  const at = (place: number) => structuredClone(reviews[place]) as Review;
  return { length: reviews.length, at, idAt: (place) => at(place).id, ratingAt: (place) => at(place).rating };
}

/** Whether a list says what an array does, in whatever order it is asked. */
function assertSame(list: ReviewList, reviews: readonly Review[], asked: readonly number[]): void {
  assert.equal(list.length, reviews.length);
  assert.deepEqual([...list], reviews);
  for (const position of asked) assert.deepEqual(list.at(position), reviews[position]);
  assert.deepEqual([...list.ratings()], [...reviews.map(({ rating }) => rating)]);
  const [from = 0, to = 0] = asked;
  assert.deepEqual([...list.slice(from, to)], reviews.slice(from, to));
  assert.deepEqual([...list.slice(from)], reviews.slice(from));
}

test("a list of runs is the same as an array, through every change", () => {
  const change = fc.record({ out: numbers(8), put: numbers(8) });
  fc.assert(
    fc.property(
      numbers(40),
      fc.array(change, { maxLength: 6 }),
      fc.array(fc.nat(70), { maxLength: 12 }),
      fc.boolean(),
      (first, changes, asked, isWritten) => {
        let reviews = ordered(first);
        let list = isWritten ? listAll(written(reviews)) : listOf(reviews);
        assertSame(list, reviews, asked);
        for (const { out, put } of changes) {
          const ids = new Set([...out, ...put].map((number) => reviewOf(number).id));
          const { left, taken } = list.without(ids);
          const isOut = ({ id }: Review) => ids.has(id);
          assert.deepEqual(taken, reviews.filter(isOut));
          const others = reviews.filter((review) => !isOut(review));
          assertSame(left, others, asked);
          const news = put.map(reviewOf);
          reviews = [...others, ...news].sort(compareReviews);
          list = left.with(news);
          assertSame(list, reviews, asked);
        }
      },
    ),
  );
});

test("a list of very many runs is taken apart and put together like any other", () => {
  const alike = reviewOf(0);
  const reviews = Array.from({ length: 300_000 }, (_, n): Review => ({ ...alike, id: String(999_999 - n) }));
  const { left } = listOf(reviews).without(reviews.filter((_, n) => n % 2 === 1).map(({ id }) => id));
  assert.equal(left.runs.length, 150_000);
  const last = reviews.at(-2) as Review;
  const others = left.without([last.id]).left;
  assert.equal(others.length, 149_999);
  assert.deepEqual(others.with([last]).at(149_999), last);
  assert.equal(others.slice(1).length, 149_998);
});

test("runs that follow one another are one", () => {
  const source = written(ordered([1, 2, 3, 4, 5, 6]));
  const list = listAll(source);
  assert.deepEqual(list.without(["01HXAQZX0043VJ047M4K1PYH00"]).left.runs, [{ source, from: 0, to: 6 }]);
  const [first] = list;
  const others = list.without([first?.id ?? ""]).left;
  assert.deepEqual(others.runs, [{ source, from: 1, to: 6 }]);
  assert.deepEqual(listOf([]).runs, []);
});
