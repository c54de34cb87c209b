/** Session ids: any process that holds the keys accepts them, for thirty days. */
import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { test } from "node:test";
import fc, { anyText } from "../../../test/support/properties.ts";
import { makeSessions, SESSION_DAYS } from "./session-ids.ts";

const DAY = 24 * 60 * 60 * 1000;
const START = Date.parse("2026-11-20T00:00:00Z");
const key = (made: string) => ({ secret: randomBytes(32), made_at: new Date(made) });
const OLD = key("2026-01-01T00:00:00Z");
const NEW = key("2026-10-01T00:00:00Z");

function sessionsAt(time: number, ...keys: (typeof OLD)[]) {
  return makeSessions({ keys, now: () => new Date(time), randomBytes });
}

test("open() gives visible ASCII, another id each time", () => {
  const sessions = sessionsAt(START, NEW);
  const ids = Array.from({ length: 50 }, () => sessions.open());
  assert.equal(new Set(ids).size, 50);
  for (const id of ids) assert.match(id, /^[\x21-\x7e]{50,80}$/);
});

test("accepts() takes an id on any process with the key, and on none without it", () => {
  const id = sessionsAt(START, NEW).open();
  assert.equal(sessionsAt(START + 1000, NEW).accepts(id), true);
  assert.equal(sessionsAt(START + 1000, key("2026-10-01T00:00:00Z")).accepts(id), false);
});

test("accepts() takes an id for thirty days", () => {
  const id = sessionsAt(START, NEW).open();
  assert.equal(sessionsAt(START + SESSION_DAYS * DAY, NEW).accepts(id), true);
  assert.equal(sessionsAt(START + SESSION_DAYS * DAY + 1000, NEW).accepts(id), false);
});

test("the newest key signs and a replaced one still verifies, in any order", () => {
  const before = sessionsAt(START, OLD).open();
  const after = sessionsAt(START, OLD, NEW).open();
  assert.equal(sessionsAt(START, NEW, OLD).accepts(before), true);
  assert.equal(sessionsAt(START, NEW).accepts(after), true);
  assert.equal(sessionsAt(START, OLD).accepts(after), false);
});

test("accepts() refuses an id in which any one character was changed", () => {
  const sessions = sessionsAt(START, NEW);
  const id = sessions.open();
  fc.assert(
    fc.property(fc.nat(id.length - 1), fc.constantFrom(..."aZ09-_.é"), (at, character) => {
      fc.pre(id[at] !== character);
      assert.equal(sessions.accepts(id.slice(0, at) + character + id.slice(at + 1)), false);
    }),
  );
  fc.assert(fc.property(anyText(), (text) => assert.equal(sessions.accepts(text), false)));
});

test("accepts() remembers no longer than an id lives, and takes no id for another", () => {
  const clock = { ms: START };
  const sessions = makeSessions({ keys: [NEW], now: () => new Date(clock.ms), randomBytes });
  const id = sessions.open();
  for (let time = 0; time < 3; time++) assert.equal(sessions.accepts(id), true);
  assert.equal(sessions.accepts(`${id.slice(0, -1)}${id.endsWith("A") ? "B" : "A"}`), false);
  clock.ms += SESSION_DAYS * DAY + 1000;
  assert.equal(sessions.accepts(id), false);
});
