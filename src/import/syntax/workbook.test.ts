import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { Readable } from "node:stream";
import { describe, test } from "node:test";
import readXlsx from "read-excel-file/universal";
import { openSandbox, takeoutPage, takeoutReview } from "../../../test/support/import-sandbox.ts";
import fc, { tries } from "../../../test/support/properties.ts";
import { type Cell, workbookOf, workbookWith } from "../../../test/support/workbook-writer.ts";
import { zipOf } from "../../../test/support/zip-writer.ts";
import { readWorkbook, type Sheet } from "./workbook.ts";

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
    const wrong = report.warnings.filter((warning) => warning.includes("a.xlsx"));
    assert.deepEqual(wrong, []);
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

describe("readWorkbook()", () => {
  test("reads shared and inline texts in runs, results of formulas, booleans, failed formulas and escaped characters", async () => {
    const shared = `<sst><si><t>Al</t></si><si><r><t>two</t></r><r><rPr><b/></rPr><t xml:space="preserve"> runs</t></r><rPh sb="0" eb="1"><t>reading</t></rPh></si><si/></sst>`;
    const row = [
      '<c r="A3" t="s"><v>1</v></c><c r="B3"><f>1+1</f><v>2.50</v></c><c r="C3" t="str"><f>A1</f><v>a_x0041_b</v></c>',
      '<c r="D3" t="b"><v>1</v></c><c r="E3" t="e"><v>#N/A</v></c><c r="F3" s="1"><v>45418.5</v></c>',
      '<c r="G3" t="inlineStr"><is><r><t>in</t></r><r><t>line</t></r></is></c><c r="I3" t="d"><v>2024-05-06T00:00:00Z</v></c>',
      '<c r="J3" t="s"><v>2</v></c><c r="K3" t="str"><v><![CDATA[<&>]]></v></c>',
    ].join("");
    const titles = ["B", "C", "D", "E"].map((title) => `<c t="str"><v>${title}</v></c>`);
    const header = `<row r="2"><c t="s"><v>0</v></c>${titles.join("")}</row>`;
    const book = workbookWith(`<worksheet><sheetData>${header}<row r="3">${row}</row></sheetData></worksheet>`, shared);
    const [sheet] = await sheetsOf(book);
    assert.deepEqual(sheet?.columns, ["Al", "B", "C", "D", "E", ...Array(6).fill("")]);
    assert.deepEqual((await Array.fromAsync(sheet?.rows() ?? [])).flat(), [
      {
        line: 3,
        cells: ["two runs", "2.5", "aAb", "true", "", "2024-05-06T12:00:00", "inline", "", "2024-05-06", "", "<&>"],
      },
    ]);
  });

  test("reads rows and cells without a place as those after the last, and any prefix of the namespace", async () => {
    const row = (...cells: string[]) =>
      `<x:row>${cells.map((cell) => `<x:c t="str"><x:v>${cell}</x:v></x:c>`).join("")}</x:row>`;
    const book = workbookWith(
      `<x:worksheet xmlns:x="urn:x"><x:sheetData>${row("a", "b")}<x:row r="5"/>${row("1", "2")}</x:sheetData></x:worksheet>`,
    );
    const [sheet] = await sheetsOf(book);
    assert.deepEqual((await Array.fromAsync(sheet?.rows() ?? [])).flat(), [{ line: 6, cells: ["1", "2"] }]);
  });

  test("reads dates counted from 1904", async () => {
    const overview =
      '<workbook><workbookPr date1904="1"/><sheets><sheet name="S" sheetId="1" id="rId1"/></sheets></workbook>';
    const book = workbookOf(
      {
        S: [
          ["a", "b"],
          [new Date("2024-05-06T00:00:00Z"), 1],
        ],
      },
      [{ name: "xl/workbook.xml", content: overview }],
    );
    const [sheet] = await sheetsOf(book);
    const [first] = (await Array.fromAsync(sheet?.rows() ?? [])).flat();
    assert.deepEqual(first, { line: 2, cells: ["2028-05-07", "1"] });
  });

  test("reads what an independent reader does, in any sheet", async () => {
    const text = fc.oneof(fc.string({ unit: "grapheme", maxLength: 6 }), fc.constantFrom("_x0041_", " a ", "<&>\"'"));
    const cell: fc.Arbitrary<Cell> = fc.oneof(
      fc.constant(null),
      text.filter((one) => !/[^\P{C}\n\t]/u.test(one)),
      fc.double({ noNaN: true, noDefaultInfinity: true }),
      fc.boolean(),
      fc.date({ min: new Date("1950-01-01"), max: new Date("2090-01-01"), noInvalidDate: true }),
    );
    const sheet = fc.array(fc.array(cell, { maxLength: 5 }), { maxLength: 6 });
    await fc.assert(
      fc.asyncProperty(fc.array(sheet, { minLength: 1, maxLength: 3 }), async (tables) => {
        const sheets = tables.map((rows, at) => [`S${at}`, [["a", "b", "c", "d", "e"], ...rows]] as const);
        const book = workbookOf(Object.fromEntries(sheets));
        const theirs = await readXlsx(new Uint8Array(book).buffer, { trim: false });
        const ours = await sheetsOf(book);
        for (const [at, { data }] of theirs.entries()) {
          const rows = (await Array.fromAsync(ours[at]?.rows() ?? [])).flat();
          const cells = new Map(rows.map((row) => [row.line, "cells" in row ? row.cells : []]));
          for (const [index, row] of data.entries()) {
            if (index === 0) continue;
            const shown = row.map(shownAsText);
            const isBlank = shown.every((one) => one.trim() === "");
            assert.deepEqual(cells.get(index + 1) ?? [], isBlank ? [] : shown);
          }
        }
      }),
      { numRuns: tries(200) },
    );
  });
});

