/**
 * Stores accepted requests, those of many clients in one transaction, and gives each client its share of the places: in
 * memory while requests wait to be stored, and in the store while they wait to be verified.
 */
import { type Intent, intentKey } from "../intent.ts";
import { isDatabaseAway } from "../store/engine/database-outage.ts";
import { makeGroupCommit } from "../store/group-commit.ts";
import { countHeldPlaces, readKnownPairs, saveIntents } from "../store/intent-rows.ts";
import type { Store } from "../store/store.ts";
import type { Database } from "../store/tables.ts";
import { mayTakePlace } from "./limits/pending-share.ts";

/**
 * What becomes of a request: stored; nothing to store, because there is nothing to unsubscribe; or refused, because its
 * site has all subscriptions that it may have, or the client its share of a queue.
 */
type Reception = "stored" | "nothing" | "site full" | "queue full";

export interface RequestStorage {
  /** Stores a request. One that is `overdue` has been refused: it is not stored any more. */
  store(intent: Intent, overdue: AbortSignal): Promise<Reception>;
}

interface RequestLimits {
  /** Maximum number of requests that wait for verification. */
  readonly pending: number;
  /** Maximum number of requests that wait to be stored. */
  readonly unstored: number;
  readonly subscriptionsOfSite: number;
}

interface Request {
  readonly intent: Intent;
  readonly overdue: AbortSignal;
}

interface Waiting extends Request {
  readonly resolve: (reception: Reception) => void;
  readonly reject: (error: unknown) => void;
}

/** Requests per transaction. */
const MAX_BATCH = 100;

/** Opens the storage. Its transactions are its own, so that no request waits for the writes of the dispatcher. */
export function openRequestStorage(store: Store, limits: RequestLimits, now: () => Date): RequestStorage {
  const groupCommit = makeGroupCommit(store);
  const waiting = new Set<Waiting>();
  const unstoredOf = new Map<string, number>();
  let unstored = 0;
  let isWriting = false;

  function count(client: string, change: 1 | -1): void {
    unstored += change;
    const held = (unstoredOf.get(client) ?? 0) + change;
    if (held === 0) unstoredOf.delete(client);
    else unstoredOf.set(client, held);
  }

  async function writeAll(): Promise<void> {
    if (isWriting) return;
    isWriting = true;
    while (waiting.size > 0) {
      const batch = waiting.values().take(MAX_BATCH).toArray();
      for (const each of batch) waiting.delete(each);
      await write(batch);
    }
    isWriting = false;
  }

  /** Stores requests together. If that fails, each is repeated by itself, so that only the faulty one is rejected. */
  async function write(batch: readonly Waiting[]): Promise<void> {
    try {
      const receptions = await groupCommit((transaction) => receive(transaction, batch, { limits, now: now() }));
      for (const [index, { resolve }] of batch.entries()) resolve(receptions[index] ?? "nothing");
    } catch (error) {
      const isLast = batch.length === 1 || isDatabaseAway(error);
      for (const each of batch) {
        if (isLast || each.overdue.aborted) each.reject(error);
        else await write([each]);
      }
    }
  }

  return {
    async store(intent, overdue) {
      const { client } = intent;
      const held = unstoredOf.get(client) ?? 0;
      if (!mayTakePlace({ held, taken: unstored, max: limits.unstored })) return "queue full";
      const { promise, resolve, reject } = Promise.withResolvers<Reception>();
      const request = { intent, overdue, resolve, reject };
      const giveUp = () => waiting.delete(request) && reject(overdue.reason);
      overdue.addEventListener("abort", giveUp, { once: true });
      count(client, 1);
      waiting.add(request);
      void writeAll();
      try {
        return await promise;
      } finally {
        count(client, -1);
        overdue.removeEventListener("abort", giveUp);
      }
    },
  };
}

/** Decides on requests in their order, and stores the accepted ones that are not overdue. */
async function receive(
  transaction: Database,
  requests: readonly Request[],
  { limits, now }: { readonly limits: RequestLimits; readonly now: Date },
): Promise<Reception[]> {
  const intents = requests.map(({ intent }) => intent);
  const known = await readKnownPairs(transaction, intents, now);
  const added = intents.filter((intent) => !known.own.has(intentKey(intent)));
  const places = added.length === 0 ? undefined : await countHeldPlaces(transaction, added);
  const ofClient = new Map(places?.ofClient);
  let taken = places?.pending ?? 0;
  const pending = new Set(known.pending);
  const stored = new Map<string, Intent>();

  function decide({ intent, overdue }: Request): Reception {
    if (overdue.aborted) return "nothing";
    const { client, id, mode, site } = intent;
    const key = intentKey(intent);
    if (!known.own.has(key) && !stored.has(key)) {
      if (!known.leased.has(id)) {
        if (mode === "unsubscribe" && !pending.has(id)) return "nothing";
        if (mode === "subscribe" && (places?.ofSite.get(site) ?? 0) >= limits.subscriptionsOfSite) return "site full";
      }
      const held = ofClient.get(client) ?? 0;
      if (!mayTakePlace({ held, taken, max: limits.pending })) return "queue full";
      ofClient.set(client, held + 1);
      taken += 1;
      pending.add(id);
    }
    stored.set(key, intent);
    return "stored";
  }

  const receptions = requests.map(decide);
  await saveIntents(transaction, [...stored.values()]);
  return receptions;
}
