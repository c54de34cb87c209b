/**
 * Undoes the last import, withdrawal or restore: restores the reviews, the business file and the places of sources from the rows that
 * `store/history/change-rows.ts` saved. Removals and redactions stay in force.
 */

import { isDeepStrictEqual } from "node:util";
import { confirmCorrections } from "../analysis/correction-findings.ts";
import { verifiedSourcesOf } from "../business.ts";
import { isDescribedAlike } from "../business-powers.ts";
import { Invalid } from "../issue.ts";
import { type ChangeCounts, lastUndoable, takeBackReviews, type UndoableChange } from "../store/history/change-rows.ts";
import { forgetNoticesOf } from "../store/notice-rows.ts";
import { recordPublishedChange } from "../store/published-change-rows.ts";
import { writeSourcePlaces } from "../store/source-place-rows.ts";
import {
  lockRevision,
  parseBusiness,
  raiseRevision,
  readBusiness,
  readRevision,
  type Store,
  writeBusinessText,
} from "../store/store.ts";
import { renameRedactions } from "./erasure.ts";

export interface UndoReport extends ChangeCounts {
  readonly undone: UndoableChange;
  readonly revision: number;
}

/**
 * The change that undo would revert.
 * @throws Invalid when there is none, or when its saved rows have been deleted.
 */
export async function changeToUndo({ database }: Pick<Store, "database">): Promise<UndoableChange> {
  const change = await lastUndoable(database);
  if (change === undefined) throw refused("There is nothing to undo: no import, withdrawal or restore is left.");
  if (change.areRowsSaved) return change;
  throw refused(
    `Change ${change.number} (${change.command}, ${change.at}) can no longer be undone: what it replaced is kept only for the latest changes. A backup can be restored with goodword restore.`,
  );
}

function refused(message: string): Invalid {
  return new Invalid([{ code: "undo", path: [], message }]);
}

/** Undoes change `number`. @throws Invalid when it is no longer the last one. */
export async function undoChange({ database }: Store, number: number, now: Date): Promise<UndoReport> {
  return await database.transaction().execute(async (transaction) => {
    await lockRevision(transaction);
    const undone = await changeToUndo({ database: transaction });
    if (undone.number !== number)
      throw refused("It was undone already, or something else changed the store meanwhile. Nothing was undone.");
    const business = await readBusiness(transaction);
    const before = undone.businessBefore === undefined ? business : parseBusiness(undone.businessBefore);
    const sources = verifiedSourcesOf(before);
    const isOfAnyDay = !isDeepStrictEqual(sources, verifiedSourcesOf(business));
    const { published, ...counts } = await takeBackReviews(transaction, number, { now, sources, isOfAnyDay });
    if (undone.businessBefore !== undefined) await writeBusinessText(transaction, undone.businessBefore);
    if (undone.placesBefore !== undefined) await writeSourcePlaces(transaction, undone.placesBefore);
    if (Object.values(published).some((count) => count > 0) || !isDescribedAlike(before, business))
      await recordPublishedChange(transaction, { kind: "undo", at: now.toISOString(), ...published });
    await renameRedactions(transaction);
    await forgetNoticesOf(transaction, number);
    await raiseRevision(transaction, now);
    await confirmCorrections(transaction);
    return { undone, ...counts, revision: (await readRevision(transaction)).number };
  });
}
