import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { openSandbox, takeoutPage, takeoutReview } from "../../../test/support/import-sandbox.ts";
import { type Cell, workbookOf } from "../../../test/support/workbook-writer.ts";
import { zipOf } from "../../../test/support/zip-writer.ts";

const HEADER = ["author", "rating", "date", "text"];
const ROW = ["Dana K.", 5, new Date("2024-05-06T00:00:00Z"), "Quick & <kind>"];

async function imported(rows: readonly (readonly Cell[])[], options = {}) {
  await using box = await openSandbox();
  const report = await box.take(box.write("a.xlsx", workbookOf({ Reviews: rows })), { source: "google", ...options });
  return { report, reviews: await box.reviews() };
}

describe("a workbook", () => {
  test("is read with its dates, times, numbers and text", async () => {
    const { report, reviews } = await imported([
      HEADER,
      ROW,
      ["Kim", "★★★☆☆", new Date("2024-05-07T18:30:00Z"), null],
      [null, null, null, null],
      ["Lee", 4, "8. Mai 2024", " two\nlines "],
    ]);
    assert.deepEqual(
      reviews.map(({ author, rating, date, text }) => [author, rating, date, text]),
      [
        ["Lee", 4, "2024-05-08", " two\nlines "],
        ["Kim", 3, "2024-05-07", null],
        ["Dana K.", 5, "2024-05-06", "Quick & <kind>"],
      ],
    );
    assert.deepEqual(
      report.warnings.filter((warning) => warning.includes("a.xlsx")),
      [],
    );
  });

  test("is read up to another table below a blank row, which is named", async () => {
    await using box = await openSandbox();
    const reviews = [
      ["author", "rating", "date", "text"],
      ["Dana", 5, "2024-05-06", "x"],
    ];
    const rows = [...reviews, [null], ["Languages"], ["Language", "Reviews"], ["en", 1]];
    const { read, warnings } = await box.take(box.write("a.xlsx", workbookOf({ List: rows })));
    assert.equal(read, 1);
    assert.match(
      warnings.join(),
      /sheet "List", row 4: another table begins here \("Languages"\).*3 rows are left out/,
    );
  });

  test("may have a title above its header; faults name sheet, row and column", async () => {
    await using box = await openSandbox();
    const rows = [["Reviews of 2024"], [null], ["Kunde", "Sterne", "Datum", "Text"], ["Dana", 9, "2024-05-06", "x"]];
    const path = box.write("a.xlsx", workbookOf({ "Meine Liste": rows }));
    assert.deepEqual(await box.refusal(path, { columns: { author: "Kunde", rating: "Sterne", date: "Datum" } }), [
      'a.xlsx, sheet "Meine Liste", row 4: Sterne is "9", but must be a whole number of stars from 1 to 5',
    ]);
    const other = box.write(
      "b.xlsx",
      workbookOf({
        "Meine Liste": [
          ["Kunde", "Punkte", "Tag", "Text"],
          ["Dana", 5, "2024-05-06", "x"],
        ],
      }),
    );
    assert.match(
      (await box.refusal(other)).join(),
      /^b\.xlsx, sheet "Meine Liste" has the columns "Kunde", "Punkte", "Tag", "Text", but .*--columns rating="…",date="…"$/,
    );
  });

  test("is read sheet by sheet; sheets without reviews are passed over", async () => {
    await using box = await openSandbox();
    const book = workbookOf({
      Notes: [["hello"]],
      One: [HEADER, ROW],
      Prices: [
        ["item", "price"],
        ["filter", 5],
      ],
      Two: [HEADER, ["Kim", 4, "2024-05-07", "b"]],
    });
    const report = await box.take(box.write("a.xlsx", book), { source: "google" });
    assert.equal(report.added, 2);
    assert.deepEqual(
      report.passed_over.map((name) => name.replace(`${box.folder}/`, "")),
      ['a.xlsx, sheet "Prices"'],
    );
  });

  test("is found in a folder and in a zip", async () => {
    await using box = await openSandbox();
    box.write("T/a.xlsx", workbookOf({ S: [HEADER, ROW] }));
    box.write(
      "T/b.zip",
      zipOf([{ name: "in/b.xlsx", content: workbookOf({ S: [HEADER, ["Kim", 4, "2024-05-07", "b"]] }) }]),
    );
    box.write("T/reviews.json", takeoutPage(takeoutReview("a")));
    assert.equal((await box.take(`${box.folder}/T`, { source: "google" })).added, 3);
  });

  test("refuses ambiguous dates as any table, and reads them with --dates", async () => {
    const rows = [HEADER, ["Dana", 5, "03/04/2024", "x"]];
    await using box = await openSandbox();
    const path = box.write("a.xlsx", workbookOf({ S: rows }));
    assert.match((await box.refusal(path)).join(), /"03\/04\/2024" \(row 2, date\) can be one day or another/);
    assert.equal((await imported(rows, { dates: "dmy" })).reviews[0]?.date, "2024-04-03");
  });
});

