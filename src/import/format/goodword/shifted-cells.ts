/** Finds what a table's missing or wrong quotation marks leave in its cells: the rest of a text, and whole rows. */
import { readDate } from "../../review/free-form-date.ts";
import { readStars } from "../../review/star-rating.ts";
import type { ColumnChoice } from "./column-choice.ts";

const DELIMITERS = [",", ";", "\t", "|"];
/** The longest line of a text that may be a row. */
const MAX_ROW = 2_000;

export interface ShiftedCells {
  /** The line of a customer's words that is a row of this table: a quotation mark was opened before it and closed in it. */
  rowInside(cells: readonly unknown[]): string | undefined;
  /** The cell behind a customer's words that goes on with them: `Very careful` / ` tidy and on time` */
  restBehind(cells: readonly unknown[]): string | undefined;
}

/** Looks by where the chosen columns are. `names`: the table's columns, in their order. */
export function openShiftedCells({ columns }: ColumnChoice, names: readonly string[]): ShiftedCells {
  const indexOf = (name: string | undefined) => (name === undefined ? -1 : names.indexOf(name));
  const text = indexOf(columns.get("text")?.[0]);
  const rating = indexOf(columns.get("rating")?.[0]);
  const date = indexOf(columns.get("date")?.[0] ?? columns.get("instant")?.[0]);

  function isRow(line: string): boolean {
    return DELIMITERS.some((delimiter) => {
      const cells = line.split(delimiter);
      return cells.length > Math.max(rating, date) && "value" in readStars(cells[rating]?.trim()) && isDay(cells[date]);
    });
  }

  return {
    rowInside(cells) {
      const words = cells[text];
      if (typeof words !== "string" || !words.includes("\n") || rating === -1 || date === -1) return undefined;
      return words.split("\n").find((line, at) => at > 0 && line.length <= MAX_ROW && isRow(line));
    },
    restBehind(cells) {
      const [words, behind] = [cells[text], cells[text + 1]];
      if (text === -1 || typeof words !== "string" || typeof behind !== "string") return undefined;
      if (words.startsWith(" ")) return undefined; // the table has a blank behind each separator
      return /^ \p{Ll}/u.test(behind) && /[\p{L}\p{N}]$/u.test(words) ? behind : undefined;
    },
  };
}

function isDay(value: string | undefined): boolean {
  return (["dmy", "mdy"] as const).some((order) => !("fault" in readDate(value?.trim(), order)));
}
