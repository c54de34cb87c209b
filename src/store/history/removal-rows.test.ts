import assert from "node:assert/strict";
import { test } from "node:test";
import { ENGINES, releaseEngines } from "../../../test/support/engines.ts";
import { addRemovals, listRemovalKeys, listRemovals, type Removal, renameRemoval } from "./removal-rows.ts";

releaseEngines();

for (const engine of ENGINES)
  test(`${engine.name}: a removal that gets another id replaces the same one that this id had before`, async (t) => {
    const store = await engine.open();
    t.after(store.close);
    const at = (second: number) => new Date(second * 1000).toISOString();
    const redactions = [
      { id: "old", what: "text", at: at(3) },
      { id: "new", what: "text", at: at(1) },
      { id: "new", what: "author", at: at(2) },
    ].map((each) => ({ ...each, source: "google", rating: 1 }) as Removal);
    const keys = ["old", "new"].map((id) => ({ id, kind: "words", key: "k" }) as const);
    const only = [
      { id: "old", kind: "identity", key: "i" },
      { id: "new", kind: "stars", key: "s" },
    ] as const;
    await addRemovals(store.database, redactions, [...keys, ...only]);
    await renameRemoval(store.database, "old", "new");
    assert.deepEqual(
      (await listRemovals(store.database)).map(({ id, what, at }) => [id, what, at]),
      [
        ["new", "text", at(3)],
        ["new", "author", at(2)],
      ],
    );
    const kept = (await listRemovalKeys(store.database)).map(({ id, kind, key }) => `${id} ${kind} ${key}`);
    assert.deepEqual(kept.sort(), ["new identity i", "new words k"]);
  });
