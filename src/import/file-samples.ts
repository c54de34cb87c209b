/**
 * What helps an owner to say how files are meant: the columns of their tables with a few rows and what they are read as,
 * and text that is not UTF-8 as each encoding reads it.
 */
import { isUtf8 } from "node:buffer";
import { Invalid } from "../issue.ts";
import type { ReadOptions } from "./format/format.ts";
import { columnsFound, type FoundColumns, goodwordTable } from "./format/goodword/goodword-table.ts";
import type { ImportInput, InputFile } from "./input/input-file.ts";
import { type InputOptions, openInputs } from "./input/inputs.ts";
import { type LikelyEncoding, likelyEncodings, strangeWords } from "./input/likely-encoding.ts";
import { firstBytes } from "./input/utf8-text.ts";
import { FORMATS } from "./known-formats.ts";
import { readContent, type TableContent } from "./syntax/content.ts";

/** A table's columns, its first rows, and which columns are read as which fields. */
export interface TableSample {
  readonly file: string;
  readonly columns: readonly string[];
  readonly rows: readonly (readonly string[])[];
  /** Nothing in a table of a service whose columns are always the same. */
  readonly found: FoundColumns;
}

/** A few words of a file as they are in an encoding. */
interface EncodedSample {
  readonly encoding: string;
  readonly words: string;
}

export interface FileSamples {
  readonly tables: readonly TableSample[];
  readonly encodings: readonly EncodedSample[];
}

const [MAX_TABLES, MAX_ROWS, MAX_COLUMNS, MAX_CELL_LENGTH] = [10, 3, 100, 120];
/** A column with a longer name is not shown: the name is repeated in each cell and each field of the desk. */
const MAX_NAME_LENGTH = 500;
/** Nor are further columns where the names of all tables take more characters. */
const MAX_NAMES_LENGTH = 20_000;
const HEAD_BYTES = 65_536;
const WIDE_BYTES = 48;
const MAX_ODD_WORDS = 8;
/** Encodings that programs of shops and offices still write. */
const ENCODINGS =
  `windows-1252 windows-1250 windows-1251 windows-1253 windows-1254 windows-1257 iso-8859-15 macintosh shift_jis
  gb18030`.split(/\s+/);
const WIDE_ENCODINGS = ["utf-16le", "utf-16be"];

/**
 * Reads samples of the files. What cannot be read has none: the import says why. Tables that are not UTF-8 are shown as
 * the likeliest encoding reads them while none is chosen.
 */
export async function sampleFiles(
  given: readonly ImportInput[],
  { columns, ...options }: InputOptions & ReadOptions,
): Promise<FileSamples> {
  const tables: TableSample[] = [];
  const room: NameRoom = { left: MAX_NAMES_LENGTH };
  let encodings: readonly EncodedSample[] = [];
  await eachHead(given, { ...options, encoding: undefined }, async (file, head) => {
    encodings = encodedSamples(head, likelyEncodings(await strangeWords(file)));
    return encodings.length === 0;
  });
  const encoding = options.encoding ?? encodings[0]?.encoding;
  await eachHead(given, { ...options, encoding }, async (file, head) => {
    if (file.isBusinessFile) return true;
    const isWhole = /^\s*[[{<]/.test(head.toString("latin1")); // JSON and web pages
    if (!isWhole) tables.push(...(await tablesOf(file, { columns }, room)));
    return tables.length < MAX_TABLES;
  });
  return { tables: tables.slice(0, MAX_TABLES), encodings };
}

/** Calls the function with each file and how it begins, until it returns false. */
async function eachHead(
  given: readonly ImportInput[],
  options: InputOptions,
  look: (file: InputFile, head: Buffer) => Promise<boolean>,
): Promise<void> {
  const inputs = await openInputs(given, options);
  try {
    for (const file of inputs.files) {
      const isEnough = await firstBytes(file, HEAD_BYTES)
        .then(async (head) => !(await look(file, head)))
        .catch((error: unknown) => {
          if (error instanceof Invalid) return false;
          throw error;
        });
      if (isEnough) return;
    }
  } finally {
    await inputs.close();
  }
}

/** How many characters the names of further columns may have. */
interface NameRoom {
  left: number;
}

async function tablesOf(file: InputFile, options: ReadOptions, room: NameRoom): Promise<TableSample[]> {
  const content = await readContent(file);
  if (content.syntax === "csv") return [await sampleOf(file.name, content, { options, room })];
  if (content.syntax !== "workbook") return [];
  const samples: TableSample[] = [];
  for (const { name, table } of content.sheets.slice(0, MAX_TABLES))
    samples.push(await sampleOf(`${file.name}, ${name}`, table, { options, room }));
  return samples;
}

async function sampleOf(
  file: string,
  table: TableContent,
  { options, room }: { readonly options: ReadOptions; readonly room: NameRoom },
): Promise<TableSample> {
  const { columns, rows } = table;
  const isShown = (name: string) => name.length <= MAX_NAME_LENGTH && name.length <= room.left;
  const shownAt = columns.slice(0, MAX_COLUMNS).flatMap((name, at) => {
    if (!isShown(name)) return [];
    room.left -= name.length;
    return [at];
  });
  const shown: string[][] = [];
  for await (const page of rows()) {
    for (const row of page)
      if ("cells" in row && shown.length < MAX_ROWS) shown.push(shownAt.map((at) => shortened(row.cells[at])));
    if (shown.length >= MAX_ROWS) break;
  }
  const format = FORMATS.find((each) => each.recognises(table, options)) ?? goodwordTable;
  const found = format === goodwordTable ? await columnsFound(table, options.columns) : {};
  return { file, columns: shownAt.map((at) => columns[at] ?? ""), rows: shown, found };
}

function shortened(cell: unknown): string {
  const text = String(cell ?? "");
  return text.length <= MAX_CELL_LENGTH ? text : `${text.slice(0, MAX_CELL_LENGTH).toWellFormed()}…`;
}

/**
 * The first words with letters beyond ASCII, in which encodings differ, the likeliest encoding first; none for UTF-8 and for
 * what is no text.
 */
function encodedSamples(head: Buffer, likely: readonly LikelyEncoding[]): EncodedSample[] {
  const isWide = /^(?:\xff\xfe|\xfe\xff)/.test(head.toString("latin1", 0, 2)) || (head[1] === 0) !== (head[0] === 0);
  if (!isWide && (head.includes(0) || isUtf8(head.subarray(0, head.length - (head.length === HEAD_BYTES ? 4 : 0)))))
    return [];
  const [best] = likely;
  const narrow = best === undefined ? ENCODINGS : [...new Set([best.encoding, ...ENCODINGS])];
  return (isWide ? WIDE_ENCODINGS : narrow).flatMap((encoding) => {
    const text = new TextDecoder(encoding).decode(isWide ? head.subarray(0, WIDE_BYTES) : head);
    const words = isWide ? text.replaceAll(/\s+/g, " ").trim() : oddWords(text);
    return words.includes("\ufffd") ? [] : [{ encoding, words }];
  });
}

/** `Zoë · Nuñez`. The last word of the head may be cut. */
function oddWords(text: string): string {
  const words = text.slice(0, -1).split(/[\s,;"|]/);
  const odd = words.filter((word) => /[^\x00-\x7e]/.test(word)).map((word) => word.slice(0, MAX_ODD_WORD));
  return [...new Set(odd)].slice(0, MAX_ODD_WORDS).join(" · ");
}

const MAX_ODD_WORD = 40;
