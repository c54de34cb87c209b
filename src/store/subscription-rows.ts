/** SQL for subscriptions: due deliveries, changes with optimistic locking, expired leases, counts. */
import type { Insertable, Selectable } from "kysely";
import { type Subscription, shortId } from "../subscription.ts";
import { SHARDS } from "./fan-out-rows.ts";
import { countRows, type ListPage, type ListWish, readPage } from "./list-page.ts";
import type { Store } from "./store.ts";
import type { Database, IntentTable, SubscriptionTable } from "./tables.ts";

const ALL_SHARDS = Array.from({ length: SHARDS }, (_, shard) => shard);

/** The subscription before and after a change. */
export interface Change {
  readonly before: Subscription | undefined;
  readonly after: Subscription | undefined;
}

/** The number of intents and of owed deliveries. */
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
  const endsAt = new Date(row.lease_ends_at);
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
  const deliveries = await database
    .updateTable("subscription")
    .set(({ eb }) => ({ due_at: now.toISOString(), version: eb("version", "+", 1) }))
    .where("shard", "in", ALL_SHARDS) // so that the index of due times is used
    .where("due_at", ">", beyond)
    .executeTakeFirst();
  const verifications = await database
    .updateTable("intent")
    .set({ due_at: now.toISOString() })
    .where("shard", "in", ALL_SHARDS)
    .where("due_at", ">", beyond)
    .executeTakeFirst();
  return Number(deliveries.numUpdatedRows + verifications.numUpdatedRows);
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

/** Whether a site has this many subscriptions. */
export async function isSiteFull(transaction: Database, site: string, max: number): Promise<boolean> {
  const some = transaction.selectFrom("subscription").select("id").where("site", "=", site).limit(max).as("some");
  const { count } = await transaction
    .selectFrom(some)
    .select(({ fn }) => fn.countAll<number>().as("count"))
    .executeTakeFirstOrThrow();
  return Number(count) >= max;
}

/** Counts intents and owed deliveries, and finds the oldest due time. Uses partial indexes. */
export async function countWaiting({ database }: Store): Promise<Waiting> {
  const { pending } = await database
    .selectFrom("intent")
    .select(({ fn }) => fn.countAll<number>().as("pending"))
    .executeTakeFirstOrThrow();
  const { owed, oldest } = await database
    .selectFrom("subscription")
    .select(({ fn }) => [fn.countAll<number>().as("owed"), fn.min("due_at").as("oldest")])
    .where("due_at", "is not", null)
    .executeTakeFirstOrThrow();
  return { pending: Number(pending), owed: Number(owed), oldestDueAt: oldest === null ? undefined : new Date(oldest) };
}

/**
 * Lists subscriptions and intents for `goodword subscriptions`: one line for each callback and topic, with the intent that
 * is due first. Only the host of a callback is shown: its path may be a secret.
 */
export async function listSubscriptions({ database }: Store, now: Date): Promise<SubscriptionLine[]> {
  const { leases, intents } = heldBy(database, now);
  return linesOf(await leases.execute(), await intents.orderBy("due_at", "desc").execute());
}

/** What the place of one in their list consists of. */
export const SUBSCRIPTION_PLACE = ["topic", "id"] as const;

/** A page of the same list. */
export async function subscriptionPage(
  { database }: Store,
  now: Date,
  wish: ListWish<(typeof SUBSCRIPTION_PLACE)[number]>,
): Promise<ListPage<SubscriptionLine, (typeof SUBSCRIPTION_PLACE)[number]>> {
  const { leases, intents, pairs } = heldBy(database, now);
  const { rows, last } = await readPage(database, pairs, SUBSCRIPTION_PLACE, { ...wish, ascending: true });
  const ids = rows.map(({ id }) => id);
  if (ids.length === 0) return { rows: [], last };
  const ofPage = intents.where("pair", "in", ids).orderBy("due_at", "desc");
  return { rows: linesOf(await leases.where("id", "in", ids).execute(), await ofPage.execute()), last };
}

/** The number of lines of the list. */
export async function countSubscriptions({ database }: Store, now: Date): Promise<number> {
  return await countRows(database, heldBy(database, now).pairs);
}

function heldBy(database: Database, now: Date) {
  const leased = database.selectFrom("subscription").where("lease_ends_at", ">", now.toISOString());
  const asked = database.selectFrom("intent");
  return {
    leases: leased.select(["id", "topic", "origin", "lease_ends_at", "failures", "due_at"]),
    intents: asked.select(["pair as id", "topic", "origin", "mode", "due_at"]),
    pairs: leased.select(SUBSCRIPTION_PLACE).union(asked.select(["topic", "pair as id"])),
  };
}

type LeaseLine = Pick<SubscriptionTable, "id" | "topic" | "origin" | "lease_ends_at" | "failures" | "due_at">;
type IntentLine = Pick<IntentTable, "id" | "topic" | "origin" | "mode" | "due_at">;

/** `intents`: the last due first, of each pair. */
function linesOf(leases: readonly LeaseLine[], intents: readonly IntentLine[]): SubscriptionLine[] {
  const leaseOf = new Map(leases.map((row) => [row.id, row]));
  const intentOf = new Map(intents.map((row) => [row.id, row]));
  const pairs = new Map([...intents, ...leases].map(({ id, topic, origin }) => [id, { id, topic, origin }]));
  return [...pairs.values()]
    .toSorted((one, other) => compare(one.topic, other.topic) || compare(one.id, other.id))
    .map(({ id, topic, origin }) => {
      const [lease, intent] = [leaseOf.get(id), intentOf.get(id)];
      return {
        topic,
        callback_host: origin.replace(/^https:\/\//, ""),
        state: stateOf(lease !== undefined, intent?.mode),
        lease_ends_at: lease?.lease_ends_at ?? null,
        failures: lease?.failures ?? 0,
        next_attempt_at: intent?.due_at ?? lease?.due_at ?? null,
        id: shortId(id),
      };
    });
}

function compare(one: string, other: string): number {
  return one < other ? -1 : Number(one > other);
}

function stateOf(isLeased: boolean, mode: IntentTable["mode"] | undefined): SubscriptionLine["state"] {
  if (mode === "unsubscribe") return "awaiting unsubscribe verification";
  if (mode === "subscribe") return isLeased ? "renewing" : "pending verification";
  return "active";
}

function subscriptionOf(row: Selectable<SubscriptionTable>): Subscription {
  const { id, shard, topic, callback, origin, site, failures } = row;
  const lease = {
    secret: row.secret ?? undefined,
    endsAt: new Date(row.lease_ends_at),
    failures,
    dueAt: row.due_at === null ? undefined : new Date(row.due_at),
    ...(row.acknowledged !== null && { acknowledged: row.acknowledged }),
  };
  return { id, shard, topic, callback, origin, site, lease };
}

function rowOf(subscription: Subscription, version: number): Insertable<SubscriptionTable> {
  const { lease, id, shard, topic, callback, origin, site } = subscription;
  return {
    ...{ id, shard, topic, callback, origin, site, version },
    secret: lease.secret ?? null,
    lease_ends_at: lease.endsAt.toISOString(),
    failures: lease.failures,
    due_at: lease.dueAt?.toISOString() ?? null,
    acknowledged: lease.acknowledged ?? null,
  };
}
