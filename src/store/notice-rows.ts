/**
 * SQL for notices: what the owner is told of, to which addresses it is owed, and what came of it. A notice is recorded in
 * the transaction of what it tells of. It holds numbers and ids; words are read from the store when it is sent, so that
 * none of a review that was removed meanwhile is.
 */
import { createHash, randomUUID } from "node:crypto";
import { type SqlBool, sql } from "kysely";
import { MAX_POOR_RATING, type NoticeAddress } from "../business.ts";
import type { OwnWords } from "../lib/own-words.ts";
import { type Claim, proveClaim } from "./claims.ts";
import { insertMany } from "./engine/insert-many.ts";
import { unsynced } from "./engine/unsynced-commit.ts";
import { verifiedCondition } from "./review-rows.ts";
import { readBusiness, type Store } from "./store.ts";
import type { Database, NoticeAddressTable, NoticeDeliveryTable, NoticeTable, VanishedReviewTable } from "./tables.ts";

/** What a change did to what is published, in numbers of reviews. */
export interface ChangeFacts {
  readonly added: number;
  /** Of those added, how many have at most `MAX_POOR_RATING` stars. */
  readonly poor: number;
  readonly changed: number;
  /** Of those changed, how many have at most `MAX_POOR_RATING` stars and had more. */
  readonly worsened: number;
  readonly vanished: number;
  /** How many of those added it remembers, the poor ones first. */
  readonly remembered: number;
  /** Whether nothing was published before. */
  readonly isFirst: boolean;
}

/** Whether an address that is told of these subjects is told of such a change. */
export function isToldOf(when: NoticeAddress["when"], change: Omit<ChangeFacts, "changed" | "remembered">): boolean {
  const { added, poor, worsened, vanished, isFirst } = change;
  return (
    (when.includes("new") && added > 0) ||
    (when.includes("poor") && (poor + worsened > 0 || (isFirst && added > 0))) ||
    (when.includes("vanished") && vanished > 0)
  );
}

/** A digest that is due. */
export interface DigestFacts {
  readonly digest: NonNullable<NoticeAddress["digest"]>;
}

/** Something that is wrong, or no longer is. */
interface TroubleFacts {
  readonly trouble: string;
  readonly isOver: boolean;
}

export type NoticeFacts =
  | ({ readonly type: "change" } & ChangeFacts)
  | ({ readonly type: "digest" } & DigestFacts)
  | ({ readonly type: "trouble" } & TroubleFacts);

interface NewNotice {
  readonly facts: NoticeFacts;
  readonly at: Date;
  /** The number of the change in the history. */
  readonly change?: number;
  /** The new reviews that it remembers, and those that an edit made poor. */
  readonly reviews?: readonly string[];
  readonly edited?: readonly string[];
  readonly addresses: readonly NoticeAddress[];
}

/** Messages that may wait for one address: the oldest beyond them are dropped. */
const MAX_WAITING = 500;

/** Identifies an address in the store. */
export function noticeKey({ to }: Pick<NoticeAddress, "to">): string {
  return createHash("sha256").update(to).digest("hex").slice(0, 32);
}

/** Records a notice, due at once at each of the addresses; nothing without one. */
export async function recordNotice(transaction: Database, notice: NewNotice): Promise<void> {
  const { addresses, change, reviews = [], edited = [] } = notice;
  if (addresses.length === 0) return;
  const { type, ...facts } = notice.facts;
  const [id, at] = [randomUUID(), notice.at.toISOString()];
  await transaction
    .insertInto("notice")
    .values({ id, type, at, change: change ?? null, facts: JSON.stringify(facts) })
    .execute();
  const rowsOf = (ids: readonly string[], is_edited: number) =>
    ids.map((review) => ({ notice: id, id: review, is_edited }));
  await insertMany(transaction, "notice_review", { rows: [...rowsOf(reviews, 0), ...rowsOf(edited, 1)] });
  for (const address of addresses.map(noticeKey)) {
    await transaction.insertInto("notice_delivery").values({ notice: id, address, attempts: 0, due_at: at }).execute();
    const beyond = transaction
      .selectFrom("notice_delivery")
      .innerJoin("notice", "notice.id", "notice_delivery.notice")
      .select("notice")
      .where("address", "=", address)
      .orderBy("at", "desc")
      .orderBy("notice", "desc")
      .offset(MAX_WAITING)
      .limit(MAX_WAITING);
    const old = await beyond.execute();
    if (old.length > 0) await deleteDeliveries(transaction, { address, notices: old.map(({ notice }) => notice) });
  }
}

