/** Reads a CSV stream as a header and rows with line numbers. The separator is a comma, semicolon, tab or bar. */
import { newlinesIn } from "./line-count.ts";
import { type CsvRow, filledCells, openTableEnd } from "./table-end.ts";

export interface CsvHeader {
  readonly columns: readonly string[];
  readonly delimiter: string;
  /** The number of rows above the header: titles, and one if the file begins with a `sep=` line. */
  readonly rowsAbove: number;
  /** The line of the header. */
  readonly line: number;
  /** The titles above it. */
  readonly titles: readonly string[];
}

const MAX_RECORD_CHARACTERS = 8_000_000;
const DELIMITERS = [",", ";", "\t", "|"];
/** The first line in which Excel declares the separator. */
const SEPARATOR_LINE = /^\s*"?sep=([,;\t|])"?\r?\n/i;
const NEVER_CLOSED = { fault: "has a quotation mark that is never closed" };
const MARK_INSIDE = { fault: "has a quotation mark inside a field; the field must be quoted and the mark doubled" };
const TOO_LONG = { fault: `is longer than ${MAX_RECORD_CHARACTERS} characters; a quotation mark is never closed?` };

/** Reads the header of a text that begins with `head`; undefined if it cannot be a table. */
export function readCsvHeader(head: string): CsvHeader | undefined {
  const candidates: (CsvHeader & { readonly isEven: boolean })[] = [];
  const separator = SEPARATOR_LINE.exec(head);
  const text = separator === null ? head : head.slice(separator[0].length);
  const rowsAbove = separator === null ? 0 : 1;
  for (const delimiter of separator?.[1] === undefined ? DELIMITERS : [separator[1]]) {
    const rows: Extract<CountedRow, { readonly cells: unknown }>[] = [];
    for (const row of makeRowReader(delimiter, Number.POSITIVE_INFINITY).read(withUnixLines(text), true)) {
      if (!("cells" in row) || rows.length === MAX_HEADER_ROWS) break;
      rows.push(row);
    }
    const above = titlesAbove(rows.map(({ cells, line, lines }) => ({ cells, line, end: line + lines })));
    const row = rows[above];
    if (row === undefined) continue;
    candidates.push({
      columns: row.cells.map((cell) => cell.trim()),
      delimiter,
      rowsAbove: rowsAbove + above,
      line: row.line + rowsAbove,
      isEven: areEven(rows.map(({ cells }) => cells.length)),
      titles: rows.slice(0, above).map(({ cells }) => cells.filter((cell) => cell.trim() !== "").join(" ")),
    });
  }
  const [best] = candidates.toSorted(
    (a, b) => Number(b.isEven) - Number(a.isEven) || b.columns.length - a.columns.length,
  );
  if (best === undefined || best.columns.length < 2) return undefined;
  const { isEven: _, ...header } = best;
  return header;
}

/** Whether all rows are as wide as the first, which is a table's header then. The last may be cut. */
function areEven(widths: readonly number[]): boolean {
  const [first = 0, second] = widths;
  return first > 2 && second === first && widths.slice(0, -1).every((width) => width === first);
}

/** Titles may precede the header, so it is searched for in the first rows. */
const MAX_HEADER_ROWS = 30;

/**
 * How many rows stand above the header: lines with one filled cell, or a block of pairs that a blank line parts from a
 * wider row. Any other row is the header, whatever the rows below it are.
 */
function titlesAbove(
  rows: readonly { readonly cells: readonly string[]; readonly line: number; readonly end: number }[],
): number {
  const filled = rows.map(({ cells }) => filledCells(cells));
  const isAlone = (at: number) => (filled[at] ?? 0) === 1;
  let above = 0;
  while (above < rows.length && isAlone(above)) above += 1;
  const gap = rows.findIndex(({ end }, at) => at >= above && rows[at + 1] !== undefined && rows[at + 1]?.line !== end);
  const isBlock = gap !== -1 && filled.slice(above, gap + 1).every((count) => count <= 2);
  if (isBlock && (filled[gap + 1] ?? 0) > 2) above = gap + 1;
  return above < rows.length ? above : 0;
}

/**
 * Reads the rows below the header, as many at a time as a piece of the text has. A row with a different number of cells
 * is a fault. What follows a blank line and is narrower to the end of the file is another table, which is passed over.
 */
