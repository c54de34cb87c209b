/**
 * Dates as people and spreadsheets write them: `3/4/2024 2:05 PM`, `3. April 2024`, `Apr 3, 2024`, `2024/04/03`. The
 * order of day and month follows from the other dates of the table (`date-order.ts`) or from the owner (`--dates`).
 * Dates in JSON are read by `iso-time.ts`.
 */
import { calendarDateFault } from "../../calendar-date.ts";
import { quote } from "../../issue.ts";
import { epochTime, isEpochTime, isoTime, type ReviewTime } from "./iso-time.ts";
import { monthNumber } from "./month-names.ts";
import { offsetOf } from "./zone-abbreviation.ts";

/** Which number comes first in a date that names no month. */
export type DateOrder = "dmy" | "mdy";

/** The order that a date shows: one of them, none (`3/4/2024`), or the customary one (`3.4.2024`). */
export type ShownOrder = DateOrder | "ambiguous" | "custom";

export const MAX_DATE_CHARACTERS = 100;
const TIME =
  String.raw`(?:(?:,|\s|T)+(?:(?:at|um|à|klo|kl\.?|om|alle|às)\s+)?(?<hour>\d{1,2})[:.h](?<minute>\d{2})(?:[:.](?<second>\d{2})(?:[.,]\d+)?)?` +
  String.raw`(?:\s*(?<half>[ap])\.?\s?m\.?)?(?:\s+Uhr)?(?:\s*\(?(?<zone>(?:UTC|GMT)?[+-]\d{1,2}(?::?\d{2})?|[A-Z]{1,5})\)?(?:\s+(?:\([^)]*\)|[A-Z]{3,5}|[+-]\d{2,4})(?:\sm=[+-][\d.]+)?)?)?)?`;
const YEAR = String.raw`(?<year>\d{4}|\d{2})`;
const NUMBERS = new RegExp(
  String.raw`^(?<first>\d{1,2})(?<mark>[/.-])\s?(?<second_>\d{1,2})\k<mark>\s?${YEAR}${TIME}$`,
  "i",
);
const YEAR_FIRST = new RegExp(
  String.raw`^(?<year>\d{4})(?<mark>[/.-])(?<month>\d{1,2})\k<mark>(?<day>\d{1,2})${TIME}$`,
  "i",
);
const DAY_FIRST = new RegExp(
  String.raw`^(?<day>\d{1,2})(?:st|nd|rd|th|er|[.ºª])?[\s-]*(?:de\s|of\s)?(?<name>\p{L}+)\.?,?[\s-]*(?:del?\s)?${YEAR}${TIME}$`,
  "iu",
);
const MONTH_FIRST = new RegExp(
  String.raw`^(?<name>\p{L}+)\.?[\s-]+(?<day>\d{1,2})(?:st|nd|rd|th)?,?[\s-]+(?<year>\d{4})${TIME}$`,
  "iu",
);
const NAME_BETWEEN = new RegExp(String.raw`^(?<year>\d{4})[\s-](?<name>\p{L}+)\.?[\s-](?<day>\d{1,2})${TIME}$`, "iu");
const WEEKDAY = /^(?:\p{L}{2,}\.?,\s*|(?:mon|tue|wed|thu|fri|sat|sun)[a-z]*\.?\s+)(?=[\p{L}\d])/iu;
/** `/Date(1788447744000)/`, as programs of .NET write times. */
const NET_DATE = /^\/Date\((\d{12,13})(?:[+-]\d{4})?\)\/$/;
/** `2026年5月26日` and `2026. 5. 26.` */
const EAST_ASIAN = /^(\d{4})\s?[年년.]\s?(\d{1,2})\s?[月월.]\s?(\d{1,2})(?:\s?[日일]|\.(?=\s|$))/u;
/** A spreadsheet's serial number for a day from 1954 to 2119, shown if the cell is not formatted as a date. */
const SERIAL_NUMBER = /^[2-7]\d{4}(?:[.,]\d+)?$/;

/** How most dates begin, and none that shows an order. */
const YEAR_OF_ISO = /^\d{4}/;

type Groups = Readonly<Record<string, string | undefined>>;

/** The order of day and month that a value shows; undefined unless it is a date of three numbers with the year last. */
export function shownOrder(value: unknown): ShownOrder | undefined {
  if (typeof value !== "string" || value.length > MAX_DATE_CHARACTERS || YEAR_OF_ISO.test(value)) return undefined;
  const groups = NUMBERS.exec(value.trim().replace(WEEKDAY, ""))?.groups;
  if (groups === undefined) return undefined;
  const [first, second] = [Number(groups.first), Number(groups.second_)];
  if (first > 12 && second <= 12) return "dmy";
  if (second > 12 && first <= 12) return "mdy";
  return groups.mark === "." ? "custom" : "ambiguous";
}

