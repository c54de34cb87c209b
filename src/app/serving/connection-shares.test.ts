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
