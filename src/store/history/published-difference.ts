/** What a change alters of what is published: recorded in the change sequence, and in numbers of reviews. */
import { hash } from "node:crypto";
import { sql } from "kysely";
import { dateOfReviewId, identityPart } from "../../review.ts";
import { openNumbering } from "../change-sequence.ts";
import type { PublishedCounts } from "../published-change-rows.ts";
import { CopyFinder } from "../review-copies.ts";
import { type DayRange, idsOfDays, isVerifiedRow, PUBLISHED_COLUMNS, publishedIds } from "../review-rows.ts";
import { reviewPages, reviewPagesById } from "../review-writes.ts";
import type { Database, ReviewTable } from "../tables.ts";
import { savedRowsOf } from "./saved-rows.ts";

const ROWS_AT_A_TIME = 300;
const DAY_MS = 86_400_000;

/** A fingerprint of each published review, by the part of its id that outlives a change of its day. */
export type PublishedPrints = ReadonlyMap<string, string>;

/** The fingerprints of everything that is published. */
export async function publishedPrints(
  database: Database,
  verifiedSources: readonly string[],
): Promise<PublishedPrints> {
  const prints = new Map<string, string>();
  const copies = new CopyFinder(verifiedSources);
  for await (const page of reviewPages(database, ROWS_AT_A_TIME)) {
    for (const row of page) {
      if (!isVerifiedRow(row, verifiedSources)) continue;
      copies.add(row);
      prints.set(identityPart(row.id), printOf(row));
    }
  }
  for (const { id } of copies.copies()) prints.delete(identityPart(id));
  return prints;
}

function printOf(row: ReviewTable): string {
  return hash("sha256", JSON.stringify(PUBLISHED_COLUMNS.map((name) => row[name])), "base64");
}

/** What differs between two states. `isRemoved` tells a removed review from a withdrawn one. */
export function comparePrints(
  before: PublishedPrints,
  after: PublishedPrints,
  isRemoved: (part: string) => boolean,
): PublishedCounts {
  const gone = [...before.keys()].filter((part) => !after.has(part));
  const removed = gone.filter(isRemoved).length;
  const added = [...after.keys()].filter((part) => !before.has(part)).length;
  const changed = [...after].filter(([part, print]) => before.has(part) && before.get(part) !== print).length;
  return { added, changed, withdrawn: gone.length - removed, removed };
}

/** What a change wrote. */
export interface Written {
  /** The days of all written reviews; undefined if what is published of any day may differ. */
  readonly days: ReadonlySet<string> | undefined;
  /** The ids of reviews that are stored before and after it, in whose published columns they differ. */
  readonly rewritten: ReadonlySet<string>;
}

/** What a change wrote, or an undo of it will write, by its saved rows. */
export async function writtenBy(transaction: Database, change: number): Promise<Written> {
  const rewritten = new Set<string>();
  for await (const page of savedRowsOf(transaction, change, { isFormer: true })) {
    const former = new Map(page.map(({ id, body }) => [id, JSON.parse(body ?? "") as ReviewTable]));
    for await (const rows of reviewPagesById(transaction, [...former.keys()]))
      for (const row of rows)
        if (PUBLISHED_COLUMNS.some((name) => row[name] !== former.get(row.id)?.[name])) rewritten.add(row.id);
  }
  const days = await transaction
    .selectFrom("saved_row")
    .select(dayDigits.as("day"))
    .distinct()
    .where("change", "=", change)
    .execute();
  return { days: new Set(days.map(({ day }) => dateOfReviewId(day))), rewritten };
}

/** The part of an id that tells the day. */
const dayDigits = sql<string>`substr(id, 1, 10)`;

interface Recording {
  readonly verifiedSources: readonly string[];
  readonly at: Date;
  /** The change whose saved rows tell which reviews have another id now. */
  readonly change?: number;
  /** Whether the store is no longer the one that copies followed. */
  readonly isRestart?: boolean;
}

/** What a change altered of what is published. */
export interface PublishedDifference extends PublishedCounts {
  /** The ids of the added reviews. */
  readonly fresh: readonly string[];
}

/** Records in the change sequence what is published otherwise after a change, and returns it. */
export async function recordDifference(
  transaction: Database,
  { days, rewritten }: Written,
  { verifiedSources, at, change, isRestart = false }: Recording,
): Promise<PublishedDifference> {
  const numbering = await openNumbering(transaction, { at, isRestart });
  const fresh: string[] = [];
  let [changed, withdrawn] = [0, 0];
  for (const range of rangesOf(days ?? (await allDays(transaction)))) {
    const former = await publishedBefore(transaction, range);
    const altered: string[] = [];
    for (const id of await publishedIds(transaction, verifiedSources, range)) {
      const isNew = !former.delete(id);
      if (isNew) fresh.push(id);
      else if (rewritten.has(id)) changed++;
      else continue;
      altered.push(id);
    }
    await numbering.number(altered);
    await numbering.number([...former], { isGone: true });
    withdrawn += former.size;
  }
  await numbering.finish();
  const renamed = change === undefined ? new Set() : await renamedBy(transaction, change, numbering.base);
  return {
    added: fresh.length - renamed.size,
    changed: changed + renamed.size,
    withdrawn: withdrawn - renamed.size,
    removed: 0,
    fresh: renamed.size === 0 ? fresh : fresh.filter((id) => !renamed.has(id)),
  };
}

/** Reads few rows that need not be read, and makes few queries. */
const MAX_RANGE_MS = 30 * DAY_MS;

/** Ranges that include the days, newest first. */
function rangesOf(days: ReadonlySet<string>): readonly DayRange[] {
  const ranges: { from: string; to: string }[] = [];
  for (const day of [...days].toSorted().reverse()) {
    const range = ranges.at(-1);
    if (range !== undefined && Date.parse(range.to) - Date.parse(day) <= MAX_RANGE_MS) range.from = day;
    else ranges.push({ from: day, to: day });
  }
  return ranges;
}

/** The days of all stored reviews, and of those that were published. */
async function allDays(transaction: Database): Promise<ReadonlySet<string>> {
  const stored = await transaction.selectFrom("review").select("date").distinct().execute();
  const published = transaction.selectFrom("published_review").select(dayDigits.as("day")).distinct();
  const former = await published.where("is_gone", "=", 0).execute();
  return new Set([...stored.map(({ date }) => date), ...former.map(({ day }) => dateOfReviewId(day))]);
}

/** The ids of the reviews of these days that were published before the change. */
async function publishedBefore(transaction: Database, range: DayRange): Promise<Set<string>> {
  const { after, before } = idsOfDays(range);
  const rows = await transaction
    .selectFrom("published_review")
    .select("id")
    .where("is_gone", "=", 0)
    .where("id", ">", after)
    .where("id", "<", before)
    .execute();
  return new Set(rows.map(({ id }) => id));
}

/** The ids that a change gave to published reviews, or that its undo takes from them: they are neither new nor gone. */
async function renamedBy(transaction: Database, change: number, base: number): Promise<ReadonlySet<string | null>> {
  const query = transaction
    .selectFrom("saved_row")
    .innerJoin("published_review as former", "former.id", "saved_row.id")
    .innerJoin("published_review as present", "present.id", "saved_row.became")
    .select("saved_row.became")
    .distinct()
    .where("saved_row.change", "=", change)
    .where("former.number", ">", base)
    .where("present.number", ">", base)
    .whereRef("former.is_gone", "<>", "present.is_gone");
  return new Set((await query.execute()).map(({ became }) => became));
}
