/** Detects a file's syntax (CSV, JSON, JSON Lines, HTML, workbook) and reads its content. */
import { Invalid } from "../../issue.ts";
import type { InputFile } from "../input/input-file.ts";
import { firstBytes, utf8Text, wholeText } from "../input/utf8-text.ts";
import { type CsvHeader, csvBody, readCsvHeader } from "./csv-table.ts";
import { type HtmlBlock, jsonLdBlocks } from "./html-blocks.ts";
import { type HtmlItems, htmlItems } from "./html-items.ts";
import { type JsonLine, jsonLines, looksLikeJsonLines } from "./json-lines.ts";
import { AT_ONCE, measureJson, parseJson } from "./json-text.ts";
import { type CsvRow, untilNextTable } from "./table-end.ts";
import { type HiddenCells, readWorkbook } from "./workbook.ts";

export type Content =
  | { readonly syntax: "json"; readonly value: unknown }
  | { readonly syntax: "json lines"; readonly first: unknown; lines(): AsyncIterable<JsonLine> }
  | TableContent
  /** `unread`: what of it is not read, for the report. */
  | { readonly syntax: "workbook"; readonly sheets: readonly SheetContent[]; readonly unread: readonly string[] }
  | HtmlContent
  | UnknownContent;

/** A web page: its JSON-LD blocks, and the items in its markup. */
interface HtmlContent extends Omit<HtmlItems, "isTooDeep"> {
  readonly syntax: "html";
  readonly blocks: readonly HtmlBlock[];
  readonly page: SavedPage | undefined;
  /** The address that the page gives for itself, or from which a browser saved it. */
  readonly address: string | undefined;
}

/** A table from a CSV file or a sheet of a workbook. */
export interface TableContent {
  readonly syntax: "csv";
  /** The table's kind, for messages. */
  readonly label: string;
  readonly columns: readonly string[];
  /** The position of the header in messages: `line 1`; empty in a sheet. */
  readonly headerAt: string;
  /** Titles above the header, which are passed over. */
  readonly titles: readonly string[];
  /** The unit of positions in messages: lines in a text, rows in a sheet. */
  readonly unit: "line" | "row";
  /** What a sheet does not show. */
  readonly hidden?: HiddenCells | undefined;
  /** Reads the rows below the header, some at a time. Can be called again. */
  rows(): AsyncIterable<readonly CsvRow[]>;
}

/** A workbook's sheet and its name. */
export interface SheetContent {
  readonly name: string;
  readonly isHidden: boolean;
  readonly table: TableContent;
}

/** A saved web page that contains only part of the reviews. */
type SavedPage = "Google Maps" | "Google Search";

/** Unreadable content. `why` follows the file name in messages. */
export interface UnknownContent {
  readonly syntax: "unknown";
  readonly why: string;
  /** Whether it seems to contain reviews, and must therefore not be skipped silently. */
  readonly isSuspect: boolean;
}

const UTF_16 = "is text in UTF-16; import it with --encoding utf-16le, or save it as UTF-8";
const ZIP_MAGIC = "PK\x03\x04";
const OLD_OFFICE_MAGIC = "\xd0\xcf\x11\xe0";
const HEAD_BYTES = 65_536;
const LONG_HEAD_BYTES = 4_000_000;
/** How much memory the values of a file may take, for each byte that it may have. */
const MAX_PARSED_SHARE = 2;
/** What a block of a web page takes at most besides its text and value. */
const BLOCK_BYTES = 200;
const REVIEW_MEMBER = /"(starRating|reviews?|review_rating|review_text|reviewRating|reviewBody|stars|rating)"\s*:/;

/**
 * Reads as much of a file as is needed to detect its syntax. JSON and HTML are read whole, other files are streamed.
 * @throws Invalid if the file is damaged, too large, or not UTF-8.
 */
