/** A day of the calendar, `YYYY-MM-DD`, and its relation to instants and time zones. */
import { z } from "zod";

const SHAPE = /^(\d{4})-(\d{2})-(\d{2})$/;

/** Explains why `text` is not a calendar date; undefined if it is one. */
export function calendarDateFault(text: string): string | undefined {
  const match = SHAPE.exec(text);
  if (match === null) return "not of the form YYYY-MM-DD";
  const [year, month, day] = [Number(match[1]), Number(match[2]), Number(match[3])];
  if (month < 1 || month > 12) return "month is not between 01 and 12";
  const days = daysInMonth(year, month);
  if (day < 1 || day > days) return `${MONTH_NAMES[month - 1]} ${match[1]} has ${days} days`;
  return undefined;
}

/** Schema of a real day, `YYYY-MM-DD` (RFC 3339 full-date). Its message explains the fault. */
export const calendarDate = z
  .string()
  .superRefine((text, context) => {
    const fault = calendarDateFault(text);
    if (fault !== undefined) context.addIssue({ code: "custom", message: `must be a real day, YYYY-MM-DD: ${fault}` });
  })
  .meta({ format: "date" });

/** The day that a clock in `zone` (IANA) shows at `instant`. */
export function dayInZone(instant: Date, zone: string): string {
  const parts = wallClock(instant, zone);
  return `${String(parts.year).padStart(4, "0")}-${two(parts.month)}-${two(parts.day)}`;
}

/** Noon of `day` in `zone` as RFC 3339 with the zone's offset of that moment, e.g. `2026-07-01T12:00:00-05:00`. */
export function noonInZone(day: string, zone: string): string {
  const offset = offsetMinutes(instantInZone(day, "12:00", zone), zone);
  const sign = offset < 0 ? "-" : "+";
  return `${day}T12:00:00${offset === 0 ? "Z" : `${sign}${two(Math.floor(Math.abs(offset) / 60))}:${two(Math.abs(offset) % 60)}`}`;
}

/** The instant at which a clock in `zone` shows the time `HH:MM` on `day`. */
export function instantInZone(day: string, time: string, zone: string): Date {
  const asUtc = Date.parse(`${day}T${time}:00Z`);
  const guess = new Date(asUtc - offsetMinutes(new Date(asUtc), zone) * 60_000);
  return new Date(asUtc - offsetMinutes(guess, zone) * 60_000);
}

/** Whether the platform knows `zone` as an IANA time zone. */
export function isTimeZone(zone: string): boolean {
  try {
    if (hasTemporal) new Temporal.ZonedDateTime(0n, zone);
    else clockFormat(zone);
    return true;
  } catch {
    return false;
  }
}

interface WallClock {
  readonly year: number;
  readonly month: number;
  readonly day: number;
  readonly hour: number;
  readonly minute: number;
  readonly second: number;
}

/** The English names of the months. */
export const MONTH_NAMES =
  "January February March April May June July August September October November December".split(" ");
/** Node 26 has Temporal, which saves the 20 to 50 ms in which `Intl` loads its locales. */
const hasTemporal = typeof Temporal !== "undefined";
const clockFormats = new Map<string, Intl.DateTimeFormat>();

function clockFormat(zone: string): Intl.DateTimeFormat {
  let format = clockFormats.get(zone);
  if (format === undefined) {
    format = new Intl.DateTimeFormat("en-US", {
      timeZone: zone,
      calendar: "gregory",
      numberingSystem: "latn",
      hourCycle: "h23",
      year: "numeric",
      month: "2-digit",
      day: "2-digit",
      hour: "2-digit",
      minute: "2-digit",
      second: "2-digit",
    });
    clockFormats.set(zone, format);
  }
  return format;
}

/** The date and time that a clock in `zone` (IANA) shows at `instant`. */
export function wallClock(instant: Date, zone: string): WallClock {
  return hasTemporal
    ? Temporal.Instant.fromEpochMilliseconds(instant.getTime()).toZonedDateTimeISO(zone)
    : formattedClock(instant, zone);
}

/** `wallClock` by `Intl`, for a Node without Temporal. */
export function formattedClock(instant: Date, zone: string): WallClock {
  const parts = Object.fromEntries(
    clockFormat(zone)
      .formatToParts(instant)
      .map((part) => [part.type, Number(part.value)]),
  );
  return parts as unknown as WallClock;
}

function offsetMinutes(instant: Date, zone: string): number {
  const { year, month, day, hour, minute, second } = wallClock(instant, zone);
  const shown = Date.UTC(year, month - 1, day, hour, minute, second);
  return Math.round((shown - Math.floor(instant.getTime() / 1000) * 1000) / 60_000);
}

/** The last day of a month, `YYYY-MM`. */
export function lastDayOf(month: string): string {
  return `${month}-${daysInMonth(Number(month.slice(0, 4)), Number(month.slice(5)))}`;
}

function daysInMonth(year: number, month: number): number {
  const isLeap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
  return month === 2 ? (isLeap ? 29 : 28) : [4, 6, 9, 11].includes(month) ? 30 : 31;
}

function two(value: number): string {
  return String(value).padStart(2, "0");
}
