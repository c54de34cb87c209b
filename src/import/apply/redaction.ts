/** Keeps removed reviews out of an import, and takes names and words out of redacted ones. */
import { listRemovalKeys, listRemovals } from "../../store/history/removal-rows.ts";
import { reviewsByKeys } from "../../store/review-writes.ts";
import type { StagedReview, Staging } from "../../store/staging.ts";
import type { Database, ReviewTable } from "../../store/tables.ts";
import type { Candidate } from "../review/candidate.ts";
import { indexRemovals, type RemovalIndex, type RemovalMatch, suspectOf } from "../review/removal-keys.ts";

/** The name under which a review without its author's name is published (interface §5). */
const REDACTED_AUTHOR = "Customer";

const BATCH = 300;

/**
 * Takes what was removed out of the staging area, and the names and words of what was redacted. Gives how many reviews
 * stay out. Nothing of them is analysed or written to the store afterwards.
 */
export async function leaveOutRemoved(database: Database, staging: Staging, removals: RemovalIndex): Promise<number> {
  if (removals.isEmpty) return 0;
  let leftOut = 0;
  for (const batch of staging.batches(BATCH)) {
    for (const staged of batch) {
      const candidate = JSON.parse(staged.body) as Candidate;
      if (candidate.redacted !== undefined) continue;
      const match = removals.find({ ...candidate, id: staged.id, basis: staged.basis });
      if (match === undefined) continue;
      if (match.what.has("review")) {
        staging.replace([staged], undefined);
        leftOut += 1;
      } else if (match.isSameIdentity || (await isRowOf(database, staged, match))) {
        const { id, source_key, natural_key } = staged;
        const redacted = { ...redactCandidate(candidate, match), redacted: { id, source_key, natural_key } };
        staging.replace([staged], { ...staged, body: JSON.stringify(redacted) });
      } else {
        // The same review by another way: the redacted one stays as it is, also when the run is a whole export.
        staging.replace([staged], undefined);
        staging.remember([match.id]);
      }
    }
  }
  return leftOut;
}

/** Whether a staged review will be taken for the row that was redacted. */
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
 * A row without what is to be redacted. Its keys stay, so that later exports find it. Picture and link go with the name,
 * because both lead to it.
 */
export function redactRow(row: ReviewTable, what: RemovalMatch["what"]): ReviewTable {
  return {
    ...row,
    ...(what.has("author") ? { author: REDACTED_AUTHOR, author_avatar_url: null, source_url: null } : {}),
    ...(what.has("text") ? { text: null } : {}),
  };
}

/** All removals of a store; `stamp` changes with each. */
export async function readRemovals(
  database: Database,
): Promise<{ readonly index: RemovalIndex; readonly stamp: string }> {
  const removals = await listRemovals(database);
  const keys = removals.length === 0 ? [] : await listRemovalKeys(database);
  return { index: indexRemovals(removals, keys), stamp: JSON.stringify(removals) };
}

/** A row as the removals leave it: itself, redacted, or undefined when it was removed or is a copy of a redacted one. */
export function withoutRemoved(row: ReviewTable, removals: RemovalIndex): ReviewTable | undefined {
  const match = removals.find(suspectOf(row));
  if (match === undefined) return row;
  if (match.what.has("review")) return undefined;
  if (!match.isSameIdentity && match.id !== row.id) return undefined;
  return redactRow(row, match.what);
}
