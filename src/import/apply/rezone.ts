/** Recomputes the dates of stored reviews for another time zone, from their instants. */
import { reviewIdWithDate } from "../../review.ts";
import type { OpenChange } from "../../store/history/change-rows.ts";
import { listRemovals, renameRemoval } from "../../store/history/removal-rows.ts";
import { reviewSpans, rowsDiffer, timedReviews } from "../../store/review-writes.ts";
import type { Database, ReviewTable } from "../../store/tables.ts";
import { dayOfInstant } from "../review/iso-time.ts";
import type { Staging } from "../staging/staging.ts";
import { identityOf } from "./apply-staged.ts";

const BATCH = 300;

/**
 * Changes the dates of reviews and replies, and their ids. All changed rows are deleted before any is inserted again,
 * because the new id of one row can be the old id of another. Returns the number of changed rows.
 */
export async function rezone(
  database: Database,
  change: OpenChange,
  { staging, zone }: { readonly staging: Staging; readonly zone: string },
): Promise<number> {
  const redacted = new Set((await listRemovals(database)).map(({ id }) => id));
  let rezoned = 0;
  for await (const span of reviewSpans(database, BATCH)) {
    for (const row of await timedReviews(database, span)) {
      const moved = rezonedRow(row, zone, redacted.has(row.id));
      if (!rowsDiffer(row, moved)) continue;
      if (redacted.has(row.id)) await renameRemoval(database, row.id, moved.id);
      staging.park(row.id, JSON.stringify(moved));
      rezoned += 1;
    }
  }
  for (const batch of staging.parkedRows(BATCH)) {
    const renamed = new Map(batch.map(({ key, row }) => [key, (JSON.parse(row) as ReviewTable).id]));
    await change.delete([...renamed.keys()], (id) => renamed.get(id) ?? null);
  }
  for (const batch of staging.parkedRows(BATCH)) {
    const rows = batch.map(({ row }) => JSON.parse(row) as ReviewTable);
    // Two reviews without ids can become equal, with the same date: then they are one review (interface §1).
    await change.insert(rows, { skipsConflicts: true });
  }
  return rezoned;
}

/** The row with its new dates. A redacted row keeps its keys, which can no longer be derived from its content. */
function rezonedRow(row: ReviewTable, zone: string, isRedacted: boolean): ReviewTable {
  const moved = {
    ...row,
    date: row.written_at === null ? row.date : dayOfInstant(row.written_at, zone),
    reply_date: row.replied_at === null ? row.reply_date : dayOfInstant(row.replied_at, zone),
  };
  if (isRedacted) return { ...moved, id: reviewIdWithDate(row.id, moved.date) };
  return { ...moved, ...identityOf(row, moved) };
}
