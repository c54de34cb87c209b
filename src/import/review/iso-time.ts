/**
 * Reads times in ISO 8601 and Unix time, as JSON exports have them: a day, or an instant from which the day in the
 * business's time zone follows. Relative dates ("2 weeks ago") are refused.
 */
import { calendarDateFault, dayInZone } from "../../calendar-date.ts";
import { isValue, quote } from "../../issue.ts";
import { vagueDateFault, WHERE_DATES_ARE } from "./vague-date.ts";
import { isNameOfZone, mayBeOf } from "./zone-abbreviation.ts";

/**
 * A day (`YYYY-MM-DD`), an instant (UTC, RFC 3339, with the 0 to 9 decimals of the export), or a fault. A day may have a
 * `zone`: an abbreviation that stands for several, so that the day counts only if the business's clock has that name, and
 * an instant only if it does not.
 */
export type ReviewTime =
  | { readonly day: string; readonly zone?: string }
  | { readonly instant: string; readonly zone?: string }
  | { readonly fault: string };

const DAY = /^\d{4}-\d{2}-\d{2}$/;
const TIME =
  /^(\d{4}-\d{2}-\d{2})[T ](\d{2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,9})\d*)?)?\s?(Z|UTC|GMT|[+-]\d{2}(?::?\d{2})?)?$/i;
/** A time as most exports write it, whose hours, minutes and seconds are valid. */
const UTC = /^\d{4}-\d\d-\d\dT(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d{1,9})?Z$/;
const ALLOWED = "must be a day, YYYY-MM-DD, or a time such as 2025-08-06T04:57:47Z";
/** The day before is what programs make of no time at all. */
const FIRST_DAY = "1970-01-02";
const LAST_DAY = "2099-12-31";

/** Reads a day or time in ISO 8601. Of a time without an offset, only the day is used: it is local to the business. */
export function isoTime(value: unknown): ReviewTime {
  if (typeof value !== "string") return { fault: `${isValue(value)}, but ${ALLOWED}` };
  if (UTC.test(value) && isPlainDay(value)) return instantOf(value.slice(0, 19), value.slice(20, -1));
  const text = value.trim();
  if (DAY.test(text)) return inCalendar(text, value) ?? { day: text };
  const match = TIME.exec(text);
  if (match === null) return { fault: `is ${quote(value)}, ${notIso(text)}` };
  const [, day = "", hour = "", minute = "", second = "00", fraction = "", offset] = match;
  const fault = inCalendar(day, value);
  if (fault !== undefined) return fault;
  if (Number(hour) > 23 || Number(minute) > 59 || Number(second) > 60) {
    return { fault: `is ${quote(value)}, but ${hour}:${minute}:${second} is not a valid time of day` };
  }
  if (offset === undefined) return { day };
  const seconds = second === "60" ? "59" : second;
  const minutes = offsetMinutes(offset);
  if (minutes === 0) return instantOf(`${day}T${hour}:${minute}:${seconds}`, fraction);
  return instantOf(utcSeconds(Date.parse(`${day}T${hour}:${minute}:${seconds}Z`) - minutes * 60_000), fraction);
}

const COMPACT_DAY = /^(?:19|20)\d{6}$/;
/** The first second of 2100. */
const END_SECOND = 4_102_444_800;
/** The units of Unix times, and the least count of each: below it, a number is too small to be in that unit. */
const UNITS = [
  { perSecond: 1, least: -END_SECOND },
  { perSecond: 1000, least: 1e11 },
  { perSecond: 1_000_000, least: 1e14 },
] as const;

/**
 * Reads a Unix time, as a number or as digits. Its size shows whether it counts seconds, milliseconds or microseconds; a
 * number of eight digits that is a day is one.
 */
export function epochTime(value: unknown): ReviewTime {
  const text = typeof value === "string" ? value.trim() : String(value);
  if (COMPACT_DAY.test(text)) {
    const day = `${text.slice(0, 4)}-${text.slice(4, 6)}-${text.slice(6)}`;
    if (calendarDateFault(day) === undefined) return { day };
  }
  const count = typeof value === "string" && /^\d{1,16}(\.\d+)?$/.test(text) ? Number(text) : value;
  if (typeof count !== "number" || !Number.isFinite(count)) {
    return { fault: `${isValue(value)}, but must be seconds since 1970` };
  }
  const unit = UNITS.find(({ perSecond, least }) => count >= least && count < END_SECOND * perSecond);
  if (unit === undefined) return { fault: `is ${quote(value)}, but ${RANGE}` };
  return instantOf(utcSeconds(Math.floor(count / unit.perSecond) * 1000), "");
}

