/**
 * From which columns or members of a file the fields of its reviews are read: noted where each of them is picked, so that
 * the report shows what was taken for what.
 */
import { quote } from "../../issue.ts";

/** The fields, in the order in which a report names them; as `--columns` calls those that can be mapped. */
export const READ_FIELDS = [
  "rating",
  "author",
  "date",
  "text",
  "title",
  "owner_reply_text",
  "owner_reply_date",
  "source",
  "source_url",
  "id",
  "author_avatar_url",
  "verified",
  "updated",
  "state",
  "location",
] as const;

export type ReadField = (typeof READ_FIELDS)[number];

/** The columns or members that a field was read from, and what was decided of it. */
interface FieldOrigin {
  readonly from: readonly string[];
  readonly note?: string | undefined;
}

export type ReadFrom = Readonly<Partial<Record<ReadField, FieldOrigin>>>;

export interface Picks {
  /** Notes that a record's field was read from there. */
  note(field: ReadField, name: string): void;
  /** Says what was decided of a field. */
  decide(field: ReadField, note: string | undefined): void;
  /** Notes a value of a column or member by which a review is shown. */
  show(name: string, value: unknown): void;
  has(field: ReadField): boolean;
  told(): ReadFrom;
}

/** More columns or members of one field are not named. */
const MAX_NAMES = 6;
/** More values by which reviews are shown, and more of each, are not named. */
const MAX_SHOWING = 5;
const MAX_CHARACTERS = 30;

export function openPicks(): Picks {
  const found = new Map<ReadField, Set<string>>();
  const decided = new Map<ReadField, string>();
  /** Values by which reviews are shown, by their columns. */
  const showing = new Map<string, Set<string>>();
  /** `shown where it is "Live", "1"`; of several columns, with the names of these. */
  const showingValues = (): string | undefined => {
    const all = [...showing].flatMap(([name, values]) =>
      [...values].map((value) => (showing.size > 1 ? `${name}: ${value}` : value)),
    );
    if (all.length === 0) return undefined;
    const told = all.slice(0, MAX_SHOWING).map((one) => quote(one));
    return `shown where it is ${told.join(", ")}${all.length > MAX_SHOWING ? ", …" : ""}`;
  };
  return {
    note(field, name) {
      const names = found.get(field);
      if (names === undefined) found.set(field, new Set([name]));
      else if (names.size < MAX_NAMES) names.add(name);
    },
    decide: (field, note) => void (note !== undefined && decided.set(field, note)),
    show(name, value) {
      const values = showing.getOrInsertComputed(name, () => new Set());
      if (values.size <= MAX_SHOWING) values.add(String(value ?? "").slice(0, MAX_CHARACTERS));
    },
    has: (field) => found.has(field),
    told() {
      const origin = (field: ReadField): FieldOrigin | undefined => {
        const from = [...(found.get(field) ?? [])];
        const note = decided.get(field) ?? (field === "state" ? showingValues() : undefined);
        return from.length === 0 ? undefined : { from, ...(note !== undefined && { note }) };
      };
      return Object.fromEntries(READ_FIELDS.flatMap((field) => [[field, origin(field)]]).filter(([, one]) => one));
    },
  };
}

/** Several files' readings as one. */
export function joinedReadings(all: readonly ReadFrom[]): ReadFrom {
  const picks = openPicks();
  for (const one of all)
    for (const field of READ_FIELDS) {
      for (const name of one[field]?.from ?? []) picks.note(field, name);
      picks.decide(field, one[field]?.note);
    }
  return picks.told();
}
