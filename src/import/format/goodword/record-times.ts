/** A record's days and times: which of several columns dates a review, and how each is read. */
import { quote, quoteName } from "../../../issue.ts";
import { type DateOrder, readDate } from "../../review/free-form-date.ts";
import { dayOfInstant, isEpochTime, type ReviewTime } from "../../review/iso-time.ts";
import type { Picks } from "../../review/read-from.ts";
import { vagueDateFault } from "../../review/vague-date.ts";
import { offsetOf, writtenOffset } from "../../review/zone-abbreviation.ts";
import type { OwnField } from "../../words/column-words.ts";
import { spellingOf } from "../column-names.ts";
import type { ColumnChoice } from "./column-choice.ts";
import type { Profiles } from "./column-profile.ts";
import { namesOfColumns, type ReadingNotes } from "./reading-notes.ts";
import { isEmpty, type RecordValues } from "./record-list.ts";

/** A day, and the column that it is from. */
interface FoundTime {
  readonly time: ReviewTime;
  readonly name: string | undefined;
}

export interface TimeReader {
  /** When the review was written. */
  written(value: RecordValues): FoundTime;
  /** The first time in the columns of a field. */
  first(field: "replied" | "updated", value: RecordValues): ReviewTime | undefined;
}

export function makeTimeReader(
  { columns, unknown }: ColumnChoice,
  {
    profiles,
    order,
    orders,
    swapped,
    notes,
    picks,
  }: {
    profiles: Profiles;
    order: DateOrder | undefined;
    orders: ReadonlyMap<string, DateOrder>;
    swapped: ReadonlySet<string>;
    notes: ReadingNotes;
    picks: Picks;
  },
): TimeReader {
  const of = (field: OwnField) => columns.get(field) ?? [];
  // One day for many reviews is that of the list, where other columns have different ones.
  const isOfList = (name: string) =>
    profiles.get(name)?.isConstant === true && (profiles.get(name)?.filled ?? 0) >= MIN_SAME;
  const dayNames = [...of("date"), ...of("instant")].toSorted((a, b) => Number(isOfList(a)) - Number(isOfList(b)));
  const publicationNames = dayNames.filter((name) => OF_PUBLICATION.test(spellingOf(name)));
  const timeNames = [...dayNames, ...of("replied"), ...of("updated")];
  const monthFirst = new Set(timeNames.filter(isMonthFirst));
  const zones = new Map(timeNames.map((name) => [name, monthFirst.has(name) ? "UTC" : zoneInName(name)]));
  const recordNames = new Set(of("instant").filter((name) => OF_RECORD.test(spellingOf(name))));
  const exactAdvice = adviceOfDays(unknown, profiles);

  function timeAt(name: string, value: RecordValues): ReviewTime | undefined {
    const found = value(name);
    if (isEmpty(found)) return undefined;
    if (swapped.has(name) && /^\s*\d{1,2}\./.test(String(found))) return { fault: swappedFault(found) };
    const zone = zones.get(name);
    return readDate(
      zone === undefined ? found : inZone(found, zone),
      monthFirst.has(name) ? orderOf(found) : (orders.get(name) ?? order),
    );
  }

  /** Whether a column has one day for all records, and is none of this one, whose own day is missing in another column. */
  function isOfAll(name: string, value: RecordValues): boolean {
    const isMissing = (each: string) => isEmpty(value(each)) && profiles.get(each)?.isOneDay === false;
    const { isConstant = false, isOneDay = false } = profiles.get(name) ?? {};
    return isConstant && isOneDay && dayNames.some((each) => each !== name && isMissing(each));
  }

  function written(value: RecordValues): FoundTime {
    let fault: FoundTime | undefined;
    for (const name of dayNames) {
      const time = timeAt(name, value);
      if (time === undefined || (fault?.name !== undefined && isOfExport(name, fault.name))) continue;
      if (isOfAll(name, value)) continue;
      if ("fault" in time) {
        fault ??= { time, name };
        if (!isVague(value(name))) return fault;
        continue;
      }
      if (fault?.name !== undefined) notes.countPair("dayOfOther", fault.name, name);
      const found = "instant" in time ? { time, name } : (instantOn(time.day, value) ?? { time, name });
      const chosen = notLater(inSeconds(found, value), value);
      picks.note("date", String(chosen.name));
      noteOtherDays(chosen, value);
      return chosen;
    }
    if (fault !== undefined && "fault" in fault.time)
      return { ...fault, time: { fault: `${fault.time.fault}${exactAdvice}` } };
    return fault ?? { time: { fault: NO_DAY }, name: undefined };
  }

  /** Of two columns of days or times that differ, the report names the one that is not read. */
  function noteOtherDays(chosen: FoundTime, value: RecordValues): void {
    const day = dayOf(chosen.time);
    for (const name of dayNames) {
      if (name === chosen.name || chosen.name === undefined || day === undefined) continue;
      const other = dayOf(timeAt(name, value) ?? { fault: "" });
      if (other !== undefined && Math.abs(Date.parse(other) - Date.parse(day)) > DAY_MS)
        notes.countPair("otherDay", chosen.name, name);
    }
  }

  /** A review was not written after its publication: a later day is that on which a system got its record. */
  function notLater(found: FoundTime, value: RecordValues): FoundTime {
    const day = dayOf(found.time);
    for (const name of publicationNames) {
      if (name === found.name) continue;
      const time = timeAt(name, value);
      const other = time && dayOf(time);
      if (time === undefined || other === undefined || day === undefined || other >= day) continue;
      notes.countPair("earlierDay", String(found.name), name);
      return { time, name };
    }
    return found;
  }

  /** Whether a column has one day for reviews of several ages: the day on which they were exported. */
  function isOfExport(name: string, age: string): boolean {
    const profile = profiles.get(name);
    return profile?.isOneDay === true && profile.filled > 1 && profiles.get(age)?.isConstant === false;
  }

  /** A spreadsheet changes times, but not numbers of seconds: of two times of the review on other days, the number is read. */
  function inSeconds(found: FoundTime, value: RecordValues): FoundTime {
    if (found.name === undefined || !OWN_TIME.test(spellingOf(found.name)) || isEpochTime(value(found.name)))
      return found;
    for (const name of of("instant")) {
      if (!OWN_TIME.test(spellingOf(name)) || !isEpochTime(value(name))) continue;
      const time = timeAt(name, value) ?? { fault: "" };
      const [day, other] = [dayOf(time), dayOf(found.time)];
      if (day === undefined || other === undefined || Math.abs(Date.parse(day) - Date.parse(other)) <= DAY_MS) continue;
      return { time, name };
    }
    return found;
  }

  /** The instant on a day that another column gives: as a whole time, or as the time of day in a zone that its name says. */
  function instantOn(day: string, value: RecordValues): FoundTime | undefined {
    for (const name of of("instant")) {
      const [zone, found] = [zones.get(name), value(name)];
      if (typeof found !== "string" || !(zone === undefined ? ZONED_TIME : TIME_OF_DAY).test(found)) continue;
      const time = readDate(`${day} ${found.trim()} ${zone ?? ""}`.trim(), order);
      if ("instant" in time) return { time, name };
    }
    return instantNear(day, value);
  }

  /** The instant of the same review that an exact column gives, if it is on that day or beside it. */
  function instantNear(day: string, value: RecordValues): FoundTime | undefined {
    for (const name of of("instant")) {
      if (recordNames.has(name) && !String(value(name)).startsWith(day)) continue;
      const time = timeAt(name, value);
      if (time === undefined || !("instant" in time)) continue;
      const distance = Date.parse(`${dayOfInstant(time.instant, "UTC")}T00:00:00Z`) - Date.parse(`${day}T00:00:00Z`);
      if (Math.abs(distance) <= DAY_MS) return { time, name };
    }
    return undefined;
  }

  return {
    written,
    first: (field, value) =>
      of(field)
        .map((name) => {
          const time = timeAt(name, value);
          if (time !== undefined) picks.note(field === "replied" ? "owner_reply_date" : field, name);
          return time;
        })
        .find((time) => time !== undefined),
  };
}