export async function readContent(file: InputFile): Promise<Content> {
  const bytes = await firstBytes(file, HEAD_BYTES);
  if (bytes.toString("latin1", 0, 4) === ZIP_MAGIC) return await packedContent(file);
  const why = binaryFault(bytes);
  if (why !== undefined) return { syntax: "unknown", why, isSuspect: false };
  const head = bytes.toString("utf8").replace(/^\uFEFF/, "");
  const start = head.trimStart();
  if (start.startsWith("{") && (await isJsonLines(file, head))) return await jsonLinesContent(file);
  if (start.startsWith("{") || start.startsWith("[")) return await jsonContent(file);
  if (start.startsWith("<")) return await htmlContent(file, head);
  return await csvContent(file, head);
}

/** Why bytes cannot be read as text; undefined if they seem to be text. */
function binaryFault(bytes: Buffer): string | undefined {
  if (bytes.length === 0) return "is an empty file: download or save it again";
  const magic = bytes.toString("latin1", 0, 4);
  if (magic === OLD_OFFICE_MAGIC) {
    return "is a file of an older Excel (.xls), or one with a password; save it as .xlsx without a password, or as CSV";
  }
  if (magic.startsWith("\x1f\x8b")) return "is compressed with gzip; unpack it first";
  if (magic.startsWith("%PDF"))
    return "is a PDF, which programs cannot read reviews from: ask where it comes from for a table (.xlsx or CSV) or JSON";
  if (magic === "{\\rt") return "is a text with formatting (RTF): save it as a table (.xlsx or CSV)";
  if (magic.startsWith("\xff\xfe") || magic.startsWith("\xfe\xff")) return UTF_16;
  const zeros = bytes.subarray(0, 1000).filter((byte) => byte === 0).length;
  if (zeros === 0) return undefined;
  const share = zeros / Math.min(bytes.length, 1000);
  return share > 0.3 && share < 0.6
    ? UTF_16
    : "is neither text nor a spreadsheet nor an archive: a picture, perhaps, or another program's own file. Export the reviews as a table (.xlsx or CSV) or JSON";
}

/** Reads a spreadsheet; a zip that was found inside another zip is unknown content. */
async function packedContent(file: InputFile): Promise<Content> {
  const unknown = (why: string): Content => ({ syntax: "unknown", why, isSuspect: false });
  const workbook = await readWorkbook(file);
  if (workbook === undefined) return unknown("is a zip inside a zip; unpack it first");
  if ("why" in workbook) return unknown(workbook.why);
  if (workbook.sheets.length === 0)
    return unknown("is a spreadsheet without a table: no sheet has a header of two columns");
  const sheets = workbook.sheets.map(({ name, isHidden, columns, titles, hidden, rows }): SheetContent => {
    return {
      name,
      isHidden,
      table: {
        syntax: "csv",
        label: "Excel",
        columns,
        hidden,
        headerAt: "",
        titles,
        unit: "row",
        rows: () => untilNextTable(columns, rows()),
      },
    };
  });
  return { syntax: "workbook", sheets, unread: workbook.unread };
}

async function isJsonLines(file: InputFile, head: string): Promise<boolean> {
  if (head.includes("\n") || head.length < HEAD_BYTES / 4) return looksLikeJsonLines(head);
  return looksLikeJsonLines((await firstBytes(file, LONG_HEAD_BYTES)).toString("utf8"));
}

async function jsonLinesContent(file: InputFile): Promise<Content> {
  let first: unknown;
  const lines = () => jsonLines(utf8Text(file), maxParsedBytes(file));
  for await (const line of lines()) {
    if (!("value" in line)) continue;
    first = line.value;
    break;
  }
  return { syntax: "json lines", first, lines };
}

/** How much memory the values of a file that is read at once may take. */
function maxParsedBytes({ maxWholeBytes = Number.POSITIVE_INFINITY }: InputFile): number {
  return MAX_PARSED_SHARE * maxWholeBytes;
}

