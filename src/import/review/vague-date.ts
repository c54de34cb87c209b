/**
 * Recognises what stands in the place of a date and is none: an age ("3 weeks ago", "vor 10 Monaten"), or a month
 * without a day ("Feb 2025", "Januar"). Neither may be turned into a day, because that would be invented.
 */
import { isMonthName } from "./month-names.ts";

const NUMBER = String.raw`(?:\d{1,4}|an?|one|an|few|einem|einer|eine|un|une|una|uno|um|uma|een|en|ett|et|jeden|jednu|один|одну)`;

/** Ages as review sites write them, in the languages of most of their customers. */
const AGES: readonly RegExp[] = [
  /\b(?:ago|yesterday|today|just now|last (?:week|month|year)|in the last|edited)\b/i,
  /^\d{1,4}\s?(?:s|sec|min|m|h|hrs?|d|days?|w|wks?|weeks?|mo|mos|mths?|months?|y|yrs?|years?)$/i,
  new RegExp(
    String.raw`^(?:vor|seit)\s+(?:etwa\s|ca\.?\s|mehr als\s|über\s)?(?:${NUMBER}|einigen|wenigen|zwei|drei)\s+\p{L}+`,
    "iu",
  ),
  new RegExp(String.raw`^il y a\s+(?:environ\s)?(?:${NUMBER}|quelques|deux|trois)\s`, "iu"),
  new RegExp(
    String.raw`^(?:hace|fa|h[áa]|acum)\s+(?:más de\s|cerca de\s|aproximadamente\s)?(?:${NUMBER}|unos|unas|dos|tres|dois|duas)\s`,
    "iu",
  ),
  new RegExp(
    String.raw`^(?:(?:${NUMBER}|\p{L}+)\s+)?\p{L}+\s+(?:atrás|fa|geleden|temu|sedan|siden|sitten|назад|тому|nazad|önce|yang lalu|lalu|trước|ezelőtt|πριν)(?:\s|$)`,
    "iu",
  ),
  new RegExp(
    String.raw`^(?:för|for|před|pred|acum|πριν(?: από)?|преди|пре|prije|prije)\s+(?:${NUMBER}|\p{L}+)(?:\s|$)`,
    "iu",
  ),
  /^(?:egy|w (?:zeszłym|ubiegłym)|förra|sidste|forrige|minulý|minulé|geçen|viime|прошл(?:ый|ая|ой|ом)|на прошлой)\s\p{L}+$/iu,
  /^한\s?(?:시간|주|달|해)\s?전/u,
  /^(?:منذ|قبل|לפני|duela|hai|pirms|prieš|fyrir|lahi)\s/iu,
  /^(?:\d{1,4}|\p{L}+)\s+\p{L}+\s+(?:tagasi|óta|síðan|pada)$/iu,
  /^\d{1,3}\s(?:perce|órája|napja|hete|hónapja|éve)$/iu,
  /^(?:約|约)?\s?\d{1,4}\s?(?:秒|分|分钟|分鐘|時間|小时|小時|日|天|週間|周|週|か月|ヶ月|カ月|ヵ月|个月|個月|年)(?:間)?\s?(?:前|以前)/u,
  /^\d{1,4}\s?(?:초|분|시간|일|주|개월|달|년)\s?전/u,
  /^\d{1,4}\s?[\p{L}\p{M}]+\s?(?:पहले|ที่แล้ว|ก่อน)/u,
  /^[\p{L}\s]{1,20}:\s*(?:vor|il y a|hace)\s/iu,
  /^(?:last|letzten|dernier|el pasado)\s+\p{L}+$/iu,
  /^(?:gestern|heute|vorgestern|hier|aujourd'hui|ayer|hoy|ieri|oggi|gisteren|vandaag|ontem|hoje|wczoraj|dzisiaj|вчера|сегодня|i går|i dag|dün|bugün|昨日|今日|昨天|今天|어제|오늘)$/iu,
  /^(?:letzte|vorige)[nrs]?\s(?:woche|monat|jahr)$|^(?:la semaine|le mois|l'année) derni|^(?:el|la)\s\p{L}+\spasad|^(?:vorige|afgelopen)\s/iu,
];

/** `Bearbeitet vor 3 Monaten` */
const EDITED =
  /^(?:bearbeitet|bewerkt|modifiée?|editad[oa]|modificat[oa]|redigerad|redigeret|edytowano|edytowana|upraveno|düzenlendi)\s+/iu;

const YEAR = String.raw`(?:19|20)\d{2}`;
const MONTHS: readonly RegExp[] = [
  new RegExp(String.raw`^\p{L}[\p{L}\p{M}]{2,14}\.?,?[\s-]+(?:de\s|del\s)?${YEAR}(?:\s*г\.?|\s*r\.?)?$`, "iu"),
  new RegExp(String.raw`^${YEAR}[\s-]+\p{L}[\p{L}\p{M}]{2,14}\.?$`, "iu"),
  new RegExp(`^${YEAR}[-/.](?:0?[1-9]|1[0-2])$`),
  new RegExp(`^(?:0?[1-9]|1[0-2])[-/.]${YEAR}$`),
  new RegExp(String.raw`^(?:${YEAR}\s?[年년]\s?)?(?:0?[1-9]|1[0-2])\s?[月월]$`),
  /^\p{L}{3,9}\.?[\s'’/-]+\d{2}$/iu,
];
/** A quarter, week or season, or a day without its year. */
const PARTS: readonly RegExp[] = [
  new RegExp(`^(?:Q[1-4]|KW ?\\d{1,2}|(?:CW|W|week) ?\\d{1,2})[ /-]+${YEAR}$|^${YEAR}[ /-]+(?:Q[1-4]|W\\d{2})$`, "i"),
  new RegExp(
    String.raw`^(?:early|mid|late|spring|summer|autumn|fall|winter|anfang|mitte|ende|début|fin|inizio|fine)\s[\p{L}\s]{0,20}${YEAR}$`,
    "iu",
  ),
  /^(?:\p{L}{3,10}\.?\s\d{1,2}|\d{1,2}\.?\s\p{L}{3,10}\.?|\d{1,2}[./]\d{1,2}\.?)$/u,
];
const BARE_YEAR = new RegExp(`^${YEAR}$`);

/** Where dates can be had in the place of an age or a month. */
export const WHERE_DATES_ARE =
  "Real dates are in the service's own export: for reviews on Google in Google Takeout (takeout.google.com, Google Business Profile)";

/** Says that a text is an age or a month, and where dates can be had; undefined for anything else. */
export function vagueDateFault(text: string): string | undefined {
  if (text.length > 60) return undefined;
  if (isAge(text)) return "gives an age, not a date";
  if (MONTHS.some((form) => form.test(text)) || isMonthName(text)) return "names a month, not a day";
  if (PARTS.some((form) => form.test(text))) return "names no whole day";
  return BARE_YEAR.test(text) ? "names a year, not a day" : undefined;
}

/** Whether a text says how long ago something was. */
function isAge(text: string): boolean {
  const age = text.replace(EDITED, "");
  return text.length <= 60 && AGES.some((form) => form.test(age));
}
