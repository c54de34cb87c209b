/** The content of a file, as far as it is told before anybody knows the format: its syntax, and a way to read on. */
import { Invalid } from "../../issue.ts";
import type { InputFile } from "../source/input-file.ts";
import { firstBytes, utf8Text, wholeText } from "../source/utf8-text.ts";
import { type CsvHeader, type CsvRow, csvBody, readCsvHeader } from "./csv-table.ts";
import { type HtmlBlock, jsonLdBlocks } from "./html-blocks.ts";
import { type JsonLine, jsonLines, looksLikeJsonLines } from "./json-lines.ts";
import { parseJson } from "./json-text.ts";

export type Content =
  | { readonly syntax: "json"; readonly value: unknown }
  | { readonly syntax: "json lines"; readonly first: unknown; lines(): AsyncIterable<JsonLine> }
  | TableContent
  | { readonly syntax: "html"; readonly blocks: readonly HtmlBlock[] }
  | UnknownContent;

/** A table, from a CSV or from a sheet of a workbook. */
export interface TableContent {
  readonly syntax: "csv";
  /** What people call this kind of table. */
  readonly label: string;
  readonly columns: readonly string[];
  /** What the owner sees counted at the edge: lines of a text, rows of a sheet. */
  readonly unit: "line" | "row";
  /** The rows below the header. Can be asked for again. */
  rows(): AsyncIterable<CsvRow>;
}

/** What nobody can read: why, in the words that follow the file's name. */
export interface UnknownContent {
  readonly syntax: "unknown";
  readonly why: string;
  /** Whether it seems to hold reviews all the same, so that it may not be passed over in silence. */
  readonly isSuspect: boolean;
}

const UTF_16 = "is text in UTF-16; import it with --encoding utf-16le, or save it as UTF-8";
const HEAD_BYTES = 65_536;
const LONG_HEAD_BYTES = 4_000_000;
const REVIEW_MEMBER = /"(starRating|reviews?|review_rating|review_text|reviewRating|reviewBody|stars|rating)"\s*:/;

/**
 * Reads as much of a file as shows what it is; JSON and HTML whole, the rest as it streams.
 * @throws Invalid when its bytes are damaged, too many, or not UTF-8.
 */
export async function readContent(file: InputFile): Promise<Content> {
  const bytes = await firstBytes(file, HEAD_BYTES);
  const why = binaryFault(bytes);
  if (why !== undefined) return { syntax: "unknown", why, isSuspect: false };
  const head = bytes.toString("utf8").replace(/^\uFEFF/, "");
  const start = head.trimStart();
  if (start.startsWith("{") && (await isJsonLines(file, head))) return await jsonLinesContent(file);
  if (start.startsWith("{") || start.startsWith("[")) return await jsonContent(file);
  if (start.startsWith("<")) return await htmlContent(file, head);
  return await csvContent(file, head);
}

/** Why bytes are no text that can be read, undefined when they seem to be. */
function binaryFault(bytes: Buffer): string | undefined {
  if (bytes.length === 0) return "is an empty file";
  const magic = bytes.toString("latin1", 0, 4);
  if (magic.startsWith("PK")) return "is a zip inside a zip; unpack it first";
  if (magic.startsWith("\x1f\x8b")) return "is compressed with gzip; unpack it first";
  if (magic.startsWith("%PDF")) return "is a PDF, not an export of reviews";
  if (magic.startsWith("\xff\xfe") || magic.startsWith("\xfe\xff")) return UTF_16;
  const zeros = bytes.subarray(0, 1000).filter((byte) => byte === 0).length;
  if (zeros === 0) return undefined;
  const share = zeros / Math.min(bytes.length, 1000);
  return share > 0.3 && share < 0.6 ? UTF_16 : "is not text";
}

async function isJsonLines(file: InputFile, head: string): Promise<boolean> {
  if (head.includes("\n") || head.length < HEAD_BYTES / 4) return looksLikeJsonLines(head);
  return looksLikeJsonLines((await firstBytes(file, LONG_HEAD_BYTES)).toString("utf8"));
}

async function jsonLinesContent(file: InputFile): Promise<Content> {
  let first: unknown;
  for await (const line of jsonLines(utf8Text(file))) {
    if (!("value" in line)) continue;
    first = line.value;
    break;
  }
  return { syntax: "json lines", first, lines: () => jsonLines(utf8Text(file)) };
}

async function jsonContent(file: InputFile): Promise<Content> {
  const text = await suspectText(file);
  if (typeof text !== "string") return text;
  const parsed = parseJson(text);
  if ("value" in parsed) return { syntax: "json", value: parsed.value };
  return { syntax: "unknown", why: parsed.fault, isSuspect: REVIEW_MEMBER.test(text) };
}

/** The whole text. Broken UTF-8 in a file that does not speak of reviews is nobody's fault. */
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
  if (!/<(!doctype html|html|head|body|script|div|meta)\b/i.test(head)) {
    return { syntax: "unknown", why: "is XML, not an export of reviews", isSuspect: false };
  }
  const text = await suspectText(file);
  return typeof text === "string" ? { syntax: "html", blocks: jsonLdBlocks(text) } : text;
}

async function csvContent(file: InputFile, head: string): Promise<Content> {
  const header: CsvHeader | undefined = await readCsvHeader(head);
  if (header === undefined) {
    return { syntax: "unknown", why: "is in no format that can be imported", isSuspect: false };
  }
  const { columns, delimiter } = header;
  const label = delimiter === "\t" ? "TSV" : delimiter === ";" ? "CSV with semicolons" : "CSV";
  return { syntax: "csv", label, columns, unit: "line", rows: () => csvBody(utf8Text(file), header) };
}
