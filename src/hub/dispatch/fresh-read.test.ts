import assert from "node:assert/strict";
import { test } from "node:test";
import { openFreshReads } from "./fresh-read.ts";

const rowsOf = (...ids: string[]) => ids.map((id) => ({ id, version: 1 }));

test("rows that are written while they are read are read again, until none is", async () => {
  const reads = openFreshReads();
  reads.note("a");
  const again: string[] = [];
  const rows = await reads.read(
    async () => {
      reads.note("b");
      reads.note("d");
      return rowsOf("a", "b", "c");
    },
    async (ids) => {
      again.push(ids.join());
      if (again.length === 1) reads.note("a");
      if (again.length === 2) return []; // it is owed nothing any more
      return ids.map((id) => ({ id, version: 2 }));
    },
  );
  assert.deepEqual(again, ["b", "a"]);
  assert.deepEqual(rows, [...rowsOf("c"), { id: "b", version: 2 }]);
});

test("a read that fails is over", async () => {
  const reads = openFreshReads();
  const failing = async () => {
    throw new Error("the database is away");
  };
  await assert.rejects(reads.read(failing, failing), /the database is away/);
});
