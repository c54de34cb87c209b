import assert from "node:assert/strict";
import { test } from "node:test";
import type { Theme } from "../theme/themes.ts";
import { criticisedThemes } from "./aspect-ranking.ts";

/** A theme that the reviews at these positions name, of which the first `criticised` criticise it. */
const themeOf = (label: string, positions: readonly number[], criticised = positions.length): Theme => ({
  ...{ id: label, label, positions: Uint32Array.from(positions) },
  ...{ praising: new Uint32Array(), criticising: Uint32Array.from(positions.slice(0, criticised)) },
});

test("criticisedThemes() names up to three themes that criticism names twice as often as reviews do, and criticises", () => {
  const [critical, texts] = [Uint32Array.from({ length: 10 }, (_, at) => at), 100];
  const named = (...themes: readonly Theme[]) =>
    criticisedThemes(themes, { critical, texts }).map(({ label, count }) => `${label} ${count}`);
  const [lift, parking, air] = [
    themeOf("lift", [0, 1, 2]),
    themeOf("parking", [2, 3, 4, 5]),
    themeOf("air", [6, 7, 8]),
  ];
  assert.deepEqual(named(lift, parking, air), ["parking 4", "lift 3", "air 3"]);
  assert.deepEqual(named(lift, parking, air, themeOf("hall", [0, 1, 2, 3, 4])), ["hall 5", "parking 4", "lift 3"]);
  assert.deepEqual(named(themeOf("few", [0, 1])), [], "two reviews may be misread");
  const everywhere = (all: number) =>
    themeOf("food", [0, 1, 2, ...Array.from({ length: all - 3 }, (_, at) => 50 + at)]);
  assert.deepEqual([named(everywhere(15)), named(everywhere(16))], [["food 3"], []]);
  assert.deepEqual([named(themeOf("bar", [0, 1, 2, 3], 2)), named(themeOf("bar", [0, 1, 2, 3], 1))], [["bar 4"], []]);
});
