/** Removing for good, as commands and the desk do it, and what is said of it. */
import type { Cleared } from "../../maintenance/erasure.ts";
import { type RemovalReport, removeReviews } from "../../maintenance/removal.ts";
import { localeOf } from "../../page/text/locale.ts";
import { COMMAND_LANGUAGE, ownerWordsFor } from "../../page/text/owner-words.ts";
import { fill } from "../../page/text/words.ts";
import type { Removal } from "../../store/history/removal-rows.ts";
import type { Store } from "../../store/store.ts";
import { faultAfter } from "../fault-message.ts";
import { eraseRemovedWords } from "../removed-words.ts";

export interface CompleteRemoval extends RemovalReport {
  readonly cleared: Cleared;
}

/**
 * Removes reviews, or their authors' names or texts, from the tables and then from the files of the store.
 * @throws Invalid if one of them is not published.
 */
export async function removeForGood(
  { databaseUrl, store, now }: { readonly databaseUrl: string; readonly store: Store; readonly now: Date },
  ids: readonly string[],
  what: readonly Removal["what"][],
): Promise<CompleteRemoval> {
  const report = await removeReviews(store, ids, { what, now });
  try {
    return { ...report, cleared: await eraseRemovedWords(databaseUrl, store) };
  } catch (error) {
    throw faultAfter(`${report.ids.join(", ")}: taken out of every document and every table`, error);
  }
}

/** What was removed, what else went with it, and what remains to be done. */
export function removalLines(
  report: CompleteRemoval,
  what: readonly Removal["what"][],
  language: string = COMMAND_LANGUAGE,
): string[] {
  const [said, locale] = [ownerWordsFor(language), localeOf(language)];
  const values = { revision: String(report.revision) };
  const count = report.ids.length;
  if (what.includes("review"))
    return [
      locale.counted(said.removed, count, values),
      ...copiesLines(report, language),
      ...afterwards(count + report.copies.length, report.cleared, language),
    ];
  const parts = (["author", "text"] as const).filter((part) => what.includes(part)).map((part) => said.parts[part]);
  return [
    locale.counted(said.tookOut, count, { ...values, what: parts.join(said.and) }),
    ...report.names.map(({ id, where }) => fill(said.stillNamed[where], { id })),
    ...afterwards(count, report.cleared, language),
  ];
}

/** The effect on later imports, and where the removed words remain. */
function afterwards(count: number, cleared: Cleared, language: string): string[] {
  const [said, locale] = [ownerWordsFor(language), localeOf(language)];
  return [
    ...(cleared === "tables" ? [said.logRemains] : []),
    locale.counted(said.leftOut, count),
    locale.counted(said.copiesHold, count),
  ];
}

/** Lists the copies that were also removed, because a takedown request applies to a review on every source. */
function copiesLines({ copies }: RemovalReport, language: string): string[] {
  if (copies.length === 0) return [];
  const named = copies.map(({ id, source }) => `${id} (${source})`).join(", ");
  return [localeOf(language).counted(ownerWordsFor(language).removedCopies, copies.length, { copies: named })];
}
