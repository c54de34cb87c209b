import assert from "node:assert/strict";
import { test } from "node:test";
import { numberStrokes } from "./digits.ts";
import { renderRatingPicture, roundedCount } from "./pictures.ts";

test("renderRatingPicture() shows the mean as the page writes it, and the number of reviews", () => {
  const picture = (meanText: string, countText: string) =>
    Buffer.from(renderRatingPicture({ mean: 4.1, meanText, countText }).body).toString("base64");
  assert.notEqual(picture("4.10", "240"), picture("4,10", "240"));
  assert.notEqual(picture("4.10", "240"), picture("4.10", "241"));
  assert.equal(picture("4.10", "240"), picture("4.10", "240"));
});

test("roundedCount() changes with the second digit, and says that there are more", () => {
  const counts = [0, 7, 10, 99, 100, 101, 240, 249, 1_000, 12_345].map((count) => roundedCount(count, String));
  assert.deepEqual(counts, ["0", "7", "10", "99", "100", "100+", "240", "240+", "1000", "12000+"]);
});

test("numberStrokes() draws every character of a grouped number, and spaces as gaps", () => {
  const count = (text: string) => numberStrokes(text, [0, 0], 100).strokes.length;
  assert.equal(count("1,234"), count("1234") + 1);
  assert.equal(count("(12)"), count("12") + 2);
  assert.equal(count("1\u202f234"), count("1234"));
  assert.ok(numberStrokes("1\u202f2", [0, 0], 100).width > numberStrokes("12", [0, 0], 100).width);
});
