/** The desk's page of the history: what changed the store, undoing, backups and restoring them. */

import { once } from "node:events";
import { createReadStream } from "node:fs";
import { open, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { Readable } from "node:stream";
import { html } from "hono/html";
import { plainLine } from "../../lib/printable-text.ts";
import { bytesOf } from "../../lib/private-file.ts";
import { changeToUndo } from "../../maintenance/undo.ts";
import type { Markup } from "../../page/text/markup.ts";
import { beginning } from "../../page/text/printable.ts";
import { fill } from "../../page/text/words.ts";
import { isPostgres } from "../../store/engine/store-url.ts";
import { HISTORY_PLACE, type HistoryLine, historyPage } from "../../store/history/change-rows.ts";
import { changesThatFound } from "../../store/sighting-rows.ts";
import { backupStore } from "../../store/store.ts";
import { askUndo, type UndoQuestion } from "../owner/undoing.ts";
import { faultAdvice, labelOf, questionAdvice } from "./desk-advice.ts";
import { NAME } from "./desk-business-file.ts";
import { privateFolder } from "./desk-folders.ts";
import {
  confirmPage,
  DESK_HEADERS,
  type DeskRequest,
  deskTime,
  fieldFaults,
  fieldState,
  leadTo,
  olderLink,
  readPlace,
  renderTable,
  showPage,
  tokenField,
} from "./desk-frame.ts";
import { withStore } from "./desk-site.ts";
import { isQuestion } from "./desk-work.ts";
import { doWork } from "./desk-work-page.ts";

const [PAGE_LENGTH, FILES_LENGTH] = [100, 1_000];
const RESTORE = "restore";

/** Answers `/history` and what is below it. */
export async function answerHistory(request: DeskRequest): Promise<Response | undefined> {
  const { isPost, rest } = request;
  switch (rest.join("/")) {
    case "":
      return isPost ? undefined : await showHistory(request);
    case "undo":
      return isPost ? await undo(request) : await askToUndo(request);
    case "backup":
      return isPost ? undefined : await sendBackup(request);
    case "restore":
      return isPost ? await askToRestore(request) : leadTo(request, "/history");
    case "restore/confirmed":
      return isPost ? await restore(request) : leadTo(request, "/history");
    case "restore/cancelled":
      if (isPost) await cancelRestore(request);
      return leadTo(request, "/history");
    default:
      return undefined;
  }
}

async function showHistory(request: DeskRequest, wrong: readonly string[] = []): Promise<Response> {
  const { words, locale, site, query } = request;
  const { history } = words;
  const after = readPlace(query, HISTORY_PLACE);
  const wish = { limit: PAGE_LENGTH, after: Number.isSafeInteger(Number(after?.number)) ? after : undefined };
  const { rows: lines = [], last } = (await withStore(site, ({ database }) => historyPage(database, wish))) ?? {};
  const finding = (await withStore(site, ({ database }) => changesThatFound(database))) ?? new Set<number>();
  const next = await withStore(site, changeToUndo).catch(() => undefined); // there is none
  const rows = lines.map((line) => [
    String(line.number),
    html`<time datetime="${line.at}">${deskTime(request, line.at)}</time>`,
    kindOf(line, finding, request),
    ...[line.added, line.changed, line.withdrawn].map((count) => locale.number(count)),
    plainLine(beginning(line.files.join(", "), FILES_LENGTH).text),
  ]);
  const heads = [
    history.number,
    history.when,
    history.what,
    history.added,
    history.changed,
    history.takenOut,
    history.files,
  ];
  const noFile = wrong.includes(history.noFile) ? wrong : [];
  const canBackUp = !isPostgres(site.config.DATABASE_URL);
  const content = html`<div class="card">${
    rows.length === 0
      ? html`<p>${history.nothing}</p>`
      : html`<div class="actions"><form method="get" action="${site.prefix}/history/undo"><button class="button quiet">${history.undo}</button></form>${next === undefined ? "" : html`${undoHint(request, next, { newest: after === undefined ? lines[0] : undefined, finding })}`}</div>${renderTable(words.navigation.history, heads, rows)}${olderLink(request, "/history", { last, columns: HISTORY_PLACE, label: words.reviews.older })}`
  }</div>
<section class="card"><h2>${history.backup}</h2><p>${canBackUp ? history.backupHint : history.noBackup}</p>${
    canBackUp && lines.length > 0
      ? html`<p class="actions"><a class="button quiet" href="${site.prefix}/history/backup">${history.download}</a></p>`
      : ""
  }</section>
<section class="card"><h2>${history.restoreTitle}</h2><p>${history.restoreHint}</p><form method="post" action="${site.prefix}/history/restore" enctype="multipart/form-data" class="fields-form">${tokenField(request)}<p><label for="backup">${history.backup}</label><input type="file" id="backup" name="backup" required${fieldState("backup", noFile)}></p>${fieldFaults("backup", noFile)}<p class="actions"><button class="button quiet">${history.restore}</button></p></form></section>`;
  return showPage(request, {
    entry: "history",
    title: words.navigation.history,
    content,
    faults: [
      { lines: noFile, field: { id: "backup", label: history.backup } },
      { lines: noFile.length > 0 ? [] : wrong },
    ],
    status: wrong.length > 0 ? 400 : 200,
  });
}

/** Which change an undo is of, and where the newest one is taken back if it is another. */
function undoHint(request: DeskRequest, next: HistoryLine, { newest, finding }: NewestChange): Markup {
  const { words, site } = request;
  const { history, reviews, findings } = words;
  const named = (line: HistoryLine) => ({ number: String(line.number), what: kindOf(line, finding, request) });
  const removed = html`<a href="${site.prefix}/reviews/removed">${reviews.removed}</a>`;
  const corrected = html`<a href="${site.prefix}/findings/corrected">${findings.corrected}</a>`;
  const own = { remove: removed, redact: removed, correct: corrected }[newest?.command ?? ""];
  const others =
    newest !== undefined && own !== undefined && newest.number > next.number
      ? html`<strong>${fill(history.newestElsewhere, named(newest))}</strong> ${own}`
      : html`${history.othersElsewhere} ${removed}, ${corrected}`;
  return html`<span class="soft">${fill(history.undoHint, named(next))} ${others}</span>`;
}

interface NewestChange {
  /** Undefined on a page of older ones. */
  readonly newest: HistoryLine | undefined;
  /** See `kindOf`. */
  readonly finding: ReadonlySet<number>;
}

/** What a change was, in words. `finding`: the numbers of those that found reviews vanished or back. */
function kindOf(line: HistoryLine, finding: ReadonlySet<number>, { words: { history } }: DeskRequest): string {
  const { number, command, added, changed, withdrawn, undone, files } = line;
  const { kinds } = history;
  const isOfBusiness = files.length === 1 && files[0] === NAME && added + withdrawn === 0; // a time zone changes days
  const isEmpty = command === "import" && (isOfBusiness || added + changed + withdrawn === 0);
  const name = isEmpty ? (finding.has(number) ? "vanished" : "business") : command;
  const kind = kinds[name as keyof typeof kinds] ?? command;
  return undone ? `${kind} (${history.undone})` : kind;
}

async function askToUndo(request: DeskRequest): Promise<Response> {
  const { words, site } = request;
  const { history } = words;
  let asked: UndoQuestion | undefined;
  try {
    asked = await withStore(site, (store) =>
      askUndo(store, {
        memoryMb: site.config.MEMORY_MB,
        language: request.locale.tag,
        timeZone: request.timeZone,
        label: (field) => labelOf(request, field),
      }),
    );
  } catch (error) {
    return await showHistory(request, faultAdvice(error, words));
  }
  if (asked === undefined) return await showHistory(request, [history.nothing]);
  const { change } = asked;
  const finding = (await withStore(site, ({ database }) => changesThatFound(database))) ?? new Set<number>();
  const values = { number: String(change.number), what: kindOf(change, finding, request) };
  const title = fill(history.askUndo, { ...values, when: deskTime(request, change.at) });
  const lines = questionAdvice({ ...asked, name: change.files.join(", ") }, words);
  const action = {
    path: "/history/undo",
    yes: history.yesUndo,
    back: "/history",
    fields: { number: String(change.number) },
  };
  return confirmPage(request, { entry: "history", title, lines }, action);
}

async function undo(request: DeskRequest): Promise<Response> {
  return await doWork(request, { kind: "undo", number: Number(request.form.fields.get("number")) }, "/history");
}

/** A copy of the store. Its file has no name any more when it is sent. */
async function sendBackup({ site, words }: DeskRequest): Promise<Response | undefined> {
  if (isPostgres(site.config.DATABASE_URL)) throw new Error(words.history.noBackup);
  const folder = await privateFolder();
  try {
    const path = join(folder, "backup.db");
    const isMade = await withStore(site, async (store) => {
      await backupStore(store, path);
      return true;
    });
    if (isMade === undefined) return undefined;
    const { size } = await stat(path);
    // Not a FileHandle: one that nobody closes, as when a browser has gone before it was sent, ends the process.
    const file = createReadStream(path);
    await once(file, "open"); // from then on it needs no name
    const name = `${site.name ?? "goodword"}-backup-${new Date().toISOString().slice(0, 10)}.db`;
    return new Response(Readable.toWeb(file) as ReadableStream<Uint8Array>, {
      headers: {
        ...DESK_HEADERS,
        "Content-Type": "application/vnd.sqlite3",
        "Content-Length": String(size),
        "Content-Disposition": `attachment; filename="${name}"`,
      },
    });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Has an uploaded backup opened and said what it would do. It waits in a private folder for the answer. */
async function askToRestore(request: DeskRequest): Promise<Response> {
  const { words, site, form } = request;
  const { history } = words;
  const [uploaded] = form.files;
  if (uploaded === undefined) return await showHistory(request, [history.noFile]);
  if (!site.works.isFree()) return await showHistory(request, [words.work.busy]);
  await forget(site);
  const folder = await privateFolder();
  const waiting: WaitingBackup = {
    path: join(folder, "backup.db"),
    name: uploaded.name,
    [Symbol.asyncDispose]: async () => await rm(folder, { recursive: true, force: true }),
  };
  site.pending.set(RESTORE, waiting);
  const { path, name } = waiting;
  try {
    await using copy = await open(path, "wx", 0o600);
    for await (const piece of bytesOf(uploaded.handle.fd)) await copy.writeFile(piece);
    return await doWork(request, { kind: "restore", path, name }, "/history");
  } catch (error) {
    await forget(site);
    return await showHistory(request, faultAdvice(error, words));
  }
}

/** An uploaded backup that is to be confirmed. */
interface WaitingBackup extends AsyncDisposable {
  readonly path: string;
  readonly name: string;
}

async function restore(request: DeskRequest): Promise<Response> {
  const { site, words, form } = request;
  const waiting = site.pending.get(RESTORE) as WaitingBackup | undefined;
  const { id, outcome } = site.works.current() ?? {};
  if (waiting === undefined || outcome === undefined || !isQuestion(outcome))
    return await showHistory(request, [words.history.noFile]);
  if (id !== form.fields.get("id")) return await showHistory(request, [words.history.replaced]);
  site.pending.delete(RESTORE); // it is done once, however often it is confirmed
  const { path, name } = waiting;
  const { confirmed } = outcome.asked;
  const answering = doWork(request, { kind: "restore", path, name, confirmed }, "/history");
  const remove = async () => await waiting[Symbol.asyncDispose]();
  void site.works
    .current()
    ?.ended.then(remove)
    .catch(() => {}); // the next desk removes what is left
  return await answering;
}

/** Nothing, if another window has put another backup in the place of this one. */
async function cancelRestore({ site, form }: DeskRequest): Promise<void> {
  const { id, outcome } = site.works.current() ?? {};
  if (id === undefined || outcome === undefined || !isQuestion(outcome) || id !== form.fields.get("id")) return;
  site.works.seen(id);
  await forget(site);
}

async function forget({ pending }: DeskRequest["site"]): Promise<void> {
  const waiting = pending.get(RESTORE);
  pending.delete(RESTORE);
  await waiting?.[Symbol.asyncDispose]();
}
