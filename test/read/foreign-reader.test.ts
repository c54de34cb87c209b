/** Another program that looks into the live store harms nothing: the server goes on seeing what is imported. */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { run, serveProgram, temporaryFolder } from "../support/program.ts";

/**
 * Open the store as any SQLite client does, select, and close it. Python's engine is often old, and old ones delete the
 * write-ahead log when no lock of another program tells them not to; those from 3.51 on find it out by themselves.
 */
const PYTHON = `
import sqlite3, sys
database = sqlite3.connect(sys.argv[1])
print(database.execute("select count(*) from review").fetchone()[0])
database.close()`;
const NODE = `
  const { DatabaseSync } = require("node:sqlite");
  const database = new DatabaseSync(process.argv[1]);
  console.log(database.prepare("select count(*) as count from review").get().count);
  database.close();`;

function countElsewhere(store: string): string {
  const python = spawnSync("python3", ["-c", PYTHON, store], { encoding: "utf8" });
  if (python.status === 0) return python.stdout.trim();
  return spawnSync(process.execPath, ["-e", NODE, store], { encoding: "utf8" }).stdout.trim();
}

test("a plain select by another SQLite client leaves server and imports together", async () => {
  using folder = temporaryFolder();
  const importRows = async (rows: number) => {
    const lines = Array.from({ length: rows }, (_, row) => `${row},Customer ${row},5,2026-01-0${row + 1},Neat,google`);
    writeFileSync(join(folder.path, "reviews.csv"), `id,author,rating,date,text,source\n${lines.join("\n")}\n`);
    assert.equal((await run(folder.path, ["import", "reviews.csv"])).code, 0);
  };
  await importRows(1);
  await using program = await serveProgram(folder.path);
  for (const rows of [2, 3]) {
    assert.equal(countElsewhere(join(folder.path, "goodword.db")), String(rows - 1));
    await importRows(rows);
    await program.logged(({ revision, reviews }) => revision === rows && reviews === rows);
  }
  assert.equal(await program.stop(), 0);
});
