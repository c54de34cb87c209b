/** What the values of each column are like: the evidence by which columns are chosen for fields. */
import { MAX_DATE_CHARACTERS, readDate } from "../../review/free-form-date.ts";
import { isHidingWord, isNotToBeShown, isStateValue, marksIn } from "../../review/publication-state.ts";
import { hostOf, knownSite } from "../../review/review-source.ts";
import { readStars } from "../../review/star-rating.ts";
import { vagueDateFault } from "../../review/vague-date.ts";
import { holdsMarks, spellingOf } from "../column-names.ts";
import { isEmpty, type RecordList } from "./record-list.ts";

/** Counts over the values of one column. All but `filled`, `isConstant`, `notes` and `marks` are of its first ones alone. */
export interface ColumnProfile {
  readonly filled: number;
  /** Whether every record has the same value, of two records at least. */
  readonly isConstant: boolean;
  readonly sampled: number;
  /** How many values are whole stars, numbers, days or times, ages or months, addresses, states, or several words. */
  readonly stars: number;
  readonly numbers: number;
  readonly dates: number;
  readonly vague: number;
  /** Whether its first values are all of one day or those beside it: when the export was made, perhaps. */
  readonly isOneDay: boolean;
  readonly links: number;
  readonly states: number;
  readonly words: number;
  /** How many name a site with customers' reviews, or link to one. */
  readonly sites: number;
  readonly siteLinks: number;
  /** How many of all values are notes that a review is not for the public, or, in a column of marks, hold one that says so. */
  readonly notes: number;
  readonly marks: number;
  /** How many are lists or objects, or JSON in a cell. */
  readonly lists: number;
  /** The first distinct values, for messages. */
  readonly examples: ReadonlySet<string>;
}

export type Profiles = ReadonlyMap<string, ColumnProfile>;

const MAX_SAMPLED = 200;
const EXPORT_MS = 2 * 86_400_000;
const MAX_EXAMPLES = 50;

/**
 * Looks at every record once. `onRecord` is called for each, for what else needs all of them. `fields`: those that a field
 * of a review may be read from, which are long, and are not searched for notes.
 */
export async function profileColumns(
  list: RecordList,
  { names, fields }: { readonly names: readonly string[]; readonly fields: ReadonlySet<string> },
  onRecord: (value: (name: string) => unknown, at: string) => void,
): Promise<{ readonly profiles: Profiles; readonly count: number }> {
  const columns = names.map((name) => ({
    name,
    first: undefined as unknown,
    isOfMarks: holdsMarks(spellingOf(name)),
    isOfNotes: !fields.has(name),
    profile: emptyProfile(),
  }));
  let count = 0;
  for await (const page of list.pages()) {
    for (const record of page) {
      if (!("cells" in record)) continue;
      count += 1;
      for (const column of columns) {
        const value = record.value(column.name);
        if (isEmpty(value)) continue;
        column.first ??= value;
        lookAt(value, column, value === column.first);
      }
      onRecord(record.value, record.at);
    }
  }
  const profiles = columns.map(({ name, profile }) => {
    return [name, { ...profile, isConstant: profile.isConstant && count > 1 && profile.filled === count }] as const;
  });
  return { profiles: new Map(profiles), count };
}

function emptyProfile() {
  const counts = {
    filled: 0,
    sampled: 0,
    stars: 0,
    numbers: 0,
    dates: 0,
    vague: 0,
    links: 0,
    states: 0,
    words: 0,
    sites: 0,
    siteLinks: 0,
    lists: 0,
    notes: 0,
    marks: 0,
  };
  return { ...counts, isConstant: true, isOneDay: true, firstDay: "", examples: new Set<string>() };
}

interface Looked {
  readonly profile: ReturnType<typeof emptyProfile>;
  readonly isOfMarks: boolean;
  readonly isOfNotes: boolean;
}

function lookAt(value: unknown, { profile, isOfMarks, isOfNotes }: Looked, isFirst: boolean): void {
  profile.filled += 1;
  if (!isFirst) profile.isConstant = false;
  if (profile.examples.size < MAX_EXAMPLES) profile.examples.add(String(value).trim().slice(0, 60));
  if (isOfNotes && isNotToBeShown(value)) profile.notes += 1;
  if (isOfMarks && marksIn(value).some(isHidingWord)) profile.marks += 1;
  if (profile.sampled === MAX_SAMPLED) return;
  profile.sampled += 1;
  const text = typeof value === "string" ? value.trim() : "";
  if (typeof value === "object" || /^(?:\{"|\[[{"]).*[}\]]$/s.test(text)) profile.lists += 1;
  if ("value" in readStars(value)) profile.stars += 1;
  if (typeof value === "number" || /^-?\d+(?:[.,]\d+)?%?$/.test(text)) profile.numbers += 1;
  const day = dayIn(value);
  if (day !== undefined) {
    profile.dates += 1;
    profile.firstDay ||= day;
    if (Math.abs(Date.parse(day) - Date.parse(profile.firstDay)) > EXPORT_MS) profile.isOneDay = false;
  } else if (text !== "" && vagueDateFault(text) !== undefined) profile.vague += 1;
  if (/^(?:https?:)?\/\/\S+$/i.test(text)) profile.links += 1;
  if (isStateValue(value)) profile.states += 1;
  if (/\S\s+\S+\s+\S/.test(text)) profile.words += 1;
  if (text.length < 200 && knownSite(text) !== undefined)
    profile[hostOf(text) === undefined ? "sites" : "siteLinks"] += 1;
}

/** The day that a value is of, in either order of day and month. */
function dayIn(value: unknown): string | undefined {
  if (typeof value === "string" && (value.length > MAX_DATE_CHARACTERS || !/\d/.test(value))) return undefined;
  for (const order of ["dmy", "mdy"] as const) {
    const time = readDate(value, order);
    if ("day" in time) return time.day;
    if ("instant" in time) return time.instant.slice(0, 10);
  }
  return undefined;
}