/** The addresses that the stored business file has told of a subject. */
export async function addressesFor(
  database: Database,
  wants: (address: NoticeAddress) => boolean,
): Promise<readonly NoticeAddress[]> {
  return ((await readBusiness(database))?.notices ?? []).filter(wants);
}

/** Records that something is wrong, or is so no more: one notice when it begins, and one when it ends. */
export async function noteTrouble(
  transaction: Database,
  { key, isOn, at }: { readonly key: string; readonly isOn: boolean; readonly at: Date },
): Promise<void> {
  const known = await transaction.selectFrom("trouble").select("key").where("key", "=", key).executeTakeFirst();
  if ((known !== undefined) === isOn) return;
  const addresses = await addressesFor(transaction, ({ when }) => when.includes("trouble"));
  if (!isOn) await transaction.deleteFrom("trouble").where("key", "=", key).execute();
  else if (addresses.length > 0)
    await transaction.insertInto("trouble").values({ key, since: at.toISOString() }).execute();
  await recordNotice(transaction, { facts: { type: "trouble", trouble: key, isOver: !isOn }, at, addresses });
}

/** The troubles that the owner was told of. */
export async function readTroubles(database: Database): Promise<ReadonlySet<string>> {
  const rows = await database.selectFrom("trouble").select("key").execute();
  return new Set(rows.map(({ key }) => key));
}

const SOURCE_TROUBLE = "source ";

/** The trouble of a followed source, by its key in the store. */
export function sourceTrouble(key: string): string {
  return SOURCE_TROUBLE + key;
}

/** Forgets the troubles of all sources but these: the others are no longer followed. */
export async function forgetTroubles(database: Database, kept: readonly string[]): Promise<void> {
  const others = database.deleteFrom("trouble").where("key", "like", `${SOURCE_TROUBLE}%`);
  await (kept.length === 0 ? others : others.where("key", "not in", [...kept])).execute();
}

/** A message that is owed: the notice with what it tells, and the attempts so far. */
export interface OwedNotice extends Pick<NoticeTable, "id" | "at" | "change">, NoticeDeliveryTable {
  readonly facts: NoticeFacts;
}

/** Messages of an address that are read at once. */
const MAX_READ = 100;

/**
 * Messages that are due, the oldest of each address first, so that none waits for those of another. One that is due later
 * than `latest` counts as due: the clock was set back since.
 */
export async function dueNotices(
  database: Database,
  { now, latest }: { readonly now: Date; readonly latest: Date },
): Promise<OwedNotice[]> {
  const isDue = sql<SqlBool>`(due_at <= ${now.toISOString()} or due_at > ${latest.toISOString()})`;
  const waiting = await database.selectFrom("notice_delivery").select("address").distinct().where(isDue).execute();
  const due: OwedNotice[] = [];
  for (const { address } of waiting) {
    const rows = await database
      .selectFrom("notice_delivery")
      .innerJoin("notice", "notice.id", "notice_delivery.notice")
      .select(["id", "type", "at", "change", "facts", "notice", "address", "attempts", "due_at"])
      .where("address", "=", address)
      .where(isDue)
      .orderBy("at")
      .orderBy("change")
      .orderBy("id")
      .limit(MAX_READ)
      .execute();
    for (const { type, facts, ...row } of rows)
      due.push({ ...row, facts: { type, ...JSON.parse(facts) } as NoticeFacts });
  }
  return due;
}

