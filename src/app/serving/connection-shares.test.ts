import assert from "node:assert/strict";
import { test } from "node:test";
import { shareConnections } from "./connection-shares.ts";

test("shareConnections() leaves the process files of its own, whatever its limit", () => {
  for (const limit of [540, 700, 1_024, 4_096, 16_384, 1_048_576, Number.POSITIVE_INFINITY]) {
    const { main, metrics } = shareConnections(limit);
    assert.ok(main + metrics + 400 <= limit, String(limit));
    assert.ok(main >= 100 && main <= 10_000 && metrics <= 40, String(limit));
  }
});

test("shareConnections() leaves sites the files that they need, and half of the rest to connections", () => {
  for (const [limit, open] of [
    [1_024, 24],
    [4_096, 152],
    [Number.POSITIVE_INFINITY, 200],
  ] as const) {
    const { main, metrics, sites } = shareConnections(limit, { hasSites: true });
    assert.equal(sites, open);
    assert.ok(main + metrics + 400 + sites * 12 <= limit, String(limit));
  }
});
