/** `goodword remove`, `redact`, `readmit` and `removed`: permanent removals by the owner. */
import type { Cleared } from "../../maintenance/erasure.ts";
import { type RemovalReport, readmitReviews, removeReviews } from "../../maintenance/removal.ts";
import { listRemovals, type Removal } from "../../store/history/removal-rows.ts";
import type { Store } from "../../store/store.ts";
import { faultAfter } from "../fault-message.ts";
import { eraseRemovedWords } from "../removed-words.ts";
import { localTime, plural, textTable } from "../terminal/terminal-text.ts";
import { asTyped } from "../terminal/typed-command.ts";
import { withExistingStore } from "./existing-store.ts";

const LOG_REMAINS =
  "warning: PostgreSQL's write-ahead log may hold the words until it is written over, because the user of DATABASE_URL may not clear it or the server keeps it for others: docs/operators.md says what to do.";

/** The effect on later imports, and where the removed words remain. */
function afterwards(count: number, cleared: Cleared): string[] {
  const it = count === 1 ? "it" : "them";
  return [
    ...(cleared === "tables" ? [LOG_REMAINS] : []),
    `Later imports leave ${it} out. goodword readmit ID takes that back.`,
    `Backups and exports that were made before still hold ${it}: delete those, or make new ones.`,
  ];
}

/** Removes reviews permanently. @throws Invalid if one of them is not published. */
export async function removeCommand(databaseUrl: string, ids: readonly string[]): Promise<void> {
  await withExistingStore(databaseUrl, async (store) => {
    const report = await removeForGood({ databaseUrl, store }, ids, ["review"]);
    print([
      `Removed ${plural(report.ids.length, "review")}. Revision ${report.revision}.`,
      ...copiesLines(report),
      ...afterwards(report.ids.length + report.copies.length, report.cleared),
    ]);
  });
}

/** Removes names or texts from reviews permanently. @throws Invalid if one of them is not published. */
export async function redactCommand(
  databaseUrl: string,
  ids: readonly string[],
  { author, text }: { readonly author: boolean; readonly text: boolean },
): Promise<void> {
  await withExistingStore(databaseUrl, async (store) => {
    const what: Removal["what"][] = [...(author ? ["author" as const] : []), ...(text ? ["text" as const] : [])];
    const report = await removeForGood({ databaseUrl, store }, ids, what);
    const parts = [author ? "the author's name" : "", text ? "the words" : ""].filter((part) => part !== "");
    print([
      `Took ${parts.join(" and ")} out of ${plural(report.ids.length, "review")}. Revision ${report.revision}.`,
      ...report.names.map(({ id, where }) => {
        const place = where === "text" ? "customer's words" : "owner's reply";
        const how = where === "text" ? "goodword redact --text takes them out" : "change the reply where you wrote it";
        return `warning: the ${place} of ${id} still hold the name: ${how}.`;
      }),
      ...afterwards(report.ids.length, report.cleared),
    ]);
  });
}

/** Lists the copies that were also removed, because a takedown request applies to a review on every source. */
function copiesLines({ copies }: RemovalReport): string[] {
  if (copies.length === 0) return [];
  const named = copies.map(({ id, source }) => `${id} (${source})`).join(", ");
  return [
    `Removed with ${copies.length === 1 ? "it, because it says" : "them, because they say"} the same, by the same author around the same day: ${named}.`,
  ];
}

async function removeForGood(
  { databaseUrl, store }: { readonly databaseUrl: string; readonly store: Store },
  ids: readonly string[],
  what: readonly Removal["what"][],
): Promise<RemovalReport & { readonly cleared: Cleared }> {
  const report = await removeReviews(store, ids, { what, now: new Date() });
  try {
    return { ...report, cleared: await eraseRemovedWords(databaseUrl, store) };
  } catch (error) {
    throw faultAfter(`${report.ids.join(", ")}: taken out of every document and every table`, error);
  }
}

/** Revokes removals and redactions. @throws Invalid if one of the ids was never removed. */
export async function readmitCommand(databaseUrl: string, given: readonly string[]): Promise<void> {
  await withExistingStore(databaseUrl, async (store) => {
    const ids = await readmitReviews(store, given, new Date());
    print([
      `Allowed ${plural(ids.length, "review")} again. Import the export that has ${ids.length === 1 ? "it" : "them"} to publish it whole again.`,
    ]);
  });
}

/** Lists removals and redactions, as a table or as JSON. */
export async function removedCommand(databaseUrl: string, json: boolean): Promise<void> {
  await withExistingStore(databaseUrl, async (store) => {
    const removals = (await listRemovals(store.database)).map(({ id, what, at }) => ({ id, what, at }));
    if (json) print([JSON.stringify(removals)]);
    else if (removals.length === 0) print(["Nothing was removed or redacted."]);
    else print([textTable([["id", "what", "when"], ...removals.map(({ id, what, at }) => [id, what, localTime(at)])])]);
  });
}

function print(lines: readonly string[]): void {
  process.stdout.write(asTyped(`${lines.join("\n")}\n`));
}