/** Whether a value is a Unix time or a compact day (20260105), and no other number. */
export function isEpochTime(value: unknown): boolean {
  const text = typeof value === "number" || typeof value === "string" ? String(value).trim() : "";
  return COMPACT_DAY.test(text) || /^\d{10}(?:\d{3}(?:\d{3})?)?(?:\.\d+)?$/.test(text);
}

const RANGE = `must be from ${FIRST_DAY} to ${LAST_DAY}`;

/** The day in the business's time zone. Days outside 1970 to 2099 are a fault. */
export function dayOf(written: ReviewTime, zone: string): { readonly day: string } | { readonly fault: string } {
  if ("fault" in written) return written;
  const isOther = (named: string) =>
    "day" in written ? !isNameOfZone(named, zone, written.day) : mayBeOf(named, zone);
  if (written.zone !== undefined && isOther(written.zone)) {
    return {
      fault: `names the time zone ${quote(written.zone)}, which is none of the business's (${zone}) and may stand for several: write the offset (+05:30) in its place, or leave it out where times are those of the business`,
    };
  }
  const day = "day" in written ? written.day : dayOfInstant(written.instant, zone);
  if (day < FIRST_DAY || day > LAST_DAY || day.length !== 10) return { fault: `is the day ${day}, but ${RANGE}` };
  return { day };
}

/** The local day in `zone` at `instant` (UTC, RFC 3339). */
export function dayOfInstant(instant: string, zone: string): string {
  return zone === "UTC" ? instant.slice(0, 10) : dayInZone(new Date(`${instant.slice(0, 19)}Z`), zone);
}

/**
 * Negative if `a` is before `b`. Decimals that only one of them has are ignored, because exports round the same instant
 * to different lengths.
 */
export function compareInstants(a: string, b: string): number {
  const length = Math.min(a.length, b.length) - 1;
  const [left, right] = [a.slice(0, length), b.slice(0, length)];
  return left < right ? -1 : left > right ? 1 : 0;
}

/** Of two forms of the same instant, the one with more decimals. */
export function finerInstant(a: string, b: string): string {
  if (a.length !== b.length) return a.length > b.length ? a : b;
  return a > b ? a : b;
}

/** An instant in UTC without its decimals. */
function utcSeconds(milliseconds: number): string {
  return new Date(milliseconds).toISOString().slice(0, -5);
}

/** Whether the day that a time begins with is in every month of every year. */
function isPlainDay(time: string): boolean {
  const month = time.slice(5, 7);
  const day = time.slice(8, 10);
  return month >= "01" && month <= "12" && day >= "01" && day <= "28";
}

function instantOf(seconds: string, fraction: string): ReviewTime {
  const decimals = fraction.replace(/(?<!0)0+$/, "");
  return { instant: decimals === "" ? `${seconds}Z` : `${seconds}.${decimals}Z` };
}

function offsetMinutes(offset: string): number {
  const match = /^([+-])(\d{2}):?(\d{2})?$/.exec(offset);
  if (match === null) return 0;
  return (match[1] === "-" ? -1 : 1) * (Number(match[2]) * 60 + Number(match[3] ?? 0));
}

function inCalendar(day: string, value: unknown): { fault: string } | undefined {
  const fault = calendarDateFault(day);
  return fault === undefined ? undefined : { fault: `is ${quote(value)}, but ${ALLOWED}: ${fault}` };
}

function notIso(text: string): string {
  const vague = vagueDateFault(text);
  if (vague !== undefined) return `which ${vague}: ${ALLOWED}. ${WHERE_DATES_ARE}`;
  if (/^\d{1,2}[/.-]\d{1,2}[/.-]\d{2,4}/.test(text)) {
    return `which is one day or another depending on the country: ${ALLOWED}`;
  }
  return `but ${ALLOWED}`;
}
