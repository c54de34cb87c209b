import assert from "node:assert/strict";
import { test } from "node:test";
import type { Theme } from "../theme/themes.ts";
import { criticisedThemes } from "./aspect-ranking.ts";

const themeOf = (label: string, ...criticising: readonly number[]): Theme => ({
  ...{ id: label, label, positions: Uint32Array.from(criticising) },
  ...{ praising: new Uint32Array(), criticising: Uint32Array.from(criticising) },
});

test("criticisedThemes() names one theme of three quarters of the criticism, or the fewest, up to three, of six tenths together", () => {
  const named = (themes: readonly Theme[], reviews: number) =>
    criticisedThemes(
      themes,
      Uint32Array.from({ length: reviews }, (_, at) => at),
    ).map(({ label, count }) => `${label} ${count}`);
  const [lift, parking, air] = [themeOf("lift", 0, 1, 2), themeOf("parking", 2, 3, 4, 5), themeOf("air", 6, 7, 8)];
  assert.deepEqual(named([lift], 4), ["lift 3"]);
  assert.deepEqual(named([lift], 5), []);
  assert.deepEqual(named([lift, parking, air], 10), ["parking 4", "lift 3"], "a review that names two counts once");
  assert.deepEqual(named([lift, parking, air], 15), ["parking 4", "lift 3", "air 3"]);
  assert.deepEqual(named([lift, parking, air], 16), []);
  assert.deepEqual(named([themeOf("few", 0, 1), themeOf("rare", 2)], 4), [], "two reviews may be misread");
});
