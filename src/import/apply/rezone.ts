/** Gives the reviews of the store the days of another time zone, where they know the instant. */
import { deleteReviews, insertReviews, timedReviewsAfter } from "../../store/review-writes.ts";
import type { Staging } from "../../store/staging.ts";
import type { Database, ReviewTable } from "../../store/tables.ts";
import { dayOfInstant } from "../review/review-time.ts";
import { differs, identityOf } from "./row-merge.ts";

const BATCH = 300;

/**
 * Re-dates reviews and replies, and derives their ids anew. All changed rows are taken out before any comes in again,
 * because a row's new identity can be another's old one. Gives how many changed.
 */
export async function rezone(database: Database, staging: Staging, zone: string): Promise<number> {
  let redated = 0;
  for (let after = ""; ; ) {
    const rows = await timedReviewsAfter(database, { after, limit: BATCH });
    const last = rows.at(-1);
    if (last === undefined) break;
    for (const row of rows) {
      const moved = redatedRow(row, zone);
      if (!differs(row, moved)) continue;
      staging.setAside(row.id, JSON.stringify(moved));
      redated += 1;
    }
    after = last.id;
  }
  for (const batch of staging.aside(BATCH)) {
    await deleteReviews(
      database,
      batch.map(({ key }) => key),
    );
  }
  for (const batch of staging.aside(BATCH)) {
    const rows = batch.map(({ row }) => JSON.parse(row) as ReviewTable);
    // Two reviews without ids can come to say the same on the same day: then they are one (interface §1).
    await insertReviews(database, rows, { isKnownSkipped: true });
  }
  return redated;
}

function redatedRow(row: ReviewTable, zone: string): ReviewTable {
  const moved = {
    ...row,
    date: row.written_at === null ? row.date : dayOfInstant(row.written_at, zone),
    reply_date: row.replied_at === null ? row.reply_date : dayOfInstant(row.replied_at, zone),
  };
  return { ...moved, ...identityOf(row, moved) };
}
