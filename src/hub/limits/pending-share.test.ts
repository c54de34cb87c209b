import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "../../../test/support/properties.ts";
import { mayTakePlace } from "./pending-share.ts";

const MAX = 400;

/** Lets clients ask in this order, and returns how many places each got. */
function ask(clients: readonly number[]): ReadonlyMap<number, number> {
  const heldBy = new Map<number, number>();
  let taken = 0;
  for (const client of clients) {
    const held = heldBy.get(client) ?? 0;
    if (!mayTakePlace({ held, taken, max: MAX })) continue;
    heldBy.set(client, held + 1);
    taken += 1;
  }
  return heldBy;
}

test("mayTakePlace() gives one client a tenth of all places, and never more than there are", () => {
  assert.equal(ask(Array(2 * MAX).fill(1)).get(1), MAX / 10);
  assert.equal(ask(Array.from({ length: 2 * MAX }, (_, client) => client)).size, MAX);
  assert.equal(mayTakePlace({ held: 0, taken: 0, max: 0 }), false);
});

test("mayTakePlace() refuses no client that holds none, unless as many others as a quarter of the places hold some", () => {
  fc.assert(
    fc.property(fc.array(fc.nat(MAX / 4 - 1), { maxLength: 4 * MAX }), (clients) => {
      const heldBy = ask(clients);
      const taken = heldBy.values().reduce((sum, held) => sum + held, 0);
      assert.ok(mayTakePlace({ held: 0, taken, max: MAX }));
    }),
  );
  const greedy = Array.from({ length: 40 * MAX }, (_, index) => index % (MAX / 4 - 1));
  assert.ok(
    mayTakePlace({
      held: 0,
      taken: ask(greedy)
        .values()
        .reduce((sum, held) => sum + held, 0),
      max: MAX,
    }),
  );
});