/**
 * Reads a date or a time. ISO 8601 and month names need no order; without one, dates of three numbers are a fault. A
 * time without an offset is local to the business: only its day is used.
 */
export function readDate(value: unknown, order: DateOrder | undefined): ReviewTime {
  const milliseconds = typeof value === "string" ? NET_DATE.exec(value)?.[1] : undefined;
  if (milliseconds !== undefined || isEpochTime(value)) return epochTime(milliseconds ?? value);
  const iso = isoTime(value);
  if (!("fault" in iso) || typeof value !== "string" || value.length > MAX_DATE_CHARACTERS) return iso;
  const text = value.trim().replace(WEEKDAY, "").replace(EAST_ASIAN, "$1-$2-$3");
  const numbers = NUMBERS.exec(text)?.groups;
  if (numbers !== undefined) {
    if (order === undefined) return iso;
    const [day, month] = order === "dmy" ? [numbers.first, numbers.second_] : [numbers.second_, numbers.first];
    const read = timeOf(value, { ...numbers, day, month });
    const wasRead = `(read as ${order === "dmy" ? "day-month-year" : "month-day-year"}; see --dates)`;
    return "fault" in read ? { fault: `${read.fault} ${wasRead}` } : read;
  }
  const yearFirst = YEAR_FIRST.exec(text)?.groups;
  if (yearFirst !== undefined) return timeOf(value, yearFirst);
  const named = (DAY_FIRST.exec(text) ?? MONTH_FIRST.exec(text) ?? NAME_BETWEEN.exec(text))?.groups;
  if (named !== undefined) {
    const month = monthNumber(named.name ?? "");
    if (month !== undefined) return timeOf(value, { ...named, month: String(month) });
    return iso;
  }
  if (SERIAL_NUMBER.test(text)) {
    return {
      fault: `is ${quote(value)}, which seems to be a spreadsheet's own number for a day: format the column as a date and save it again`,
    };
  }
  return iso;
}

function timeOf(value: unknown, groups: Groups): ReviewTime {
  const { hour, minute = "00", second = "00", half, zone = "" } = groups;
  const year = (groups.year ?? "").length === 2 ? century(groups.year ?? "") : groups.year;
  const day = `${year}-${two(groups.month)}-${two(groups.day)}`;
  const fault = calendarDateFault(day);
  if (fault !== undefined) return { fault: `is ${quote(value)}, but that is not a valid day: ${fault}` };
  if (hour === undefined) return { day };
  const hours = half === undefined ? Number(hour) : (Number(hour) % 12) + (half.toLowerCase() === "p" ? 12 : 0);
  if (half !== undefined && (Number(hour) < 1 || Number(hour) > 12)) {
    return { fault: `is ${quote(value)}, but ${hour}:${minute} ${half}m is not a valid time of day` };
  }
  const offset = offsetText(zone);
  if (offset === undefined) {
    return /^[A-Z]{2,5}$/i.test(zone) && Number(hours) < 24
      ? { day, zone: zone.toUpperCase() }
      : { fault: `is ${quote(value)}, but ${quote(zone)} is no time zone that is known here` };
  }
  const time = isoTime(`${day}T${two(String(hours))}:${minute}:${second}${offset}`);
  return "fault" in time
    ? { fault: `is ${quote(value)}, but ${hours}:${minute}:${second} is not a valid time of day` }
    : /^[A-Z]ST$|^EDT$/i.test(zone)
      ? { ...time, zone: zone.toUpperCase() }
      : time;
}

/** The offset that a zone's name or number stands for; empty without a zone, undefined if the name is ambiguous. */
function offsetText(zone: string): string | undefined {
  const text = zone.replace(/^(?:UTC|GMT)(?=[+-])/i, "");
  if (text === "" || /^(?:Z|UTC|GMT)$/i.test(text)) return text;
  const [, sign, hours, minutes = "00"] = /^([+-])(\d{1,2}):?(\d{2})?$/.exec(text) ?? [];
  if (hours !== undefined) return `${sign}${two(hours)}:${minutes}`;
  const offset = offsetOf(text);
  if (offset === undefined) return undefined;
  const size = Math.abs(offset);
  return `${offset < 0 ? "-" : "+"}${two(String(Math.floor(size / 60)))}:${two(String(size % 60))}`;
}

/** Completes a year of two digits as spreadsheets do: 00 to 69 are in this century. */
function century(year: string): string {
  return `${Number(year) < 70 ? 20 : 19}${year}`;
}

function two(number: string | undefined): string {
  return (number ?? "").padStart(2, "0");
}
