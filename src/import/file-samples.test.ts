import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { temporaryFolder } from "../../test/support/program.ts";
import { sampleFiles } from "./file-samples.ts";

test("sampleFiles() gives the columns of a table with three rows, cut where they are long", async () => {
  using folder = temporaryFolder();
  const file = join(folder.path, "a.csv");
  writeFileSync(file, `Punkte;${"N".repeat(501)};Wann\n${"5;?;03/04/2025\n".repeat(2)}${"x".repeat(300)};?;b\n4;?;c\n`);
  const { tables, encodings } = await sampleFiles([file], {});
  assert.deepEqual(encodings, []);
  const rows = [
    ["5", "03/04/2025"],
    ["5", "03/04/2025"],
    [`${"x".repeat(120)}…`, "b"],
  ];
  assert.deepEqual(tables, [{ file, columns: ["Punkte", "Wann"], rows, found: {} }]);
});

test("sampleFiles() takes no business.yaml for a table, whatever its first line is", async () => {
  using folder = temporaryFolder();
  const [business, table] = [join(folder.path, "business.yaml"), join(folder.path, "a.csv")];
  writeFileSync(business, "# Ours, since 1990\nname: Northside\ntime_zone: America/Chicago\n");
  writeFileSync(table, "Punkte;Wann\n5;x\n");
  const { tables } = await sampleFiles([business, table], {});
  assert.deepEqual(
    tables.map(({ file }) => file),
    [table],
  );
});

test("sampleFiles() says from which column each field is read, as the import reads it, and with the owner's choice", async () => {
  using folder = temporaryFolder();
  const [file, fixed] = [join(folder.path, "a.csv"), join(folder.path, "outscraper.csv")];
  writeFileSync(
    file,
    "Sterne;Punkte;Created at;Vorname;Nachname;Was er sagte\n5;17;2025-01-02T10:00:00Z;Ann;Ode;Gut\n4;18;2025-01-03T10:00:00Z;Bo;Ek;Na ja\n",
  );
  const foundIn = async (path: string, columns = {}) => (await sampleFiles([path], { columns })).tables[0]?.found;
  const byItself = { rating: ["Sterne"], date: ["Created at"], author: ["Vorname", "Nachname"] };
  assert.deepEqual(await foundIn(file), byItself);
  const text = "Was er sagte";
  assert.deepEqual(await foundIn(file, { text, rating: "Punkte" }), { ...byItself, rating: ["Punkte"], text: [text] });
  writeFileSync(
    fixed,
    "name,google_id,review_id,author_title,review_text,review_rating,review_timestamp,review_datetime_utc\nOurs,x,a,Ann,Gut,5,1735812000,01/02/2025 10:00:00\n",
  );
  assert.deepEqual(await foundIn(fixed), {}, "its columns cannot be chosen");
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

test("sampleFiles() shows the words in which encodings differ, wherever they stand", async () => {
  using folder = temporaryFolder();
  const file = join(folder.path, "a.csv");
  writeFileSync(
    file,
    Buffer.from(
      `rating,date,author\n5,2025-01-01,Zoë Ann\n${"5,2025-01-01,Bo\n".repeat(99)}5,2025-01-01,Nuñez\n`,
      "latin1",
    ),
  );
  const { encodings } = await sampleFiles([file], {});
  const found = new Map(encodings.map(({ encoding, words }) => [encoding, words]));
  assert.equal(found.get("windows-1252"), "Zoë · Nuñez");
  assert.notEqual(found.get("windows-1257"), "Zoë · Nuñez");
});

test("sampleFiles() has nothing to show of JSON, archives of pictures, and what is empty", async () => {
  using folder = temporaryFolder();
  const file = join(folder.path, "a.json");
  writeFileSync(file, '{"reviews": [{"rating": 5}]}');
  assert.deepEqual(await sampleFiles([file, join(folder.path, "missing")], {}), { tables: [], encodings: [] });
  writeFileSync(file, "");
  assert.deepEqual(await sampleFiles([file], {}), { tables: [], encodings: [] });
});
