/** The lengths of bars. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Aspect } from "../../insights-document.ts";
import { localeOf } from "../text/locale.ts";
import { renderAspectChart } from "./aspect-chart.ts";
import { renderMonthChart } from "./month-chart.ts";
import { renderRatingChart } from "./rating-chart.ts";

const locale = localeOf("en");

function widths(markup: unknown, kind: string): number[] {
  return [...String(markup).matchAll(new RegExp(`<rect class="${kind}"[^>]* width="([\\d.]+)"`, "g"))].map(
    ([, width]) => Number(width),
  );
}

function near(actual: number | undefined, expected: number): void {
  assert.ok(Math.abs((actual ?? Number.NaN) - expected) < 0.02, `${actual} instead of ${expected}`);
}

test("a bar of the distribution fills as much of its track as its stars are of all reviews", () => {
  const chart = renderRatingChart(
    {
      rating_value: 4,
      review_count: 400,
      best_rating: 5,
      worst_rating: 1,
      rating_counts: { "5": 200, "4": 100, "3": 60, "2": 0, "1": 40 },
    },
    locale,
  );
  const [track = 0] = widths(chart, "track");
  const shares = widths(chart, "bar").map((width) => width / track);
  assert.equal(shares.length, 4);
  for (const [index, share] of [0.5, 0.25, 0.15, 0.1].entries()) near(shares[index], share);
});

const aspect = (id: string, positive_count: number, negative_count: number): Aspect => ({
  id,
  label: id,
  mention_count: positive_count + negative_count,
  positive_count,
  neutral_count: 0,
  negative_count,
  positive_pct: 0,
  score: 0,
  top_phrases: [],
  example_review_ids: [],
});

test("bars of praise and criticism have one scale for all aspects and both sides", () => {
  const chart = renderAspectChart([aspect("a", 30, 10), aspect("b", 5, 20)], locale);
  const [praiseA = 0, praiseB = 0] = widths(chart, "praise");
  const [blameA = 0, blameB = 0] = widths(chart, "blame");
  for (const [width, count] of [
    [praiseB, 5],
    [blameA, 10],
    [blameB, 20],
  ] as const)
    near(width / praiseA, count / 30);
});

test("a single mention is not drawn as long as the chart is wide", () => {
  near(widths(renderAspectChart([aspect("a", 1, 0)], locale), "praise")[0], 32);
  near(widths(renderAspectChart([aspect("a", 0, 1)], locale), "blame")[0], 32);
});

test("the chart of months says what its bars represent", () => {
  const month = (name: string, review_count: number) => ({ month: name, review_count, average_rating: 4, score: 0 });
  const chart = String(renderMonthChart([month("2026-01", 3), month("2026-02", 14)], locale));
  assert.ok(chart.includes("Bars: reviews per month, at most 14."));
});

test("the chart of months names a highest month only where one is above another", () => {
  const described = (...averages: (number | null)[]) => {
    const months = averages.map((average_rating, at) => ({
      month: `2026-0${at + 1}`,
      review_count: 3,
      average_rating,
      score: 0,
    }));
    return String(renderMonthChart(months, locale));
  };
  assert.ok(
    described(4, null, 4).includes("January 2026 to March 2026. The average is the same in every month: 4.00."),
  );
  assert.ok(described(4, 3.5).includes("Highest month January 2026 (4.00), lowest February 2026 (3.50)."));
});
