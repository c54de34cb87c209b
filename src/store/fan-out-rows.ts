/** SQL for fan-outs: which document of each topic is being delivered, and the progress in each shard. */
import { sql } from "kysely";
import { isOnPostgres } from "./engine/postgres.ts";
import type { Store } from "./store.ts";
import type { Database } from "./tables.ts";

/** The number of shards into which subscriptions are divided. A process claims whole shards. */
export const SHARDS = 16;

/** Identifies a version of a topic: the tag of its document and the revision of its edition. */
export interface TopicVersion {
  readonly tag: string;
  readonly revision: number;
}

/** Names a version of a topic in one word. */
export function versionKey({ tag, revision }: TopicVersion): string {
  return `${revision} ${tag}`;
}

/** How far a topic's document has been delivered in one shard. */
export interface FanOut extends TopicVersion {
  readonly topic: string;
  readonly shard: number;
  readonly startedAt: Date;
  /**
   * Id of the last subscription that was started; empty at the beginning. All up to it have been delivered to, except
   * those that `readUnfinished` returns.
   */
  readonly cursor: string;
  readonly finished: boolean;
}

/** The progress of a fan-out, which is recorded at least once a second. */
export interface FanOutProgress {
  readonly cursor: string;
  /** Ids up to the cursor that have not been delivered to yet. */
  readonly unfinished: readonly string[];
  readonly finished: boolean;
}

/** Reads all fan-outs, one for each topic and shard. */
export async function readFanOuts({ database }: Store): Promise<FanOut[]> {
  const rows = await database
    .selectFrom("fan_out")
    .select(["topic", "shard", "tag", "revision", "started_at", "cursor", "finished"])
    .execute();
  return rows.map(({ started_at, finished, ...row }) => ({
    ...row,
    startedAt: new Date(started_at),
    finished: finished === 1,
  }));
}

/** Reads the ids up to the cursor that had not been delivered to when progress was last recorded. */
export async function readUnfinished({ database }: Store, { topic, shard }: FanOut): Promise<string[]> {
  const row = await database
    .selectFrom("fan_out")
    .select("unfinished")
    .where("topic", "=", topic)
    .where("shard", "=", shard)
    .executeTakeFirst();
  return row?.unfinished ? row.unfinished.split(" ") : [];
}

/**
 * Records the first document of a topic as delivered, because later subscribers have read it or get what follows it.
 */
export async function beginFanOut(
  transaction: Database,
  topic: string,
  { tag, revision }: TopicVersion,
  now: Date,
): Promise<void> {
  const row = { topic, tag, revision, started_at: now.toISOString(), cursor: "", unfinished: "", finished: 1 };
  await transaction
    .insertInto("fan_out")
    .values(Array.from({ length: SHARDS }, (_, shard) => ({ ...row, shard })))
    .onConflict((conflict) => conflict.columns(["topic", "shard"]).doNothing())
    .execute();
}

/**
 * Starts a fan-out of a topic's next document in all shards. It replaces the previous fan-out, finished or not. Returns
 * false and changes nothing if another process has started one since `previous` was read.
 */
export async function startFanOut(
  transaction: Database,
  topic: string,
  { previous, next, now }: { previous: TopicVersion; next: TopicVersion; now: Date },
): Promise<boolean> {
  const { numUpdatedRows } = await transaction
    .updateTable("fan_out")
    .set({
      tag: next.tag,
      revision: next.revision,
      started_at: now.toISOString(),
      cursor: "",
      unfinished: "",
      finished: 0,
    })
    .where("topic", "=", topic)
    .where("tag", "=", previous.tag)
    .where("revision", "=", previous.revision)
    .executeTakeFirst();
  return numUpdatedRows === BigInt(SHARDS);
}

/**
 * Finishes a fan-out, in the transaction that starts it, in the shards where its topic has no subscription, so that no
 * process claims these shards in vain. The verification of a later subscription compares with the new document. On PostgreSQL it does nothing: a subscription that is made and confirmed before this transaction
 * commits would not see the document, and the fan-out would not find the subscription.
 */
export async function finishWithoutSubscribers(transaction: Database, topic: string): Promise<void> {
  if (isOnPostgres(transaction)) return;
  await transaction
    .updateTable("fan_out")
    .set({ finished: 1 })
    .where("topic", "=", topic)
    .where(({ exists, lit, not, selectFrom }) =>
      not(
        exists(
          selectFrom("subscription")
            .select(lit(1).as("one"))
            .whereRef("subscription.topic", "=", "fan_out.topic")
            .whereRef("subscription.shard", "=", "fan_out.shard"),
        ),
      ),
    )
    .execute();
}

/** Reads the version that a topic's latest fan-out delivers; undefined before the first. */
export async function readTag(database: Database, topic: string): Promise<TopicVersion | undefined> {
  const row = await database
    .selectFrom("fan_out")
    .select(["tag", "revision"])
    .where("topic", "=", topic)
    .where("shard", "=", 0)
    .executeTakeFirst();
  return row && { tag: row.tag, revision: row.revision };
}

/**
 * Records the progress of several fan-outs. Leaves out those that have been replaced, or are no longer at `from`. It is
 * one statement, because a database may be far away.
 */
export async function advanceFanOuts(
  transaction: Database,
  steps: readonly { readonly from: FanOut; readonly to: FanOutProgress }[],
): Promise<void> {
  if (steps.length === 0) return;
  const rows = steps.map(({ from: { topic, shard, tag, revision, cursor }, to }) => {
    const finished = to.finished ? 1 : 0;
    return sql`(${topic}, cast(${shard} as integer), ${tag}, cast(${revision} as integer), ${cursor}, ${to.cursor}, ${to.unfinished.join(" ")}, cast(${finished} as integer))`;
  });
  await sql`
    with step (topic, shard, tag, revision, cursor, next, unfinished, finished) as (values ${sql.join(rows)})
    update fan_out set cursor = step.next, unfinished = step.unfinished, finished = step.finished
    from step
    where fan_out.topic = step.topic and fan_out.shard = step.shard and fan_out.tag = step.tag
      and fan_out.revision = step.revision and fan_out.cursor = step.cursor and fan_out.finished = 0
  `.execute(transaction);
}
