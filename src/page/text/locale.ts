/** Formats numbers, dates and sentences in the business's language. */

import { fill, type Words, wordsFor } from "./words.ts";
import type { Counted } from "./words-en.ts";

/** A page's translated strings, and its formats for numbers and dates. */
export interface Locale {
  /** BCP 47 tag of the language of `words`. */
  readonly tag: string;
  readonly words: Words;
  /** A number with grouped thousands and `digits` decimals. */
  number(value: number, digits?: number): string;
  /** A fraction of 1 as a whole percentage. */
  percent(share: number): string;
  /** `2026-02-03` as a long date. */
  date(day: string): string;
  /** `2026-02-03` as a short date. */
  shortDate(day: string): string;
  /** `2026-02` as month name and year. */
  month(month: string): string;
  /** A weekday's name by number; 0 is Monday. */
  weekday(number: number, width?: "long" | "short"): string;
  /** `17:30` as a time of day. */
  time(time: string): string;
  /** A country's name by its two-letter code; any other value is returned unchanged. */
  country(code: string): string;
  /** A sentence in the plural form for `count`. */
  counted(sentence: Counted, count: number, values?: Readonly<Record<string, string>>): string;
}

/** The locales that were made last: each takes a millisecond, and a page asks for several. */
const made = new Map<string, Locale>();
const MOST_MADE = 8;

/** The locale for a BCP 47 tag. A tag that the platform does not support is formatted as English. */
export function localeOf(language: string): Locale {
  const known = made.get(language);
  if (known !== undefined) return known;
  const [oldest] = made.keys();
  if (made.size >= MOST_MADE && oldest !== undefined) made.delete(oldest);
  const locale = makeLocale(language);
  made.set(language, locale);
  return locale;
}

function makeLocale(language: string): Locale {
  const { words, tag } = wordsFor(language);
  const known = isKnown(tag) ? tag : "en";
  const utc = { timeZone: "UTC" } as const;
  const dates = new Intl.DateTimeFormat(known, { dateStyle: "long", ...utc });
  const shortDates = new Intl.DateTimeFormat(known, { dateStyle: "medium", ...utc });
  const months = new Intl.DateTimeFormat(known, { year: "numeric", month: "long", ...utc });
  const weekdays = {
    long: new Intl.DateTimeFormat(known, { weekday: "long", ...utc }),
    short: new Intl.DateTimeFormat(known, { weekday: "short", ...utc }),
  };
  const times = new Intl.DateTimeFormat(known, { timeStyle: "short", ...utc });
  const percents = new Intl.NumberFormat(known, { style: "percent", maximumFractionDigits: 0 });
  const countries = new Intl.DisplayNames(known, { type: "region" });
  const plural = new Intl.PluralRules(known);
  const numbers = [0, 1, 2].map(
    (digits) => new Intl.NumberFormat(known, { minimumFractionDigits: digits, maximumFractionDigits: digits }),
  );
  const number = (value: number, digits = 0) => numbers[digits]?.format(value) ?? String(value);
  return {
    tag,
    words,
    number,
    percent: (share) => percents.format(share),
    date: (day) => dates.format(new Date(`${day}T00:00:00Z`)),
    shortDate: (day) => shortDates.format(new Date(`${day}T00:00:00Z`)),
    month: (month) => months.format(new Date(`${month}-01T00:00:00Z`)),
    weekday: (index, width = "long") => weekdays[width].format(new Date(Date.UTC(2024, 0, 1 + index))), // 1 January 2024 was a Monday
    time: (time) => times.format(new Date(`2024-01-01T${time === "24:00" ? "00:00" : time}:00Z`)),
    country: (code) => (/^[A-Z]{2}$/.test(code) ? (countries.of(code) ?? code) : code),
    counted: ({ one, other }, count, values = {}) =>
      fill(plural.select(count) === "one" ? one : other, { count: number(count), ...values }),
  };
}

function isKnown(tag: string): boolean {
  try {
    return Intl.DateTimeFormat.supportedLocalesOf(tag).length > 0;
  } catch {
    return false; // RangeError: the tag is malformed
  }
}
