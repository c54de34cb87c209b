/** SQL for intents: storing many requests at once, due verifications, changes of an intent, and counts by client. */
import { type Insertable, type Selectable, sql } from "kysely";
import { type Intent, intentKey } from "../intent.ts";
import type { Store } from "./store.ts";
import type { Database, IntentTable } from "./tables.ts";

/** Stored intents and leases for the pairs of some intents. */
export interface KnownPairs {
  /** The keys of those intents for which the same client has an intent already. */
  readonly own: ReadonlySet<string>;
  /** The pairs for which any client has an intent. */
  readonly pending: ReadonlySet<string>;
  /** The pairs with a subscription whose lease lasts. */
  readonly leased: ReadonlySet<string>;
}

/**
 * Reads the stored intents and leases for the pairs of `intents`. Intents are read before subscriptions, so that a pair whose intent is
 * being confirmed is found as one or the other.
 */
export async function readKnownPairs(
  transaction: Database,
  intents: readonly Intent[],
  now: Date,
): Promise<KnownPairs> {
  const own = await transaction.selectFrom("intent").select("id").where("id", "in", intents.map(intentKey)).execute();
  const leaving = intents.filter(({ mode }) => mode === "unsubscribe").map(({ id }) => id);
  const pairs = intents.map(({ id }) => id);
  const pending = leaving.length === 0 ? [] : await pendingPairs(transaction, leaving);
  const leased = await transaction
    .selectFrom("subscription")
    .select("id")
    .where("id", "in", pairs)
    .where("lease_ends_at", ">", now.toISOString())
    .execute();
  return { own: idsOf(own), pending: idsOf(pending), leased: idsOf(leased) };
}

async function pendingPairs(transaction: Database, pairs: readonly string[]): Promise<{ id: string }[]> {
  return await transaction.selectFrom("intent").select("pair as id").distinct().where("pair", "in", pairs).execute();
}

function idsOf(rows: readonly { readonly id: string }[]): ReadonlySet<string> {
  return new Set(rows.map(({ id }) => id));
}

/** How many intents there are, and how many of them each client has; and the subscriptions of each site. */
export interface HeldPlaces {
  readonly pending: number;
  readonly ofClient: ReadonlyMap<string, number>;
  readonly ofSite: ReadonlyMap<string, number>;
}

/** Counts all intents, those of the clients of `intents`, and the subscriptions of their sites, in one statement. */
export async function countHeldPlaces(transaction: Database, intents: readonly Intent[]): Promise<HeldPlaces> {
  const count = sql<number>`count(*)`.as("count");
  const kind = (text: string) => sql<string>`${sql.lit(text)}`.as("kind");
  const all = transaction.selectFrom("intent").select([kind("all"), sql<string>`''`.as("name"), count]);
  const ofClients = transaction
    .selectFrom("intent")
    .select([kind("client"), "client as name", count])
    .where("client", "in", distinct(intents, "client"))
    .groupBy("client");
  const ofSites = transaction
    .selectFrom("subscription")
    .select([kind("site"), "site as name", count])
    .where("site", "in", distinct(intents, "site"))
    .groupBy("site");
  const rows = await all.unionAll(ofClients).unionAll(ofSites).execute();
  const named = (wanted: string) =>
    new Map(rows.filter((row) => row.kind === wanted).map((row) => [row.name, Number(row.count)]));
  return { pending: named("all").get("") ?? 0, ofClient: named("client"), ofSite: named("site") };
}

function distinct(intents: readonly Intent[], member: "client" | "site"): string[] {
  return [...new Set(intents.map((intent) => intent[member]))];
}

/**
 * Stores intents in one statement, in the order of their keys, so that two processes that store the same do not wait for
 * each other; each replaces an earlier one of the same client for the same pair.
 */