/** The text of a cell that the other reader read. */
function shownAsText(cell: unknown): string {
  if (!(cell instanceof Date)) return cell === null || cell === undefined ? "" : String(cell);
  const time = new Date(Math.round(cell.getTime() / 1000) * 1000).toISOString().slice(0, 19);
  return time.endsWith("T00:00:00") ? time.slice(0, 10) : time;
}

async function sheetsOf(book: Buffer): Promise<Sheet[]> {
  const file = { name: "a.xlsx", named: true, isBusinessFile: false, origins: [], bytes: () => Readable.from([book]) };
  const workbook = await readWorkbook(file);
  assert.ok(workbook !== undefined && "sheets" in workbook);
  return [...workbook.sheets];
}

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

  for (const [name, sheet] of Object.entries({
    "a row of ten digits": '<row r="9999999999"><c r="A1"><v>1</v></c></row>',
    "a row in single quotes": "<row r='900000000'><c r='A1'><v>1</v></c></row>",
    "a column of seven letters": '<row r="2"><c r="AAAAAAA2"><v>1</v></c></row>',
    "a column beyond the last": '<row r="2"><c r="XFE2"><v>1</v></c></row>',
    "a row beyond the last": '<row r="1048577"/>',
    "a negative row": '<row r="-1"/>',
    "row 0": '<row r="0"/>',
    "a place in small letters": '<row r="2"><c r="a2"/></row>',
    "a place without a row": '<row r="2"><c r="A"/></row>',
    "a row as an exponent": '<row r="1e9"/>',
    "a place written with entities": '<row r="&#57;99999999"/>',
    "a place with a line end in its tag": '<row\n\nspans="1:2"\nr\n=\n"99999999"\n/>',
    "a place after a long attribute": `<row spans="${"x".repeat(500)}" r="99999999"/>`,
    "another prefix": '<x:row xmlns:x="urn:x" r="99999999"/>',
  })) {
    test(`at once when it has ${name}`, async () => {
      const book = workbookWith(`<worksheet><sheetData>${sheet}</sheetData></worksheet>`);
      assert.match(await refusal(book), /^a\.xlsx has a (row|cell at) ".*too large for a spreadsheet; save it as CSV/);
    });
  }

  test("when its cells would fill the memory, whether or not their places are written", async () => {
    const far = '<row r="1"><c r="A1"><v>1</v></c></row><row r="1048576"><c r="XFD1048576"><v>1</v></c></row>';
    assert.match(
      await refusal(workbookWith(`<worksheet><sheetData>${far}</sheetData></worksheet>`)),
      /has a sheet of 1048576 rows and 16384 columns, but may have 5000000 cells.*save it as CSV/,
    );
    const wide = `<row>${"<c/>".repeat(1000)}</row>${"<row/>".repeat(5_000)}`;
    assert.match(
      await refusal(workbookWith(`<worksheet><sheetData>${wide}</sheetData></worksheet>`)),
      /has a sheet of 5001 rows and 1000 columns/,
    );
    const column = "<c/>".repeat(16_385);
    assert.match(
      await refusal(workbookWith(`<worksheet><sheetData><row>${column}</row></sheetData></worksheet>`)),
      /has a cell at 16385, but a sheet ends at XFD1048576/,
    );
  });

  for (const [name, xml] of Object.entries({
    "entities of its own": `<!DOCTYPE w [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;">]><worksheet><sheetData><row><c t="str"><v>&b;</v></c></row></sheetData></worksheet>`,
    "elements nested deep": `<worksheet>${"<a>".repeat(200)}${"</a>".repeat(200)}</worksheet>`,
    "a tag of millions of characters": `<worksheet a="${"b ".repeat(1_500_000)}"/>`,
    "a text of millions of characters": `<worksheet>${"&amp;".repeat(500_000)}</worksheet>`,
    "a comment of millions of characters": `<worksheet><!--${"a ".repeat(1_500_000)}--></worksheet>`,
    "rows out of order": '<worksheet><sheetData><row r="2"/><row r="1"/></sheetData></worksheet>',
    "the same row twice": '<worksheet><sheetData><row r="2"/><row r="2"/></sheetData></worksheet>',
    "cells out of order": '<worksheet><sheetData><row><c r="B1"/><c r="A1"/></row></sheetData></worksheet>',
    "a cell of another row": '<worksheet><sheetData><row r="1"><c r="A2"/></row></sheetData></worksheet>',
    "a cell outside of rows": '<worksheet><sheetData><c r="A1"/></sheetData></worksheet>',
    "a shared text that is not there":
      '<worksheet><sheetData><row><c t="s"><v>-1</v></c></row></sheetData></worksheet>',
    "a style that is not there": '<worksheet><sheetData><row><c s="9"><v>1</v></c></row></sheetData></worksheet>',
    "bytes that are not UTF-8": "<worksheet>\ud800</worksheet>",
  })) {
    test(`as damaged when it has ${name}`, async () => {
      const encoded = xml.includes("\ud800") ? Buffer.from("<worksheet>\xff</worksheet>", "latin1") : Buffer.from(xml);
      const book = workbookOf({ S: [] }, [{ name: "xl/worksheets/sheet1.xml", content: encoded }]);
      assert.match(await refusal(book), /^a\.xlsx is a damaged spreadsheet \(.*\); open it and save it again$/);
    });
  }

  test("when many of its sheets are one part, which would be read again and again", async () => {
    const sheets = Array.from({ length: 100 }, (_, at) => `<sheet name="${at}" sheetId="${at + 1}" id="rId1"/>`);
    const content = `<workbook><sheets>${sheets.join("")}</sheets></workbook>`;
    const book = workbookOf({ S: [HEADER, ROW] }, [{ name: "xl/workbook.xml", content }]);
    assert.match(await refusal(book), /damaged spreadsheet \(two sheets are one part\)/);
  });

  test("when it unpacks to too much, or to other than it declares", async () => {
    const padding = Array.from({ length: 30 }, (_, index) => ({
      name: `xl/media/${index}.xml`,
      content: Buffer.concat([randomBytes(20_000), Buffer.alloc(2_500_000, `<a>${index}</a>`)]),
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