/** Where no column dates the reviews: the columns that no field has and that hold days. */
function adviceOfDays(unknown: readonly string[], profiles: Profiles): string {
  const days = unknown.filter((name) => {
    const profile = profiles.get(name);
    return (
      profile !== undefined &&
      profile.dates > 0 &&
      profile.dates === profile.sampled &&
      !(profile.isOneDay && profile.filled > 1)
    );
  });
  if (days.length === 0) return "";
  return `. ${namesOfColumns(days)} ${days.length === 1 ? "holds" : "hold"} days: if those are the reviews', --columns date=${quoteName(days[0])}`;
}

/** Times at which a system got its record of a review, perhaps on another day than the review's. */
const OF_RECORD = /^(?:creat|publish|submit|post|add|date_(?:creat|add)|time_creat)/;
/** The writing or publication of a review, or its first record: it was written by then. */
const OF_PUBLICATION =
  /^(?:review_)?(?:date_)?(?:publish|posted|submitted|written|reviewed)|^(?:review_)?(?:creat(?:e|ed|ion)_(?:time|date)|date_(?:created|add)|(?:date_?)?time(?:_created)?|timestamp)$/;
/** Times that a name says are the review's own: `review_timestamp`. */
const OWN_TIME = /^review_/;
/** A time of day with its zone: `8:30 PM UTC`, `20:30Z`, `23:30 -08:00` */
const ZONED_TIME = /^\s*\d{1,2}:\d{2}(?::\d{2})?(?:\s?[ap]m)?\s*(?:z|[a-z]{3,5}|[+-]\d{2}:?\d{2})\s*$/i;
const TIME_OF_DAY = /^\s*\d{1,2}:\d{2}(?::\d{2})?(?:\s?[ap]m)?\s*$/i;
const DAY_MS = 86_400_000;
/** From how many reviews on it is no chance that all are of one day. */
const MIN_SAME = 3;

