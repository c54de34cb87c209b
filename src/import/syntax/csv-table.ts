/** Reads a CSV stream as a header and rows with line numbers. The separator is a comma, semicolon or tab. */
import { quote } from "../../issue.ts";

/** A row below the header, or its fault. Reading ends after a quoting fault. */
export type CsvRow = { readonly line: number } & ({ readonly cells: readonly string[] } | { readonly fault: string });

export interface CsvHeader {
  readonly columns: readonly string[];
  readonly delimiter: string;
  /** The number of rows above the header: one if the file begins with a `sep=` line. */
  readonly rowsAbove: number;
}

const RECORD_LIMIT = 8_000_000;
const DELIMITERS = [",", ";", "\t"];
/** The first line in which Excel declares the separator. */
const SEPARATOR_LINE = /^\s*"?sep=([,;\t|])"?\r?\n/i;
const NEVER_CLOSED = { fault: "has a quotation mark that is never closed" };
const QUOTE_INSIDE = { fault: "has a quotation mark inside a field; the field must be quoted and the mark doubled" };
const TOO_LONG = { fault: `is longer than ${RECORD_LIMIT} bytes; a quotation mark is never closed?` };

/** Reads the header of a text that begins with `head`; undefined if it cannot be a table. */
export function readCsvHeader(head: string): CsvHeader | undefined {
  const candidates: CsvHeader[] = [];
  const separator = SEPARATOR_LINE.exec(head);
  const text = separator === null ? head : head.slice(separator[0].length);
  const rowsAbove = separator === null ? 0 : 1;
  for (const delimiter of separator?.[1] === undefined ? DELIMITERS : [separator[1]]) {
    const [row] = makeRowReader(delimiter).read(withUnixLines(text), true);
    if (row !== undefined && "cells" in row)
      candidates.push({ columns: row.cells.map((cell) => cell.trim()), delimiter, rowsAbove });
  }
  const header = candidates.toSorted((a, b) => b.columns.length - a.columns.length)[0];
  return header !== undefined && header.columns.length > 1 ? header : undefined;
}

/** Reads the rows below the header. A row with a different number of cells is a fault. */
export async function* csvBody(
  pieces: AsyncIterable<string>,
  { columns, delimiter, rowsAbove }: CsvHeader,
): AsyncGenerator<CsvRow> {
  let toSkip = rowsAbove + 1;
  const reader = makeRowReader(delimiter);
  for await (const piece of unixLines(pieces)) {
    for (const row of reader.read(piece.text, piece.isLast)) {
      if (toSkip > 0) toSkip -= 1;
      else if ("cells" in row && row.cells.length !== columns.length) {
        const fault = `has ${row.cells.length} fields, but the header names ${columns.length} columns`;
        yield { line: row.line, fault: `${fault} (it begins with ${quote(row.cells[0])})` };
      } else yield row;
      if ("fault" in row) return;
    }
  }
}

/** Reads text, piece by piece, as rows without the blank ones. A row with a fault is the last. */
interface RowReader {
  read(piece: string, isLast: boolean): Generator<CsvRow>;
}

function makeRowReader(delimiter: string): RowReader {
  let rest = "";
  let line = 1;
  return {
    *read(piece, isLast) {
      const text = rest + piece;
      let start = 0;
      while (start < text.length) {
        const record = recordAt(text, start, { delimiter, isLast });
        if (record === undefined) break;
        if ("fault" in record) return yield { line, ...record };
        if (record.cells.some((cell) => cell.trim() !== "")) yield { line, cells: record.cells };
        line += record.lines;
        start = record.end;
      }
      rest = text.slice(start);
      if (rest.length > RECORD_LIMIT) yield { line, ...TOO_LONG };
    },
  };
}

interface CsvRecord {
  readonly cells: readonly string[];
  /** Where the next record begins. */
  readonly end: number;
  /** The number of lines that it takes. */
  readonly lines: number;
}

/** The record that begins at `start`, or its fault; undefined if the text ends within it and is not the last. */
function recordAt(
  text: string,
  start: number,
  { delimiter, isLast }: { readonly delimiter: string; readonly isLast: boolean },
): CsvRecord | { readonly fault: string } | undefined {
  const cells: string[] = [];
  let lines = 1;
  for (let at = start; ; ) {
    let end = at;
    if (text[at] === '"') {
      end = closingQuote(text, at);
      if (end === -1 || (end === text.length - 1 && !isLast)) return isLast ? NEVER_CLOSED : undefined;
      const cell = text.slice(at + 1, end);
      cells.push(cell.includes('"') ? cell.replaceAll('""', '"') : cell);
      for (let mark = cell.indexOf("\n"); mark !== -1; mark = cell.indexOf("\n", mark + 1)) lines += 1;
      end += 1;
    } else {
      for (; end < text.length && text[end] !== delimiter && text[end] !== "\n"; end += 1)
        if (text[end] === '"') return QUOTE_INSIDE;
      if (end === text.length && !isLast) return undefined;
      cells.push(text.slice(at, end));
    }
    if (end - start > RECORD_LIMIT) return TOO_LONG;
    if (end === text.length || text[end] === "\n") return { cells, end: end + 1, lines };
    if (text[end] !== delimiter) return QUOTE_INSIDE;
    at = end + 1;
  }
}

/** The quotation mark that closes the one at `open`; -1 if there is none. Two in a row stand for one. */
function closingQuote(text: string, open: number): number {
  let at = text.indexOf('"', open + 1);
  while (at !== -1 && text[at + 1] === '"') at = text.indexOf('"', at + 2);
  return at;
}

/** Normalises line endings to \n, so that line numbers match those in an editor. */
async function* unixLines(pieces: AsyncIterable<string>): AsyncGenerator<{ text: string; isLast: boolean }> {
  let rest = "";
  for await (const piece of pieces) {
    const text = rest + piece;
    rest = text.endsWith("\r") ? "\r" : "";
    const whole = rest === "" ? text : text.slice(0, -1);
    yield { text: withUnixLines(whole), isLast: false };
  }
  yield { text: rest === "" ? "" : "\n", isLast: true };
}

function withUnixLines(text: string): string {
  return text.includes("\r") ? text.replace(/\r\n?/g, "\n") : text;
}
