/** SQL that finds the shards in which something is due. */
import { SHARDS } from "./fan-out-rows.ts";
import type { Store } from "./store.ts";

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
    .selectFrom("claim")
    .where("claim.id", "<", SHARDS)
    .select(({ exists, lit, selectFrom }) => {
      const due = selectFrom("subscription").select(lit(1).as("one")).whereRef("subscription.shard", "=", "claim.id");
      const intent = selectFrom("intent").select(lit(1).as("one")).whereRef("intent.shard", "=", "claim.id");
      const fanOut = selectFrom("fan_out")
        .select(lit(1).as("one"))
        .whereRef("fan_out.shard", "=", "claim.id")
        .where("finished", "=", 0);
      const hasTopics = topics.length > 0;
      return [
        "claim.id as shard",
        exists(intent.where("due_at", "<=", time)).as("verifications"),
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