function isVague(value: unknown): boolean {
  return typeof value === "string" && vagueDateFault(value.trim()) !== undefined;
}

/** The zone that a column's name says its times are in: `created_at_utc`, `Date (PST)`. */
function zoneInName(name: string): string | undefined {
  const [, inBrackets = ""] = /\(([^()]{2,12})\)\s*$/.exec(name) ?? [];
  const offset = writtenOffset(inBrackets);
  if (offset !== undefined) return offset;
  if (/(?:^|[^a-z])(?:utc|gmt)(?:[^a-z]|$)/i.test(name) || /[a-z](?:Utc|UTC|Gmt|GMT)$/.test(name)) return "UTC";
  const [, zone = ""] = /\(([A-Z]{2,5})\)\s*$/.exec(name) ?? [];
  return offsetOf(zone) === undefined ? undefined : zone;
}

/** A time without a zone, as one in that of its column. */
function inZone(value: unknown, zone: string): unknown {
  return typeof value === "string" && /\d:\d{2}(?:\.\d+)?(?:\s*[ap]m)?$/i.test(value.trim())
    ? `${value.trim()} ${zone}`
    : value;
}

const NO_DAY =
  "is missing, but must be a day, such as 2024-04-03, 3.4.2024 or April 3, 2024, or a time such as 2025-08-06T04:57:47Z. A row that is no review, such as a total, is left out with --skip-invalid";

/** The day of a time in UTC; undefined for what is no time. */
export function dayOf(time: ReviewTime): string | undefined {
  if ("fault" in time) return undefined;
  return "day" in time ? time.day : dayOfInstant(time.instant, "UTC");
}

function swappedFault(found: unknown): string {
  return `is ${quote(found)}, but the system that calls a column so writes times as 01/30/2026 10:11:12: a spreadsheet for another country has changed them, and may have taken days for months. Import the file as that system made it; if the days are right, say so with --dates dmy`;
}

/** Outscraper writes slashes; a spreadsheet that made dates of its times, those of its country. */
function orderOf(found: unknown): DateOrder {
  return /^\s*\d{1,2}\./.test(String(found)) ? "dmy" : "mdy";
}

/** Outscraper's times in UTC: `01/30/2026 10:11:12`. */
export function isMonthFirst(name: string): boolean {
  return /_datetime_utc$/.test(spellingOf(name));
}
