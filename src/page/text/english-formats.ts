/**
 * Numbers, dates and times in English, as `Intl` formats them for `en`. The platform takes 20 to 50 ms and 5 MB for the
 * first number or date that it formats in a process, which a reader of the first page and the first change would wait
 * for.
 */
import { WEEKDAYS } from "../../business.ts";
import { MONTH_NAMES } from "../../calendar-date.ts";
import type { Formats } from "./locale.ts";

/** The formats for American English, which are also those of `en`. */
export const ENGLISH_FORMATS: Formats = {
  number: (value, digits = 0) => decimal(value, 0, digits),
  percent: (share) => `${decimal(share, 2, 0)}%`,
  date: (day) => dated(day, ({ length }) => length),
  shortDate: (day) => dated(day, () => 3),
  month: (month) => `${monthName(month)} ${yearOf(month)}`,
  weekday: (number, width = "long") => (WEEKDAYS[number] ?? "").slice(0, width === "short" ? 3 : undefined),
  time: (time) => clockTime(time),
};

function dated(day: string, lengthOf: (month: string) => number): string {
  const name = monthName(day.slice(0, -3));
  return `${name.slice(0, lengthOf(name))} ${Number(day.slice(-2))}, ${yearOf(day)}`;
}

/** The year of a day or month. The year 0 is 1 BC, which is written as the platform does without the era. */
function yearOf(date: string): number {
  return Number(date.slice(0, 4)) || 1;
}

/** The name of a month, `YYYY-MM`. */
function monthName(month: string): string {
  return MONTH_NAMES[Number(month.slice(-2)) - 1] ?? "";
}

/** `17:30` as `5:30 PM`; `24:00` is midnight. */
function clockTime(time: string): string {
  const hour = Number(time.slice(0, 2)) % 24;
  return `${hour % 12 === 0 ? 12 : hour % 12}:${time.slice(3, 5)} ${hour < 12 ? "AM" : "PM"}`;
}

/**
 * A number times 10^`shift`, with grouped thousands and `digits` decimals. It is rounded half away from zero as the
 * decimal number that `String` writes, and not as the binary one: 1.005 is 1.01.
 */
function decimal(value: number, shift: number, digits: number): string {
  if (!Number.isFinite(value)) return String(value);
  const sign = value < 0 || Object.is(value, -0) ? "-" : "";
  const [mantissa = "", exponent = "0"] = String(Math.abs(value)).split("e");
  const [whole = "", fraction = ""] = mantissa.split(".");
  const places = fraction.length - Number(exponent) - shift; // the value is the number of all digits / 10^places
  const rounded = roundedAway(BigInt(whole + fraction), places - digits);
  const text = String(rounded).padStart(digits + 1, "0");
  const end = text.length - digits;
  const grouped = text.slice(0, end).replace(/\B(?=(\d{3})+$)/g, ",");
  return `${sign}${grouped}${digits === 0 ? "" : `.${text.slice(end)}`}`;
}

/** A whole number of zero or more / 10^`places`, rounded, a half up. */
function roundedAway(number: bigint, places: number): bigint {
  if (places <= 0) return number * 10n ** BigInt(-places);
  const unit = 10n ** BigInt(places);
  return (number + unit / 2n) / unit;
}
