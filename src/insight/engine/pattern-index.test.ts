import assert from "node:assert/strict";
import { test } from "node:test";
import { ENGLISH } from "../text/language-words.ts";
import { indexPatterns } from "./pattern-index.ts";

const CLASSES = { crew: ["they", "the (tech|technician)"] };

/** Of one pattern: the words it is indexed by, those it needs besides, and how far after the former the latter stand. */
function indexOf(pattern: string): unknown {
  const { words, sets, patterns } = indexPatterns([pattern], CLASSES, ENGLISH);
  const wordsOf = (set: number) => sets[set]?.map((key) => words[key]);
  return patterns.map(([, , set, , , need, nearest, farthest]) => [wordsOf(set), wordsOf(need), nearest, farthest]);
}

test("indexPatterns() says by which rare words a pattern is found, and where another that it needs can stand", () => {
  assert.deepEqual(indexOf("tardy"), [[["tardy"], undefined, 0, 0]]);
  assert.deepEqual(indexOf("call back"), [[["back"], ["call"], -1, -1]]);
  assert.deepEqual(indexOf("tardy [so very] *4 rude"), [[["tardy"], ["rud"], 1, 7]]);
  assert.deepEqual(indexOf("call [so very] *4 rude"), [[["rud"], ["call"], -7, -1]]);
  assert.deepEqual(indexOf("{crew} be tardy"), [[["tardy"], ["they", "tech", "technician"], -3, -1]]);
  assert.deepEqual(indexOf("{crew} * tardy"), [[["tardy"], ["they", "tech", "technician"], -5, 0]]);
  assert.deepEqual(indexOf("(rude to|not) (good|so very tardy)"), [[["good", "tardy"], ["rud", "not"], -4, -1]]);
  assert.deepEqual(indexOf("tardy ** rude"), [[["tardy"], undefined, 0, 0]]);
});
