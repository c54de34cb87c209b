/** A CSV as a header and rows, read as it streams: comma, semicolon or tab, every row with the line where it begins. */
import { type CsvError, parse } from "csv-parse";
import { quote } from "../../issue.ts";

/** One row below the header, or why it is none. After a fault of quoting nothing more can be read. */
export type CsvRow = { readonly line: number } & ({ readonly cells: readonly string[] } | { readonly fault: string });

export interface CsvHeader {
  readonly columns: readonly string[];
  readonly delimiter: string;
  /** How many rows stand above it: one where a spreadsheet names its separator first. */
  readonly rowsAbove: number;
}

const RECORD_LIMIT = 8_000_000;
const DELIMITERS = [",", ";", "\t"];
/** What Excel writes first, to tell itself the separator. */
const SEPARATOR_LINE = /^\s*"?sep=([,;\t|])"?\r?\n/i;

/** The header of a text that begins so; undefined when it cannot be a table. */
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

/** The rows below the header. A row with more or fewer cells than the header is a fault. */
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

/** All rows that are not blank. */
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
    // Not `once`, which throws what the parser says is wrong: that is a fault of the row.
    const closed = new Promise<void>((resolve) => void parser.on("close", resolve));
    parser.resume();
    parser.end();
    await closed;
    yield* drained();
  }
  parser.destroy();
  if (failure !== undefined) yield { line, fault: explained(failure) };
}

/** The pieces with every line end as \n, so that lines count as an editor counts them. */
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
