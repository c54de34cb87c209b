/** Fan-outs as rows: which document each topic last set out with, and how far it has travelled in every shard. */
import type { Store } from "./store.ts";
import type { Database } from "./tables.ts";

/** Into how many parts the dispatching is divided; a process works on whole parts. */
export const SHARDS = 16;

/** A document on its way: its tag, and the revision of its edition. */
export interface TopicVersion {
  readonly tag: string;
  readonly revision: number;
}

/** How far a topic's document has travelled in one shard. */
export interface FanOut extends TopicVersion {
  readonly topic: string;
  readonly shard: number;
  readonly setOutAt: Date;
  /** Id of the last subscription that was passed; empty at the start. */
  readonly cursor: string;
  readonly finished: boolean;
}

/** All fan-outs: one for each topic and shard. */
export async function readFanOuts({ database }: Store): Promise<FanOut[]> {
  const rows = await database.selectFrom("fan_out").selectAll().execute();
  return rows.map(({ set_out_at, finished, ...row }) => ({
    ...row,
    setOutAt: new Date(set_out_at),
    finished: finished === 1,
  }));
}

/** Keeps the first document of a topic as one that everybody has: who subscribes later has read it or is told. */
export async function beginFanOut(
  transaction: Database,
  topic: string,
  { tag, revision }: TopicVersion,
  now: Date,
): Promise<void> {
  const row = { topic, tag, revision, set_out_at: now.toISOString(), cursor: "", finished: 1 };
  await transaction
    .insertInto("fan_out")
    .values(Array.from({ length: SHARDS }, (_, shard) => ({ ...row, shard })))
    .onConflict((conflict) => conflict.columns(["topic", "shard"]).doNothing())
    .execute();
}

/**
 * Sets out with a topic's next document in all shards, in place of the one before, wherever that had come to. Gives
 * false, and changes nothing, when another process has set out since `previous` was read.
 */
export async function setOut(
  transaction: Database,
  topic: string,
  { previous, next, now }: { previous: TopicVersion; next: TopicVersion; now: Date },
): Promise<boolean> {
  const { numUpdatedRows } = await transaction
    .updateTable("fan_out")
    .set({ tag: next.tag, revision: next.revision, set_out_at: now.toISOString(), cursor: "", finished: 0 })
    .where("topic", "=", topic)
    .where("tag", "=", previous.tag)
    .where("revision", "=", previous.revision)
    .executeTakeFirst();
  return numUpdatedRows === BigInt(SHARDS);
}

/** The tag that a topic last set out with, or undefined before the first. */
export async function readTag(database: Database, topic: string): Promise<TopicVersion | undefined> {
  const row = await database
    .selectFrom("fan_out")
    .select(["tag", "revision"])
    .where("topic", "=", topic)
    .where("shard", "=", 0)
    .executeTakeFirst();
  return row && { tag: row.tag, revision: row.revision };
}

/** Moves a fan-out on to `cursor`, or ends it. Does nothing when it has set out anew meanwhile. */
export async function advanceFanOut(
  transaction: Database,
  { topic, shard, tag, revision, cursor }: FanOut,
  to: { readonly cursor: string; readonly finished: boolean },
): Promise<void> {
  await transaction
    .updateTable("fan_out")
    .set({ cursor: to.cursor, finished: to.finished ? 1 : 0 })
    .where("topic", "=", topic)
    .where("shard", "=", shard)
    .where("tag", "=", tag)
    .where("revision", "=", revision)
    .where("cursor", "=", cursor)
    .where("finished", "=", 0)
    .execute();
}
