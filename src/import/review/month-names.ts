/** The names of the months in the languages of most files. */
import { normalForm } from "../../lib/normal-form.ts";

/** In these, a month is read beside its day. */
const READ = ["en-US", "en-GB", "de", "fr", "es", "it", "nl", "pt", "sv", "da", "nb"];
/** In these, a month without a day is known to be one. */
const KNOWN = [...READ, "ca", "cs", "el", "fi", "hu", "id", "pl", "ro", "ru", "tr", "uk"];
const WIDTHS = ["long", "short"] as const;
const MAX_CHARACTERS = 15;

let numbers: ReadonlyMap<string, number> | undefined;
let names: ReadonlySet<string> | undefined;

/**
 * The number of a month by its long or short name, as it stands beside a day. A name that means different months in two
 * languages has none.
 */
export function monthNumber(name: string): number | undefined {
  numbers ??= numbersByName();
  return numbers.get(plain(name));
}

function numbersByName(): ReadonlyMap<string, number> {
  const found = new Map<string, number>();
  const torn = new Set<string>();
  for (const { name, month } of monthsIn(READ, { day: "numeric" })) {
    if (found.has(name) && found.get(name) !== month) torn.add(name);
    found.set(name, month);
  }
  for (const name of torn) found.delete(name);
  return found;
}

/** Whether a text is the name of a month and nothing else: `Januar`, `févr.`. */
export function isMonthName(text: string): boolean {
  if (text.length > MAX_CHARACTERS || !/^\p{L}/u.test(text)) return false;
  names ??= new Set([...monthsIn(KNOWN, {}), ...monthsIn(KNOWN, { day: "numeric" })].map(({ name }) => name));
  return names.has(plain(text));
}

function monthsIn(languages: readonly string[], others: Intl.DateTimeFormatOptions) {
  return languages.flatMap((language) =>
    WIDTHS.flatMap((width) => {
      const format = new Intl.DateTimeFormat(language, { month: width, timeZone: "UTC", ...others });
      return Array.from({ length: 12 }, (_, index) => {
        const parts = format.formatToParts(Date.UTC(2024, index, 1));
        return { name: plain(parts.find(({ type }) => type === "month")?.value ?? ""), month: index + 1 };
      });
    }),
  );
}

/** `Févr.` as `fevr`. */
function plain(name: string): string {
  return normalForm(name, "NFD")
    .replace(/\p{M}|\./gu, "")
    .toLowerCase();
}
