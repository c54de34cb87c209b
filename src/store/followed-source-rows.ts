/** How it went with each followed address, and the claim by which one process at a time follows them. */
import type { Store } from "./store.ts";
import type { Database, FollowedSourceTable } from "./tables.ts";

export type FollowedSourceRow = Readonly<FollowedSourceTable>;

/** The token under which the claim is held: every write proves it. */
export interface FollowClaim {
  readonly token: number;
}

/** All rows by their keys. */
export async function readFollowedSources({ database }: Store): Promise<Map<string, FollowedSourceRow>> {
  const rows = await database.selectFrom("followed_source").selectAll().execute();
  return new Map(rows.map((row) => [row.key, row]));
}

/** Claims the following until `until`; undefined while another process holds it. */
export async function claimFollowing(
  { database }: Store,
  { owner, now, until }: { readonly owner: string; readonly now: Date; readonly until: Date },
): Promise<FollowClaim | undefined> {
  return await database
    .updateTable("follow_claim")
    .set(({ eb }) => ({ owner, token: eb("token", "+", 1), claimed_until: until.toISOString() }))
    .where("claimed_until", "<=", now.toISOString())
    .returning("token")
    .executeTakeFirst();
}

/** Extends the claim. Gives whether it was still held. */
export async function renewFollowing({ database }: Store, { token }: FollowClaim, until: Date): Promise<boolean> {
  const { numUpdatedRows } = await database
    .updateTable("follow_claim")
    .set({ claimed_until: until.toISOString() })
    .where("token", "=", token)
    .where("owner", "is not", null)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

/** Gives the claim back at once. */
export async function releaseFollowing({ database }: Store, { token }: FollowClaim): Promise<void> {
  await database
    .updateTable("follow_claim")
    .set({ owner: null, claimed_until: "" })
    .where("token", "=", token)
    .execute();
}

/** Writes down how it went with an address, unless another process has taken over. */
export async function keepFollowedSource(store: Store, claim: FollowClaim, row: FollowedSourceRow): Promise<void> {
  await store.database.transaction().execute(async (transaction) => {
    if (!(await proveFollowing(transaction, claim))) return;
    await transaction
      .insertInto("followed_source")
      .values(row)
      .onConflict((conflict) => conflict.column("key").doUpdateSet(row))
      .execute();
  });
}

/** Forgets the addresses that are followed no more. */
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
