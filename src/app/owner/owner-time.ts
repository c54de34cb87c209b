/** Days and times for the owner, in commands and on the desk. */
import { wallClock } from "../../calendar-date.ts";
import { localeOf } from "../../page/text/locale.ts";
import { pageLanguageOf } from "../../page-languages.ts";
import { localTime } from "../terminal/terminal-text.ts";

/**
 * An ISO instant as a clock in the time zone shows it, or one on this machine without a zone: `2026-11-21 22:55` in English,
 * and as the language writes it in others: `21.11.2026, 22:55`. UTC is named: no clock of the owner's shows it.
 */
export function ownerTime(instant: string, language: string, timeZone?: string): string {
  const shown = timeZone === undefined ? localTime(instant) : zonedTime(instant, timeZone);
  const mark = timeZone === "UTC" ? " UTC" : "";
  if (pageLanguageOf(language) === "en") return `${shown}${mark}`;
  const [day = "", time = ""] = shown.split(" ");
  const locale = localeOf(language);
  return `${locale.shortDate(day)}, ${locale.time(time)}${mark}`;
}

function zonedTime(instant: string, timeZone: string): string {
  const { year, month, day, hour, minute } = wallClock(new Date(instant), timeZone);
  const [months, days, hours, minutes] = [month, day, hour, minute].map((each) => String(each).padStart(2, "0"));
  return `${year}-${months}-${days} ${hours}:${minutes}`;
}