export async function saveIntents(transaction: Database, intents: readonly Intent[]): Promise<void> {
  if (intents.length === 0) return;
  await transaction
    .insertInto("intent")
    .values(intents.map(rowOf).toSorted((one, other) => (one.id < other.id ? -1 : 1)))
    .onConflict((conflict) =>
      conflict.column("id").doUpdateSet(({ ref }) => ({
        mode: ref("excluded.mode"),
        token: ref("excluded.token"),
        secret: ref("excluded.secret"),
        lease_seconds: ref("excluded.lease_seconds"),
        known_tag: ref("excluded.known_tag"),
        attempts: ref("excluded.attempts"),
        asked_at: ref("excluded.asked_at"),
        due_at: ref("excluded.due_at"),
      })),
    )
    .execute();
}

/** Reads the newest intent of the same client for the same pair. */
export async function readIntent(
  { database }: Store,
  intent: Pick<Intent, "id" | "client">,
): Promise<Intent | undefined> {
  const row = await database.selectFrom("intent").selectAll().where("id", "=", intentKey(intent)).executeTakeFirst();
  return row && intentOf(row);
}

/**
 * Replaces an intent by what has become of it; undefined deletes it. Does nothing if the client has made a later request,
 * or if the same change has been made before.
 */
export async function changeIntent(transaction: Database, from: Intent, to: Intent | undefined): Promise<void> {
  if (to === undefined) return void (await takeIntent(transaction, from));
  await transaction
    .updateTable("intent")
    .set({ attempts: to.attempts, due_at: to.dueAt.toISOString() })
    .where("id", "=", intentKey(from))
    .where("token", "=", from.token)
    .where("attempts", "=", from.attempts)
    .execute();
}

/**
 * Deletes an intent that was confirmed. Returns whether the confirmation counts: not if the intent is gone. A later
 * request of the same client stays.
 */
export async function takeIntent(transaction: Database, intent: Intent): Promise<boolean> {
  const own = transaction.deleteFrom("intent").where("id", "=", intentKey(intent)).where("token", "=", intent.token);
  const { numDeletedRows } = await own.executeTakeFirst();
  if (numDeletedRows > 0n) return true;
  const later = transaction.selectFrom("intent").select("id").where("id", "=", intentKey(intent));
  return (await later.executeTakeFirst()) !== undefined;
}

/** Identifies a client at an origin, in one word. */
export function clientAtOrigin({ client, origin }: { readonly client: string; readonly origin: string }): string {
  return `${client} ${origin}`;
}

/** Reads the due intents except those of some clients at some origins. The longest overdue come first. */
export async function readDueIntents(
  { database }: Store,
  { shard, now, exceptClients }: { shard: number; now: Date; exceptClients: readonly string[] },
  limit: number,
): Promise<Intent[]> {
  let query = database
    .selectFrom("intent")
    .selectAll()
    .where("shard", "=", shard)
    .where("due_at", "<=", now.toISOString())
    .orderBy("due_at")
    .limit(limit);
  if (exceptClients.length > 0) query = query.where(sql<string>`client || ' ' || origin`, "not in", [...exceptClients]);
  return (await query.execute()).map(intentOf);
}

function intentOf(row: Selectable<IntentTable>): Intent {
  const { pair: id, client, shard, topic, callback, origin, site, mode, token, attempts } = row;
  return {
    ...{ id, client, shard, topic, callback, origin, site, mode, token, attempts },
    secret: row.secret ?? undefined,
    leaseSeconds: row.lease_seconds,
    knownTag: row.known_tag,
    askedAt: new Date(row.asked_at),
    dueAt: new Date(row.due_at),
  };
}

function rowOf(intent: Intent): Insertable<IntentTable> {
  const { id: pair, client, shard, topic, callback, origin, site, mode, token, attempts } = intent;
  return {
    ...{ id: intentKey(intent), pair, client, shard, topic, callback, origin, site, mode, token, attempts },
    secret: intent.secret ?? null,
    lease_seconds: intent.leaseSeconds,
    known_tag: intent.knownTag,
    asked_at: intent.askedAt.toISOString(),
    due_at: intent.dueAt.toISOString(),
  };
}
