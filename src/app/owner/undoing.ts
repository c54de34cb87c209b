/** What undoing the last change would do and has done, as commands and the desk say it. */
import { changedPowers } from "../../business-powers.ts";
import { changeToUndo, type UndoReport, undoChange } from "../../maintenance/undo.ts";
import { type HistoryLine, readHistory, type UndoableChange } from "../../store/history/change-rows.ts";
import { parseBusiness, readBusiness, type Store } from "../../store/store.ts";
import { localTime, plural } from "../terminal/terminal-text.ts";

/** What the owner is asked before a change is undone. */
export interface UndoQuestion {
  readonly change: UndoableChange;
  readonly question: string;
  /** What it changes besides words, and warnings. */
  readonly details: readonly string[];
  readonly warnings: readonly string[];
}

/** Asks about the last change. @throws Error if no change can be undone. */
export async function askUndo(store: Store, memoryMb?: number): Promise<UndoQuestion> {
  const change = await changeToUndo(store);
  const { memory } = await undoChange(store, change.number, new Date(), { isDryRun: true, memoryMb });
  const warnings = memory === undefined ? [] : [`warning: ${memory}`];
  const details = [...(await powersBroughtBack(store, change)), ...warnings];
  const newer = newerRemoval(await readHistory(store.database), change);
  const powers = details.length === 0 ? "" : " It changes what the program does:";
  return { change, question: `This undoes change ${nameOf(change)}.${newer}${powers}`, details, warnings };
}

/** What was undone. */
export function undoneLine({ added, changed, withdrawn, revision, undone }: UndoReport): string {
  const business = undone.businessBefore === undefined ? "" : " The business is as it was before.";
  return `Took back change ${nameOf(undone)}: ${plural(withdrawn, "review")} taken out, ${added} brought back, ${changed} as before.${business} Revision ${revision}.`;
}

/** What the business as it was before the change decides otherwise than the present one, besides words. */
async function powersBroughtBack(store: Store, { businessBefore }: UndoableChange): Promise<string[]> {
  if (businessBefore === undefined) return [];
  return changedPowers(await readBusiness(store.database), parseBusiness(businessBefore));
}

/** Warns that the newest change is not the one that undo takes back. */
function newerRemoval([newest]: readonly HistoryLine[], change: HistoryLine): string {
  if (newest === undefined || newest.number <= change.number || newest.undone) return "";
  const how = /correct$/.test(newest.command)
    ? "goodword uncorrect takes a correction back"
    : "goodword readmit ID takes a removal or redaction back";
  return ` The newer change ${newest.number}, ${newest.command}, is never undone: ${how}.`;
}

/** `12, import of a.csv at 2026-11-21 22:55 (1 added, 0 changed, 0 withdrawn)` */
function nameOf({ number, at, command, files, added, changed, withdrawn }: HistoryLine): string {
  const of = files.length === 0 ? "" : ` of ${files.join(", ")}`;
  const counts =
    added + changed + withdrawn === 0
      ? "no review added, changed or withdrawn"
      : `${added} added, ${changed} changed, ${withdrawn} withdrawn`;
  return `${number}, ${command}${of} at ${localTime(at)} (${counts})`;
}
