/** What undoing the last change would do and has done, as commands and the desk say it. */
import { changedPowers } from "../../business-powers.ts";
import { memoryWarning } from "../../import/publishing-memory.ts";
import { changeToUndo, type UndoReport } from "../../maintenance/undo.ts";
import { localeOf } from "../../page/text/locale.ts";
import { COMMAND_LANGUAGE, type OwnerWords, ownerWordsFor } from "../../page/text/owner-words.ts";
import { fill } from "../../page/text/words.ts";
import { type HistoryLine, readHistory, type UndoableChange } from "../../store/history/change-rows.ts";
import { parseBusiness, readBusiness, type Store } from "../../store/store.ts";
import { localTime } from "../terminal/terminal-text.ts";

/** What the owner is asked before a change is undone. */
export interface UndoQuestion {
  readonly change: UndoableChange;
  readonly question: string;
  /** What it changes besides words, and warnings. */
  readonly details: readonly string[];
  readonly warnings: readonly string[];
}

/** Asks about the last change. @throws Invalid if no change can be undone. */
export async function askUndo(
  store: Store,
  memoryMb?: number,
  language: string = COMMAND_LANGUAGE,
): Promise<UndoQuestion> {
  const said = ownerWordsFor(language);
  const change = await changeToUndo(store);
  const canGrow = change.changed + change.withdrawn > 0;
  const memory = canGrow ? await memoryWarning(store.database, memoryMb, change.number) : undefined;
  const warnings = memory === undefined ? [] : [`warning: ${memory}`];
  const details = [...(await powersBroughtBack(store, change)), ...warnings];
  const newer = newerRemoval(await readHistory(store.database), change, said);
  const powers = details.length === 0 ? "" : said.changesProgram;
  const undoes = fill(said.undoes, { change: nameOf(change, said) });
  return { change, question: `${undoes}${newer}${powers}`, details, warnings };
}

/** What was undone. */
export function undoneLine(report: UndoReport, language: string = COMMAND_LANGUAGE): string {
  const { added, changed, withdrawn, revision, undone } = report;
  const [said, locale] = [ownerWordsFor(language), localeOf(language)];
  return fill(said.undone, {
    change: nameOf(undone, said),
    withdrawn: locale.counted(said.reviews, withdrawn),
    added: locale.number(added),
    changed: locale.number(changed),
    business: undone.businessBefore === undefined ? "" : said.businessBack,
    revision: String(revision),
  });
}

/** What the business as it was before the change decides otherwise than the present one, besides words. */
async function powersBroughtBack(store: Store, { businessBefore }: UndoableChange): Promise<string[]> {
  if (businessBefore === undefined) return [];
  return changedPowers(await readBusiness(store.database), parseBusiness(businessBefore));
}

/** Warns that the newest change is not the one that undo takes back. */
function newerRemoval([newest]: readonly HistoryLine[], change: HistoryLine, said: OwnerWords): string {
  if (newest === undefined || newest.number <= change.number || newest.undone) return "";
  const { number, command } = newest;
  const how = /correct$/.test(command) ? said.takesBack.correction : said.takesBack.removal;
  return fill(said.newer, { number: String(number), command: said.commands[command] ?? command, how });
}

/** `12, import of a.csv at 2026-11-21 22:55 (1 added, 0 changed, 0 withdrawn)` */
function nameOf({ number, at, command, files, added, changed, withdrawn }: HistoryLine, said: OwnerWords): string {
  const counts = { added: String(added), changed: String(changed), withdrawn: String(withdrawn) };
  return fill(said.change, {
    number: String(number),
    command: said.commands[command] ?? command,
    files: files.length === 0 ? "" : fill(said.ofFiles, { files: files.join(", ") }),
    time: localTime(at),
    counts: added + changed + withdrawn === 0 ? said.noCounts : fill(said.counts, counts),
  });
}
