/** SQL for subscriptions: due deliveries and verifications, changes with optimistic locking, expired leases, counts. */
import { type Insertable, type Selectable, sql } from "kysely";
import { type Intent, type Lease, type Subscription, shortId } from "../subscription.ts";
import { SHARDS } from "./fan-out-rows.ts";
import type { Store } from "./store.ts";
import type { Database, SubscriptionTable } from "./tables.ts";

const ALL_SHARDS = Array.from({ length: SHARDS }, (_, shard) => shard);

/** The subscription before and after a change. */
export interface Change {
  readonly before: Subscription | undefined;
  readonly after: Subscription | undefined;
}

/** The number of pending verifications and of owed deliveries. */
export interface Waiting {
  readonly pending: number;
  readonly owed: number;
  /** The due time of the oldest owed delivery. */
  readonly oldestDueAt?: Date | undefined;
}

/** One line of the output of `goodword subscriptions`. */
export interface SubscriptionLine {
  readonly topic: string;
  readonly callback_host: string;
  readonly state: "pending verification" | "active" | "renewing" | "awaiting unsubscribe verification";
  readonly lease_ends_at: string | null;
  readonly failures: number;
  /** When the delivery or verification that is due is attempted next; null if none is due. */
  readonly next_attempt_at: string | null;
  /** The beginning of its id, as the log has it. */
  readonly id: string;
}

/**
 * Applies `transition` to a subscription and stores the result; undefined means that there is no subscription. Runs
 * inside a transaction. If another writer has changed the row, it is read again, so `transition` must be pure.
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

/** Reads the subscription with this id. */
export async function readSubscription({ database }: Store, id: string): Promise<Subscription | undefined> {
  const row = await database.selectFrom("subscription").selectAll().where("id", "=", id).executeTakeFirst();
  return row && subscriptionOf(row);
}

/**
 * The subscriptions of a fan-out: those of a topic and shard that have a lease, are not owed a delivery, and have not
 * acknowledged this version as an owed delivery.
 */
export interface FanOutQuery {
  readonly topic: string;
  readonly shard: number;
  /** As `versionKey` gives it. */
  readonly version: string;
  readonly now: Date;
}

/** Reads the next subscriptions of a fan-out in the order of their ids, without their intents. */
export async function readNext(
  { database }: Store,
  { after, ...query }: FanOutQuery & { readonly after: string },
  limit: number,
): Promise<Subscription[]> {
  const { topic, shard } = query;
  const rows = await remaining(database, query)
    .where("topic", "=", topic)
    .where("shard", "=", shard)
    .where("id", ">", after)
    .limit(limit)
    .execute();
  return rows.map((row) => leasedOf(row, query));
}

/** Reads those of `ids` that a fan-out still has to deliver to. */
export async function readListed(
  { database }: Store,
  query: FanOutQuery,
  ids: readonly string[],
): Promise<Subscription[]> {
  if (ids.length === 0) return [];
  const rows = await remaining(database, query)
    .where("id", "in", [...ids])
    .execute();
  return rows.map((row) => leasedOf(row, query));
}

function remaining(database: Database, { now, version }: FanOutQuery) {
  return database
    .selectFrom("subscription")
    .select(["id", "callback", "origin", "site", "secret", "lease_ends_at"])
    .where("lease_ends_at", ">", now.toISOString())
    .where("due_at", "is", null)
    .where(({ eb, or }) => or([eb("acknowledged", "is", null), eb("acknowledged", "!=", version)]))
    .orderBy("id");
}

type LeasedRow = Pick<
  Selectable<SubscriptionTable>,
  "id" | "callback" | "origin" | "site" | "secret" | "lease_ends_at"
>;

function leasedOf(row: LeasedRow, { topic, shard }: { topic: string; shard: number }): Subscription {
  const { id, callback, origin, site, secret } = row;
  const endsAt = new Date(row.lease_ends_at ?? 0);
  const lease = { secret: secret ?? undefined, endsAt, failures: 0, dueAt: undefined };
  return { id, shard, topic, callback, origin, site, lease };
}

/** Restricts owed deliveries to a shard, to topics whose newest document is available, and to some origins. */
export interface DueDeliveriesQuery {
  readonly shard: number;
  readonly now: Date;
  readonly topics: readonly string[];
  readonly exceptOrigins: readonly string[];
}

/** Reads the due deliveries, that is, the subscriptions that are owed one now. The longest overdue come first. */
export async function readDueDeliveries(
  { database }: Store,
  { shard, now, topics, exceptOrigins }: DueDeliveriesQuery,
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
  if (exceptOrigins.length > 0) query = query.where("origin", "not in", [...exceptOrigins]);
  return (await query.execute()).map(subscriptionOf);
}

