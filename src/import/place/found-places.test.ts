import assert from "node:assert/strict";
import { test } from "node:test";
import { openFoundPlaces } from "./found-places.ts";

test("places that share ids are told apart in time that grows with their number", () => {
  const places = openFoundPlaces();
  const shared = Array.from({ length: 8 }, (_, at) => ({ kind: `kind_${at}`, id: "same" }));
  const count = 9_000;
  const before = process.cpuUsage();
  for (let at = 0; at < count; at++)
    places.note({ file: "a.json", place: { ids: [...shared, { kind: "store_id", id: String(at) }], name: undefined } });
  assert.equal(places.list().length, count);
  assert.ok(process.cpuUsage(before).user < 4_000_000);
});

test("the name of a place has no half of a character and no control character, and is its next best one without others", () => {
  const places = openFoundPlaces();
  const ids = [{ kind: "place_id", id: "P" }];
  places.note({ file: "a.json", place: { ids, name: "Leeds \ud83d\u001b[31m" } });
  places.note({ file: "a.json", place: { ids: [{ kind: "place_id", id: "Q" }], name: "\0", hints: ["York"] } });
  assert.deepEqual(
    places.list().map(({ name }) => name),
    ["Leeds \ufffd[31m", "York"],
  );
});
