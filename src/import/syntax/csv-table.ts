/** Reads a CSV stream as a header and rows with line numbers. The separator is a comma, semicolon or tab. */
import { type CsvError, parse } from "csv-parse";
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

/** Reads the header of a text that begins with `head`; undefined if it cannot be a table. */
export async function readCsvHeader(head: string): Promise<CsvHeader | undefined> {
  const candidates: CsvHeader[] = [];
  const separator = SEPARATOR_LINE.exec(head);
  const text = separator === null ? head : head.slice(separator[0].length);
  const rowsAbove = separator === null ? 0 : 1;
  for (const delimiter of separator?.[1] === undefined ? DELIMITERS : [separator[1]]) {
    for await (const row of csvRows([text], delimiter)) {
      if ("cells" in row) candidates.push({ columns: row.cells.map((cell) => cell.trim()), delimiter, rowsAbove });
      break;
    }
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
  for await (const row of csvRows(pieces, delimiter)) {
    if (toSkip > 0) toSkip -= 1;
    else if ("cells" in row && row.cells.length !== columns.length) {
      const fault = `has ${row.cells.length} fields, but the header names ${columns.length} columns`;
      yield { line: row.line, fault: `${fault} (it begins with ${quote(row.cells[0])})` };
    } else yield row;
  }
}

/** Reads all rows except blank ones. */
async function* csvRows(pieces: AsyncIterable<string> | Iterable<string>, delimiter: string): AsyncGenerator<CsvRow> {
  let rows: CsvRow[] = [];
  let [line, emptyLines] = [1, 0];
  const parser = parse({
    delimiter,
    record_delimiter: "\n",
    relax_column_count: true,
    skip_empty_lines: true,
    max_record_size: RECORD_LIMIT,
    on_record(cells: string[], context) {
      line += context.empty_lines - emptyLines;
      emptyLines = context.empty_lines;
      if (cells.some((cell) => cell.trim() !== "")) rows.push({ line, cells });
      line = context.lines + 1;
      return null;
    },
  });
  let failure: CsvError | undefined;
  parser.on("error", (error: CsvError) => {
    failure = error;
  });
  const drained = () => {
    const ready = rows;
    rows = [];
    return ready;
  };
  for await (const piece of unixLines(pieces)) {
    await new Promise<void>((resolve) => void parser.write(piece, () => resolve()));
    yield* drained();
    if (failure !== undefined) break;
  }
  if (failure === undefined) {
    // Not `once`, which would throw the parser's error: that error is the row's fault.
    const closed = new Promise<void>((resolve) => void parser.on("close", resolve));
    parser.resume();
    parser.end();
    await closed;
    yield* drained();
  }
  parser.destroy();
  if (failure !== undefined) yield { line, fault: explained(failure) };
}

/** Normalises line endings to \n, so that line numbers match those in an editor. */
async function* unixLines(pieces: AsyncIterable<string> | Iterable<string>): AsyncGenerator<string> {
  let rest = "";
  for await (const piece of pieces) {
    const text = rest + piece;
    rest = text.endsWith("\r") ? "\r" : "";
    yield (rest === "" ? text : text.slice(0, -1)).replace(/\r\n?/g, "\n");
  }
  if (rest !== "") yield "\n";
}

function explained(error: CsvError): string {
  if (error.code === "CSV_QUOTE_NOT_CLOSED") return "has a quotation mark that is never closed";
  if (error.code === "CSV_MAX_RECORD_SIZE")
    return `is longer than ${RECORD_LIMIT} bytes; a quotation mark is never closed?`;
  return "has a quotation mark inside a field; the field must be quoted and the mark doubled";
}
