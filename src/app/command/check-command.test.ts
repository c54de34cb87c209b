import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { run, temporaryFolder } from "../../../test/support/program.ts";
import type { ImportReport } from "../../import/importer.ts";
import { readConfig } from "../config.ts";
import { checkAgainstStore } from "../stored-import.ts";

test("goodword check compares with the store, lists what would change, and writes nothing", async () => {
  using folder = temporaryFolder();
  const file = join(folder.path, "a.csv");
  const write = (stars: number) => writeFileSync(file, `id,author,rating,date\n1,Dana,${stars},2024-05-06\n`);
  const report = async (...args: string[]) => {
    const { code, stdout } = await run(folder.path, [...args, file, "--source", "google", "--json"]);
    assert.equal(code, 0);
    return JSON.parse(stdout) as ImportReport;
  };
  write(5);
  const early = await run(folder.path, ["check", file]);
  assert.match(early.stderr, /^Store: .*goodword\.db \(there is none yet\)$/m);
  assert.equal((await report("import")).added, 1);
  write(4);
  for (let times = 0; times < 2; times += 1) {
    const { changed, changes } = await report("check", "--list");
    assert.deepEqual(
      [changed, changes?.map(({ change, author, fields }) => [change, author, fields])],
      [1, [["changed", "Dana", ["rating"]]]],
    );
  }
});

test("a check says beforehand what publishing would ask: that a server needs more memory than it may take", async () => {
  using folder = temporaryFolder();
  const file = join(folder.path, "a.csv");
  writeFileSync(file, "id,author,rating,date\n1,Dana,5,2024-05-06\n");
  const config = readConfig({ DATABASE_URL: `sqlite:${join(folder.path, "a.db")}` });
  const asked = async (MEMORY_MB: number) => await checkAgainstStore({ ...config, MEMORY_MB }, [file], {});
  const { to_confirm = [], warnings } = await asked(250);
  assert.match(to_confirm.join(), /^The store would hold 1 reviews .* too much of the 250 MB/);
  assert.ok(warnings.includes(to_confirm[0] ?? ""));
  assert.deepEqual((await asked(300)).to_confirm, []);
});
