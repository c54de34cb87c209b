/** What a store holds, for a site that is not open: read by a connection of its own, which changes nothing. */
import { setTimeout as wait } from "node:timers/promises";
import { type BusinessFile, verifiedSourcesOf } from "../business.ts";
import { calendarDateFault } from "../calendar-date.ts";
import { openPostgres } from "./engine/postgres.ts";
import { isBusy, openSqliteReader } from "./engine/sqlite.ts";
import { isStoreThere, storeFileOf } from "./engine/store-url.ts";
import { readFollowedSources } from "./followed-source-rows.ts";
import { isUpToDate } from "./migrations.ts";
import { readAddresses, waitingNotices } from "./notice-rows.ts";
import { latestChange, storedCopies, verifiedCondition } from "./review-rows.ts";
import { type Revision, readBusiness, readRevision } from "./store.ts";
import { strangeTables } from "./table-definitions.ts";
import type { Database, FollowedSourceTable, NoticeAddressTable, Tables } from "./tables.ts";

export interface StoreSurvey {
  readonly revision: Revision;
  readonly business: BusinessFile | undefined;
  readonly followed: ReadonlyMap<string, FollowedSourceTable>;
  /** When the next message to the owner is due (ISO 8601); undefined if none is. */
  readonly noticeDueAt: string | undefined;
  /** The state of the owner's addresses for notices, by their keys. */
  readonly told: ReadonlyMap<string, NoticeAddressTable>;
  /** Whether there are subscriptions or requests for some. */
  readonly hasSubscribers: boolean;
  /** Whether words of a removed review have yet to be cleared from its files. */
  readonly isErasurePending: boolean;
  /** When the next verification or delivery is due (ISO 8601); undefined if none is. */
  readonly hubDueAt: string | undefined;
  readonly isFanOutUnfinished: boolean;
  /** The newest revision of which a topic was notified; -1 if none was. */
  readonly fanOutRevision: number;
}

/** Figures of what is published. In a large store they take a while. */
export interface PublishedFigures {
  readonly reviews: number;
  /** How many of them gave each number of stars. */
  readonly ratingCounts: ReadonlyMap<number, number>;
  /** The date of the newest review. */
  readonly newestReview: string | undefined;
  /** When the history last changed (ISO 8601). */
  readonly lastChangeAt: string | undefined;
}

/** How long a survey waits for another process that has locked a store to change its files, and between two attempts. */
const MAX_BUSY_MS = 2_000;
const RETRY_MS = 50;

/**
 * Reads from the store at a URL, without changing or creating anything; undefined if there is none.
 * @throws Error if it cannot be read, or was made by a newer program.
 */
export async function readStoreAt<Found>(
  url: string,
  read: (database: Database) => Promise<Found>,
): Promise<Found | undefined> {
  const deadline = performance.now() + MAX_BUSY_MS;
  for (;;) {
    if (!isStoreThere(url)) return undefined;
    try {
      return await readOnce(url, read);
    } catch (error) {
      if (!isBusy(error) || performance.now() > deadline) throw error;
      await wait(RETRY_MS);
    }
  }
}

async function readOnce<Found>(url: string, read: (database: Database) => Promise<Found>): Promise<Found | undefined> {
  const file = storeFileOf(url);
  const database = file === undefined ? await openPostgres<Tables>(url) : openSqliteReader<Tables>(file);
  try {
    const strange = file === undefined ? undefined : await strangeTables(database);
    if (!(await isUpToDate(database))) return undefined;
    if (strange !== undefined) throw strange;
    return await read(database);
  } finally {
    await database.destroy();
  }
}

/** What is due in a store, and for whom. */
export async function surveyStore(database: Database): Promise<StoreSurvey> {
  const revision = await readRevision(database);
  const hub = await database
    .selectNoFrom(({ exists, lit, selectFrom }) => [
      selectFrom("subscription")
        .select(({ fn }) => fn.min("due_at").as("at"))
        .as("deliveryDueAt"),
      selectFrom("intent")
        .select(({ fn }) => fn.min("due_at").as("at"))
        .as("verificationDueAt"),
      exists(selectFrom("subscription").select(lit(1).as("one"))).as("hasSubscriptions"),
      exists(selectFrom("pending_erasure").select(lit(1).as("one"))).as("isErasurePending"),
      exists(selectFrom("fan_out").select(lit(1).as("one")).where("finished", "=", 0)).as("isUnfinished"),
      selectFrom("fan_out")
        .select(({ fn }) => fn.max("revision").as("number"))
        .as("fanOutRevision"),
    ])
    .executeTakeFirstOrThrow();
  const { deliveryDueAt, verificationDueAt } = hub;
  const hasSubscriptions = Boolean(hub.hasSubscriptions);
  const dueAt = [deliveryDueAt, verificationDueAt].filter((at) => at !== null).toSorted();
  return {
    revision,
    business: await readBusiness(database),
    followed: await readFollowedSources({ database }),
    noticeDueAt: [...(await waitingNotices(database)).values()].map(({ dueAt }) => dueAt).toSorted()[0],
    told: await readAddresses(database),
    hasSubscribers: hasSubscriptions || verificationDueAt !== null,
    isErasurePending: Boolean(hub.isErasurePending),
    hubDueAt: dueAt[0],
    isFanOutUnfinished: hasSubscriptions && Boolean(hub.isUnfinished),
    fanOutRevision: hub.fanOutRevision ?? -1,
  };
}

export async function readPublishedFigures(database: Database): Promise<PublishedFigures> {
  const sources = verifiedSourcesOf(await readBusiness(database));
  const copies = (await storedCopies(database, sources)).flatMap(({ id, isVerified }) => (isVerified ? id : []));
  const ratings = database.selectFrom("review").select(({ fn }) => ["rating", fn.countAll().as("count")]);
  const ratingCounts = new Map<number, number>();
  const add = (rows: readonly { readonly rating: number; readonly count: unknown }[], sign: number) => {
    for (const { rating, count } of rows)
      ratingCounts.set(rating, (ratingCounts.get(rating) ?? 0) + sign * Number(count));
  };
  add(await ratings.where(verifiedCondition(sources)).groupBy("rating").execute(), 1);
  if (copies.length > 0) add(await ratings.where("id", "in", copies).groupBy("rating").execute(), -1);
  const newest = database
    .selectFrom("review")
    .select(({ fn }) => fn.max("date").as("date"))
    .where(verifiedCondition(sources));
  const { date: newestReview = undefined } = (await newest.executeTakeFirst()) ?? {};
  if (newestReview && calendarDateFault(newestReview) !== undefined)
    throw new Error("The store is damaged: the day of its newest review is none. Put a backup in its place");
  return {
    reviews: [...ratingCounts.values()].reduce((sum, count) => sum + count, 0),
    ratingCounts,
    newestReview: newestReview ?? undefined,
    lastChangeAt: (await latestChange(database))?.at,
  };
}
