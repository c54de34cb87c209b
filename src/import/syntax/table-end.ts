/** Finds where a table ends and another one begins below it, after a blank line: in a CSV and in a sheet alike. */
import { quote } from "../../issue.ts";

/** A row below the header, its fault, or what is passed over from there on. Reading ends after a quoting fault. */
export type CsvRow = { readonly line: number } & (
  | { readonly cells: readonly string[] }
  | { readonly fault: string }
  | { readonly warning: string }
);

/** A row as it stands in the file: its cells, at most as many as the header has columns, and its number of fields. */
interface FoundRow {
  readonly line: number;
  readonly cells: readonly string[];
  readonly fields: number;
  /** Whether a blank line stands above it. */
  readonly isAfterGap: boolean;
}

export interface TableEnd {
  /** The rows that are certain now: those that may be another table wait until a full row shows that they are none. */
  take(row: FoundRow): CsvRow[];
  /** The rows that still wait, as one warning if they are another table. */
  end(isWhole: boolean): CsvRow[];
}

const MAX_HELD_ROWS = 1000;

export function openTableEnd(columns: readonly string[]): TableEnd {
  const held: CsvRow[] = [];
  const release = (): CsvRow[] => held.splice(0);
  /** The first row of another table that repeats the header, and the number of its rows. */
  let again: { readonly first: CsvRow; count: number } | undefined;
  const isHeader = (cells: readonly string[]) => cells.every((cell, at) => cell.trim() === columns[at]?.trim());
  return {
    take({ line, cells, fields, isAfterGap }) {
      const row: CsvRow =
        fields === columns.length ? { line, cells } : { line, fault: widthFault(fields, cells, columns) };
      if (again === undefined && (isAfterGap || held.length > 0) && fields === columns.length && isHeader(cells)) {
        const above = release();
        again = { first: above[0] ?? row, count: above.length };
      }
      if (again !== undefined) {
        again.count += 1;
        return [];
      }
      const isNarrow = fields < columns.length || (columns.length > 3 && filledCells(cells) === 1);
      const isFull = fields >= columns.length && filledCells(cells) >= Math.min(3, columns.length);
      if (held.length > 0 ? isFull : !(isAfterGap && isNarrow)) return [...release(), row];
      held.push(row);
      return held.length === MAX_HELD_ROWS ? release() : [];
    },
    end(isWhole) {
      if (again !== undefined) return [passedOver(again.first, again.count)];
      const rows = release();
      const [first] = rows;
      return isWhole && first !== undefined ? [passedOver(first, rows.length)] : rows;
    },
  };
}

/** The rows of a sheet up to another table. Rows without a word are not among them: their numbers show where they were. */
export async function* untilNextTable(
  columns: readonly string[],
  pages: AsyncIterable<readonly CsvRow[]>,
): AsyncGenerator<readonly CsvRow[]> {
  const table = openTableEnd(columns);
  let nextNumber = Number.POSITIVE_INFINITY;
  for await (const page of pages) {
    const rows = page.flatMap((row) => {
      if (!("cells" in row)) return [row];
      const { line, cells } = row;
      const isAfterGap = line > nextNumber;
      nextNumber = line + 1;
      return table.take({ line, cells, fields: columns.length, isAfterGap });
    });
    if (rows.length > 0) yield rows;
  }
  const rest = table.end(true);
  if (rest.length > 0) yield rest;
}

/** How many cells hold something. */
export function filledCells(cells: readonly string[]): number {
  return cells.reduce((count, cell) => count + (cell.trim() === "" ? 0 : 1), 0);
}

function widthFault(fields: number, cells: readonly string[], columns: readonly string[]): string {
  const fault = `has ${fields} fields, but the header names ${columns.length} columns`;
  return `${fault} (it begins with ${quote(cells[0])})`;
}

/** The warning that stands for another table below the first. */
function passedOver(first: CsvRow, rows: number): CsvRow {
  const begins =
    "cells" in first
      ? quote(first.cells[0])
      : (/it begins with (.*)\)$/.exec("fault" in first ? first.fault : "")?.[1] ?? "");
  const count = rows === 1 ? "1 row is" : `${rows} rows are`;
  return {
    line: first.line,
    warning: `another table begins here (${begins}), after a blank line: ${count} left out. If it holds reviews, save it as a file of its own`,
  };
}
