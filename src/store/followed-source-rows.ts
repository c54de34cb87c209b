/** SQL for followed sources: the state of each, and the claim that lets one process at a time follow them. */
import type { OwnWords } from "../lib/own-words.ts";
import { hasClaimEnded } from "./shard-claim-rows.ts";
import type { Store } from "./store.ts";
import type { Database, FollowedSourceTable } from "./tables.ts";

export type FollowedSourceRow = Readonly<FollowedSourceTable>;

/** A row to be stored: removals do not look into it, so its outcome may hold no word of a review. */
export type FollowedSourceState = FollowedSourceRow & { readonly outcome: OwnWords };

/** The fencing token of the claim, which every write must present. */
export interface FollowClaim {
  readonly token: number;
}

/** All rows by key. */
export async function readFollowedSources({ database }: Store): Promise<Map<string, FollowedSourceRow>> {
  const rows = await database.selectFrom("followed_source").selectAll().execute();
  return new Map(rows.map((row) => [row.key, row]));
}

/** Claims the right to follow sources until `until`. Returns undefined while another process holds the claim. */
export async function claimFollowing(
  { database }: Store,
  { owner, now, until }: { readonly owner: string; readonly now: Date; readonly until: Date },
): Promise<FollowClaim | undefined> {
  return await database
    .updateTable("follow_claim")
    .set(({ eb }) => ({ owner, token: eb("token", "+", 1), claimed_until: until.toISOString() }))
    .where(hasClaimEnded(now))
    .returning("token")
    .executeTakeFirst();
}

/** Extends the claim. Returns whether it was still valid. */
export async function renewFollowing({ database }: Store, { token }: FollowClaim, until: Date): Promise<boolean> {
  const { numUpdatedRows } = await database
    .updateTable("follow_claim")
    .set({ claimed_until: until.toISOString() })
    .where("token", "=", token)
    .where("owner", "is not", null)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

/** Releases the claim. */
export async function releaseFollowing({ database }: Store, { token }: FollowClaim): Promise<void> {
  await database
    .updateTable("follow_claim")
    .set({ owner: null, claimed_until: "" })
    .where("token", "=", token)
    .execute();
}

/** Stores the state of a source, unless another process has taken over. */
export async function keepFollowedSource(store: Store, claim: FollowClaim, row: FollowedSourceState): Promise<void> {
  await store.database.transaction().execute(async (transaction) => {
    if (!(await proveFollowing(transaction, claim))) return;
    await transaction
      .insertInto("followed_source")
      .values(row)
      .onConflict((conflict) => conflict.column("key").doUpdateSet(row))
      .execute();
  });
}

/** Deletes the state of sources that are no longer followed. */
export async function keepOnlyFollowed({ database }: Store, keys: readonly string[]): Promise<void> {
  const deleting = database.deleteFrom("followed_source");
  await (keys.length === 0 ? deleting : deleting.where("key", "not in", [...keys])).execute();
}

async function proveFollowing(transaction: Database, { token }: FollowClaim): Promise<boolean> {
  const { numUpdatedRows } = await transaction
    .updateTable("follow_claim")
    .set({ token })
    .where("token", "=", token)
    .where("owner", "is not", null)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}
