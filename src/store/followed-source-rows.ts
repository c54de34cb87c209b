/** SQL for the state of followed sources. One process at a time follows them, under the claim FOLLOWING. */
import type { OwnWords } from "../lib/own-words.ts";
import { type Claim, proveClaim } from "./claims.ts";
import { forgetTroubles, noteTrouble, sourceTrouble } from "./notice-rows.ts";
import type { Store } from "./store.ts";
import type { FollowedSourceTable } from "./tables.ts";

/** Failures in a row after which the owner is told. */
const MIN_TOLD_FAILURES = 3;

export type FollowedSourceRow = Readonly<FollowedSourceTable>;

/** A row to be stored: removals do not look into it, so its outcome may hold no word of a review. */
export type FollowedSourceState = FollowedSourceRow & { readonly outcome: OwnWords };

/** All rows by key. */
export async function readFollowedSources({
  database,
}: Pick<Store, "database">): Promise<Map<string, FollowedSourceRow>> {
  const rows = await database.selectFrom("followed_source").selectAll().execute();
  return new Map(rows.map((row) => [row.key, row]));
}

/** Stores the state of a source, unless another process has taken over. */
export async function keepFollowedSource(store: Store, claim: Claim, row: FollowedSourceState): Promise<void> {
  await store.database.transaction().execute(async (transaction) => {
    if (!(await proveClaim(transaction, claim))) return;
    await transaction
      .insertInto("followed_source")
      .values(row)
      .onConflict((conflict) => conflict.column("key").doUpdateSet(row))
      .execute();
    const isOn = row.failures >= MIN_TOLD_FAILURES;
    await noteTrouble(transaction, { key: sourceTrouble(row.key), isOn, at: new Date(row.last_at) });
  });
}

/** Deletes the state of sources that are no longer followed. */
export async function keepOnlyFollowed({ database }: Store, keys: readonly string[]): Promise<void> {
  const deleting = database.deleteFrom("followed_source");
  await (keys.length === 0 ? deleting : deleting.where("key", "not in", [...keys])).execute();
  await forgetTroubles(database, keys.map(sourceTrouble));
}
