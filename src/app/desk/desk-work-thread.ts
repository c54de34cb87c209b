/** The thread in which a desk removes, undoes, restores, exports, and says what a killed desk has left. */
import { join } from "node:path";
import { parentPort, workerData } from "node:worker_threads";
import { undoChange } from "../../maintenance/undo.ts";
import { digestText } from "../../page/digest-page.ts";
import { deskWordsFor } from "../../page/text/desk-words.ts";
import { localeOf } from "../../page/text/locale.ts";
import { fill } from "../../page/text/words.ts";
import { renderPreview } from "../../publication/preview.ts";
import { readDigest } from "../../publication/store-digest.ts";
import { isStoreThere } from "../../store/engine/store-url.ts";
import { type HistoryLine, readHistory } from "../../store/history/change-rows.ts";
import { openStore, readSnapshot, type Store } from "../../store/store.ts";
import { baseUrlOf } from "../config.ts";
import { issuesOfFault } from "../fault-message.ts";
import { exportLine, exportSite } from "../owner/exporting.ts";
import { ownerTime } from "../owner/owner-time.ts";
import { removalLines, removeForGood } from "../owner/removing.ts";
import { prepareRestore } from "../owner/restoring.ts";
import { undoneLine } from "../owner/undoing.ts";
import { eraseRemovedWords } from "../removed-words.ts";
import { deskAdvice, labelOf } from "./desk-advice.ts";
import { withFollowingFile } from "./desk-business-file.ts";
import { businessOf, EXPORT_FOLDER } from "./desk-site.ts";
import type { Look, WorkMessage, WorkOrder, WorkOutcome, WorkTask } from "./desk-work.ts";
import type { WorkNote } from "./work-notes.ts";

const { config, name: siteName, folder, task, at, language } = workerData as WorkOrder;
const { DATABASE_URL: databaseUrl, MEMORY_MB: memoryMb } = config;
const site = { config, folder, isOfSites: siteName !== undefined };
const follow = <T>(work: () => Promise<T>) => withFollowingFile(site, work);
const words = deskWordsFor(language);
const post = (message: WorkMessage) => parentPort?.postMessage(message);
const PROGRESS_FILES = 100;

/** @throws Error where nothing was ever imported. */
async function withStore<T>(work: (store: Store) => Promise<T>): Promise<T> {
  if (!isStoreThere(databaseUrl)) throw new Error(words.history.nothing);
  await using store = await openStore(databaseUrl);
  return await work(store);
}

/** The time zone of the business; UTC before there is one. */
async function timeZone(): Promise<string> {
  return (await businessOf(site).catch(() => undefined))?.time_zone ?? "UTC";
}

async function perform(given: WorkTask): Promise<WorkOutcome> {
  switch (given.kind) {
    case "remove": {
      const what = [given.what];
      const report = await withStore((store) => removeForGood({ databaseUrl, store, now: at }, [given.id], what));
      return { lines: removalLines(report, what, language) };
    }
    case "undo": {
      const undo = () => withStore((store) => undoChange(store, given.number, at));
      const { result, file } = await withFollowingFile(site, undo);
      return { lines: [undoneLine(result, { language, timeZone: await timeZone(), file })] };
    }
    case "restore": {
      const { path, name, confirmed } = given;
      const label = (field: string) => labelOf({ words, locale: localeOf(language) }, field);
      const wording = { language, label, timeZone: await timeZone(), following: follow };
      await using restore = await prepareRestore(databaseUrl, path, { memoryMb, name, confirmed, ...wording });
      if (confirmed !== undefined) return { lines: await restore.apply(false, at) };
      const { question, details, foreign } = restore;
      return { lines: [], asked: { question, details, foreign, name, confirmed: restore.confirmed } };
    }
    case "export":
      return { lines: [await writeFolder(given.address), words.online.upload] };
    case "digest":
      return { lines: await monthLines() };
    case "look":
      return { lines: [], look: await lookAtFrontPage() };
    case "finish": {
      const lines: string[] = [];
      for (const note of given.notes) lines.push(...(await finish(note)));
      return { lines };
    }
  }
}

async function writeFolder(address: string): Promise<string> {
  const target = join(folder, EXPORT_FOLDER);
  const onProgress = (done: number, all: number) => {
    if (done % PROGRESS_FILES === 0) post({ kind: "progress", done, all });
  };
  const isSite = siteName !== undefined;
  const within = isSite ? folder : undefined; // a site's folder may be somebody else's than another's
  const report = await exportSite({ ...config, BASE_URL: address }, target, { onProgress, within, isSite });
  return exportLine(report, target, language);
}

async function lookAtFrontPage(): Promise<Look> {
  const snapshot = await withStore(readSnapshot);
  const { BASE_URL: baseUrl, ANALYZER_MODEL: model } = config;
  return {
    revision: snapshot.revision.number,
    documents: renderPreview(snapshot, { baseUrl, model: model || undefined }),
  };
}

/** The last month against those before it. */
async function monthLines(): Promise<string[]> {
  const baseUrl = baseUrlOf(config, config.PORT);
  const wish = { cadence: "monthly", now: at, baseUrl, model: config.ANALYZER_MODEL || undefined } as const;
  const digest = await withStore((store) => readDigest(store, wish));
  return digest === undefined
    ? [words.history.nothing]
    : digestText(digest)
        .split("\n")
        .filter((line) => line !== "" && (config.BASE_URL !== "" || !line.startsWith(baseUrl))); // nobody answers there
}

/** Says what became of the work of a killed desk. The words of a removal that it had done are erased. */
async function finish({ kind, at: begunAt, files, number }: WorkNote): Promise<string[]> {
  const { work } = words;
  const begun = fill(work.left[kind], {
    time: ownerTime(begunAt, language, await timeZone()),
    files: files.join(", "),
  });
  if (kind === "export") return [begun, work.leftUnwritten];
  const change = await changeOf((line) => (number === undefined ? line.at === begunAt : line.number === number));
  if (number !== undefined) return [begun, change?.undone === true ? work.leftUndone : work.leftNotUndone];
  if (change === undefined) return [begun, work.leftNothing];
  await withStore((store) => eraseRemovedWords(databaseUrl, store));
  return [begun, fill(work.leftDone, { number: String(change.number) })];
}

async function changeOf(isIt: (line: HistoryLine) => boolean): Promise<HistoryLine | undefined> {
  if (!isStoreThere(databaseUrl)) return undefined;
  return (await withStore(({ database }) => readHistory(database))).find(isIt);
}

try {
  const backup = task.kind === "restore" ? task.name : "";
  const outcome = await perform(task);
  const said =
    "lines" in outcome ? { ...outcome, lines: outcome.lines.map((line) => deskAdvice(line, words, backup)) } : outcome;
  post({ kind: "done", ...said });
} catch (error) {
  post({ kind: "refused", issues: issuesOfFault(error) });
}
