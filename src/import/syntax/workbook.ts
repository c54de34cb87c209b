/** An .xlsx spreadsheet as tables. Its parts are checked like zip entries, and its sheets are read as streams. */
import { Invalid, quote } from "../../issue.ts";
import type { InputFile } from "../input/input-file.ts";
import { officeKind, openZipBytes, type ZipArchive } from "../input/zip-archive.ts";
import type { SheetParts } from "./sheet-parts.ts";
import { type CellValue, type HiddenRow, type SheetLayout, type SheetRow, sheetRows } from "./sheet-rows.ts";
import { damaged, tooLarge } from "./spreadsheet-fault.ts";
import type { CsvRow } from "./table-end.ts";
import { readParts } from "./workbook-parts.ts";

/** What a workbook holds. */
export interface Workbook {
  readonly sheets: readonly Sheet[];
  /** What of it is not read, for the report: the notes of cells, and sheets of words alone. */
  readonly unread: readonly string[];
}

/** One sheet with a table. */
export interface Sheet {
  readonly name: string;
  /** Whether the spreadsheet program does not show it. */
  readonly isHidden: boolean;
  readonly columns: readonly string[];
  /** The rows above the header, each as one text. */
  readonly titles: readonly string[];
  readonly hidden: HiddenCells;
  rows(): AsyncIterable<readonly CsvRow[]>;
}

/** What a sheet does not show: rows by their numbers, with how it says so, and columns by their indexes. */
export interface HiddenCells {
  readonly rows: ReadonlyMap<number, HiddenRow>;
  readonly columns: ReadonlySet<number>;
}

/** A workbook's packed bytes and shared texts are held in memory, so its limits are lower than those of CSV. */
const MAX_PACKED_BYTES = 50_000_000;
const MAX_UNPACKED_BYTES = 60_000_000;
const MAX_TEXT_CHARACTERS = 200_000_000;
/** Titles may precede the header, so the header is searched for in the first rows. */
const MAX_HEADER_ROWS = 30;
const HEADER_SHARE = 0.6;

/** Other programs' spreadsheets, and how to convert them. */
const OTHERS: Readonly<Record<string, string>> = {
  ods: "is an OpenDocument spreadsheet; save it as .xlsx or CSV",
  numbers: "is a Numbers spreadsheet; export it as .xlsx or CSV",
};

/**
 * Reads a workbook's sheets that contain a table, in order, or returns why it cannot be read; undefined for a zip that
 * is not a spreadsheet.
 * @throws Invalid if the workbook is damaged or too large.
 */
export async function readWorkbook(file: InputFile): Promise<Workbook | { readonly why: string } | undefined> {
  const archive = await openZipBytes(file.name, await wholeFile(file));
  const kind = officeKind(archive);
  if (kind !== "xlsx") return kind === undefined ? undefined : { why: OTHERS[kind] ?? "" };
  await checkParts(file.name, archive);
  try {
    const { sheets, ...context } = await readParts(archive.entries);
    const tables: Sheet[] = [];
    const unread: string[] = [];
    for (const { part, beside, ...sheet } of sheets) {
      const layout: SheetLayout = { hiddenColumns: new Set(), merged: [], links: new Map(), unsaved: 0 };
      const table = await tableOf({ ...sheet, beside, layout }, file.name, (isFirst) =>
        sheetRows(file.name, part, { ...context, ...(isFirst && { layout }) }),
      );
      if (layout.unsaved > 0)
        unread.push(
          `${layout.unsaved === 1 ? "1 cell holds a formula whose result is" : `${layout.unsaved} cells hold formulas whose results are`} not saved in the file, and not read: open it in a spreadsheet program, and save it there`,
        );
      if ("columns" in table) tables.push(table);
      else if (table.words !== "")
        unread.push(`the sheet ${quote(sheet.name)} holds no table and is passed over: ${quote(table.words)}`);
      const [first] = beside.notes;
      if (first !== undefined)
        unread.push(
          `the notes of ${beside.notes.length === 1 ? "1 cell" : `${beside.notes.length} cells`} are not read, such as ${quote(first.slice(0, MAX_QUOTED))}`,
        );
    }
    return { sheets: tables, unread };
  } catch (error) {
    throw error instanceof Invalid ? error : damaged(file.name, (error as Error).message);
  }
}

async function wholeFile(file: InputFile): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of file.bytes()) {
    chunks.push(chunk);
    size += chunk.length;
    if (size > MAX_PACKED_BYTES) throw tooLarge(file.name, `has more than ${MAX_PACKED_BYTES} bytes (50 MB)`);
  }
  return Buffer.concat(chunks);
}

/** Unpacks every part once, and checks its checksum and the total size. */
async function checkParts(name: string, { files }: ZipArchive): Promise<void> {
  let size = 0;
  for (const part of files) {
    for await (const chunk of part.bytes()) {
      size += chunk.length;
      if (size > MAX_UNPACKED_BYTES) throw tooLarge(name, `unpacks to more than ${MAX_UNPACKED_BYTES} bytes (60 MB)`);
    }
  }
}

