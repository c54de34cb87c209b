import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { deriveReviewId } from "../../../test/support/review-id.ts";
import { compareReviews, type Review } from "../../review.ts";
import { listAll, listOf } from "../../review-list.ts";
import { stretchesOf, stretchFinder } from "./stretches.ts";

interface State {
  readonly number: number;
  readonly text: string;
  readonly author: string;
}

function reviewOf({ number, text, author }: State): Review {
  const date = `2026-01-${String(1 + (number % 9)).padStart(2, "0")}`;
  const id = deriveReviewId("google", String(number), date);
  const others = { author_avatar_url: null, source: "google", source_url: null, owner_reply: null, verified: true };
  return { id, author, rating: 5, date, text, ...others };
}

const state = fc.record({
  number: fc.nat(60),
  text: fc.constantFrom("Good", "Bad"),
  author: fc.constantFrom("Bea", "Noor"),
});
const states = fc.uniqueArray(state, { selector: ({ number }) => number, maxLength: 40 });

test("the stretches say of each review where the last edition has it, and whether it is its own", () => {
  fc.assert(
    fc.property(states, states, states, fc.array(fc.nat(70)), (first, put, others, asked) => {
      const before = first.map(reviewOf).sort(compareReviews);
      const [last] = listOf(before).runs.map(({ source }) => source);
      const news = put.map(reviewOf);
      const changed =
        last &&
        listAll(last)
          .without(news.map(({ id }) => id))
          .left.with(news);
      for (const list of [changed ?? listOf([]), listOf(others.map(reviewOf).sort(compareReviews))]) {
        const now = [...list];
        const stretches = stretchesOf(list, last);
        const find = stretchFinder(stretches);
        let end = 0;
        for (const stretch of stretches) {
          assert.equal(stretch.start, end);
          end = stretch.end;
          assert.ok(stretch.end > stretch.start);
        }
        assert.equal(end, now.length);
        for (const position of [...now.keys(), ...asked]) {
          const review = now[position];
          const stretch = find(position);
          const at = stretch?.at === undefined ? undefined : stretch.at + position - stretch.start;
          const same = before.findIndex(({ id, text }) => id === review?.id && text === review.text);
          assert.equal(at, review === undefined || same < 0 ? undefined : same);
          assert.equal(stretch?.isSame === true, review !== undefined && before.includes(review));
        }
      }
    }),
  );
});

test("without a last edition, all reviews are in one stretch", () => {
  const reviews = [1, 2, 3].map((number) => reviewOf({ number, text: "Good", author: "Bea" })).sort(compareReviews);
  assert.deepEqual(stretchesOf(listOf(reviews), undefined), [{ start: 0, end: 3, at: undefined, isSame: false }]);
});
