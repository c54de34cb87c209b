/** `goodword history`, `undo` and `withdraw`: list the store's changes, undo the last one, and withdraw a source. */
import { undoChange } from "../../maintenance/undo.ts";
import { countOfSource, withdrawSource } from "../../maintenance/withdrawal.ts";
import {
  countSavedBytes,
  type HistoryLine,
  MAX_SAVED_BYTES,
  MAX_SAVED_CHANGES,
  readHistory,
} from "../../store/history/change-rows.ts";
import { changesThatFound } from "../../store/sighting-rows.ts";
import { askUndo, undoneLine } from "../owner/undoing.ts";
import { localTime, plural, textTable } from "../terminal/terminal-text.ts";
import { asTyped } from "../terminal/typed-command.ts";
import { requireYes } from "./confirmation.ts";
import { withExistingStore } from "./existing-store.ts";

const MEGABYTE = 1_000_000;

/** Lists the history, newest first, as a table or as JSON. */
export async function historyCommand(databaseUrl: string, json: boolean): Promise<void> {
  await withExistingStore(databaseUrl, async (store) => {
    const lines = await readHistory(store.database);
    if (json) return void process.stdout.write(`${JSON.stringify(lines)}\n`);
    if (lines.length === 0) return void process.stdout.write("Nothing has changed the store yet.\n");
    const finding = await changesThatFound(store.database);
    const head = ["number", "time", "command", "added", "changed", "withdrawn", "files"];
    const rows = lines.map((line) => [
      ...[String(line.number), localTime(line.at), commandOf(line, finding)],
      ...[line.added, line.changed, line.withdrawn].map(String),
      line.files.join(", "),
    ]);
    const size = ((await countSavedBytes(store.database)) / MEGABYTE).toFixed(1);
    process.stdout.write(
      `${textTable([head, ...rows])}\n${asTyped("goodword undo takes")} back the last import, withdrawal or restore; run it again for the one before it. Removals and redactions are taken back by ${asTyped("goodword readmit")} only. The store keeps what the last ${MAX_SAVED_CHANGES} changes replaced (${size} MB now), or fewer of them where that would take more than ${MAX_SAVED_BYTES / MEGABYTE} MB.\n`,
    );
  });
}

/** `import (business changed, undone)` */
function commandOf(line: HistoryLine, finding: ReadonlySet<number>): string {
  const { number, command, added, changed, withdrawn, undone } = line;
  const isBusinessOnly = command === "import" && added + changed + withdrawn === 0 && !finding.has(number);
  const notes = [
    ...(isBusinessOnly ? ["business changed"] : []),
    ...(command === "import" && finding.has(number) ? ["reviews vanished or back"] : []),
    ...(undone ? ["undone"] : []),
  ];
  return notes.length === 0 ? command : `${command} (${notes.join(", ")})`;
}

/** Undoes the last change after confirmation. @throws Error if no change can be undone. */
export async function undoCommand(databaseUrl: string, yes: boolean, memoryMb?: number): Promise<void> {
  await withExistingStore(databaseUrl, async (store) => {
    const { change, question, details, warnings } = await askUndo(store, { memoryMb });
    await requireYes(yes, question, { details });
    const report = await undoChange(store, change.number, new Date());
    for (const warning of yes ? warnings : []) process.stderr.write(`${warning}\n`);
    process.stdout.write(`${undoneLine(report)}\n`);
  });
}

/** Withdraws a source's reviews after confirmation. @throws Invalid if there are none. */
export async function withdrawCommand(databaseUrl: string, source: string, yes: boolean): Promise<void> {
  await withExistingStore(databaseUrl, async (store) => {
    const count = await countOfSource(store, source);
    await requireYes(yes, `This takes out ${plural(count, "review")} from ${source}.`);
    const { withdrawn, revision } = await withdrawSource(store, source, new Date());
    process.stdout.write(
      `Withdrew ${plural(withdrawn, "review")} from ${source}. Revision ${revision}.\nAn import of ${source} brings them back; ${asTyped("goodword undo does too")}.\n`,
    );
  });
}
