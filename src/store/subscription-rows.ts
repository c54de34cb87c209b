/** Subscriptions as rows: read, changed under a version, found when something is due, swept when their lease ends. */
import type { Insertable, Selectable } from "kysely";
import type { Intent, Lease, Subscription } from "../subscription.ts";
import type { Store } from "./store.ts";
import type { Database, SubscriptionTable } from "./tables.ts";

/** What a change did: the subscription before and after it. */
export interface Change {
  readonly before: Subscription | undefined;
  readonly after: Subscription | undefined;
}

/** How many requests wait to be verified, and to how many subscriptions a delivery is owed. */
export interface Waiting {
  readonly pending: number;
  readonly owed: number;
}

/** One line of `goodword subscriptions`. */
export interface SubscriptionLine {
  readonly topic: string;
  readonly callback_host: string;
  readonly state: "pending verification" | "active" | "renewing" | "awaiting unsubscribe verification";
  readonly lease_ends_at: string | null;
  readonly failures: number;
}

/**
 * Replaces a subscription by what `transition` makes of it; undefined means that there is none. Runs inside a
 * transaction. A row that another writer changed meanwhile is read again, so `transition` must be pure.
 */
export async function changeSubscription(
  transaction: Database,
  id: string,
  transition: (current: Subscription | undefined) => Subscription | undefined,
): Promise<Change> {
  for (;;) {
    const row = await transaction.selectFrom("subscription").selectAll().where("id", "=", id).executeTakeFirst();
    const before = row && subscriptionOf(row);
    const after = transition(before);
    if (after === before) return { before, after };
    if (await replaceRow(transaction, row, after)) return { before, after };
  }
}

