/** Decides the order of day and month in a table's dates, from all its dates together. */
import { quote } from "../../../issue.ts";
import { type DateOrder, shownOrder } from "../../review/free-form-date.ts";

/** A date in the table, and its position (`line 3, date`). */
export interface PlacedDate {
  readonly value: unknown;
  readonly at: string;
  /** The column. */
  readonly name: string;
}

/** The dates' order, or the reason why it is uncertain. */
export type OrderResult = { readonly order: DateOrder | undefined } | { readonly refusal: string };

const HOW = "Say which with --dates dmy (day first) or --dates mdy (month first)";

const HOW_SURE = "say so with --dates dmy or --dates mdy, whichever the texts have";

/** What a column holds that a spreadsheet may have read in another order than it was written. */
interface MixedColumn {
  /** A date that was no date in the spreadsheet's order, and stayed text. */
  text?: PlacedDate;
  /** A day that is written with its year first, as cells with real dates are. */
  real?: PlacedDate;
  /** Whether all of these could have day and month the other way round, and no text could. */
  areLow: boolean;
}

/** Two digits, a month, two digits: a year may stand at either end. */
const SHORT = /^\s*(\d{2})([/.-])(0?[1-9]|1[0-2])\2(\d{2})(?!\d)/;

/** A column of such dates alone. */
interface ShortColumn {
  first: PlacedDate | undefined;
  isOther: boolean;
  readonly starts: Set<string>;
  readonly ends: Set<string>;
}

function lookShort(date: PlacedDate, column: ShortColumn): void {
  if (typeof date.value !== "string" || date.value.trim() === "" || column.isOther) return;
  const [, start, , , end] = SHORT.exec(date.value) ?? [];
  column.isOther = start === undefined || end === undefined || Number(end) < 1 || Number(end) > 31;
  column.first ??= date;
  if (start !== undefined && end !== undefined) column.starts.add(start) && column.ends.add(end);
}

function look(date: PlacedDate, column: MixedColumn): void {
  const shown = shownOrder(date.value);
  const day = typeof date.value === "string" ? /^\d{4}-\d\d-(\d\d)(?:[T ][\d:]+)?$/.exec(date.value)?.[1] : undefined;
  if ((shown === "dmy" || shown === "mdy") && /^\s*\d+[/-]/.test(String(date.value))) column.text ??= date;
  if (shown === "ambiguous") column.areLow = false; // that spreadsheet would have made a date of it
  if (day === undefined) return;
  column.real ??= date;
  if (Number(day) > 12) column.areLow = false;
}

/** What else tells the order: what the columns' names say, and the day of the import. */
export interface OrderHints {
  readonly named?: DateOrder | "ymd" | undefined;
  readonly today?: string | undefined;
}

/** The order that a column's name says, in the letters of several languages: `Date (DD/MM/YYYY)`, `Datum (TT.MM.JJJJ)`. */
export function orderInName(name: string): DateOrder | "ymd" | undefined {
  const [, first = "", second = ""] =
    /(?<!\p{L})([dtjgymaå])\1{0,3}[/. -]([mdtjg])\2?[/. -][yjaådtg]{1,4}(?!\p{L})/iu.exec(name) ?? [];
  if (/m/i.test(first)) return "mdy";
  if (!/m/i.test(second)) return undefined;
  return /^[ya]/i.test(first) || /jj[/. -]mm?[/. -][tdg]/i.test(name) ? "ymd" : "dmy";
}

/** For how many years back a file's dates are surely recent. */
const RECENT_YEARS = 10;

/** Whether the numbers at the start are recent years, and those at the end are not. */
function areYears(starts: ReadonlySet<string>, ends: ReadonlySet<string>, today: string | undefined): boolean {
  const year = Number(today?.slice(2, 4));
  const isRecent = (number: string) => Number(number) <= year && Number(number) > year - RECENT_YEARS;
  return [...starts].every(isRecent) && ![...ends].every(isRecent);
}

/**
 * Finds the order. One date with a day above 12 decides for all. Dates with dots have the day first unless another one
 * with dots shows the opposite. Ambiguous or contradictory dates are refused, never guessed.
 */
export async function findDateOrder(
  dates: AsyncIterable<PlacedDate>,
  { named, today }: OrderHints = {},
): Promise<OrderResult> {
  const first = new Map<ReturnType<typeof shownOrder>, PlacedDate>();
  const columns = new Map<string, MixedColumn>();
  const shorts = new Map<string, ShortColumn>();
  for await (const date of dates) {
    look(
      date,
      columns.getOrInsertComputed(date.name, () => ({ areLow: true })),
    );
    lookShort(
      date,
      shorts.getOrInsertComputed(date.name, () => ({
        first: undefined,
        isOther: false,
        starts: new Set(),
        ends: new Set(),
      })),
    );
    const shown = shownOrder(date.value);
    if (shown !== undefined && !first.has(shown)) first.set(shown, date);
  }
  for (const { text, real, areLow } of columns.values())
    if (text !== undefined && real !== undefined && areLow)
      return {
        refusal: `${quote(text.value)} (${text.at}) is text beside real dates, none of which is after the 12th of its month: a spreadsheet for another country made those, and took day for month (${quote(real.value)} at ${real.at}, for example). Import the file from which the spreadsheet was made, or correct the days; if they are right, ${HOW_SURE}`,
      };
  // Days differ more than years do.
  for (const { first: short, isOther, starts, ends } of shorts.values()) {
    // Of one day alone, a dash tells that its year may be first.
    const isLone = starts.size === 1 && ends.size === 1 && String(short?.value).includes("-");
    const isHigh = Math.max(...[...starts].map(Number)) > 12;
    const isOfYears = named === "ymd" || isLone || starts.size < ends.size || areYears(starts, ends, today);
    if (short !== undefined && !isOther && isHigh && isOfYears)
      return {
        refusal: `${quote(short.value)} (${short.at}) seems to begin with its year: write years with four digits, such as 2026-01-13; if the day is first, say so with --dates dmy`,
      };
  }
  const [dmy, mdy, ambiguous] = [first.get("dmy"), first.get("mdy"), first.get("ambiguous")];
  if (dmy !== undefined && mdy !== undefined) {
    return {
      refusal: `the dates contradict each other: ${quote(dmy.value)} (${dmy.at}) has the day first, ${quote(mdy.value)} (${mdy.at}) the month. Correct them in the file`,
    };
  }
  const dotted = first.get("custom");
  if (mdy !== undefined && dotted !== undefined && !/^\s*\d+\./.test(String(mdy.value))) {
    return {
      refusal: `the dates contradict each other: ${quote(dotted.value)} (${dotted.at}) has dots, by which the day is first, ${quote(mdy.value)} (${mdy.at}) has the month first. A spreadsheet for another country may have taken days for months: import the file from which it was made, or correct them in the file`,
    };
  }
  if (dmy !== undefined || mdy !== undefined) return { order: dmy === undefined ? "mdy" : "dmy" };
  if (ambiguous === undefined) return { order: first.has("custom") ? "dmy" : undefined };
  if (named === "dmy" || named === "mdy") return { order: named };
  return {
    refusal: `${quote(ambiguous.value)} (${ambiguous.at}) can be one day or another, depending on the country, and no other date of the file shows which. ${HOW}`,
  };
}
