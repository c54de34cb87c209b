/** Reads opening hours as people write them, to suggest how business.yaml wants them. Nothing is guessed silently. */
import { WEEKDAYS } from "../business.ts";

type Weekday = (typeof WEEKDAYS)[number];

const GERMAN = ["montag", "dienstag", "mittwoch", "donnerstag", "freitag", "samstag", "sonntag"] as const;

/** The days that a text or a list of texts names, such as `Mon - Fri` or `Sat, Sun`; undefined if any part is unclear. */
export function weekdaysIn(value: unknown): Weekday[] | undefined {
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
export function timeOfDay(value: unknown): string | undefined {
  const match = /^(\d{1,2})(?:[:.h](\d{2}))?\s*(?:uhr|h|o'clock)?\s*(?:([ap])\.?\s*m\.?)?$/i.exec(String(value).trim());
  const [, hourText = "", minuteText = "00", half = ""] = match ?? [];
  const hour = Number(hourText);
  if (match === null || Number(minuteText) > 59 || hour > (half === "" ? 24 : 12)) return undefined;
  const counted = half === "" ? hour : (hour % 12) + (half.toLowerCase() === "p" ? 12 : 0);
  if (counted === 24 && minuteText !== "00") return undefined;
  return `${String(counted).padStart(2, "0")}:${minuteText}`;
}

/** An entry of `opening_hours` from a line such as `Mo-Fr 8-17`; undefined if any part is unclear. */
export function openingHoursIn(line: string): string | undefined {
  const match = /^(.*?[A-Za-zä.])[\s:,]*(\d[^-–—]*?)\s*(?:-|–|—|to|bis)\s*(\d.*)$/i.exec(line.trim());
  const [days, opens, closes] = [weekdaysIn(match?.[1]), timeOfDay(match?.[2]), timeOfDay(match?.[3])];
  if (match === null || days === undefined || opens === undefined || closes === undefined) return undefined;
  // "8-5" without a half of the day means the afternoon.
  const isNext = closes <= opens && /^\d{1,2}$/.test(match[3] ?? "");
  const end = isNext ? timeOfDay(`${match[3]} pm`) : closes;
  return end === undefined ? undefined : `{ days: [${days.join(", ")}], opens: "${opens}", closes: "${end}" }`;
}
