import assert from "node:assert/strict";
import { test } from "node:test";
import { CompiledQuery, RawNode, sql } from "kysely";
import { ENGINES, releaseEngines } from "../../../test/support/engines.ts";
import {
  addRemovals,
  listRemovalKeys,
  listRemovals,
  type Removal,
  type RemovalPlace,
  removalPage,
  renameRemoval,
} from "./removal-rows.ts";

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

for (const engine of ENGINES)
  test(`${engine.name}: a page of removals is read in the order of an index, without sorting the others`, async (t) => {
    const store = await engine.open();
    t.after(store.close);
    const queries: CompiledQuery[] = [];
    const watched = store.database.withPlugin({
      transformQuery({ node, queryId }) {
        const isWhole = RawNode.is(node); // and not the select in it
        if (isWhole) queries.push(store.database.getExecutor().compileQuery(node, queryId));
        return node;
      },
      transformResult: async ({ result }) => result,
    });
    const last: RemovalPlace = { at: "2026-01-01T00:00:00.000Z", id: "b", what: "review" };
    for (const after of [undefined, last]) await removalPage(watched, { limit: 20, after });
    assert.equal(queries.length, 2);
    await store.database.connection().execute(async (connection) => {
      const isPostgres = engine.name === "PostgreSQL";
      if (isPostgres) await sql`set enable_seqscan = off`.execute(connection); // which it prefers in an empty table
      for (const query of queries) {
        const explain = isPostgres ? "explain" : "explain query plan";
        const plan = await connection.executeQuery(CompiledQuery.raw(`${explain} ${query.sql}`, [...query.parameters]));
        const steps = JSON.stringify(plan.rows);
        assert.match(steps, /removal_order/);
        assert.doesNotMatch(steps, /Sort|TEMP B-TREE/);
      }
    });
  });
