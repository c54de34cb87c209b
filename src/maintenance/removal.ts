/** Removes published reviews, their authors' names or their texts permanently, and revokes removals. */
import { readRemovals } from "../import/apply/redaction.ts";
import { removalKeysOf } from "../import/review/removal-keys.ts";
import { Invalid } from "../issue.ts";
import { dateOfReviewId, identityPart } from "../review.ts";
import { openChange } from "../store/history/change-rows.ts";
import { addRemovals, deleteRemovals, idsWithKeys, type Removal, removalsOf } from "../store/history/removal-rows.ts";
import { reviewsById } from "../store/review-writes.ts";
import { lockRevision, raiseRevision, readRevision, type Store } from "../store/store.ts";
import type { ReviewTable } from "../store/tables.ts";
import { applyRemovals } from "./erasure.ts";
import { requirePublished, reviewFault, reviewIdOf } from "./published-ids.ts";

/** The result of a removal or redaction. */
export interface RemovalReport {
  readonly ids: readonly string[];
  readonly revision: number;
  /** Ids of copies of the same reviews from other sources, which were removed with them. */
  readonly copies: readonly { readonly id: string; readonly source: string }[];
  /** Redacted reviews that still contain the name, in the text or in the owner's reply. */
  readonly names: readonly { readonly id: string; readonly where: "text" | "owner_reply" }[];
}

export interface RemovalOptions {
  readonly what: readonly Removal["what"][];
  readonly now: Date;
}

/**
 * Removes or redacts published reviews, all or none. Afterwards the store's rows do not contain the text;
 * `clearErasedWords` clears it from the files.
 * @throws Invalid naming every id that is not published.
 */
export async function removeReviews(
  store: Store,
  given: readonly string[],
  { what, now }: RemovalOptions,
): Promise<RemovalReport> {
  const ids = [...new Set(given.map(reviewIdOf))];
  return await store.database.transaction().execute(async (transaction) => {
    await lockRevision(transaction);
    await requirePublished(transaction, given);
    const rows = await reviewsById(transaction, ids);
    const isWhole = what.includes("review");
    const withKeys = await idsWithKeys(transaction, ids);
    // The keys cannot be derived from a redacted review, so the original ones stay.
    const unredacted = rows.filter(({ id }) => !withKeys.has(id));
    const removals = rows.flatMap(({ id, source, rating }) =>
      what.map((part) => ({ id, what: part, at: now.toISOString(), source, rating })),
    );
    await addRemovals(transaction, removals, unredacted.flatMap(removalKeysOf));
    const erased = await applyRemovals(transaction, await readRemovals(transaction), now);
    const copies = erased.deleted.filter(({ id }) => !ids.includes(id));
    const change = await openChange(transaction, { command: isWhole ? "remove" : "redact", files: [], at: now });
    const withdrawn = isWhole ? ids.length : 0;
    const altered = [...erased.deleted.map(({ id }) => id), ...erased.redacted];
    const written = { days: new Set(altered.map(dateOfReviewId)), rewritten: new Set(erased.redacted) };
    await change.finish({ added: 0, changed: ids.length - withdrawn, withdrawn }, { written });
    await raiseRevision(transaction, now);
    const { number: revision } = await readRevision(transaction);
    return { ids, revision, copies, names: what.includes("author") ? namesLeft(rows, what) : [] };
  });
}

/**
 * Forgets removals and redactions, all or none: the next import restores the whole reviews.
 * @throws Invalid naming every id that was neither removed nor redacted.
 */
export async function readmitReviews(store: Store, given: readonly string[], now: Date): Promise<string[]> {
  const ids = [...new Set(given.map(reviewIdOf))];
  return await store.database.transaction().execute(async (transaction) => {
    await lockRevision(transaction);
    const removed = new Map((await removalsOf(transaction, ids)).map(({ id }) => [identityPart(id), id]));
    const unknown = ids.filter((id) => !removed.has(identityPart(id)));
    if (unknown.length > 0) throw new Invalid(unknown.map((id) => reviewFault(id, "was neither removed nor redacted")));
    // In another time zone a review may have another day, which changes the beginning of its id.
    const listed = ids.map((id) => removed.get(identityPart(id)) ?? id);
    await deleteRemovals(transaction, listed);
    const change = await openChange(transaction, { command: "readmit", files: [], at: now });
    await change.finish({ added: 0, changed: 0, withdrawn: 0 });
    await raiseRevision(transaction, now);
    return listed;
  });
}

/** Where the name of a redacted author still occurs, in full or by one of its words. */
function namesLeft(rows: readonly ReviewTable[], what: readonly Removal["what"][]): RemovalReport["names"] {
  return rows.flatMap(({ id, author, text, reply_text }) => {
    const words = author.split(/\s+/).filter((word) => word.length > 2);
    const names = (content: string | null) =>
      words.some((word) => content?.toLowerCase().includes(word.toLowerCase()) === true);
    return [
      ...(names(text) && !what.includes("text") ? [{ id, where: "text" as const }] : []),
      ...(names(reply_text) ? [{ id, where: "owner_reply" as const }] : []),
    ];
  });
}
