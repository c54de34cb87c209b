import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { decideFanOut } from "./fan-out-start.ts";

const NOW = new Date("2026-11-20T12:00:00.000Z");
const long = { startedAt: new Date(NOW.getTime() - 60_000) };
const stored = { tag: "A", revision: 5, ...long };
const AT = { now: NOW, intervalMs: 1000 };
const none: ReadonlySet<string> = new Set();

describe("decideFanOut()", () => {
  test("the first document of a topic starts none", () => {
    assert.equal(decideFanOut({ stored: undefined, own: stored, seen: none, ...AT }), "begin");
  });

  test("the same bytes start no fan-out, whatever their revision", () => {
    for (const revision of [4, 5, 6]) {
      assert.equal(decideFanOut({ stored, own: { tag: "A", revision }, seen: none, ...AT }), "none");
    }
  });

  test("other bytes of a later edition start a fan-out", () => {
    assert.equal(decideFanOut({ stored, own: { tag: "B", revision: 6 }, seen: none, ...AT }), "start");
  });

  test("a process with an older edition does nothing", () => {
    assert.equal(decideFanOut({ stored, own: { tag: "B", revision: 4 }, seen: none, ...AT }), "none");
  });

  test("other bytes at the same revision, as of a newer program, start a fan-out once", () => {
    assert.equal(decideFanOut({ stored, own: { tag: "B", revision: 5 }, seen: new Set(["A"]), ...AT }), "start");
    assert.equal(decideFanOut({ stored, own: { tag: "B", revision: 5 }, seen: new Set(["A", "B"]), ...AT }), "none");
  });

  test("changes within a second of the last start are delayed and combined", () => {
    const recent = { ...stored, startedAt: new Date(NOW.getTime() - 999) };
    assert.equal(decideFanOut({ stored: recent, own: { tag: "B", revision: 6 }, seen: none, ...AT }), "wait");
  });

  test("a clock that is set back delays nothing", () => {
    const future = { ...stored, startedAt: new Date(NOW.getTime() + 3_600_000) };
    assert.equal(decideFanOut({ stored: future, own: { tag: "B", revision: 6 }, seen: none, ...AT }), "start");
  });
});
