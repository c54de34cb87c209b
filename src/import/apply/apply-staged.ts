/** Brings what is staged into the store, inside the one transaction of a run. */

import type { OpenChange } from "../../store/history/change-rows.ts";
import { countPublished } from "../../store/review-rows.ts";
import { lastArrival, reviewIdsAfter, reviewsById, reviewsByKeys } from "../../store/review-writes.ts";
import type { StagedReview, Staging } from "../../store/staging.ts";
import type { Database, ReviewTable } from "../../store/tables.ts";
import type { Candidate } from "../review/candidate.ts";
import { differs, newRow, publicDifferences, updatedRow } from "./row-merge.ts";

const BATCH = 300;

/** What applying did; `withheld` counts by source the reviews of the run that are not published. */
export interface Applied {
  readonly added: number;
  readonly changed: number;
  readonly withheld: Readonly<Record<string, number>>;
}

/** What becomes of one review: for a changed one, which of its published fields differ. */
export interface ReviewChange {
  readonly change: "added" | "changed" | "withdrawn";
  readonly id: string;
  readonly source: string;
  readonly author: string;
  readonly date: string;
  readonly fields?: readonly string[];
}

export interface ApplyOptions {
  readonly staging: Staging;
  readonly verifiedSources: readonly string[];
  /** Told of each review that is added, changed or withdrawn. */
  readonly onChange?: ((change: ReviewChange) => void) | undefined;
  readonly onBatch?: ((done: number) => void) | undefined;
}

/** Adds and changes reviews of the store until it agrees with the staging area, and notes there which ones it saw. */
export async function applyStaged(
  database: Database,
  change: OpenChange,
  { staging, ...options }: ApplyOptions,
): Promise<Applied> {
  const withheld: Record<string, number> = {};
  const arrival = (await lastArrival(database)) + 1;
  const arrivals = new Map(staging.sources().map((source, place) => [source, arrival + place]));
  let [added, changed, done] = [0, 0, 0];
  for (const batch of staging.batches(BATCH)) {
    const known = await knownRows(database, batch);
    const fresh: ReviewTable[] = [];
    const ids: string[] = [];
    for (const staged of batch) {
      const candidate = JSON.parse(staged.body) as Candidate;
      const old = known.take(staged);
      const row =
        old === undefined ? newRow(candidate, arrivals.get(candidate.source) ?? arrival) : updatedRow(old, candidate);
      if (old === undefined) fresh.push(row);
      else if (differs(old, row)) await change.replace(old, row);
      const fields = old === undefined ? [] : publicDifferences(old, row);
      if (old === undefined) added += 1;
      else if (fields.length > 0) changed += 1;
      if (old === undefined || fields.length > 0) {
        options.onChange?.({ ...named(row), change: old === undefined ? "added" : "changed", ...(old && { fields }) });
      }
      if (row.row_verified !== 1 && !options.verifiedSources.includes(row.source)) {
        withheld[row.source] = (withheld[row.source] ?? 0) + 1;
      }
      ids.push(row.id);
    }
    await change.insert(fresh);
    staging.remember(ids);
    done += batch.length;
    options.onBatch?.(done);
  }
  return { added, changed, withheld };
}

/** How many reviews a run withdrew, and how many of them were published. */
export interface Withdrawn {
  readonly withdrawn: number;
  readonly unpublished: number;
}

/** Withdraws the reviews of the run's sources that the run did not hold. */
export async function withdraw(
  database: Database,
  change: OpenChange,
  { staging, verifiedSources, onChange }: Omit<ApplyOptions, "onBatch">,
): Promise<Withdrawn> {
  const sources = staging.sources();
  let [withdrawn, unpublished] = [0, 0];
  for (let after = ""; ; ) {
    const ids = await reviewIdsAfter(database, sources, { after, limit: BATCH });
    const last = ids.at(-1);
    if (last === undefined) return { withdrawn, unpublished };
    const kept = staging.remembered(ids);
    const gone = ids.filter((id) => !kept.has(id));
    unpublished += await countPublished(database, verifiedSources, gone);
    if (onChange !== undefined && gone.length > 0) {
      for (const row of await reviewsById(database, gone)) onChange({ ...named(row), change: "withdrawn" });
    }
    await change.delete(gone);
    withdrawn += gone.length;
    after = last;
  }
}

/** By what a reader finds a review. */
function named({ id, source, author, date }: ReviewTable): Omit<ReviewChange, "change"> {
  return { id, source, author, date };
}

/** The rows of the store that a batch may be about, each given out once. */
async function knownRows(database: Database, batch: readonly StagedReview[]) {
  const rows = await reviewsByKeys(database, batch);
  const byId = new Map(rows.map((row) => [row.id, row]));
  const bySource = new Map(rows.map((row) => [row.source_key, row]));
  const byNature = Map.groupBy(rows, (row) => row.natural_key);
  return {
    /**
     * The row of this review: of the same key; or of the same published id; for a review with an id of its own also
     * one that came earlier without, and for one without any id whichever says the same.
     */
    take({ id, source_key, natural_key, source, basis }: StagedReview): ReviewTable | undefined {
      const namesake = byId.get(id);
      const alike = (byNature.get(natural_key) ?? []).filter((row) => byId.has(row.id));
      const row =
        bySource.get(source_key) ??
        (namesake?.source === source ? namesake : undefined) ??
        (basis === "own id" ? alike.find(({ source_id }) => source_id === null) : undefined) ??
        (basis === "content" ? alike[0] : undefined);
      if (row === undefined) return undefined;
      byId.delete(row.id);
      bySource.delete(row.source_key);
      return row;
    },
  };
}
