/** SQL for the analyses of a language model, which arrive one by one over hours and are published in batches. */
import { keepAnalyses } from "./analysis-rows.ts";
import { raiseRevision, readRevision, type Store } from "./store.ts";
import type { AnalysisTable, Database } from "./tables.ts";

/**
 * Key of the row that marks unpublished analyses of a model. It is written and deleted in their transactions, so that a
 * process that starts after a crash publishes them.
 */
const unpublished = (analyser: string) => `unpublished.${analyser}`;

/** Whether a key belongs to such a mark and not to an analysis. */
export function isUnpublishedMark(key: string): boolean {
  return key.startsWith(unpublished(""));
}

/** An analysis, and the reviews with the text that it belongs to. */
interface KeptAnalysis {
  readonly row: AnalysisTable;
  readonly of: { readonly reviewIds: readonly string[]; readonly text: string };
  readonly publishedAt?: Date | undefined;
}

/**
 * Stores an analysis. If `publishedAt` is given, publishes it together with the unpublished ones before it. Does
 * nothing if no review has the text any more, because it was removed or edited in the meantime.
 */
export async function keepModelAnalysis(
  store: Store,
  analyser: string,
  { row, of, publishedAt }: KeptAnalysis,
): Promise<void> {
  await store.database.transaction().execute(async (transaction) => {
    const reviews = transaction.selectFrom("review").select("id").where("id", "in", of.reviewIds);
    if ((await reviews.where("text", "=", of.text).executeTakeFirst()) === undefined) return;
    await keepAnalyses(transaction, [row, { key: unpublished(analyser), body: "" }]);
    if (publishedAt !== undefined) await publish(transaction, analyser, publishedAt);
  });
}

/** Raises the revision if this model has unpublished analyses. Returns the revision. */
export async function publishModelAnalyses(store: Store, analyser: string, now: Date): Promise<number> {
  return await store.database.transaction().execute(async (transaction) => {
    await publish(transaction, analyser, now);
    return (await readRevision(transaction)).number;
  });
}

/** Deletes the analyses of other models, and those that this model made with another prompt. */
export async function forgetOtherModels({ database }: Store, analyser: string): Promise<void> {
  await database.deleteFrom("analysis").where("key", "like", "%.%").where("key", "not like", `%.${analyser}`).execute();
}

async function publish(transaction: Database, analyser: string, now: Date): Promise<void> {
  const { numDeletedRows } = await transaction
    .deleteFrom("analysis")
    .where("key", "=", unpublished(analyser))
    .executeTakeFirst();
  if (numDeletedRows > 0n) await raiseRevision(transaction, now);
}