describe("a workbook is refused", () => {
  const refusal = async (content: Buffer, name = "a.xlsx") => {
    await using box = await openSandbox();
    return (await box.refusal(box.write(name, content))).join("\n");
  };

  test("when it is damaged or cut off", async () => {
    const whole = workbookOf({ S: [HEADER, ROW] });
    for (let length = 5; length < whole.length; length += 131) {
      assert.match(await refusal(whole.subarray(0, length)), /damaged or truncated/, `cut at ${length}`);
    }
    const part = (content: string) => zipOf([{ name: "xl/workbook.xml", content }]);
    assert.match(await refusal(part("<workbook")), /^a\.xlsx is a damaged spreadsheet/);
    assert.match(await refusal(part("")), /^a\.xlsx is a damaged spreadsheet/);
  });

  test("when one cell stands so far out that all between would fill the memory", async () => {
    const far = `<?xml version="1.0"?><worksheet><sheetData><row r="1"><c r="A1"><v>1</v></c></row><row r="1048576"><c r="XFD1048576"><v>1</v></c></row></sheetData></worksheet>`;
    const book = workbookOf({ S: [HEADER] }, []);
    assert.ok(book.length > 0);
    const bomb = zipOf([
      { name: "xl/workbook.xml", content: "<workbook/>" },
      { name: "xl/worksheets/sheet1.xml", content: far },
    ]);
    assert.match(await refusal(bomb), /has a sheet of 1048576 rows and 16384 columns.*save it as CSV/);
  });

  test("when it unpacks to too much, or to other than it declares", async () => {
    const padding = Array.from({ length: 30 }, (_, index) => ({
      name: `xl/media/${index}.xml`,
      content: Buffer.alloc(2_500_000, `<a>${index}</a>`),
    }));
    assert.match(await refusal(workbookOf({ S: [HEADER, ROW] }, padding)), /unpacks to more than 60000000 bytes/);
    const liar = { name: "xl/media/a.xml", content: Buffer.alloc(100_000, "a"), declaredSize: 10 };
    assert.match(await refusal(workbookOf({ S: [HEADER, ROW] }, [liar])), /damaged zip entry/);
  });

  test("when it is no .xlsx but of another program, and told what to do", async () => {
    const ods = zipOf([
      { name: "mimetype", content: "x" },
      { name: "content.xml", content: "<a/>" },
    ]);
    assert.match(await refusal(ods, "a.ods"), /^a\.ods is an OpenDocument spreadsheet; save it as \.xlsx or CSV/);
    const old = Buffer.from("d0cf11e0a1b11ae1", "hex");
    assert.match(
      await refusal(Buffer.concat([old, Buffer.alloc(512)]), "a.xls"),
      /^a\.xls is a file of an older Excel/,
    );
  });
});