async function jsonContent(file: InputFile): Promise<Content> {
  const text = await suspectText(file);
  if (typeof text !== "string") return text;
  const parsed = parseJson(text, maxParsedBytes(file));
  if ("value" in parsed) return { syntax: "json", value: parsed.value };
  return { syntax: "unknown", why: parsed.fault, isSuspect: REVIEW_MEMBER.test(text) };
}

/**
 * Reads the whole text. In a file that the user did not name and that does not mention reviews, invalid UTF-8 is not an
 * error.
 */
async function suspectText(file: InputFile): Promise<string | UnknownContent> {
  try {
    return await wholeText(file);
  } catch (error) {
    if (file.named || !(error instanceof Invalid) || error.issues[0]?.code !== "encoding") throw error;
    const head = (await firstBytes(file, LONG_HEAD_BYTES)).toString("utf8");
    if (REVIEW_MEMBER.test(head)) throw error;
    return { syntax: "unknown", why: "is not UTF-8", isSuspect: false };
  }
}

async function htmlContent(file: InputFile, head: string): Promise<Content> {
  if (!/<(!doctype html|html|head|body|script|div|meta)\b|\s(?:itemscope|typeof)(?=[\s=>])/i.test(head)) {
    return {
      syntax: "unknown",
      why: "is XML, in which no reviews are looked for: export them as a table (.xlsx or CSV) or JSON",
      isSuspect: false,
    };
  }
  const text = await suspectText(file);
  if (typeof text !== "string") return text;
  const blocks = jsonLdBlocks(text);
  const { isTooDeep, ...items } = htmlItems(text);
  if (isTooDeep)
    return {
      syntax: "unknown",
      why: "nests its elements too deep to be read: export the reviews as a table or JSON",
      isSuspect: true,
    };
  const bytes = blocks.reduce((sum, block) => sum + BLOCK_BYTES + measureJson(block.text).bytes, items.bytes);
  if (bytes <= maxParsedBytes(file))
    return { syntax: "html", blocks, page: savedPage(text), address: addressOf(text), ...items };
  return { syntax: "unknown", why: `needs too much memory ${AT_ONCE}`, isSuspect: true };
}

const LINK = /<(?:link|meta)\s[^<>]{0,2000}>/gi;
const OWN_ADDRESS = /\s(?:rel|property)\s*=\s*["']?(?:canonical|og:url)["'\s/>]/i;
const SAVED_FROM = /<!-- saved from url=\(\d{1,6}\)(\S{1,2000}) -->/;

function addressOf(html: string): string | undefined {
  const head = html.slice(0, LONG_HEAD_BYTES);
  const own = head.match(LINK)?.find((tag) => OWN_ADDRESS.test(tag)) ?? "";
  return (/\s(?:href|content)\s*=\s*["']?([^"'\s<>]+)/i.exec(own) ?? SAVED_FROM.exec(head))?.[1];
}

function savedPage(html: string): SavedPage | undefined {
  const head = html.slice(0, LONG_HEAD_BYTES);
  if (/<title>[^<]{0,500}Google Maps\s*<\/title>|<meta[^<>]{0,500}content="[^"<]{0,500}Google Maps"/i.test(head)) {
    return "Google Maps";
  }
  return /<title>[^<]{0,500}- Google (?:Search|Suche|zoeken|Recherche)\s*<\/title>/i.test(head)
    ? "Google Search"
    : undefined;
}

async function csvContent(file: InputFile, head: string): Promise<Content> {
  const header: CsvHeader | undefined = readCsvHeader(head);
  if (header === undefined) {
    return {
      syntax: "unknown",
      why: "is in no format that can be imported: export the reviews as a table (.xlsx or CSV) with a rating and a date, or as JSON",
      isSuspect: false,
    };
  }
  const { columns, delimiter, line, titles } = header;
  const label = delimiter === "\t" ? "TSV" : delimiter === ";" ? "CSV with semicolons" : "CSV";
  const rows = () => csvBody(utf8Text(file), header);
  return { syntax: "csv", label, columns, headerAt: `line ${line}`, titles, unit: "line", rows };
}
