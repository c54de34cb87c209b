/** Reads opening hours as people write them, to suggest how business.yaml wants them. Nothing is guessed silently. */
import { WEEKDAYS } from "../business.ts";
import { isObject } from "../lib/json-object.ts";

type Weekday = (typeof WEEKDAYS)[number];

const GERMAN = ["montag", "dienstag", "mittwoch", "donnerstag", "freitag", "samstag", "sonntag"] as const;

/** A part of opening hours that is longer is not read. */
const MAX_LENGTH = 200;

/** The days that a text or a list of texts names, such as `Mon - Fri` or `Sat, Sun`; undefined if any part is unclear. */
function weekdaysIn(value: unknown): Weekday[] | undefined {
  const parts = (Array.isArray(value) ? value : [value]).flatMap((part: unknown) =>
    String(part).split(/[,;&+]|\bund\b|\band\b/i),
  );
  const days: Weekday[] = [];
  for (const part of parts.map((text) => text.trim()).filter((text) => text !== "")) {
    const found = daysOfPart(part);
    if (found === undefined) return undefined;
    days.push(...found.filter((day) => !days.includes(day)));
  }
  return days.length === 0 ? undefined : days;
}

function daysOfPart(part: string): readonly Weekday[] | undefined {
  if (part.length > MAX_LENGTH) return undefined;
  if (/^(daily|every ?day|all days|täglich)$/i.test(part)) return WEEKDAYS;
  if (/^(weekdays|werktags|working days)$/i.test(part)) return WEEKDAYS.slice(0, 5);
  if (/^(weekends?|wochenende)$/i.test(part)) return WEEKDAYS.slice(5);
  const [first, last, ...rest] = part
    .split(/\s*(?:-|–|—|\bto\b|\bthrough\b|\bthru\b|\buntil\b|\bbis\b)\s*/i)
    .map(dayOf);
  if (first === undefined || rest.length > 0) return undefined;
  if (!/-|–|—|\b(to|through|thru|until|bis)\b/i.test(part)) return [WEEKDAYS[first] as Weekday];
  if (last === undefined) return undefined;
  const count = ((last - first + 7) % 7) + 1;
  return Array.from({ length: count }, (_, step) => WEEKDAYS[(first + step) % 7] as Weekday);
}

/** The index of the day in WEEKDAYS that a word names, in full or abbreviated. */
function dayOf(word: string): number | undefined {
  const plain = word.toLowerCase().replace(/\.$/, "");
  if (!/^[a-z]{2,}$/.test(plain)) return undefined;
  const index = WEEKDAYS.findIndex((day, at) =>
    [day.toLowerCase(), `${day.toLowerCase()}s`, GERMAN[at]].some((name) => name?.startsWith(plain)),
  );
  return index === -1 ? undefined : index;
}

/** A time of day as `08:00`, read from `8:00`, `8am`, `5.30 pm`, `8 Uhr` or 8; undefined if it is none. */
function timeOfDay(value: unknown): string | undefined {
  if (/^\s*(?:noon|midday|mittag)\s*$/i.test(String(value).slice(0, MAX_LENGTH))) return "12:00";
  const match = /^(\d{1,2})(?:[:.h](\d{2}))?\s*(?:uhr|h|o'clock)?\s*(?:([ap])\.?\s*m\.?)?$/i.exec(
    String(value).trim().slice(0, MAX_LENGTH),
  );
  const [, hourText = "", minuteText = "00", half = ""] = match ?? [];
  const hour = Number(hourText);
  if (match === null || Number(minuteText) > 59 || hour > (half === "" ? 24 : 12)) return undefined;
  const counted = half === "" ? hour : (hour % 12) + (half.toLowerCase() === "p" ? 12 : 0);
  if (counted === 24 && minuteText !== "00") return undefined;
  return `${String(counted).padStart(2, "0")}:${minuteText}`;
}

/** A fault in opening hours: the path to the part at fault, and what to write there. */
export interface HoursAdvice {
  readonly at: readonly (string | number)[];
  readonly rule: string;
}

/**
 * What to write for the part of `opening_hours` at the path, if it is clear what is meant; undefined otherwise.
 * `written`: the text of the value in the file.
 */