/** Reads a sheet to its end once, so that it is known to be whole, and fills its layout; its first words if it has no header. */
async function tableOf(
  {
    beside,
    layout,
    ...sheet
  }: Pick<Sheet, "name" | "isHidden"> & { readonly beside: SheetParts; readonly layout: SheetLayout },
  file: string,
  read: (isFirst: boolean) => AsyncIterable<readonly SheetRow[]>,
): Promise<Sheet | { readonly words: string }> {
  const top: SheetRow[] = [];
  const hiddenRows = new Map<number, HiddenRow>();
  let width = 0;
  for await (const rows of read(true)) {
    for (const row of rows) {
      if (row.hidden !== undefined) hiddenRows.set(row.number, row.hidden);
      if (row.number <= MAX_HEADER_ROWS) top.push(row);
      width = Math.max(width, row.cells.length);
    }
  }
  const header = headerOf(top);
  if (header === undefined) return { words: top.map(titleOf).filter(Boolean).join(" · ").slice(0, MAX_QUOTED) };
  const names = Array.from({ length: width }, (_, column) => cellText(header.cells[column]).trim());
  const links = linksOf(layout, { names, beside, header: header.number });
  const columns = [...names, ...links.columns.map((column) => `${names[column]} (link)`)];
  const merged = layout.merged
    .filter(({ first, column }) => first > header.number && column < names.length)
    .toSorted((a, b) => a.first - b.first);
  return {
    ...sheet,
    columns,
    titles: top
      .filter(({ number }) => number < header.number)
      .map(titleOf)
      .filter(Boolean),
    hidden: { rows: hiddenRows, columns: layout.hiddenColumns },
    async *rows() {
      let length = 0;
      const fill = openMerged(merged);
      for await (const rows of read(false)) {
        const found: CsvRow[] = [];
        for (const row of rows) {
          if (row.number <= header.number) continue;
          const own = names.map((_, column) => cellText(row.cells[column]));
          fill(row.number, own);
          const cells = links.follow(row.number, own);
          if (cells.every((cell) => cell.trim() === "")) continue;
          length += cells.reduce((sum, cell) => sum + cell.length, 0);
          if (length > MAX_TEXT_CHARACTERS) throw tooLarge(file, "holds more than 200 MB of text");
          found.push({ line: row.number, cells });
        }
        if (found.length > 0) yield found;
      }
    },
  };
}

interface SheetLinks {
  /** The columns of words that lead somewhere: the addresses are a column of their own. */
  readonly columns: readonly number[];
  /** A row's cells with the addresses. In a column of links (`View`), they stand in the place of the words. */
  follow(row: number, cells: readonly string[]): string[];
}

/** Where the cells of a sheet lead, below its header. */
function linksOf(
  { links }: SheetLayout,
  {
    names,
    beside,
    header,
  }: { readonly names: readonly string[]; readonly beside: SheetParts; readonly header: number },
): SheetLinks {
  const addressOf = (row: number, column: number) => {
    const link = links.get(row)?.get(column);
    return link?.startsWith("#") ? beside.links.get(link.slice(1)) : link;
  };
  const linked = new Set<number>();
  for (const [row, columns] of links)
    for (const column of row > header ? columns.keys() : [])
      if (addressOf(row, column) !== undefined && (names[column] ?? "") !== "") linked.add(column);
  const columns = [...linked].filter((column) => !OF_LINKS.test(names[column] ?? "")).toSorted((a, b) => a - b);
  return {
    columns,
    follow(row, cells) {
      const isWords = (column: number) => !/^\s*(?:https?:|www\.)/i.test(cells[column] ?? "");
      const own = cells.map((cell, column) =>
        linked.has(column) && !columns.includes(column) && isWords(column) ? (addressOf(row, column) ?? cell) : cell,
      );
      return [...own, ...columns.map((column) => (isWords(column) ? (addressOf(row, column) ?? "") : ""))];
    },
  };
}

/** Columns of links, which a sheet may show as words. */
const OF_LINKS = /link|ur[il]\b|href|enlace|lien|website|web ?seite|^(?:see|view|ansehen|voir|ver)\b/i;
const MAX_QUOTED = 100;

function titleOf({ cells }: SheetRow): string {
  return cells
    .map((cell) => cellText(cell).trim())
    .filter(Boolean)
    .join(" ");
}

/**
 * Gives each row the values of cells that are merged over it. A row that has fewer values of its own stays as it is:
 * more lines of the record above it, perhaps.
 */
function openMerged(merged: SheetLayout["merged"]): (row: number, cells: string[]) => void {
  const open = new Map<number, { readonly last: number; readonly value: string }>();
  let next = 0;
  return (row, cells) => {
    const isFilled = (column: number) => cells[column]?.trim() !== "";
    const lacking = [...open].filter(([column, { last }]) => last >= row && !isFilled(column));
    const isOwn = lacking.length > 0 && cells.filter((_, column) => isFilled(column)).length >= lacking.length;
    for (let one = merged[next]; one !== undefined && one.first <= row; one = merged[++next])
      if (one.first === row) open.set(one.column, { last: one.last, value: cells[one.column] ?? "" });
    if (isOwn) for (const [column, { value }] of lacking) cells[column] = value;
  };
}

/** The first row of texts that is about as wide as the widest of the first rows. */
function headerOf(top: readonly SheetRow[]): SheetRow | undefined {
  const filled = top.map((row) => ({ row, cells: row.cells.filter((cell) => cellText(cell).trim() !== "") }));
  const widest = Math.max(0, ...filled.map(({ cells }) => cells.length));
  return filled.find(
    ({ cells }) =>
      cells.length > 1 && cells.length >= widest * HEADER_SHARE && cells.every((cell) => typeof cell === "string"),
  )?.row;
}

/** A cell's text as in CSV. A date has no time zone: it is local to the business. */
function cellText(cell: CellValue | undefined): string {
  if (cell === undefined) return "";
  if (!(cell instanceof Date)) return String(cell);
  if (Number.isNaN(cell.getTime())) return "";
  const time = new Date(Math.round(cell.getTime() / 1000) * 1000).toISOString().slice(0, 19);
  return time.endsWith("T00:00:00") ? time.slice(0, 10) : time;
}
