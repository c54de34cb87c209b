/** Excludes removed reviews from an import, and removes authors and texts from redacted ones. */
import { listRemovalKeys, listRemovals, type Removal, type RemovalKey } from "../../store/history/removal-rows.ts";
import { reviewsByKeys } from "../../store/review-writes.ts";
import type { Database, ReviewTable } from "../../store/tables.ts";
import type { Candidate, StagedReview } from "../review/candidate.ts";
import { indexRemovals, type RemovalIndex, type RemovalMatch, suspectOf } from "../review/removal-keys.ts";
import type { Staging } from "../staging/staging.ts";

/** The author of a review whose author was redacted (interface §5). */
export const REDACTED_AUTHOR = "Customer";

const BATCH = 300;

/**
 * Deletes removed reviews from the staging area, and the authors or texts of redacted ones, before anything is analysed
 * or written to the store. Returns the number of excluded reviews.
 */
export async function leaveOutRemoved(database: Database, staging: Staging, removals: RemovalIndex): Promise<number> {
  if (removals.isEmpty) return 0;
  let leftOut = 0;
  for (const batch of staging.batches(BATCH)) {
    for (const staged of batch) {
      const { candidate } = staged;
      if (candidate.redacted !== undefined) continue;
      const match = removals.find({ ...candidate, id: staged.id, basis: staged.basis });
      if (match === undefined) continue;
      if (match.what.has("review")) {
        staging.replace([staged], undefined);
        leftOut += 1;
      } else if (match.isSameIdentity || (await isRowOf(database, staged, match))) {
        const { id, source_key, natural_key } = staged;
        const redacted = { ...redactCandidate(candidate, match), redacted: { id, source_key, natural_key } };
        staging.replace([staged], { ...staged, candidate: redacted });
      } else {
        // A copy of the redacted review: the stored row stays as it is, even if the export is complete.
        staging.replace([staged], undefined);
        staging.remember([match.id]);
      }
    }
  }
  return leftOut;
}

/** Whether a staged review corresponds to the redacted row. */
async function isRowOf(database: Database, staged: StagedReview, { id }: RemovalMatch): Promise<boolean> {
  return (await reviewsByKeys(database, [staged])).some((row) => row.id === id);
}

function redactCandidate(candidate: Candidate, { what }: RemovalMatch): Candidate {
  return {
    ...candidate,
    ...(what.has("author") ? { author: REDACTED_AUTHOR, author_avatar_url: null, source_url: null } : {}),
    ...(what.has("text") ? { text: null } : {}),
  };
}

/**
 * Redacts a row. Its keys stay, so that later exports find it. The picture and the link are removed with the author,
 * because both lead to the name.
 */
export function redactRow(row: ReviewTable, what: RemovalMatch["what"]): ReviewTable {
  return {
    ...row,
    ...(what.has("author") ? { author: REDACTED_AUTHOR, author_avatar_url: null, source_url: null } : {}),
    ...(what.has("text") ? { text: null, language: null } : {}),
  };
}

/** All removals and redactions of a store, with the keys that find them. */
export interface StoredRemovals {
  readonly removals: readonly Removal[];
  readonly keys: readonly RemovalKey[];
  readonly index: RemovalIndex;
}

export async function readRemovals(database: Database): Promise<StoredRemovals> {
  const removals = await listRemovals(database);
  const keys = removals.length === 0 ? [] : await listRemovalKeys(database);
  return { removals, keys, index: indexRemovals(removals, keys) };
}

/**
 * Applies removals to a row: returns it as it is or redacted, or undefined if it was removed or is a copy of a redacted
 * one.
 */
export function withoutRemoved(row: ReviewTable, removals: RemovalIndex): ReviewTable | undefined {
  const match = removals.find(suspectOf(row));
  if (match === undefined) return row;
  if (match.what.has("review")) return undefined;
  if (!match.isSameIdentity && match.id !== row.id) return undefined;
  return redactRow(row, match.what);
}
