import assert from "node:assert/strict";
import { test } from "node:test";
import { ENGINES, releaseEngines } from "../../../test/support/engines.ts";
import { insertMany } from "./insert-many.ts";
import { MAX_LISTED_VALUES } from "./long-lists.ts";

releaseEngines();

/** More than SQLite, and PostgreSQL, take in a statement, and more bytes than a row of the store has. */
const [FAR_TOO_MANY, FAR_TOO_LONG] = [70_000, 300];

for (const engine of ENGINES)
  test(`${engine.name}: a statement names any number of values, texts and numbers`, async (t) => {
    const { database, close } = await engine.open();
    t.after(close);
    const sequence = ["'", '"\\', "é\u{1f600}", "a", "b"];
    await insertMany(database, "withdrawn_review", {
      rows: sequence.map((id, withdrawn_by) => ({ id, source: "google", withdrawn_by })),
    });
    const all = database.selectFrom("withdrawn_review").select("id").orderBy("withdrawn_by");
    for (const count of [1, MAX_LISTED_VALUES - 3, MAX_LISTED_VALUES, FAR_TOO_MANY]) {
      const filling = Array.from({ length: count }, (_, at) => at + 10);
      const texts = [...sequence.slice(0, 3), ...filling.map(String)];
      const numbers = [3, 4, ...filling];
      const ids = async (query: typeof all) => (await query.execute()).map(({ id }) => id);
      assert.deepEqual(await ids(all.where("id", "in", texts)), sequence.slice(0, 3), `${count} texts`);
      assert.deepEqual(await ids(all.where("id", "not in", texts)), ["a", "b"], `not ${count} texts`);
      assert.deepEqual(await ids(all.where("withdrawn_by", "in", numbers)), ["a", "b"], `${count} numbers`);
      const others = all.where("withdrawn_by", "not in", numbers);
      assert.deepEqual(await ids(others), sequence.slice(0, 3), `not ${count} numbers`);
    }
    await database
      .deleteFrom("withdrawn_review")
      .where("id", "in", ["a", ...Array(FAR_TOO_MANY).fill("b".repeat(FAR_TOO_LONG))])
      .execute();
    assert.equal((await all.execute()).length, sequence.length - 1);
  });