/** New reviews that a notice remembers, and edited ones: it counts and quotes those that are published when it is sent. */
export const MAX_REMEMBERED = 1_000;

/** The reviews that a notice remembers and that are still there: the poor ones first, then the newest. */
export async function presentReviews(
  database: Database,
  notice: string,
  verifiedSources: readonly string[],
): Promise<readonly PresentReview[]> {
  const rows = await database
    .selectFrom("review")
    .innerJoin("notice_review", "notice_review.id", "review.id")
    .select(["review.id", "rating", "is_edited"])
    .where("notice", "=", notice)
    .where(verifiedCondition(verifiedSources))
    .execute();
  const present = rows.map(({ id, rating, is_edited }) => {
    return { id, isPoor: rating <= MAX_POOR_RATING, isEdited: is_edited === 1 };
  });
  return present.toSorted((one, other) => Number(other.isPoor) - Number(one.isPoor) || (one.id < other.id ? 1 : -1));
}

export interface PresentReview {
  readonly id: string;
  readonly isPoor: boolean;
  readonly isEdited: boolean;
}

/** A review that vanished: when the import that had it last was made, and the first that lacked it (ISO 8601). */
export type VanishedLine = Pick<VanishedReviewTable, "id" | "source" | "rating" | "had_last_at" | "lacked_first_at">;

/** The reviews that a change found vanished and that are not back, newest first. */
export async function vanishedBy(database: Database, change: number, limit: number): Promise<readonly VanishedLine[]> {
  return await database
    .selectFrom("vanished_review")
    .select(["id", "source", "rating", "had_last_at", "lacked_first_at"])
    .where("change", "=", change)
    .where("returned_at", "is", null)
    .where("until_change", "is", null)
    .orderBy("id", "desc")
    .limit(limit)
    .execute();
}

/** What came of an attempt. Nothing stored may hold a word of a review or of another server. */
export interface NoticeAttempt {
  readonly owed: OwedNotice;
  readonly at: Date;
  /** Undefined if there was nothing left to tell. */
  readonly outcome: OwnWords | undefined;
  /** When it is tried again; undefined if it was accepted, or is given up. */
  readonly retryAt: Date | undefined;
}

/**
 * Records an attempt, unless another process has taken over. What else waits for a failing address waits as long. That a
 * message is owed no more is committed by itself and first, and no disk is waited for: a process that is killed before it
 * is sends the message again.
 */
export async function recordAttempt({ database }: Store, claim: Claim, attempt: NoticeAttempt): Promise<void> {
  const { owed, outcome, retryAt } = attempt;
  const { address, notice } = owed;
  const isOurs = await unsynced(database, async (transaction) => {
    if (!(await proveClaim(transaction, claim))) return false;
    if (retryAt === undefined) {
      const delivery = transaction.deleteFrom("notice_delivery").where("address", "=", address);
      await delivery.where("notice", "=", notice).execute();
      return true;
    }
    const ofAddress = transaction.updateTable("notice_delivery").where("address", "=", address);
    const due_at = retryAt.toISOString();
    await ofAddress.set({ due_at }).where("due_at", "<", due_at).execute();
    await ofAddress
      .set({ due_at, attempts: owed.attempts + 1 })
      .where("notice", "=", notice)
      .execute();
    return true;
  });
  if (!isOurs) return;
  await unsynced(database, async (transaction) => {
    if (outcome !== undefined)
      await keepAddress(transaction, {
        ...{ address, last_at: attempt.at.toISOString(), last_type: owed.facts.type, outcome },
      });
    await forgetTold(transaction);
  });
}

/** Stores the given members of an address. An outcome may hold no word of a review or of another server (`OwnWords`). */
export async function keepAddress(
  database: Database,
  row: Pick<NoticeAddressTable, "address"> & Partial<Omit<NoticeAddressTable, "outcome">> & { outcome?: OwnWords },
): Promise<void> {
  const { address: _, ...changed } = row;
  await database
    .insertInto("notice_address")
    .values({ last_at: null, last_type: null, outcome: null, digest_schedule: null, digest_at: null, ...row })
    .onConflict((conflict) => conflict.column("address").doUpdateSet(changed))
    .execute();
}

