/** Formats numbers, dates and sentences in the business's language. */
import { pageLanguageOf, type Translations } from "../../page-languages.ts";
import { fill, wordsFor } from "./words.ts";
import type { Counted, Words } from "./words-en.ts";

/** How numbers, dates, times, lists and plurals are written in a language. */
interface Formats {
  /** A number with grouped thousands and `digits` decimals, two at most. */
  number(value: number, digits?: number): string;
  /** A fraction of 1 as a percentage with `digits` decimals, one at most. */
  percent(share: number, digits?: number): string;
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
  /** A sentence in the plural form for `count`. */
  counted(sentence: Counted, count: number, values?: Readonly<Record<string, string>>): string;
  /** “A, B and C” in parts: an element for each name, literals between them. */
  listed(names: readonly string[]): ReturnType<Intl.ListFormat["formatToParts"]>;
  /** A text in quotation marks. */
  quoted(text: string): string;
  /** The colon and the semicolon behind a word, with the space before them where the language has one. */
  readonly colon: string;
  readonly semicolon: string;
  /** The name of a topic within a sentence: “Lo más elogiado: puntualidad”. */
  inSentence(name: string): string;
  /** A word at the start of a sentence: “Chambre : qu’en disent les clients ?” */
  atStart(word: string): string;
}

/** What Intl does not know of how a language is written. */
interface Typography {
  readonly quotes: readonly [string, string];
  readonly colon: string;
  readonly semicolon?: string;
  /** The first day of a month, where it is not written as 1. */
  readonly firstDay?: string;
  /** Whether nouns have a capital letter. */
  readonly hasCapitalNouns?: boolean;
}

const TYPOGRAPHY: Translations<Typography> = {
  en: { quotes: ["“", "”"], colon: ":" },
  de: { quotes: ["„", "“"], colon: ":", hasCapitalNouns: true },
  es: { quotes: ["“", "”"], colon: ":" },
  fr: { quotes: ["«\u202f", "\u202f»"], colon: "\u00a0:", semicolon: "\u202f;", firstDay: "1er" },
  nl: { quotes: ["‘", "’"], colon: ":" },
};

/** A page's translated strings, and its formats for numbers and dates. */
export interface Locale extends Formats {
  /** BCP 47 tag of the language of `words`. */
  readonly tag: string;
  readonly words: Words;
  /** A country's name by its two-letter code; any other value is returned unchanged. */
  country(code: string): string;
  /** A language's name by its BCP 47 tag. */
  languageName(tag: string): string;
}

/** Memo of the newest locales by tag: making one takes a millisecond, and a page asks for several. */
const locales = new Map<string, Locale>();
const MAX_LOCALES = 8;

/** The locale for a BCP 47 tag. A tag that Intl does not support is formatted as English. */
export function localeOf(language: string): Locale {
  const made = locales.get(language);
  if (made !== undefined) return made;
  const [oldest] = locales.keys();
  if (locales.size >= MAX_LOCALES && oldest !== undefined) locales.delete(oldest);
  const locale = makeLocale(language);
  locales.set(language, locale);
  return locale;
}

function makeLocale(language: string): Locale {
  const { words, tag } = wordsFor(language);
  const supported = isSupported(tag) ? tag : "en";
  let countries: Intl.DisplayNames | undefined;
  let languages: Intl.DisplayNames | undefined;
  const languageName = (language: string) => {
    if (language === "und") return words.unknownLanguage; // Intl calls it the root
    languages ??= new Intl.DisplayNames(supported, { type: "language" });
    return languages.of(language) ?? language;
  };
  const country = (code: string) => {
    if (!/^[A-Z]{2}$/.test(code)) return code;
    countries ??= new Intl.DisplayNames(supported, { type: "region" });
    return countries.of(code) ?? code;
  };
  return {
    tag,
    words,
    ...formatsOf(supported),
    country,
    languageName,
  };
}

/** The formats of a supported tag. */
export function formatsOf(tag: string): Formats {
  const utc = { timeZone: "UTC" } as const;
  const dates = new Intl.DateTimeFormat(tag, { dateStyle: "long", ...utc });
  const shortDates = new Intl.DateTimeFormat(tag, { dateStyle: "medium", ...utc });
  const months = new Intl.DateTimeFormat(tag, { year: "numeric", month: "long", ...utc });
  const weekdays = {
    long: new Intl.DateTimeFormat(tag, { weekday: "long", ...utc }),
    short: new Intl.DateTimeFormat(tag, { weekday: "short", ...utc }),
  };
  const times = new Intl.DateTimeFormat(tag, { timeStyle: "short", ...utc });
  const percents = [0, 1].map(
    (digits) =>
      new Intl.NumberFormat(tag, { style: "percent", minimumFractionDigits: digits, maximumFractionDigits: digits }),
  );
  const numbers = [0, 1, 2].map(
    (digits) => new Intl.NumberFormat(tag, { minimumFractionDigits: digits, maximumFractionDigits: digits }),
  );
  const number: Formats["number"] = (value, digits = 0) => numbers[digits]?.format(value) ?? String(value);
  const plurals = new Intl.PluralRules(tag);
  const lists = new Intl.ListFormat(tag);
  const {
    quotes,
    colon,
    semicolon = ";",
    firstDay = "1",
    hasCapitalNouns = false,
  } = TYPOGRAPHY[pageLanguageOf(tag) ?? "en"];
  const dayIn = (format: Intl.DateTimeFormat, day: string) =>
    format
      .formatToParts(new Date(`${day}T00:00:00Z`))
      .map(({ type, value }) => (type === "day" && value === "1" ? firstDay : value))
      .join("");
  return {
    number,
    percent: (share, digits = 0) => percents[digits]?.format(share) ?? String(share),
    date: (day) => dayIn(dates, day),
    shortDate: (day) => dayIn(shortDates, day),
    month: (month) => months.format(new Date(`${month}-01T00:00:00Z`)),
    weekday: (index, width = "long") => weekdays[width].format(new Date(Date.UTC(2024, 0, 1 + index))), // 1 January 2024 was a Monday
    time: (time) => times.format(new Date(`2024-01-01T${time === "24:00" ? "00:00" : time}:00Z`)),
    counted(sentence, count, values = {}) {
      const form = plurals.select(count);
      const said = form === "one" || form === "many" ? sentence[form] : undefined;
      return fill(said ?? sentence.other, { count: number(count), ...values });
    },
    listed: (names) => lists.formatToParts(names),
    quoted: (text) => quotes.join(text),
    colon,
    semicolon,
    inSentence: (name) => (hasCapitalNouns ? name : name.charAt(0).toLocaleLowerCase(tag) + name.slice(1)),
    atStart: (word) => word.charAt(0).toLocaleUpperCase(tag) + word.slice(1),
  };
}

function isSupported(tag: string): boolean {
  try {
    return Intl.DateTimeFormat.supportedLocalesOf(tag).length > 0;
  } catch {
    return false; // RangeError: the tag is malformed
  }
}
