/** An .xlsx spreadsheet as tables. Its parts are checked like zip entries before they are parsed. */
import readXlsx from "read-excel-file/universal";
import { Invalid } from "../../issue.ts";
import type { InputFile } from "../input/input-file.ts";
import { officeKind, openZipBytes, type ZipArchive } from "../input/zip-archive.ts";
import { type CsvRow, openTableEnd } from "./table-end.ts";

/** One sheet with a table. */
export interface Sheet {
  readonly name: string;
  readonly columns: readonly string[];
  rows(): AsyncIterable<readonly CsvRow[]>;
}

/** Workbooks are read in memory, so their limits are lower than those of CSV. */
const MAX_PACKED_BYTES = 50_000_000;
const MAX_UNPACKED_BYTES = 60_000_000;
const MAX_CELLS = 5_000_000;
const MAX_TEXT_CHARACTERS = 200_000_000;
/** Titles may precede the header, so the header is searched for in the first rows. */
const MAX_HEADER_ROWS = 30;
const HEADER_SHARE = 0.6;
const CELL_PLACE = /<(?:\w+:)?(?:c|row)\s[^>]{0,200}?\br="([A-Z]{0,3})(\d{1,9})"/g;
const MAX_TAG_CHARACTERS = 300;

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
export async function readWorkbook(file: InputFile): Promise<Sheet[] | { readonly why: string } | undefined> {
  const bytes = await wholeFile(file);
  const archive = await openZipBytes(file.name, bytes);
  const kind = officeKind(archive.names);
  try {
    if (kind !== "xlsx") return kind === undefined ? undefined : { why: OTHERS[kind] ?? "" };
    await checkParts(file.name, archive);
  } finally {
    archive.close();
  }
  const content = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length) as ArrayBuffer;
  const sheets = await readXlsx(content, { trim: false }).catch((error: Error) => {
    throw refusal(file.name, `is a damaged spreadsheet (${error.message.slice(0, 200)}); open it and save it again`);
  });
  return sheets.flatMap(({ sheet, data }) => tableOf(sheet, data as readonly (readonly unknown[])[], file.name) ?? []);
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

/** Reads every part once, and checks its checksum, the total size and the sheets' dimensions. */
async function checkParts(name: string, { files }: ZipArchive): Promise<void> {
  let size = 0;
  for (const part of files) {
    const isSheet = /!xl\/worksheets\/[^/]+\.xml$/i.test(part.name);
    let [rows, columns, rest] = [0, 0, ""];
    for await (const chunk of part.bytes()) {
      size += chunk.length;
      if (size > MAX_UNPACKED_BYTES) {
        throw tooLarge(name, `unpacks to more than ${MAX_UNPACKED_BYTES} bytes (60 MB)`);
      }
      if (!isSheet) continue;
      const text = rest + chunk.toString("latin1");
      for (const [, column = "", row = ""] of text.matchAll(CELL_PLACE)) {
        rows = Math.max(rows, Number(row));
        columns = Math.max(columns, columnNumber(column));
      }
      rest = text.slice(-MAX_TAG_CHARACTERS);
      // A single distant cell would make the reader fill the gap with empty cells.
      if (rows * columns > MAX_CELLS) {
        throw tooLarge(name, `has a sheet of ${rows} rows and ${columns} columns, but may have ${MAX_CELLS} cells`);
      }
    }
  }
}

/** The number of a column: `A` is 1, `AA` is 27. */
function columnNumber(letters: string): number {
  return [...letters].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0);
}

function tableOf(name: string, data: readonly (readonly unknown[])[], file: string): Sheet | undefined {
  const top = data.slice(0, MAX_HEADER_ROWS).map((row) => row.filter((cell) => cellText(cell).trim() !== ""));
  const widest = Math.max(0, ...top.map(({ length }) => length));
  const header = top.findIndex(
    (cells) =>
      cells.length > 1 && cells.length >= widest * HEADER_SHARE && cells.every((cell) => typeof cell === "string"),
  );
  if (header === -1) return undefined;
  const columns = (data[header] ?? []).map((cell) => cellText(cell).trim());
  return {
    name,
    columns,
    async *rows() {
      const table = openTableEnd(columns);
      let [length, isAfterGap] = [0, false];
      for (let index = header + 1; index < data.length; index += 1) {
        const cells = columns.map((_, column) => cellText(data[index]?.[column]));
        if (cells.every((cell) => cell.trim() === "")) {
          isAfterGap = true;
          continue;
        }
        length += cells.reduce((sum, cell) => sum + cell.length, 0);
        if (length > MAX_TEXT_CHARACTERS) throw tooLarge(file, "holds more than 200 MB of text");
        yield table.take({ line: index + 1, cells, fields: columns.length, isAfterGap });
        isAfterGap = false;
      }
      yield table.end(true);
    },
  };
}

/** A cell's text as in CSV. A date has no time zone: it is local to the business. */
function cellText(cell: unknown): string {
  if (cell === null || cell === undefined) return "";
  if (!(cell instanceof Date)) return String(cell);
  if (Number.isNaN(cell.getTime())) return "";
  const time = new Date(Math.round(cell.getTime() / 1000) * 1000).toISOString().slice(0, 19);
  return time.endsWith("T00:00:00") ? time.slice(0, 10) : time;
}

function tooLarge(name: string, fault: string): Invalid {
  return refusal(name, `${fault}, which is too large for a spreadsheet; save it as CSV and import that`);
}

function refusal(name: string, fault: string): Invalid {
  return new Invalid([{ code: "spreadsheet", path: [name], message: `${name} ${fault}` }]);
}
