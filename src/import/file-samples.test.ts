import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { temporaryFolder } from "../../test/support/program.ts";
import { sampleFiles } from "./file-samples.ts";

test("sampleFiles() gives the columns of a table with three rows, cut where they are long", async () => {
  using folder = temporaryFolder();
  const file = join(folder.path, "a.csv");
  writeFileSync(file, `Punkte;Wann\n${"5;03/04/2025\n".repeat(2)}${"x".repeat(300)};b\n4;c\n`);
  const { tables, encodings } = await sampleFiles([file], {});
  assert.deepEqual(encodings, []);
  const rows = [
    ["5", "03/04/2025"],
    ["5", "03/04/2025"],
    [`${"x".repeat(120)}…`, "b"],
  ];
  assert.deepEqual(tables, [{ file, columns: ["Punkte", "Wann"], rows }]);
});

test("sampleFiles() shows text that is not UTF-8 as each encoding reads it", async () => {
  using folder = temporaryFolder();
  const [latin, wide] = [join(folder.path, "latin.csv"), join(folder.path, "wide.csv")];
  writeFileSync(latin, Buffer.from("rating,date,author\n5,2025-01-01,François\n", "latin1"));
  writeFileSync(wide, Buffer.from("\ufeffrating,date\n5,2025-01-01\n", "utf16le"));
  const { encodings, tables } = await sampleFiles([latin], {});
  const found = new Map(encodings.map(({ encoding, words }) => [encoding, words]));
  assert.deepEqual(tables[0]?.rows, [["5", "2025-01-01", "François"]], "columns can be chosen at once");
  assert.match(found.get("windows-1252") ?? "", /François/);
  assert.match(found.get("macintosh") ?? "", /FranÁois/);
  const [first] = (await sampleFiles([wide], {})).encodings;
  assert.equal(first?.encoding, "utf-16le");
  assert.match(first?.words ?? "", /rating,date/);
  assert.deepEqual((await sampleFiles([latin], { encoding: "macintosh" })).tables[0]?.rows, [
    ["5", "2025-01-01", "FranÁois"],
  ]);
});

test("sampleFiles() has nothing to show of JSON, archives of pictures, and what is empty", async () => {
  using folder = temporaryFolder();
  const file = join(folder.path, "a.json");
  writeFileSync(file, '{"reviews": [{"rating": 5}]}');
  assert.deepEqual(await sampleFiles([file, join(folder.path, "missing")], {}), { tables: [], encodings: [] });
  writeFileSync(file, "");
  assert.deepEqual(await sampleFiles([file], {}), { tables: [], encodings: [] });
});
