/**
 * Claims on shards. One process at a time dispatches a shard; if it is killed, the shard is free when the claim
 * expires.
 */
import { type Expression, expressionBuilder, type SqlBool } from "kysely";
import { isOnPostgres } from "./engine/postgres.ts";
import type { Store } from "./store.ts";
import type { Database, Tables } from "./tables.ts";

/** The fencing token of a claim, which every write of the dispatcher must present. */
export interface Claim {
  readonly shard: number;
  readonly token: number;
}

/** The topics that the process can deliver, and the tags of their documents. */
export interface WorkQuery {
  readonly now: Date;
  readonly topics: readonly string[];
  readonly tags: readonly string[];
}

/** The kinds of work that are due in a shard. */
export interface DueWork {
  readonly shard: number;
  readonly verifications: boolean;
  readonly deliveries: boolean;
}

/** The shards with due work or an unfinished fan-out, claimed or not. */
export async function shardsWithWork({ database }: Store, { now, topics, tags }: WorkQuery): Promise<DueWork[]> {
  const time = now.toISOString();
  const rows = await database
    .selectFrom("shard_claim as claim")
    .select(({ exists, lit, selectFrom }) => {
      const due = selectFrom("subscription")
        .select(lit(1).as("one"))
        .whereRef("subscription.shard", "=", "claim.shard");
      const fanOut = selectFrom("fan_out")
        .select(lit(1).as("one"))
        .whereRef("fan_out.shard", "=", "claim.shard")
        .where("finished", "=", 0);
      const hasTopics = topics.length > 0;
      return [
        "claim.shard",
        exists(due.where("intent_due_at", "<=", time)).as("verifications"),
        (hasTopics ? exists(due.where("due_at", "<=", time).where("topic", "in", [...topics])) : lit(0)).as(
          "deliveries",
        ),
        (hasTopics ? exists(fanOut.where("tag", "in", [...tags])) : lit(0)).as("fan_outs"),
      ];
    })
    .execute();
  return rows
    .filter((row) => row.verifications || row.deliveries || row.fan_outs)
    .map((row) => ({
      shard: row.shard,
      verifications: Boolean(row.verifications),
      deliveries: Boolean(row.deliveries),
    }));
}

/** The period for which a claim is valid. */
export interface ClaimTime {
  readonly now: Date;
  readonly until: Date;
}

/**
 * Claims those of `shards` that are free. The period starts when the write lock has been obtained, so that waiting for
 * another process does not shorten the claim.
 */
export async function claimShards(
  { database }: Store,
  shards: readonly number[],
  { owner, time }: { readonly owner: string; readonly time: () => ClaimTime },
): Promise<Claim[]> {
  if (shards.length === 0) return [];
  return await database.transaction().execute(async (transaction) => {
    const { now, until } = time();
    const free = transaction
      .selectFrom("shard_claim")
      .select("shard")
      .where("shard", "in", [...shards])
      .where(hasClaimEnded(now));
    return await transaction
      .updateTable("shard_claim")
      .set(({ eb }) => ({ owner, token: eb("token", "+", 1), claimed_until: until.toISOString() }))
      // A row that another transaction has locked is in use or being claimed. Waiting for it could end in a deadlock.
      .where("shard", "in", isOnPostgres(database) ? free.forUpdate().skipLocked() : free)
      .returning(["shard", "token"])
      .execute();
  });
}

/**
 * Extends claims, starting when the write lock has been obtained. Returns those that were still held. PostgreSQL locks
 * rows, and writes under way hold those of several claims in any order, so there each claim is extended by itself.
 */
export async function renewClaims(
  { database }: Store,
  claims: readonly Claim[],
  time: () => ClaimTime,
): Promise<Claim[]> {
  const renewed: Claim[] = [];
  for (const together of isOnPostgres(database) ? claims.map((claim) => [claim]) : [claims]) {
    const held = await database.transaction().execute(async (transaction) => {
      const { until } = time();
      return await transaction
        .updateTable("shard_claim")
        .set({ claimed_until: until.toISOString() })
        .where(({ or }) => or(together.map(isHeld)))
        .returning(["shard", "token"])
        .execute();
    });
    renewed.push(...held);
  }
  return renewed;
}

/** Releases claims. */
export async function releaseClaims({ database }: Store, claims: readonly Claim[]): Promise<void> {
  if (claims.length === 0) return;
  await database
    .updateTable("shard_claim")
    .set({ owner: null, claimed_until: "" })
    .where(({ or }) => or(claims.map(isHeld)))
    .execute();
}

/** Longer than any claim lasts. */
const MAX_CLAIM_MS = 3_600_000;

/**
 * Whether a claim has ended. One that ends later than any claim can was made before the clock was set back. It counts as
 * ended, because a killed process would otherwise hold it until then.
 */
export function hasClaimEnded(now: Date): Expression<SqlBool> {
  const { eb, or } = expressionBuilder<Tables, "shard_claim" | "follow_claim">();
  const beyond = new Date(now.getTime() + MAX_CLAIM_MS).toISOString();
  return or([eb("claimed_until", "<=", now.toISOString()), eb("claimed_until", ">", beyond)]);
}

/** The claims that each transaction has proved. */
const provedClaims = new WeakMap<Database, Claim[]>();

/** Whether the claim is still valid. If so, it cannot be lost before the transaction ends. */
export async function proveClaim(transaction: Database, claim: Claim): Promise<boolean> {
  return (await proveClaims(transaction, [claim])).size > 0;
}

/** Those of the claims that are still valid. They cannot be lost before the transaction ends. */
export async function proveClaims<Each extends Claim>(
  transaction: Database,
  claims: readonly Each[],
): Promise<Set<Each>> {
  const isIn = (list: readonly Claim[], { shard, token }: Claim) =>
    list.some((each) => each.shard === shard && each.token === token);
  const proved = provedClaims.get(transaction) ?? [];
  const others = claims.filter((claim) => !isIn(proved, claim));
  if (others.length === 0) return new Set(claims);
  const rows = transaction
    .selectFrom("shard_claim")
    .select(["shard", "token"])
    .where(({ or }) => or(others.map(isHeld)));
  // SQLite's transactions hold the lock on everything from their beginning.
  const held = await (isOnPostgres(transaction) ? rows.forShare() : rows).execute();
  const valid = [...proved, ...held];
  if (transaction.isTransaction) provedClaims.set(transaction, valid);
  return new Set(claims.filter((claim) => isIn(valid, claim)));
}

function isHeld({ shard, token }: Claim): Expression<SqlBool> {
  const { eb, and } = expressionBuilder<Tables, "shard_claim">();
  return and([eb("shard", "=", shard), eb("token", "=", token), eb("owner", "is not", null)]);
}
