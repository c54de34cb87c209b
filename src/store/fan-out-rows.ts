/** Fan-outs as rows: which document each topic is being sent, and how far that has come in each shard. */
import type { Store } from "./store.ts";
import type { Database } from "./tables.ts";

/** Number of parts into which the hub's work is divided; a process claims whole parts. */
export const SHARDS = 16;

/** Identifies a topic's document: its tag, and the revision of its edition. */
export interface TopicVersion {
  readonly tag: string;
  readonly revision: number;
}

/** How far a topic's document has been delivered in one shard. */
export interface FanOut extends TopicVersion {
  readonly topic: string;
  readonly shard: number;
  readonly startedAt: Date;
  /**
   * Id of the last subscription that was taken up; empty at the start. All up to it are served, except those that
   * `readUnfinished` names.
   */
  readonly cursor: string;
  readonly finished: boolean;
}

/** Progress of a fan-out, as it is recorded now and then. */
export interface FanOutProgress {
  readonly cursor: string;
  /** Ids up to the cursor that are not served yet. */
  readonly unfinished: readonly string[];
  readonly finished: boolean;
}

/** Reads all fan-outs: one for each topic and shard. */
export async function readFanOuts({ database }: Store): Promise<FanOut[]> {
  const rows = await database
    .selectFrom("fan_out")
    .select(["topic", "shard", "tag", "revision", "set_out_at", "cursor", "finished"])
    .execute();
  return rows.map(({ set_out_at, finished, ...row }) => ({
    ...row,
    startedAt: new Date(set_out_at),
    finished: finished === 1,
  }));
}

/** Reads the ids up to the cursor that were not served yet when progress was last recorded. */
export async function readUnfinished({ database }: Store, { topic, shard }: FanOut): Promise<string[]> {
  const row = await database
    .selectFrom("fan_out")
    .select("unfinished")
    .where("topic", "=", topic)
    .where("shard", "=", shard)
    .executeTakeFirst();
  return row?.unfinished ? row.unfinished.split(" ") : [];
}

/** Records the first document of a topic as delivered: who subscribes later has read it, or is sent what follows it. */
export async function beginFanOut(
  transaction: Database,
  topic: string,
  { tag, revision }: TopicVersion,
  now: Date,
): Promise<void> {
  const row = { topic, tag, revision, set_out_at: now.toISOString(), cursor: "", unfinished: "", finished: 1 };
  await transaction
    .insertInto("fan_out")
    .values(Array.from({ length: SHARDS }, (_, shard) => ({ ...row, shard })))
    .onConflict((conflict) => conflict.columns(["topic", "shard"]).doNothing())
    .execute();
}

/**
 * Starts a fan-out of a topic's next document in all shards, in place of the one before, however far that had come.
 * Gives false, and changes nothing, when another process has started one since `previous` was read.
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
      set_out_at: now.toISOString(),
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

/** Reads what a topic's latest fan-out delivers; undefined before the first. */
export async function readTag(database: Database, topic: string): Promise<TopicVersion | undefined> {
  const row = await database
    .selectFrom("fan_out")
    .select(["tag", "revision"])
    .where("topic", "=", topic)
    .where("shard", "=", 0)
    .executeTakeFirst();
  return row && { tag: row.tag, revision: row.revision };
}

/** Records progress. Does nothing when the fan-out has been replaced, or is not at `from` any more. */
export async function advanceFanOut(
  transaction: Database,
  { topic, shard, tag, revision, cursor }: FanOut,
  to: FanOutProgress,
): Promise<void> {
  await transaction
    .updateTable("fan_out")
    .set({ cursor: to.cursor, unfinished: to.unfinished.join(" "), finished: to.finished ? 1 : 0 })
    .where("topic", "=", topic)
    .where("shard", "=", shard)
    .where("tag", "=", tag)
    .where("revision", "=", revision)
    .where("cursor", "=", cursor)
    .where("finished", "=", 0)
    .execute();
}