/** The state of each address, by its key. */
export async function readAddresses(database: Database): Promise<ReadonlyMap<string, Readonly<NoticeAddressTable>>> {
  const rows = await database.selectFrom("notice_address").selectAll().execute();
  return new Map(rows.map((row) => [row.address, row]));
}

/** Messages that wait for an address. */
export interface WaitingNotices {
  readonly count: number;
  /** When the next is due, and the time of the oldest event (ISO 8601). */
  readonly dueAt: string;
  readonly since: string;
}

/** The messages that wait for each address. */
export async function waitingNotices(database: Database): Promise<ReadonlyMap<string, WaitingNotices>> {
  const rows = await database
    .selectFrom("notice_delivery")
    .innerJoin("notice", "notice.id", "notice_delivery.notice")
    .select(({ fn }) => ["address", fn.countAll().as("count"), fn.min("due_at").as("dueAt"), fn.min("at").as("since")])
    .groupBy("address")
    .execute();
  return new Map(rows.map(({ address, count, ...times }) => [address, { count: Number(count), ...times }]));
}

/** Deletes addresses that left the business file, and their messages. Returns the others. */
export async function keepOnlyAddresses(database: Database): Promise<readonly NoticeAddress[]> {
  const stored = new Set([...(await readAddresses(database)).keys(), ...(await waitingNotices(database)).keys()]);
  const addresses = await addressesFor(database, () => true); // read last, so that one that comes meanwhile is among them
  const gone = [...stored].filter((key) => !addresses.some((address) => noticeKey(address) === key));
  if (gone.length === 0) return addresses;
  await database.transaction().execute(async (transaction) => {
    await transaction.deleteFrom("notice_address").where("address", "in", gone).execute();
    await transaction.deleteFrom("notice_delivery").where("address", "in", gone).execute();
    await forgetTold(transaction);
  });
  return addresses;
}

/** Deletes the unsent notices of a change that is undone. */
export async function forgetNoticesOf(transaction: Database, change: number): Promise<void> {
  const notices = transaction.selectFrom("notice").select("id").where("change", "=", change);
  await transaction.deleteFrom("notice_delivery").where("notice", "in", notices).execute();
  await forgetTold(transaction);
}

/** Gives the reviews that notices quote their new ids. */
export async function renameQuotedReviews(transaction: Database, renamed: ReadonlyMap<string, string>): Promise<void> {
  if (renamed.size === 0) return;
  const ids = [...renamed.keys()];
  const rows = await transaction.selectFrom("notice_review").selectAll().where("id", "in", ids).execute();
  if (rows.length === 0) return;
  await forgetQuotedReviews(transaction, ids);
  const others = rows.map((row) => ({ ...row, id: renamed.get(row.id) ?? row.id }));
  await insertMany(transaction, "notice_review", { rows: others, skipsConflicts: true });
}

/** Forgets that notices quote these reviews. */
export async function forgetQuotedReviews(transaction: Database, ids: readonly string[]): Promise<void> {
  if (ids.length > 0)
    await transaction
      .deleteFrom("notice_review")
      .where("id", "in", [...ids])
      .execute();
}

async function deleteDeliveries(
  transaction: Database,
  { address, notices }: { readonly address: string; readonly notices: readonly string[] },
): Promise<void> {
  await transaction
    .deleteFrom("notice_delivery")
    .where("address", "=", address)
    .where("notice", "in", [...notices])
    .execute();
  await forgetTold(transaction);
}

/** Deletes the notices that no address waits for. There are few. */
async function forgetTold(transaction: Database): Promise<void> {
  const waiting = transaction.selectFrom("notice_delivery").select("notice");
  await transaction.deleteFrom("notice").where("id", "not in", waiting).execute();
  await transaction.deleteFrom("notice_review").where("notice", "not in", waiting).execute();
}