async function replaceRow(
  transaction: Database,
  row: Selectable<SubscriptionTable> | undefined,
  after: Subscription | undefined,
): Promise<boolean> {
  if (row === undefined) {
    if (after === undefined) return true;
    const { numInsertedOrUpdatedRows } = await transaction
      .insertInto("subscription")
      .values(rowOf(after, 0))
      .onConflict((conflict) => conflict.column("id").doNothing())
      .executeTakeFirst();
    return numInsertedOrUpdatedRows === 1n;
  }
  if (after === undefined) {
    const { numDeletedRows } = await transaction
      .deleteFrom("subscription")
      .where("id", "=", row.id)
      .where("version", "=", row.version)
      .executeTakeFirst();
    return numDeletedRows === 1n;
  }
  const { numUpdatedRows } = await transaction
    .updateTable("subscription")
    .set(rowOf(after, row.version + 1))
    .where("id", "=", row.id)
    .where("version", "=", row.version)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

/** The subscription of that id. */
export async function readSubscription({ database }: Store, id: string): Promise<Subscription | undefined> {
  const row = await database.selectFrom("subscription").selectAll().where("id", "=", id).executeTakeFirst();
  return row && subscriptionOf(row);
}

/**
 * The next subscriptions of a topic that a fan-out passes: leased, not in trouble, in the order of their ids. Without
 * their intents, which say nothing about a delivery.
 */
export async function readNext(
  { database }: Store,
  { topic, shard, after, now }: { topic: string; shard: number; after: string; now: Date },
  limit: number,
): Promise<Subscription[]> {
  const rows = await database
    .selectFrom("subscription")
    .select(["id", "callback", "origin", "site", "secret", "lease_ends_at"])
    .where("topic", "=", topic)
    .where("shard", "=", shard)
    .where("id", ">", after)
    .where("lease_ends_at", ">", now.toISOString())
    .where("due_at", "is", null)
    .orderBy("id")
    .limit(limit)
    .execute();
  return rows.map(({ id, callback, origin, site, secret, lease_ends_at }) => {
    const endsAt = new Date(lease_ends_at ?? 0);
    const lease = { secret: secret ?? undefined, endsAt, failures: 0, dueAt: undefined };
    return { id, shard, topic, callback, origin, site, lease };
  });
}

/** Which due rows are wanted: of one shard, of topics whose newest document is at hand, not of busy origins. */
export interface DueQuestion {
  readonly shard: number;
  readonly now: Date;
  readonly topics: readonly string[];
  readonly busyOrigins: readonly string[];
}

/** Subscriptions to which a delivery is owed now, the longest owed first. */
export async function readOwed(
  { database }: Store,
  { shard, now, topics, busyOrigins }: DueQuestion,
  limit: number,
): Promise<Subscription[]> {
  if (topics.length === 0) return [];
  let query = database
    .selectFrom("subscription")
    .selectAll()
    .where("shard", "=", shard)
    .where("due_at", "<=", now.toISOString())
    .where("topic", "in", [...topics])
    .orderBy("due_at")
    .limit(limit);
  if (busyOrigins.length > 0) query = query.where("origin", "not in", [...busyOrigins]);
  return (await query.execute()).map(subscriptionOf);
}

/** Subscriptions whose intent is to be verified now, the longest waiting first. */
export async function readUnverified(
  { database }: Store,
  { shard, now, busyOrigins }: Omit<DueQuestion, "topics">,
  limit: number,
): Promise<Subscription[]> {
  let query = database
    .selectFrom("subscription")
    .selectAll()
    .where("shard", "=", shard)
    .where("intent_due_at", "<=", now.toISOString())
    .orderBy("intent_due_at")
    .limit(limit);
  if (busyOrigins.length > 0) query = query.where("origin", "not in", [...busyOrigins]);
  return (await query.execute()).map(subscriptionOf);
}

/** Makes every delivery that a topic owes due now: newer content is out, and it may use the next attempt early. */
export async function hastenOwed(transaction: Database, topic: string, now: Date): Promise<void> {
  await transaction
    .updateTable("subscription")
    .set(({ eb }) => ({ due_at: now.toISOString(), version: eb("version", "+", 1) }))
    .where("topic", "=", topic)
    .where("due_at", ">", now.toISOString())
    .execute();
}

/**
 * Up to `limit` subscriptions whose lease has ended, for a change of each. A lease that has ended gives no right even
 * before: everybody who reads one compares its end with the clock.
 */
export async function readEnded({ database }: Store, now: Date, limit: number): Promise<Subscription[]> {
  const rows = await database
    .selectFrom("subscription")
    .selectAll()
    .where("lease_ends_at", "<=", now.toISOString())
    .orderBy("lease_ends_at")
    .limit(limit)
    .execute();
  return rows.map(subscriptionOf);
}

/** How many subscriptions of a site there are, counted up to `most`. */
export async function countOfSite({ database }: Store, site: string, most: number): Promise<number> {
  const some = database.selectFrom("subscription").select("id").where("site", "=", site).limit(most).as("some");
  const row = await database
    .selectFrom(some)
    .select(({ fn }) => fn.countAll<number>().as("count"))
    .executeTakeFirstOrThrow();
  return Number(row.count);
}

/** How many wait to be verified, and to how many a delivery is owed. Both counts read the troubled rows only. */
export async function countWaiting({ database }: Store): Promise<Waiting> {
  const count = async (column: "intent_due_at" | "due_at") => {
    const row = await database
      .selectFrom("subscription")
      .select(({ fn }) => fn.countAll<number>().as("count"))
      .where(column, "is not", null)
      .executeTakeFirstOrThrow();
    return Number(row.count);
  };
  return { pending: await count("intent_due_at"), owed: await count("due_at") };
}

/** Every subscription as `goodword subscriptions` shows it; of the callback no more than its host, for the rest is a secret. */
export async function listSubscriptions({ database }: Store, now: Date): Promise<SubscriptionLine[]> {
  const rows = await database.selectFrom("subscription").selectAll().orderBy("topic").orderBy("id").execute();
  return rows.flatMap((row): SubscriptionLine[] => {
    const leased = row.lease_ends_at !== null && row.lease_ends_at > now.toISOString();
    if (!leased && row.intent_mode === null) return [];
    return [
      {
        topic: row.topic,
        callback_host: row.origin.replace(/^https:\/\//, ""),
        state: stateOf(leased, row.intent_mode),
        lease_ends_at: leased ? row.lease_ends_at : null,
        failures: (leased && row.failures) || 0,
      },
    ];
  });
}

function stateOf(leased: boolean, mode: SubscriptionTable["intent_mode"]): SubscriptionLine["state"] {
  if (mode === "unsubscribe") return "awaiting unsubscribe verification";
  if (mode === "subscribe") return leased ? "renewing" : "pending verification";
  return "active";
}

function subscriptionOf(row: Selectable<SubscriptionTable>): Subscription {
  const { id, shard, topic, callback, origin, site } = row;
  const intent: Intent | undefined =
    row.intent_mode === null
      ? undefined
      : {
          mode: row.intent_mode,
          token: row.intent_token ?? "",
          secret: row.intent_secret ?? undefined,
          leaseSeconds: row.intent_lease_seconds ?? 0,
          knownTag: row.intent_known_tag ?? "",
          attempts: row.intent_attempts ?? 0,
          askedAt: new Date(row.intent_asked_at ?? row.intent_due_at ?? 0),
          dueAt: new Date(row.intent_due_at ?? 0),
        };
  const lease: Lease | undefined =
    row.lease_ends_at === null
      ? undefined
      : {
          secret: row.secret ?? undefined,
          endsAt: new Date(row.lease_ends_at),
          failures: row.failures ?? 0,
          dueAt: row.due_at === null ? undefined : new Date(row.due_at),
        };
  return { id, shard, topic, callback, origin, site, ...(intent && { intent }), ...(lease && { lease }) };
}

function rowOf(subscription: Subscription, version: number): Insertable<SubscriptionTable> {
  const { intent, lease, id, shard, topic, callback, origin, site } = subscription;
  return {
    ...{ id, shard, topic, callback, origin, site, version },
    intent_mode: intent?.mode ?? null,
    intent_token: intent?.token ?? null,
    intent_secret: intent?.secret ?? null,
    intent_lease_seconds: intent?.leaseSeconds ?? null,
    intent_known_tag: intent?.knownTag ?? null,
    intent_attempts: intent?.attempts ?? null,
    intent_asked_at: intent?.askedAt.toISOString() ?? null,
    intent_due_at: intent?.dueAt.toISOString() ?? null,
    secret: lease?.secret ?? null,
    lease_ends_at: lease?.endsAt.toISOString() ?? null,
    failures: lease?.failures ?? null,
    due_at: lease?.dueAt?.toISOString() ?? null,
  };
}
