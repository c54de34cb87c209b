/** The analyses that a language model made, as they come in one by one over hours, and when they are published. */
import { keepAnalyses } from "./analysis-rows.ts";
import { reviewsById } from "./review-writes.ts";
import { raiseRevision, readRevision, type Store } from "./store.ts";
import type { AnalysisTable, Database } from "./tables.ts";

/**
 * The row that stands while analyses of a reader are kept that no revision counts yet. It is written and removed in the
 * same transactions as they, so that whoever goes on after a crash knows that there is something to publish.
 */
const unpublished = (tag: string) => `unpublished.${tag}`;

/** Whether a key is that of such a row, and of no analysis. */
export function isUnpublishedMark(key: string): boolean {
  return key.startsWith(unpublished(""));
}

/** An analysis, and the reviews that have the text which it is of. */
interface KeptAnalysis {
  readonly row: AnalysisTable;
  readonly of: { readonly reviewIds: readonly string[]; readonly text: string };
  readonly publishedAt?: Date | undefined;
}

/**
 * Keeps an analysis of the text of some reviews, and publishes it with all before it when `publishedAt` is given. Does
 * nothing when none of these reviews has that text any more: it was removed or edited while the model read it.
 */
export async function keepModelAnalysis(
  store: Store,
  tag: string,
  { row, of, publishedAt }: KeptAnalysis,
): Promise<void> {
  await store.database.transaction().execute(async (transaction) => {
    const held = await reviewsById(transaction, of.reviewIds);
    if (!held.some(({ text }) => text === of.text)) return;
    await keepAnalyses(transaction, [row, { key: unpublished(tag), body: "" }]);
    if (publishedAt !== undefined) await publish(transaction, tag, publishedAt);
  });
}

/** Raises the revision if analyses of this reader wait for it. Gives the revision. */
export async function publishModelAnalyses(store: Store, tag: string, now: Date): Promise<number> {
  return await store.database.transaction().execute(async (transaction) => {
    await publish(transaction, tag, now);
    return (await readRevision(transaction)).number;
  });
}

/** Removes what other models made, and what this one made when it was told something else. */
export async function forgetOtherModels({ database }: Store, tag: string): Promise<void> {
  await database.deleteFrom("analysis").where("key", "like", "%.%").where("key", "not like", `%.${tag}`).execute();
}

async function publish(transaction: Database, tag: string, now: Date): Promise<void> {
  const { numDeletedRows } = await transaction
    .deleteFrom("analysis")
    .where("key", "=", unpublished(tag))
    .executeTakeFirst();
  if (numDeletedRows > 0n) await raiseRevision(transaction, now);
}
