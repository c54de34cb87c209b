/**
 * Tables of reviews, from CSV, TSV or a spreadsheet: Goodword's own columns (interface §1), or any table with a rating
 * and a date, in any order and under common alternative names, or with columns that the owner mapped to fields.
 */
import { rowPlaces } from "../../place/told-place.ts";
import type { TableContent } from "../../syntax/content.ts";
import type { CsvRow } from "../../syntax/table-end.ts";
import type { ColumnMapping, MappableField } from "../column-mapping.ts";
import type { Format } from "../format.ts";
import { areReviewColumns, chooseColumns, fieldsOf } from "./column-choice.ts";
import { profileColumns } from "./column-profile.ts";
import { genericEntries } from "./generic-records.ts";
import type { RecordList } from "./record-list.ts";

/** A database's dump looks like a table whose first column is a statement. */
const IS_SQL = /^(?:insert into|create table|select)\s/i;

export const goodwordTable: Format = {
  name: "table",
  extent: () => "whole",
  recognises: (content, { columns }) =>
    content.syntax === "csv" &&
    !IS_SQL.test(content.columns[0] ?? "") &&
    areReviewColumns(chooseColumns({ names: content.columns, noun: "columns" }, columns)),
  async *records(content, options) {
    if (content.syntax === "csv")
      yield* genericEntries(recordsOf(content, Object.values(options.columns ?? {})), options);
  },
};

function recordsOf(
  { columns, headerAt, titles, unit, rows, hidden }: TableContent,
  mapped: readonly string[],
): RecordList {
  const placeOf = rowPlaces(columns, mapped);
  const indexes = new Map<string, number>();
  const times = new Map<string, number>();
  const unnamed = new Set<string>();
  for (const [index, given] of columns.entries()) {
    if (given === "" && unnamed.size === MAX_UNNAMED) continue;
    const column = given === "" ? `column ${index + 1}` : given;
    const name = indexes.has(column) ? again(column, { indexes, times }) : column;
    if (given === "") unnamed.add(name);
    indexes.set(name, index);
  }
  return {
    noun: "columns",
    headerAt,
    names: [...indexes.keys()],
    unnamed,
    titles,
    hidden: new Set([...indexes].flatMap(([name, index]) => (hidden?.columns.has(index) ? [name] : []))),
    async *pages() {
      for await (const page of rows()) {
        yield page.map((row) => {
          const at = `${unit} ${row.line}`;
          if (!("cells" in row)) return { at, ...row };
          const value = (name: string) => row.cells[indexes.get(name) ?? -1];
          return { at, value, cells: row.cells, place: () => placeOf(row.cells) };
        });
      }
    },
  };
}

/** Columns without a name that are looked at: a sheet has thousands. */
const MAX_UNNAMED = 50;

/** By which columns a field is read, the best first. */
export type FoundColumns = Readonly<Partial<Record<MappableField, readonly string[]>>>;

const MAX_ROWS_SEEN = 1_000;

/** Which columns of a table are read as which fields, as far as its first rows tell. */
export async function columnsFound(content: TableContent, mapping: ColumnMapping = {}): Promise<FoundColumns> {
  const list = recordsOf({ ...content, rows: () => firstRows(content) }, Object.values(mapping));
  const fields = new Set([...chooseColumns(list, mapping).columns.values()].flat());
  const { profiles } = await profileColumns(list, { names: list.names, fields }, () => {});
  return fieldsOf(chooseColumns(list, mapping, profiles));
}

async function* firstRows({ rows }: TableContent): AsyncGenerator<readonly CsvRow[]> {
  let seen = 0;
  for await (const page of rows()) {
    yield page.slice(0, MAX_ROWS_SEEN - seen);
    seen += page.length;
    if (seen >= MAX_ROWS_SEEN) return;
  }
}

/** The name of a further column that is called as another is: `rating (2)`. `times`: how often each was given. */
function again(
  column: string,
  { indexes, times }: { readonly indexes: ReadonlyMap<string, number>; readonly times: Map<string, number> },
): string {
  let number = (times.get(column) ?? 1) + 1;
  while (indexes.has(`${column} (${number})`)) number += 1;
  times.set(column, number);
  return `${column} (${number})`;
}
