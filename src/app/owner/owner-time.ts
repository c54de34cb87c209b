/** Days and times for the owner, in commands and on the desk. */
import { localeOf } from "../../page/text/locale.ts";
import { pageLanguageOf } from "../../page-languages.ts";
import { localTime } from "../terminal/terminal-text.ts";

/** An ISO instant in local time: `2026-11-21 22:55` in English, and as the language writes it in others: `21.11.2026, 22:55`. */
export function ownerTime(instant: string, language: string): string {
  if (pageLanguageOf(language) === "en") return localTime(instant);
  const [day = "", time = ""] = localTime(instant).split(" ");
  const locale = localeOf(language);
  return `${locale.shortDate(day)}, ${locale.time(time)}`;
}
