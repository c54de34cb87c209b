import assert from "node:assert/strict";
import { test } from "node:test";
import { ENGINES, releaseEngines } from "../../test/support/engines.ts";
import { insertMany } from "./engine/insert-many.ts";
import { type ListPlace, readPage } from "./list-page.ts";

releaseEngines();

for (const engine of ENGINES)
  test(`${engine.name}: pages of a list hold each row once, in its order, also where rows are alike in one column`, async (t) => {
    const { database, close } = await engine.open();
    t.after(close);
    const rows = ["a", "b", "c", "d", "e", "f"].map((id, at) => ({
      id,
      source: "x",
      withdrawn_by: Math.floor(at / 2),
    }));
    await insertMany(database, "withdrawn_review", { rows });
    const list = database.selectFrom("withdrawn_review").select(["id", "withdrawn_by"]);
    for (const [ascending, wanted] of [
      [false, "fedcba"],
      [true, "abcdef"],
    ] as const)
      for (const limit of [1, 2, 3, 5, 6, 7]) {
        const pages: string[] = [];
        let after: ListPlace<"withdrawn_by" | "id"> | undefined;
        do {
          const page = await readPage(database, list, ["withdrawn_by", "id"], { limit, after, ascending });
          pages.push(page.rows.map(({ id }) => id).join(""));
          after = page.last;
        } while (after !== undefined);
        assert.equal(pages.join(""), wanted);
        assert.equal(pages.length, Math.ceil(wanted.length / limit));
      }
  });
