import assert from "node:assert/strict";
import { test } from "node:test";
import { readStars } from "./star-rating.ts";

test("readStars() reads stars as exports and people write them", () => {
  const cases: [unknown, number][] = [
    [5, 5],
    ["1", 1],
    ["4.0", 4],
    ["4,0", 4],
    ["FIVE", 5],
    ["Five stars", 5],
    ["5 stars", 5],
    ["1 star", 1],
    ["3 Sterne", 3],
    ["4 étoiles", 4],
    ["4/5", 4],
    ["4 out of 5", 4],
    ["4 out of 5 stars", 4],
    ["4 von 5 Sternen", 4],
    ["★★★★★", 5],
    ["★★★☆☆", 3],
    ["⭐⭐⭐⭐", 4],
    ["⭐️⭐️", 2],
    ["5★", 5],
    [" 2 ", 2],
  ];
  for (const [value, expected] of cases) assert.deepEqual(readStars(value), { value: expected }, JSON.stringify(value));
});

test("readStars() refuses what is no whole number of stars from 1 to 5", () => {
  for (const value of [
    "0",
    6,
    "6 stars",
    "4,5",
    4.5,
    "9/10",
    "4/10",
    "★★★★★★",
    "☆☆☆☆☆",
    "★★★★★☆",
    "great",
    "STAR_RATING_UNSPECIFIED",
    [],
    -1,
    "",
    null,
    undefined,
    true,
    Number.NaN,
    "5 of",
    "1e0",
    "٥",
  ]) {
    const rating = readStars(value);
    assert.match(
      "fault" in rating ? rating.fault : "",
      /must be a whole number of stars from 1 to 5/,
      JSON.stringify(value),
    );
  }
  assert.match(JSON.stringify(readStars("4,5")), /is \\"4,5\\" \(not rounded/);
});
