/** What undoing the last change would do and has done, as commands and the desk say it. */
import { memoryWarning } from "../../import/publishing-memory.ts";
import { changeToUndo, type UndoReport } from "../../maintenance/undo.ts";
import { localeOf } from "../../page/text/locale.ts";
import { COMMAND_LANGUAGE, type OwnerWords, ownerWordsFor } from "../../page/text/owner-words.ts";
import { fill } from "../../page/text/words.ts";
import { type HistoryLine, readHistory, type UndoableChange } from "../../store/history/change-rows.ts";
import { publishedCountsAt } from "../../store/published-change-rows.ts";
import { changesThatFound } from "../../store/sighting-rows.ts";
import { parseBusiness, readBusiness, type Store } from "../../store/store.ts";
import { differenceLines } from "./business-difference.ts";
import { ownerTime } from "./owner-time.ts";

/** What the owner is asked before a change is undone. */
export interface UndoQuestion {
  readonly change: UndoableChange;
  readonly question: string;
  /** The fields of the business that become what they were, what that changes besides words, and warnings. */
  readonly details: readonly string[];
  /** Those of them that hold words of a business file. */
  readonly foreign: readonly string[];
  readonly warnings: readonly string[];
}

export interface UndoWish {
  readonly memoryMb?: number | undefined;
  readonly language?: string;
  /** Of the times; that of this machine unless given. */
  readonly timeZone?: string;
  /** What a field of business.yaml is called. */
  readonly label?: (field: string) => string;
}

/** Asks about the last change. @throws Invalid if no change can be undone. */
export async function askUndo(
  store: Store,
  { memoryMb, language = COMMAND_LANGUAGE, timeZone, label = (field) => field }: UndoWish = {},
): Promise<UndoQuestion> {
  const said = ownerWordsFor(language);
  const { database } = store;
  const change = await changeToUndo(store);
  const canGrow = change.changed + change.withdrawn > 0;
  const memory = canGrow ? await memoryWarning(database, memoryMb, change.number) : undefined;
  const warnings = memory === undefined ? [] : [`warning: ${memory}`];
  const { businessBefore } = change;
  const wording = { differs: said.goesBack, nothing: said.nothing, label };
  const fields =
    businessBefore === undefined
      ? []
      : differenceLines(await readBusiness(database), parseBusiness(businessBefore), wording);
  const history = await readHistory(database);
  const undoes = fill(said.undoes, {
    change: nameOf(change, { language, timeZone }, await changesThatFound(database)),
  });
  const pages = await pagesLine(store, change, { history, language });
  const back = fields.length === 0 ? "" : said.putsBack;
  const question = `${undoes}${newerRemoval(history, change, said)}${pages}${back}`;
  return { change, question, details: [...fields, ...warnings], foreign: fields, warnings };
}

/** How many reviews leave the pages and return to them; empty where the store does not tell. */
async function pagesLine(
  { database }: Store,
  change: UndoableChange,
  { history, language }: { readonly history: readonly HistoryLine[]; readonly language: string },
): Promise<string> {
  const isOfBusinessAlone = change.added + change.changed + change.withdrawn === 0;
  const none = isOfBusinessAlone ? { added: 0, withdrawn: 0 } : undefined;
  const published = (await publishedCountsAt(database, change.at)) ?? none;
  if (published === undefined) return "";
  // What was removed for good since then neither leaves nor returns.
  const isFewer = history.some(({ number, command }) => number > change.number && command === "remove");
  const { added, withdrawn } = published;
  return movingReviews({ leaving: added, returning: withdrawn, isFewer }, language);
}

interface MovingReviews {
  readonly leaving: number;
  readonly returning: number;
  /** Whether it may be fewer. */
  readonly isFewer?: boolean;
}

/** The sentence that says how many reviews leave the pages and return to them. */
export function movingReviews({ leaving, returning, isFewer = false }: MovingReviews, language: string): string {
  const [said, locale] = [ownerWordsFor(language), localeOf(language)];
  const counted = (count: number) =>
    count === 0 ? said.noReview : `${isFewer ? said.atMost : ""}${locale.counted(said.reviews, count)}`;
  const isNone = leaving + returning === 0;
  return fill(isNone ? said.pagesStay : said.pages, { leaving: counted(leaving), returning: counted(returning) });
}

/** What becomes of a business.yaml where the business goes back: it follows, stays as it is, or there is none. */
export type BusinessFileState = "follows" | "stays" | "absent";

interface UndoneWording {
  readonly language?: string;
  readonly timeZone?: string;
  readonly file?: BusinessFileState;
}

/** What was undone. */
export function undoneLine(
  report: UndoReport,
  { language = COMMAND_LANGUAGE, timeZone, file = "stays" }: UndoneWording = {},
): string {
  const { added, changed, withdrawn, revision, undone } = report;
  const [said, locale] = [ownerWordsFor(language), localeOf(language)];
  const isOfBusiness = undone.businessBefore !== undefined && added + changed + withdrawn === 0;
  return fill(isOfBusiness ? said.undoneBusiness : said.undone, {
    change: nameOf(undone, { language, timeZone }),
    withdrawn: locale.counted(said.reviews, withdrawn),
    added: locale.number(added),
    changed: locale.number(changed),
    business: undone.businessBefore === undefined ? "" : `${said.businessBack}${said.businessFile[file]}`,
    revision: String(revision),
  });
}

/** Warns that the newest change is not the one that undo takes back. */
function newerRemoval([newest]: readonly HistoryLine[], change: HistoryLine, said: OwnerWords): string {
  if (newest === undefined || newest.number <= change.number || newest.undone) return "";
  const { number, command } = newest;
  const isTakenBack = /^un|^readmit$/.test(command);
  const how = /correct$/.test(command) ? said.takesBack.correction : said.takesBack.removal;
  const values = { number: String(number), command: said.commands[command] ?? command };
  return fill(said.newer, { ...values, how: isTakenBack ? "" : `: ${how}` });
}

/** `12, import of a.csv at 2026-11-21 22:55 (1 added, 0 changed, 0 withdrawn)`. `finding`: see `changesThatFound`. */
function nameOf(
  { number, at, command, files, added, changed, withdrawn }: HistoryLine,
  { language, timeZone }: { readonly language: string; readonly timeZone: string | undefined },
  finding?: ReadonlySet<number>,
): string {
  const said = ownerWordsFor(language);
  const isEmpty = added + changed + withdrawn === 0;
  const isOfBusiness = command === "import" && isEmpty && finding?.has(number) !== true;
  const counts = { added: String(added), changed: String(changed), withdrawn: String(withdrawn) };
  return fill(isOfBusiness ? said.businessChange : said.change, {
    number: String(number),
    command: said.commands[command] ?? command,
    files: files.length === 0 ? "" : fill(said.ofFiles, { files: files.join(", ") }),
    time: ownerTime(at, language, timeZone),
    counts: isEmpty ? said.noCounts : fill(said.counts, counts),
  });
}
