/** What a change alters of what is published, in numbers of reviews. */
import { hash } from "node:crypto";
import { dateOfReviewId, identityPart } from "../../review.ts";
import type { PublishedCounts } from "../published-change-rows.ts";
import { CopyFinder } from "../review-copies.ts";
import { copyRows, isVerifiedRow, PUBLISHED_COLUMNS, publishedReviews, verifiedCondition } from "../review-rows.ts";
import { reviewPages, reviewPagesById } from "../review-writes.ts";
import type { Database, ReviewTable } from "../tables.ts";
import { savedRowsOf } from "./saved-rows.ts";

const ROWS_AT_A_TIME = 300;

/** A fingerprint of each published review, by the part of its id that outlives a change of its day. */
export type PublishedPrints = ReadonlyMap<string, string>;

/** The fingerprints of what is published; with `days`, only of these days. */
export async function publishedPrints(
  database: Database,
  verifiedSources: readonly string[],
  days?: ReadonlySet<string>,
): Promise<PublishedPrints> {
  if (days !== undefined) {
    const reviews = await publishedReviews(database, verifiedSources, days);
    return new Map(
      reviews.map((review) => [identityPart(review.id), hash("sha256", JSON.stringify(review), "base64")]),
    );
  }
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

/** The verified sources before a change and after it. */
export interface VerifiedSources {
  readonly before: readonly string[];
  readonly after: readonly string[];
}

/**
 * What differs between the reviews as a change's saved rows say they were, and as they are now: by the reviews
 * themselves, also where one got another id. Only what the change wrote is read, and with several sources its days.
 */
export async function publishedDifference(
  transaction: Database,
  change: number,
  verified: VerifiedSources,
): Promise<PublishedCounts> {
  const saved = () => transaction.selectFrom("saved_row").where("change", "=", change);
  const renamed = await saved().select("became").where("became", "is not", null).execute();
  const targets = new Set(renamed.map(({ became }) => became ?? ""));
  const copies = await findCopies(transaction, change, verified);
  const isNew = (id: string) => copies.written.get(id) === null && !targets.has(id);
  let added = await countNew(transaction, change, verified.after);
  added += copies.added - [...copies.after].filter(isNew).length;
  let [changed, withdrawn] = [0, copies.withdrawn];
  const taken = new Set<string>();
  for await (const page of formerRows(transaction, change)) {
    const ids = page.map(({ row, became }) => became ?? row.id);
    const present = await presentRows(transaction, ids);
    for (const { row, became } of page) {
      const id = became ?? row.id;
      const isAnother = taken.has(id) || (became === null && targets.has(id));
      const after = isAnother ? undefined : present.get(id);
      if (became !== null) taken.add(id);
      const was = isVerifiedRow(row, verified.before) && !copies.before.has(row.id);
      const is = after !== undefined && isVerifiedRow(after, verified.after) && !copies.after.has(id);
      if (was && is) changed += printOf(row) === after.print ? 0 : 1;
      else if (was) withdrawn++;
      else if (is) added++;
    }
  }
  return { added, changed, withdrawn, removed: 0 };
}

/** The number of verified rows that a change added, and that are not an earlier row with another id. */
async function countNew(transaction: Database, change: number, verifiedSources: readonly string[]): Promise<number> {
  const targets = transaction
    .selectFrom("saved_row as renamed")
    .select("renamed.became")
    .where("renamed.change", "=", change)
    .where("renamed.became", "is not", null);
  const query = transaction
    .selectFrom("review")
    .innerJoin("saved_row", "saved_row.id", "review.id")
    .select(({ fn }) => fn.countAll().as("count"))
    .where("saved_row.change", "=", change)
    .where("saved_row.body", "is", null)
    .where("saved_row.id", "not in", targets)
    .where(verifiedCondition(verifiedSources));
  return Number((await query.executeTakeFirstOrThrow()).count);
}

interface FormerRow {
  readonly row: ReviewTable;
  readonly became: string | null;
}

/** The rows that a change replaced or deleted, as they were. */
async function* formerRows(transaction: Database, change: number): AsyncGenerator<readonly FormerRow[]> {
  for await (const page of savedRowsOf(transaction, change, { isFormer: true }))
    yield page.map(({ became, body }) => ({ row: JSON.parse(body ?? "") as ReviewTable, became }));
}

/** What decides whether a row is published, and a fingerprint of what is then published. */
type Present = Pick<ReviewTable, "source" | "row_verified"> & { readonly print: string };

async function presentRows(transaction: Database, ids: readonly string[]): Promise<ReadonlyMap<string, Present>> {
  const present = new Map<string, Present>();
  for await (const page of reviewPagesById(transaction, ids))
    for (const row of page) present.set(row.id, { ...pick(row), print: printOf(row) });
  return present;
}

function pick({ source, row_verified }: ReviewTable): Omit<Present, "print"> {
  return { source, row_verified };
}

function printOf(row: ReviewTable): string {
  return hash("sha256", JSON.stringify(PUBLISHED_COLUMNS.map((name) => row[name])), "base64");
}

/** Copies before and after a change, and what it does to the publication of rows that it did not write. */
interface Copies {
  readonly before: ReadonlySet<string>;
  readonly after: ReadonlySet<string>;
  /** The ids that the change wrote, with the former row's new id if it has one; null for a row that it added. */
  readonly written: ReadonlyMap<string, string | null>;
  readonly added: number;
  readonly withdrawn: number;
}

const NO_COPIES: Copies = { before: new Set(), after: new Set(), written: new Map(), added: 0, withdrawn: 0 };

/** A row that the change did not write may be published, or no longer, because of one that it wrote. */
async function findCopies(transaction: Database, change: number, verified: VerifiedSources): Promise<Copies> {
  const areSourcesKept = String(verified.before) === String(verified.after);
  if (areSourcesKept && (await countSources(transaction, change)) < 2) return NO_COPIES;
  const [before, after] = [new CopyFinder(verified.before), new CopyFinder(verified.after)];
  const ids = await transaction.selectFrom("saved_row").select("id").where("change", "=", change).execute();
  const written = new Map<string, string | null>(ids.map(({ id }) => [id, null]));
  for await (const page of formerRows(transaction, change)) {
    for (const { row, became } of page) {
      written.set(row.id, became ?? row.id);
      if (isVerifiedRow(row, verified.before)) before.add(row);
    }
  }
  const others: { id: string; was: boolean; is: boolean }[] = [];
  const days = areSourcesKept ? new Set(Array.from(written.keys(), dateOfReviewId)) : undefined;
  for await (const page of copyRows(transaction, days)) {
    for (const row of page) {
      const [was, is] = [isVerifiedRow(row, verified.before), isVerifiedRow(row, verified.after)];
      if (is) after.add(row);
      if (written.has(row.id)) continue;
      if (was) before.add(row);
      others.push({ id: row.id, was, is });
    }
  }
  const [copiesBefore, copiesAfter] = [idsOf(before), idsOf(after)];
  const flipped = others
    .map(({ id, was, is }) => ({ was: was && !copiesBefore.has(id), is: is && !copiesAfter.has(id) }))
    .filter(({ was, is }) => was !== is);
  const added = flipped.filter(({ is }) => is).length;
  return { before: copiesBefore, after: copiesAfter, written, added, withdrawn: flipped.length - added };
}

function idsOf(finder: CopyFinder): ReadonlySet<string> {
  return new Set(Array.from(finder.copies(), ({ id }) => id));
}

/** How many sources the store has and had: reviews of one are never copies of each other. */
async function countSources(transaction: Database, change: number): Promise<number> {
  const stored = await transaction.selectFrom("review").select("source").distinct().execute();
  const sources = new Set(stored.map(({ source }) => source));
  if (sources.size > 1) return sources.size;
  for await (const page of formerRows(transaction, change)) for (const { row } of page) sources.add(row.source);
  return sources.size;
}
