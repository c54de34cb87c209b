/**
 * Tables of reviews, from CSV, TSV or a spreadsheet: Goodword's own columns (interface §1), or any table with a rating
 * and a date, in any order and under common alternative names, or with columns that the owner mapped to fields.
 */
import { quote } from "../../../issue.ts";
import { type DateOrder, shownOrder } from "../../review/free-form-date.ts";
import type { Entry } from "../../review/raw-review.ts";
import type { TableContent } from "../../syntax/content.ts";
import type { Format } from "../format.ts";
import { findDateOrder, type PlacedDate } from "./date-order.ts";
import {
  areGoodwordReviewFields,
  dateNames,
  fieldNames,
  type GoodwordFields,
  goodwordFields,
  isLooseReply,
  readGoodwordFields,
} from "./goodword-fields.ts";

export const goodwordTable: Format = {
  name: "table",
  extent: () => "whole",
  recognises: (content, { columns }) =>
    content.syntax === "csv" && areGoodwordReviewFields(goodwordFields(content.columns, columns)),
  async *records(content, options): AsyncGenerator<readonly Entry[]> {
    if (content.syntax !== "csv") return;
    const fields = goodwordFields(content.columns, options.columns);
    const names = fieldNames(fields);
    const indexes = new Map(content.columns.map((column, index) => [column, index]));
    const dates = dateNames(fields).map((name) => ({ name, index: indexes.get(name) ?? -1 }));
    const unknown = fields.unknown.filter((column) => column !== "").map((column) => quote(column));
    const reply = replyAdvice(fields);
    if (unknown.length > 0)
      yield [
        {
          at: content.unit === "line" ? "line 1" : "",
          warning: `does not use the columns ${unknown.join(", ")}${reply}${await mappingAdvice(content, fields)}`,
        },
      ];
    let order: DateOrder | undefined = options.dates;
    let isOrderKnown = order !== undefined;
    for await (const rows of content.rows()) {
      const entries: Entry[] = [];
      for (const row of rows) {
        const at = `${content.unit} ${row.line}`;
        if ("fault" in row) {
          entries.push({ at, fault: row.fault });
          continue;
        }
        if (!isOrderKnown && dates.some(({ index }) => shownOrder(row.cells[index]) !== undefined)) {
          const found = await findDateOrder(placedDates(content, dates));
          if ("refusal" in found) return yield [...entries, { at: "", refusal: found.refusal }];
          order = found.order;
          isOrderKnown = true;
        }
        const review = readGoodwordFields(fields, (name) => row.cells[indexes.get(name) ?? -1], order);
        const total = "fault" in review.written ? totalOf(row.cells) : undefined;
        if (total === undefined) entries.push({ at, review, names });
        else entries.push({ at, warning: `${quote(total)} is a total and no review: the row is left out` });
      }
      yield entries;
    }
  },
};

const NUMBERS = /\b(?:no|nr|number|nummer|id|invoice|rechnung|order|booking|job|ticket)\b/i;

/** Says how unused columns can be used that probably hold the ids or the customers' words, with the whole option. */
async function mappingAdvice(content: TableContent, { names, unknown }: GoodwordFields): Promise<string> {
  const id = names.has("id") ? undefined : unknown.find((each) => NUMBERS.test(each));
  const text = names.has("text") ? undefined : await wordiestColumn(content, unknown);
  const conditions = [
    ...(text === undefined ? [] : [`${quote(text)} holds the customers' words`]),
    ...(id === undefined ? [] : [`${quote(id)} is different for each review`]),
  ];
  const mappings = [
    ...(text === undefined ? [] : [`text=${quote(text)}`]),
    ...(id === undefined ? [] : [`id=${quote(id)}`]),
  ];
  if (conditions.length === 0) return "";
  const wordless =
    text === undefined ? "" : "; no column is known to hold the customers' words, so the reviews come without them";
  const addresses = id === undefined ? "" : "; ids change the addresses of reviews that are published already";
  const again = text === undefined ? addresses : ` (if it is imported already, after goodword undo)${addresses}`;
  return `${wordless}; if ${conditions.join(" and ")}: --columns ${mappings.join(",")}${again}`;
}

/** The column, among those given, with the longest texts; undefined if none has texts of several words. */
async function wordiestColumn({ rows, columns }: TableContent, given: readonly string[]): Promise<string | undefined> {
  const wanted = new Set(given);
  const lengths = new Map<string, number>();
  let sampled = 0;
  for await (const row of eachOf(rows())) {
    if (!("cells" in row)) continue;
    for (const [index, column] of columns.entries()) {
      const cell = row.cells[index];
      const isText = typeof cell === "string" && /\S\s+\S+\s+\S/.test(cell);
      if (isText && column !== "" && wanted.has(column)) lengths.set(column, (lengths.get(column) ?? 0) + cell.length);
    }
    sampled += 1;
    if (sampled === MAX_ROWS_SAMPLED) break;
  }
  return [...lengths].toSorted((a, b) => b[1] - a[1])[0]?.[0];
}

const MAX_ROWS_SAMPLED = 20;

/** Says why a column of replies is not used, and how it can be. */
function replyAdvice({ names, unknown }: GoodwordFields): string {
  const column = unknown.find(isLooseReply);
  if (column === undefined) return "";
  const day = names.get("date");
  const sameDay =
    day === undefined
      ? ""
      : `, or, if you answered on the day of the review: --columns date=${quote(day)},owner_reply_date=${quote(day)},owner_reply_text=${quote(column)}`;
  return ` (the reviews are imported, only these replies are left out: a reply is published with its day, so add a column owner_reply_date${sameDay})`;
}

/** How a row begins that sums up the rows above it. */
const TOTAL =
  /^\s*(?:(?:sub|grand )?totals?|sum|average|avg\.?|mean|median|count|(?:gesamt)?summe|gesamt|durchschnitt|mittelwert|schnitt|anzahl)(?:\s+(?:rating|stars|score|reviews|bewertung|sterne))?\s*:?\s*$/i;

/** The cell that shows that a row without a date is a total of the rows above it; undefined for any other row. */
function totalOf(cells: readonly unknown[]): string | undefined {
  return cells.find((cell): cell is string => typeof cell === "string" && TOTAL.test(cell));
}

async function* placedDates(
  { rows, unit }: TableContent,
  columns: readonly { readonly name: string; readonly index: number }[],
): AsyncGenerator<PlacedDate> {
  for await (const row of eachOf(rows())) {
    if (!("cells" in row)) continue;
    for (const { name, index } of columns) yield { value: row.cells[index], at: `${unit} ${row.line}, ${name}` };
  }
}

async function* eachOf<Row>(pages: AsyncIterable<readonly Row[]>): AsyncGenerator<Row> {
  for await (const page of pages) yield* page;
}
