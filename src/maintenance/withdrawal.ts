/** Withdraws every review of one source from the store. A later import may restore them. */
import { confirmCorrections } from "../analysis/correction-findings.ts";
import { Invalid } from "../issue.ts";
import { openChange } from "../store/history/change-rows.ts";
import { countBySource, reviewIdsOf } from "../store/review-writes.ts";
import { forgetSourcePlace } from "../store/source-place-rows.ts";
import { lockRevision, raiseRevision, readRevision, type Store } from "../store/store.ts";

const BATCH = 300;

/** The number of withdrawn reviews, and the new revision. */
export interface WithdrawalReport {
  readonly withdrawn: number;
  readonly revision: number;
}

/**
 * The number of stored reviews of a source, published or not.
 * @throws Invalid when there are none.
 */
export async function countOfSource({ database }: Store, source: string): Promise<number> {
  const counts = await countBySource(database);
  const count = counts.get(source) ?? 0;
  if (count > 0) return count;
  const others = [...counts].map(([name, number]) => `${name} (${number})`).join(", ");
  const held = others === "" ? "The store holds no reviews" : `The store holds reviews from ${others}`;
  const message = `There are no reviews from ${source}. ${held}. Nothing was changed.`;
  throw new Invalid([{ code: "source", path: ["source"], message }]);
}

/** Withdraws every review of a source, in one transaction. */
export async function withdrawSource(store: Store, source: string, now: Date): Promise<WithdrawalReport> {
  return await store.database.transaction().execute(async (transaction) => {
    await lockRevision(transaction);
    const change = await openChange(transaction, { command: "withdraw", files: [], at: now });
    let withdrawn = 0;
    for (;;) {
      const ids = await reviewIdsOf(transaction, source, BATCH);
      if (ids.length === 0) break;
      await change.delete(ids);
      withdrawn += ids.length;
    }
    if (withdrawn > 0) {
      await forgetSourcePlace(transaction, source);
      await change.finish({ added: 0, changed: 0, withdrawn });
      await raiseRevision(transaction, now);
      await confirmCorrections(transaction);
    }
    return { withdrawn, revision: (await readRevision(transaction)).number };
  });
}
