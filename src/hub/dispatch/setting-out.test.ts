import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { departure } from "./setting-out.ts";

const NOW = new Date("2026-11-20T12:00:00.000Z");
const long = { setOutAt: new Date(NOW.getTime() - 60_000) };
const stored = { tag: "A", revision: 5, ...long };
const AT = { now: NOW, intervalMs: 1000 };
const none: ReadonlySet<string> = new Set();

describe("departure()", () => {
  test("the first document of a topic is one that everybody has", () => {
    assert.equal(departure({ stored: undefined, own: stored, seen: none, ...AT }), "begin");
  });

  test("the same bytes do not set out, whatever their revision", () => {
    for (const revision of [4, 5, 6]) {
      assert.equal(departure({ stored, own: { tag: "A", revision }, seen: none, ...AT }), "none");
    }
  });

  test("other bytes of a later edition set out", () => {
    assert.equal(departure({ stored, own: { tag: "B", revision: 6 }, seen: none, ...AT }), "set out");
  });

  test("a process whose edition is older does nothing", () => {
    assert.equal(departure({ stored, own: { tag: "B", revision: 4 }, seen: none, ...AT }), "none");
  });

  test("other bytes at the same revision, as of a newer program, set out once", () => {
    assert.equal(departure({ stored, own: { tag: "B", revision: 5 }, seen: new Set(["A"]), ...AT }), "set out");
    assert.equal(departure({ stored, own: { tag: "B", revision: 5 }, seen: new Set(["A", "B"]), ...AT }), "none");
  });

  test("changes within a second of the last wait, to go out as one", () => {
    const recent = { ...stored, setOutAt: new Date(NOW.getTime() - 999) };
    assert.equal(departure({ stored: recent, own: { tag: "B", revision: 6 }, seen: none, ...AT }), "wait");
  });

  test("a clock set back does not hold it up", () => {
    const future = { ...stored, setOutAt: new Date(NOW.getTime() + 3_600_000) };
    assert.equal(departure({ stored: future, own: { tag: "B", revision: 6 }, seen: none, ...AT }), "set out");
  });
});