/** Identifies a client at an origin, in one word. */
export function clientAtOrigin({ client, origin }: { readonly client: string; readonly origin: string }): string {
  return `${client} ${origin}`;
}

/** Reads the due verifications except those of some clients at some origins. The longest overdue come first. */
export async function readDueVerifications(
  { database }: Store,
  { shard, now, exceptClients }: { shard: number; now: Date; exceptClients: readonly string[] },
  limit: number,
): Promise<Subscription[]> {
  let query = database
    .selectFrom("subscription")
    .selectAll()
    .where("shard", "=", shard)
    .where("intent_due_at", "<=", now.toISOString())
    .orderBy("intent_due_at")
    .limit(limit);
  if (exceptClients.length > 0) {
    const clientAtOrigin = sql<string>`coalesce(intent_client, '') || ' ' || origin`;
    query = query.where(clientAtOrigin, "not in", [...exceptClients]);
  }
  return (await query.execute()).map(subscriptionOf);
}

/** Makes all owed deliveries of a topic due now: a newer document is worth an early attempt. */
export async function makeDueNow(transaction: Database, topic: string, now: Date): Promise<void> {
  await transaction
    .updateTable("subscription")
    .set(({ eb }) => ({ due_at: now.toISOString(), version: eb("version", "+", 1) }))
    .where("topic", "=", topic)
    .where("shard", "in", ALL_SHARDS) // so that the index of owed deliveries is used, not that of all subscriptions
    .where("due_at", ">", now.toISOString())
    .execute();
}

/** Longer than any delivery or verification can be postponed: HUB_RETRY_SECONDS allows thirty days. */
const MAX_POSTPONED_MS = 40 * 86_400_000;

/**
 * Makes due now every delivery and verification that is postponed for longer than possible, because it was stored before
 * the clock was set back. Returns their number.
 */
export async function clampDueTimes({ database }: Store, now: Date): Promise<number> {
  const beyond = new Date(now.getTime() + MAX_POSTPONED_MS).toISOString();
  let clamped = 0;
  for (const column of ["due_at", "intent_due_at"] as const) {
    const { numUpdatedRows } = await database
      .updateTable("subscription")
      .set(({ eb }) => ({ [column]: now.toISOString(), version: eb("version", "+", 1) }))
      .where("shard", "in", ALL_SHARDS) // so that a partial index of due times is used, not that of all subscriptions
      .where(column, ">", beyond)
      .executeTakeFirst();
    clamped += Number(numUpdatedRows);
  }
  return clamped;
}

/**
 * Reads up to `limit` subscriptions with an expired lease. Until they are removed, readers must check the expiry time.
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

/** Counts the subscriptions of a site, up to `max`. */
export async function countOfSite({ database }: Store, site: string, max: number): Promise<number> {
  const some = database.selectFrom("subscription").select("id").where("site", "=", site).limit(max).as("some");
  const row = await database
    .selectFrom(some)
    .select(({ fn }) => fn.countAll<number>().as("count"))
    .executeTakeFirstOrThrow();
  return Number(row.count);
}

/** Counts pending verifications and owed deliveries, and finds the oldest due time. Uses partial indexes. */
export async function countWaiting({ database }: Store): Promise<Waiting> {
  const count = async (column: "intent_due_at" | "due_at") => {
    const row = await database
      .selectFrom("subscription")
      .select(({ fn }) => fn.countAll<number>().as("count"))
      .where(column, "is not", null)
      .executeTakeFirstOrThrow();
    return Number(row.count);
  };
  const { oldest } = await database
    .selectFrom("subscription")
    .select(({ fn }) => fn.min("due_at").as("oldest"))
    .where("due_at", "is not", null)
    .executeTakeFirstOrThrow();
  return {
    pending: await count("intent_due_at"),
    owed: await count("due_at"),
    oldestDueAt: oldest === null ? undefined : new Date(oldest),
  };
}

/** Lists subscriptions for `goodword subscriptions`. Only the host of a callback is shown: its path may be a secret. */
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
        next_attempt_at: row.intent_due_at ?? (leased ? row.due_at : null),
        id: shortId(row.id),
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
          client: row.intent_client ?? "",
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
          ...(row.acknowledged !== null && { acknowledged: row.acknowledged }),
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
    intent_client: intent?.client ?? null,
    secret: lease?.secret ?? null,
    lease_ends_at: lease?.endsAt.toISOString() ?? null,
    failures: lease?.failures ?? null,
    due_at: lease?.dueAt?.toISOString() ?? null,
    acknowledged: lease?.acknowledged ?? null,
  };
}
