import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { holdBack, type Intent, intentKey, leaveUnanswered, postpone } from "./intent.ts";

const NOW = new Date("2026-11-20T12:00:00.000Z");
const at = (seconds: number) => new Date(NOW.getTime() + seconds * 1000);
const intent: Intent = {
  ...{ id: "1", shard: 0, topic: "/feed.xml", callback: "https://a.example/cb", origin: "https://a.example" },
  ...{ site: "a.example", client: "c", mode: "subscribe", token: "t", secret: undefined, leaseSeconds: 3600 },
  ...{ knownTag: "A", attempts: 0, askedAt: NOW, dueAt: NOW },
};

test("intentKey() tells clients and pairs apart, not the requests of one client for one pair", () => {
  assert.equal(intentKey(intent), intentKey({ ...intent, client: "c" }));
  const keys = [intent, { ...intent, client: "d" }, { ...intent, id: "2" }].map(intentKey);
  assert.equal(new Set(keys).size, 3);
});

test("leaveUnanswered() asks again after each wait, then gives up", () => {
  const waiting = { now: NOW, waitsSeconds: [60, 600] };
  const once = leaveUnanswered(intent, waiting);
  assert.deepEqual(once, { ...intent, attempts: 1, dueAt: at(60) });
  const twice = once && leaveUnanswered(once, waiting);
  assert.deepEqual(twice, { ...intent, attempts: 2, dueAt: at(600) });
  assert.equal(twice && leaveUnanswered(twice, waiting), undefined);
});

describe("postponing a verification", () => {
  test("after a local failure counts no attempt", () => {
    assert.deepEqual(postpone(intent, at(5)), { ...intent, dueAt: at(5) });
  });

  test("because its host gets no requests ends after an hour", () => {
    assert.deepEqual(holdBack(intent, at(3600)), { ...intent, dueAt: at(3600) });
    assert.equal(holdBack(intent, at(3601)), undefined);
  });
});
