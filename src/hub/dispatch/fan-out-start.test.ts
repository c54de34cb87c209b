import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { makeDocument } from "../../edition/document.ts";
import { makeGroupCommit } from "../../store/group-commit.ts";
import { openStore } from "../../store/store.ts";
import { decideFanOut, makeFanOutStart } from "./fan-out-start.ts";

const NOW = new Date("2026-11-20T12:00:00.000Z");
const long = { startedAt: new Date(NOW.getTime() - 60_000) };
const stored = { tag: "A", revision: 5, ...long };
const AT = { now: NOW, intervalMs: 1000 };
const none: ReadonlySet<string> = new Set();

describe("decideFanOut()", () => {
  test("the first document of a topic starts none", () => {
    assert.equal(decideFanOut({ stored: undefined, own: stored, seen: none, ...AT }), "begin");
  });

  test("the same bytes start no fan-out at any revision", () => {
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

describe("makeFanOutStart()", () => {
  test("a document that is replaced while its fan-out starts is still delivered, not only after the next interval", async () => {
    await using store = await openStore("sqlite::memory:");
    const versionOf = (text: string, revision: number) => {
      const document = makeDocument("/feed.xml", "text/plain", text);
      return { document, topicVersion: { tag: document.tag, revision } };
    };
    const [first, second, third] = [versionOf("first", 1), versionOf("second", 2), versionOf("third", 3)];
    let current = first;
    const commit = makeGroupCommit(store);
    let ms = NOW.getTime();
    const start = makeFanOutStart({
      store,
      groupCommit: (write) => {
        if (current === second) current = third;
        return commit(write);
      },
      newest: (topic) => (topic === "/feed.xml" ? current : undefined),
      now: () => new Date(ms),
      log: () => {},
      intervalMs: 1000,
    });
    await start();
    ms += 1000;
    current = second;
    const { documents, fanOuts, waiting } = await start();
    assert.ok(fanOuts.length > 0 && fanOuts.every(({ finished }) => finished), "without subscribers no shard is due");
    assert.equal(current, third);
    assert.equal(documents.get("/feed.xml"), second.document);
    assert.equal(waiting, false);
    assert.equal((await start()).waiting, true, "the third is not delivered before the interval is over");
    ms += 1000;
    assert.equal((await start()).documents.get("/feed.xml"), third.document);
  });
});
