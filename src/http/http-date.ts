/** Dates of HTTP headers: the three forms of RFC 9110 §5.6.7, read as UTC, and nothing else. */

import { MONTH_NAMES } from "../calendar-date.ts";

const MONTHS = MONTH_NAMES.map((name) => name.slice(0, 3));
const DAY = "(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)";
const LONG_DAY = "(?:Monday|Tuesday|Wednesday|Thursday|Friday|Saturday|Sunday)";
const MONTH = `(?<month>${MONTHS.join("|")})`;
const TIME = "(?<hour>\\d{2}):(?<minute>\\d{2}):(?<second>\\d{2})";

/** IMF-fixdate, RFC 850, and asctime. */
const FORMS = [
  new RegExp(`^${DAY}, (?<day>\\d{2}) ${MONTH} (?<year>\\d{4}) ${TIME} GMT$`),
  new RegExp(`^${LONG_DAY}, (?<day>\\d{2})-${MONTH}-(?<year>\\d{2}) ${TIME} GMT$`),
  new RegExp(`^${DAY} ${MONTH} (?<day>\\d{2}| \\d) ${TIME} (?<year>\\d{4})$`),
];

/**
 * Parses an HTTP date to seconds since 1970; undefined when it is not one. A two-digit year that would be more than 50
 * years after `now` belongs to the century before (RFC 9110 §5.6.7).
 */
export function parseHttpDate(text: string, now: Date): number | undefined {
  for (const form of FORMS) {
    const groups = form.exec(text)?.groups;
    if (groups !== undefined) return second(groups, now);
  }
  return undefined;
}

function second(groups: Readonly<Record<string, string>>, now: Date): number | undefined {
  const number = (name: string) => Number(groups[name]);
  const month = MONTHS.indexOf(groups.month ?? "");
  const [day, hour, minute, seconds] = [number("day"), number("hour"), number("minute"), number("second")];
  if (hour > 23 || minute > 59 || seconds > 60) return undefined;
  const time = new Date(0);
  time.setUTCFullYear(fullYear(groups.year ?? "", now), month, day);
  if (time.getUTCMonth() !== month || time.getUTCDate() !== day) return undefined;
  return time.getTime() / 1000 + hour * 3600 + minute * 60 + Math.min(seconds, 59);
}

function fullYear(year: string, now: Date): number {
  if (year.length === 4) return Number(year);
  const current = now.getUTCFullYear();
  const candidate = Math.floor(current / 100) * 100 + Number(year);
  return candidate > current + 50 ? candidate - 100 : candidate;
}