export function hoursAdvice(
  hours: unknown,
  path: readonly (string | number)[],
  written: string | undefined,
): HoursAdvice | undefined {
  if (!Array.isArray(hours)) {
    const isEntry = isObject(hours) && "days" in hours;
    if (isEntry) return { at: path.slice(0, 1), rule: "must be a list: put a hyphen and a space before days" };
    const entries = entriesIn(hours);
    return entries && { at: path.slice(0, 1), rule: `must be a list: write ${listed(entries)}` };
  }
  const entry: unknown = hours[Number(path[1])];
  const entries = isObject(entry) && "days" in entry ? undefined : entriesIn(entry);
  if (entries !== undefined)
    return { at: path.slice(0, 2), rule: `must be written with its parts: write ${listed(entries)}` };
  const member = path[2];
  if (!isObject(entry) || (member !== "days" && member !== "opens" && member !== "closes")) return undefined;
  return memberAdvice(member, entry[member], { at: path.slice(0, 3), written });
}

function memberAdvice(
  member: "days" | "opens" | "closes",
  value: unknown,
  { at, written }: { readonly at: HoursAdvice["at"]; readonly written: string | undefined },
): HoursAdvice | undefined {
  if (value === undefined || value === null) return undefined;
  if (member === "days") {
    const isText = typeof value === "string";
    const days = weekdaysIn(value) ?? (isText ? WEEKDAYS.slice(0, 2) : undefined);
    if (days === undefined) return undefined;
    const rule = isText ? "must be a list of days" : "must name the days in full";
    return { at, rule: `${rule}: write days: [${days.join(", ")}]` };
  }
  if (/^(closed|geschlossen|-)$/i.test(String(value).trim()))
    return { at, rule: "must be a time of day. Leave the day out: days without an entry are closed" };
  const time = timeOfDay(written ?? value) ?? timeOfDay(value);
  return time === undefined ? undefined : { at, rule: `must be ${TIME_RULE}: write ${member}: "${time}"` };
}

/** How times are written, for messages. */
export const TIME_RULE = "a time of day with two digits each, in quotation marks";

/** The entries that a line such as `Mo-Fr 8-12, 13-17`, or days with their times, stand for. */
function entriesIn(value: unknown): string[] | undefined {
  if (typeof value === "string") return entriesOfLine(value);
  if (!isObject(value)) return undefined;
  const lines = Object.entries(value).map(([days, times]) => entriesOfLine(`${days} ${String(times)}`));
  return lines.length > 0 && lines.every((line) => line !== undefined) ? lines.flat() : undefined;
}

function entriesOfLine(line: string): string[] | undefined {
  if (line.length > MAX_LENGTH) return undefined;
  const [, dayText = "", timeText = ""] = /^(\D*[^\d\s:,])[\s:,]*(\d.*)$/.exec(line.trim()) ?? [];
  const days = weekdaysIn(dayText);
  const spans = timeText.split(/\s*(?:,|;|\bund\b|\band\b|&|\+)\s*/i).map(spanIn);
  if (days === undefined || spans.some((span) => span === undefined)) return undefined;
  return spans.map((span) => `{ days: [${days.join(", ")}], ${span} }`);
}

/** `opens: "08:00", closes: "17:00"` from what `readSpan` reads. */
function spanIn(text: string): string | undefined {
  const span = readSpan(text);
  return span && `opens: "${span.opens}", closes: "${span.closes}"`;
}

/** 08:00 and 17:00 from `8-17`, `8:00 - 17:00 Uhr` or `8-5`, where 5 is in the afternoon. */
export function readSpan(text: string): { readonly opens: string; readonly closes: string } | undefined {
  if (text.length > MAX_LENGTH) return undefined;
  const [first = "", last = "", ...rest] = text.trim().split(/\s*(?:-|–|—|\bto\b|\bbis\b)\s*/i);
  const [opens, closes] = [timeOfDay(first), timeOfDay(last)];
  if (opens === undefined || closes === undefined || rest.length > 0) return undefined;
  const end = closes <= opens && /^\d{1,2}$/.test(last) ? timeOfDay(`${last} pm`) : closes;
  return end === undefined ? undefined : { opens, closes: end };
}

function listed(entries: readonly string[]): string {
  return entries.length === 1
    ? `- ${entries[0]}`
    : `each of these on a line of its own: ${entries.map((entry) => `- ${entry}`).join(" ")}`;
}
