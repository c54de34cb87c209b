/** Removing for good, as commands and the desk do it, and what is said of it. */
import type { Cleared } from "../../maintenance/erasure.ts";
import { type RemovalReport, removeReviews } from "../../maintenance/removal.ts";
import type { Removal } from "../../store/history/removal-rows.ts";
import type { Store } from "../../store/store.ts";
import { faultAfter } from "../fault-message.ts";
import { eraseRemovedWords } from "../removed-words.ts";
import { plural } from "../terminal/terminal-text.ts";

export interface CompleteRemoval extends RemovalReport {
  readonly cleared: Cleared;
}

/**
 * Removes reviews, or their authors' names or texts, from the tables and then from the files of the store.
 * @throws Invalid if one of them is not published.
 */
export async function removeForGood(
  { databaseUrl, store }: { readonly databaseUrl: string; readonly store: Store },
  ids: readonly string[],
  what: readonly Removal["what"][],
): Promise<CompleteRemoval> {
  const report = await removeReviews(store, ids, { what, now: new Date() });
  try {
    return { ...report, cleared: await eraseRemovedWords(databaseUrl, store) };
  } catch (error) {
    throw faultAfter(`${report.ids.join(", ")}: taken out of every document and every table`, error);
  }
}

/** What was removed, what else went with it, and what remains to be done. */
export function removalLines(report: CompleteRemoval, what: readonly Removal["what"][]): string[] {
  const count = plural(report.ids.length, "review");
  if (what.includes("review"))
    return [
      `Removed ${count}. Revision ${report.revision}.`,
      ...copiesLines(report),
      ...afterwards(report.ids.length + report.copies.length, report.cleared),
    ];
  const parts = [what.includes("author") ? "the author's name" : "", what.includes("text") ? "the words" : ""];
  return [
    `Took ${parts.filter((part) => part !== "").join(" and ")} out of ${count}. Revision ${report.revision}.`,
    ...report.names.map(({ id, where }) => {
      const place = where === "text" ? "customer's words" : "owner's reply";
      const how = where === "text" ? "goodword redact --text takes them out" : "change the reply where you wrote it";
      return `warning: the ${place} of ${id} still hold the name: ${how}.`;
    }),
    ...afterwards(report.ids.length, report.cleared),
  ];
}

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

/** Lists the copies that were also removed, because a takedown request applies to a review on every source. */
function copiesLines({ copies }: RemovalReport): string[] {
  if (copies.length === 0) return [];
  const named = copies.map(({ id, source }) => `${id} (${source})`).join(", ");
  return [
    `Removed with ${copies.length === 1 ? "it, because it says" : "them, because they say"} the same, by the same author around the same day: ${named}.`,
  ];
}
