/** Workbooks in .xlsx for tests: text inline or shared, numbers, dates as the numbers that spreadsheets keep. */
import { type ZipEntry, zipOf } from "./zip-writer.ts";

export type Cell = string | number | boolean | Date | null;

const MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main";
const DOCUMENT = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
const PACKAGE = "http://schemas.openxmlformats.org/package/2006";
const DAY_MS = 86_400_000;
/** Day 0 of spreadsheets. */
const EPOCH_MS = Date.UTC(1899, 11, 30);

/** A workbook of these sheets, by name; `extra` are further entries of its zip, or replace some. */
export function workbookOf(
  sheets: Readonly<Record<string, readonly (readonly Cell[])[]>>,
  extra: readonly ZipEntry[] = [],
) {
  const names = Object.keys(sheets);
  const shared: string[] = [];
  const parts = Object.values(sheets).map((rows, index): ZipEntry => {
    const cells = rows.map(
      (row, at) => `<row r="${at + 1}">${row.map((cell, column) => xmlOf(cell, column, at, shared)).join("")}</row>`,
    );
    return {
      name: `xl/worksheets/sheet${index + 1}.xml`,
      content: xml(`<worksheet xmlns="${MAIN}"><sheetData>${cells.join("")}</sheetData></worksheet>`),
    };
  });
  const list = names.map(
    (name, index) => `<sheet name="${escaped(name)}" sheetId="${index + 1}" r:id="rId${index + 1}"/>`,
  );
  const relation = (id: string, type: string, target: string) =>
    `<Relationship Id="${id}" Type="${DOCUMENT}/${type}" Target="${target}"/>`;
  const relations = [
    ...names.map((_, index) => relation(`rId${index + 1}`, "worksheet", `worksheets/sheet${index + 1}.xml`)),
    relation("rIdS", "sharedStrings", "sharedStrings.xml"),
    relation("rIdT", "styles", "styles.xml"),
  ];
  const entries: ZipEntry[] = [
    { name: "[Content_Types].xml", content: xml(`<Types xmlns="${PACKAGE}/content-types"/>`) },
    {
      name: "xl/workbook.xml",
      content: xml(`<workbook xmlns="${MAIN}" xmlns:r="${DOCUMENT}"><sheets>${list.join("")}</sheets></workbook>`),
    },
    {
      name: "xl/_rels/workbook.xml.rels",
      content: xml(`<Relationships xmlns="${PACKAGE}/relationships">${relations.join("")}</Relationships>`),
    },
    {
      name: "xl/styles.xml",
      content: xml(
        `<styleSheet xmlns="${MAIN}"><cellXfs count="2"><xf numFmtId="0"/><xf numFmtId="22"/></cellXfs></styleSheet>`,
      ),
    },
    ...parts,
    {
      name: "xl/sharedStrings.xml",
      content: xml(
        `<sst xmlns="${MAIN}">${shared.map((text) => `<si><t xml:space="preserve">${escaped(text)}</t></si>`).join("")}</sst>`,
      ),
    },
  ];
  const replaced = new Set(extra.map(({ name }) => name));
  return zipOf([...entries.filter(({ name }) => !replaced.has(name)), ...extra]);
}

/** A workbook of one sheet with this XML, and shared texts with that. Its second style is a date. */
export function workbookWith(sheet: string, sharedStrings = `<sst xmlns="${MAIN}"/>`): Buffer {
  const parts = { "xl/worksheets/sheet1.xml": sheet, "xl/sharedStrings.xml": sharedStrings };
  return workbookOf(
    { S: [] },
    Object.entries(parts).map(([name, content]) => ({ name, content })),
  );
}

function xmlOf(cell: Cell, column: number, row: number, shared: string[]): string {
  const place = `r="${String.fromCharCode(65 + column)}${row + 1}"`;
  if (cell === null) return "";
  if (cell instanceof Date) return `<c ${place} s="1"><v>${(cell.getTime() - EPOCH_MS) / DAY_MS}</v></c>`;
  if (typeof cell === "number") return `<c ${place}><v>${cell}</v></c>`;
  if (typeof cell === "boolean") return `<c ${place} t="b"><v>${Number(cell)}</v></c>`;
  if (row === 0) return `<c ${place} t="inlineStr"><is><t>${escaped(cell)}</t></is></c>`;
  shared.push(cell);
  return `<c ${place} t="s"><v>${shared.length - 1}</v></c>`;
}

function xml(text: string): string {
  return `<?xml version="1.0" encoding="UTF-8"?>\n${text}`;
}

function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;");
}