export async function* csvBody(
  pieces: AsyncIterable<string>,
  { columns, delimiter, rowsAbove }: CsvHeader,
): AsyncGenerator<readonly CsvRow[]> {
  let toSkip = rowsAbove + 1;
  const reader = makeRowReader(delimiter, columns.length);
  const table = openTableEnd(columns);
  let nextLine = Number.POSITIVE_INFINITY;
  for await (const piece of unixLines(pieces)) {
    const rows: CsvRow[] = [];
    for (const row of reader.read(piece.text, piece.isLast)) {
      if ("fault" in row) return yield [...rows, ...table.end(false), row];
      const { line, cells, fields, lines } = row;
      const isAfterGap = line > nextLine;
      nextLine = line + lines;
      if (toSkip > 0) toSkip -= 1;
      else for (const one of table.take({ line, cells, fields, isAfterGap })) rows.push(one);
    }
    if (rows.length > 0) yield rows;
  }
  const rest = table.end(true);
  if (rest.length > 0) yield rest;
}

/** A row, its number of fields and of lines. Fields beyond the columns of the header are dropped. */
type CountedRow = { readonly line: number } & (
  | { readonly cells: readonly string[]; readonly fields: number; readonly lines: number }
  | { readonly fault: string }
);

/** Reads text, piece by piece, as rows without the blank ones. A row with a fault is the last. */
interface RowReader {
  read(piece: string, isLast: boolean): Generator<CountedRow>;
}

const MARK = 0x22;
const NEWLINE = 0x0a;

/** Makes a reader that looks at each character once, wherever the text is cut: a record may have millions. */
function makeRowReader(delimiter: string, mostCells: number): RowReader {
  const separator = delimiter.charCodeAt(0);
  /** The state: before a field, in a plain or quoted one, or after a quotation mark in a quoted one. */
  let next: "field" | "plain" | "quoted" | "after mark" = "field";
  /** The field so far. In a quoted one, two marks still stand for one. */
  let field = "";
  let cells: string[] = [];
  let [fields, isBlank] = [0, true];
  /** The line in which the record begins, how many more it takes, and how much of it the pieces before held. */
  let [line, moreLines, length] = [1, 0, 0];

  function endField(): void {
    if (next === "after mark") {
      moreLines += newlinesIn(field);
      if (field.includes('"')) field = field.replaceAll('""', '"');
    }
    isBlank &&= field.trim() === "";
    fields += 1;
    if (fields <= mostCells) cells.push(field);
    field = "";
    next = "field";
  }

  function endRecord(): void {
    line += 1 + moreLines;
    cells = [];
    fields = moreLines = length = 0;
    isBlank = true;
  }

  return {
    *read(piece, isLast) {
      let start = 0;
      for (let at = 0; at < piece.length; ) {
        const code = piece.charCodeAt(at);
        if (code === MARK && next !== "quoted") {
          if (next === "plain") return yield { line, ...MARK_INSIDE };
          if (next === "after mark") field += '""';
          next = "quoted";
          at += 1;
        } else if (next === "quoted") {
          const end = lastOfMarks(piece, at);
          field += piece.slice(at, end);
          if (end < piece.length) next = "after mark";
          at = end + 1;
        } else if (code === separator || code === NEWLINE) {
          endField();
          at += 1;
          if (code === separator) continue;
          if (length + at - 1 - start > MAX_RECORD_CHARACTERS) return yield { line, ...TOO_LONG };
          if (!isBlank) yield { line, cells, fields, lines: 1 + moreLines };
          endRecord();
          start = at;
        } else if (next === "after mark") return yield { line, ...MARK_INSIDE };
        else {
          const end = endOfPlain(piece, at, separator);
          field += piece.slice(at, end);
          next = "plain";
          at = end;
        }
      }
      length += piece.length - start;
      if (length > MAX_RECORD_CHARACTERS) return yield { line, ...TOO_LONG };
      if (!isLast || length === 0) return;
      if (next === "quoted") return yield { line, ...NEVER_CLOSED };
      endField();
      if (!isBlank) yield { line, cells, fields, lines: 1 + moreLines };
    },
  };
}

/** Where the first mark is, from `at` on, that no other follows: two in a row stand for one. The end if there is none. */
function lastOfMarks(text: string, at: number): number {
  let mark = text.indexOf('"', at);
  while (mark !== -1 && text.charCodeAt(mark + 1) === MARK) mark = text.indexOf('"', mark + 2);
  return mark === -1 ? text.length : mark;
}

function endOfPlain(text: string, start: number, separator: number): number {
  let end = start;
  for (; end < text.length; end += 1) {
    const code = text.charCodeAt(end);
    if (code === separator || code === NEWLINE || code === MARK) break;
  }
  return end;
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
