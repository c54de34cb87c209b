/**
 * Sends the owner what is recorded for him: looks every second for messages that are due. A claim ensures that one process
 * at a time does so, and every result proves it. An address gets one message after the other, and waits for no other.
 */
import { type NoticeAddress, UNNAMED_BUSINESS, verifiedSourcesOf } from "../business.ts";
import { type AggregateRating, aggregateRatingOf } from "../edition/aggregate-rating.ts";
import type { Digest } from "../edition/digest.ts";
import { type OwnWords, ownWords } from "../lib/own-words.ts";
import { dateOfReviewId } from "../review.ts";
import { type Claim, type Claims, NOTIFYING, proveClaim } from "../store/claims.ts";
import { isDatabaseAway } from "../store/engine/database-outage.ts";
import {
  addressesFor,
  type ChangeFacts,
  type DigestFacts,
  dueNotices,
  isToldOf,
  keepAddress,
  keepOnlyAddresses,
  MAX_REMEMBERED,
  type NoticeAttempt,
  noteTrouble,
  noticeKey,
  type OwedNotice,
  type PresentReview,
  presentReviews,
  readAddresses,
  readTroubles,
  recordAttempt,
  recordNotice,
  vanishedBy,
} from "../store/notice-rows.ts";
import { publishedReviews } from "../store/review-rows.ts";
import { readBusiness, readRevision, type Store } from "../store/store.ts";
import { readPublishedFigures } from "../store/store-survey.ts";
import { digestsToPlan, type PlannedDigest } from "./digest-schedule.ts";
import {
  type ComposedNotice,
  composeChange,
  composeDigest,
  MAX_LISTED,
  type NoticeHead,
  reviewUrl,
  type ToldVanished,
} from "./notice-message.ts";
import type { AddressName, NoticeSender } from "./notice-sender.ts";
import type { TroubleState, TroubleWatch } from "./trouble.ts";

/** An event about a message. Only the host of an address and its short key are named. */
export type NoticeEvent =
  | { readonly event: "sent"; readonly name: AddressName; readonly id: string; readonly type: string }
  | {
      readonly event: "failed" | "given up";
      readonly name: AddressName;
      readonly id: string;
      readonly type: string;
      readonly reason: OwnWords;
      readonly next?: string;
    }
  | { readonly event: "fault"; readonly error: unknown };

export interface NotifierParts {
  readonly store: Store;
  readonly claims: Claims;
  readonly sender: NoticeSender;
  readonly baseUrl: string;
  readonly nameOf: (address: NoticeAddress) => AddressName;
  /** Makes the digest of the period that had ended at a time. */
  readonly digest: (cadence: DigestFacts["digest"], at: Date) => Promise<Digest>;
  readonly troubles: TroubleWatch;
  /** The revision of the edition that is served: a message waits a while for it, because its links lead there. */
  readonly servedRevision: () => number;
  readonly log: (event: NoticeEvent) => void;
  readonly now: () => Date;
  /** A monotonic clock in milliseconds. */
  readonly clock?: () => number;
  readonly intervalMs?: number;
  readonly waitsSeconds?: readonly number[];
}

export interface Notifier {
  /** Starts looking for messages that are due. */
  start(): void;
  /** Sends what is due now. Returns false if another process holds the claim. */
  round(): Promise<boolean>;
  /** Begins nothing more, and aborts what is under way after the deadline. */
  close(deadlineMs: number): Promise<void>;
}

const DEFAULT_INTERVAL_MS = 1_000;
/** How often digests and troubles are looked for. */
const LOOK_MS = 20_000;
/** Waits before the second and each further attempt: a day in all, 23.6 hours. */
const RETRY_WAITS_SECONDS: readonly number[] = [10, 60, 300, 1_800, 7_200, 21_600, 54_000];
const DAY_MS = 86_400_000;
/** How long a round begins further messages to an address: what is new for the others waits for the next round. */
const ROUND_MS = 10_000;
/** How long a message waits for the edition with what it tells. */
const MAX_EDITION_WAIT_MS = 30_000;

/** Opens a notifier. */
export function openNotifier(parts: NotifierParts): Notifier {
  const { claims, store, sender, now, log, nameOf } = parts;
  const {
    clock = () => performance.now(),
    intervalMs = DEFAULT_INTERVAL_MS,
    waitsSeconds = RETRY_WAITS_SECONDS,
  } = parts;
  const stop = new AbortController();
  let isClosing = false;
  let timer: NodeJS.Timeout | undefined;
  let underWay: Promise<unknown> = Promise.resolve();
  let lookedAt = Number.NEGATIVE_INFINITY;
  /** Attempts that the store could not record: they are recorded before anything else is sent. */
  const unrecorded = new Map<string, NoticeAttempt>();

  async function round(): Promise<boolean> {
    const isLook = clock() - lookedAt > LOOK_MS;
    const due = await readDue();
    for (const key of unrecorded.keys()) if (!due.some((owed) => keyOf(owed) === key)) unrecorded.delete(key);
    if (due.length === 0 && !isLook) return true;
    const known = isLook ? await readTroubles(store.database) : new Set<string>();
    const told = isLook ? await addressesFor(store.database, ({ when }) => when.includes("trouble")) : [];
    const troubles = told.length + known.size > 0 ? await parts.troubles.look(known) : [];
    const news = troubles.filter(({ key, isOn }) => known.has(key) !== isOn);
    const isDigestDue = isLook && (await readDigests()).length > 0;
    if (due.length + news.length === 0 && !isDigestDue) {
      lookedAt = clock();
      return true;
    }
    const [claim] = await claims.take([NOTIFYING]);
    if (claim === undefined) return false;
    const until = clock() + ROUND_MS;
    try {
      // Until it had the claim, another process may have planned the digests, and an import have brought addresses.
      const addresses = await keepOnlyAddresses(store.database);
      await plan(claim, { news, digests: isDigestDue ? await readDigests() : [] });
      if (isLook) lookedAt = clock();
      const byAddress = Map.groupBy(await readDue(), ({ address }) => address);
      const deliveries = addresses.map((address) =>
        deliver(address, byAddress.get(noticeKey(address)) ?? [], { claim, until }),
      );
      for (const one of await Promise.allSettled(deliveries)) if (one.status === "rejected") throw one.reason;
      return true;
    } finally {
      await claims.release([claim]);
    }
  }

  async function readDigests(): Promise<readonly PlannedDigest[]> {
    const business = await readBusiness(store.database);
    return business === undefined ? [] : digestsToPlan(business, await readAddresses(store.database), now());
  }

  async function readDue(): Promise<OwedNotice[]> {
    const time = now();
    const due = await dueNotices(store.database, { now: time, latest: new Date(time.getTime() + 2 * DAY_MS) });
    if (due.length === 0 || parts.servedRevision() >= (await readRevision(store.database)).number) return due;
    return due.filter(({ at }) => Math.abs(time.getTime() - Date.parse(at)) > MAX_EDITION_WAIT_MS);
  }

  /** Records what has come to be told by the time. */
  async function plan(
    claim: Claim,
    { news, digests }: { readonly news: readonly TroubleState[]; readonly digests: readonly PlannedDigest[] },
  ): Promise<void> {
    if (news.length + digests.length === 0) return;
    const at = now();
    await store.database.transaction().execute(async (transaction) => {
      if (!(await proveClaim(transaction, claim))) return;
      for (const { key, isOn } of news) await noteTrouble(transaction, { key, isOn, at });
      for (const { address, schedule, next } of digests)
        await keepAddress(transaction, {
          ...{ address: noticeKey(address), digest_schedule: schedule, digest_at: next.toISOString() },
        });
      const due = digests.filter(({ isDue }) => isDue).map(({ address }) => address);
      for (const [digest = "weekly", of] of Map.groupBy(due, (address) => address.digest))
        await recordNotice(transaction, { facts: { type: "digest", digest }, at, addresses: of });
    });
  }

  /** Sends an address what is due, until one message is not accepted or the round has lasted long. */
  async function deliver(
    address: NoticeAddress,
    due: readonly OwedNotice[],
    { claim, until }: { readonly claim: Claim; readonly until: number },
  ): Promise<void> {
    for (const owed of due) {
      if (isClosing || claim.lost.aborted || !claim.isCertain() || clock() >= until) return;
      const key = keyOf(owed);
      const attempt = unrecorded.get(key) ?? (await attemptNow(address, owed));
      if (attempt === undefined) return;
      unrecorded.set(key, attempt);
      await recordAttempt(store, claim, attempt);
      unrecorded.delete(key);
      if (attempt.retryAt !== undefined) return;
    }
  }

  /** Sends a message; undefined if this was aborted. */
  async function attemptNow(address: NoticeAddress, owed: OwedNotice): Promise<NoticeAttempt | undefined> {
    const notice = await compose(owed, address);
    const [at, name, told] = [now(), nameOf(address), { id: owed.id, type: owed.facts.type }];
    if (notice === undefined) return { owed, at, outcome: undefined, retryAt: undefined };
    const sent = await sender.send(address, notice, stop.signal);
    if (sent.isAccepted) {
      log({ event: "sent", name, ...told });
      return { owed, at, outcome: ownWords`sent: ${sent.outcome}`, retryAt: undefined };
    }
    if (stop.signal.aborted) return undefined;
    const reason = sent.outcome;
    const waitSeconds = waitsSeconds[owed.attempts];
    if (waitSeconds === undefined || (owed.attempts > 0 && at.getTime() - Date.parse(owed.at) > DAY_MS)) {
      log({ event: "given up", name, ...told, reason });
      return { owed, at, outcome: ownWords`given up: ${reason}`, retryAt: undefined };
    }
    const seconds = Math.min(Math.max(waitSeconds, sent.retryAfterSeconds ?? 0), DAY_MS / 1000);
    const retryAt = new Date(at.getTime() + seconds * 1000);
    log({ event: "failed", name, ...told, reason, next: retryAt.toISOString() });
    return { owed, at, outcome: ownWords`failed: ${reason}`, retryAt };
  }

  /** The message with what the store holds now; undefined if nothing is left that the address is told of. */
  async function compose(
    { id, at, change, facts }: OwedNotice,
    { when }: NoticeAddress,
  ): Promise<ComposedNotice | undefined> {
    const { database } = store;
    const business = (await readBusiness(database)) ?? UNNAMED_BUSINESS;
    const rating = await ratingNow();
    const head: NoticeHead = { id, at, business, base_url: parts.baseUrl, aggregate_rating: rating };
    if (facts.type === "digest") return composeDigest(head, await parts.digest(facts.digest, new Date(at)));
    if (facts.type === "trouble") return await parts.troubles.compose(head, facts);
    const verified = verifiedSourcesOf(business);
    const present = await presentReviews(database, id, verified);
    const fresh = present.filter(({ isEdited }) => !isEdited);
    const worse = present.filter(({ isEdited, isPoor }) => isEdited && isPoor);
    const gone = change === null || facts.vanished === 0 ? [] : await vanishedBy(database, change, MAX_LISTED);
    const idsOf = (each: readonly PresentReview[]) => new Set(each.slice(0, MAX_LISTED).map((one) => one.id));
    const [freshIds, worseIds] = [idsOf(fresh), idsOf(worse)];
    const days = new Set([...freshIds, ...worseIds, ...gone.map((each) => each.id)].map(dateOfReviewId));
    const reviews = days.size === 0 ? [] : await publishedReviews(database, verified, days);
    const added = reviews.filter((review) => freshIds.has(review.id));
    const worsened = reviews.filter((review) => worseIds.has(review.id));
    const left = withoutGone(facts, { fresh, worsened: worse.length, vanished: gone.length });
    if (!isToldOf(when, left)) return undefined;
    const vanished = gone.map((each): ToldVanished => {
      const review = reviews.find((one) => one.id === each.id);
      const url = review === undefined ? null : reviewUrl(parts.baseUrl, review);
      return { ...each, date: dateOfReviewId(each.id), ...review, url };
    });
    return composeChange(head, left, { added, worsened, vanished });
  }

  async function ratingNow(): Promise<AggregateRating> {
    return aggregateRatingOf((await readPublishedFigures(store.database)).ratingCounts);
  }

  function loop(): void {
    underWay = round()
      .catch((error: unknown) => {
        // The publisher reports an unreachable database: it queries it more often.
        if (!isClosing && !isDatabaseAway(error)) log({ event: "fault", error });
      })
      .then(() => {
        if (!isClosing) timer = setTimeout(loop, intervalMs);
      });
  }

  return {
    start: loop,
    round,
    async close(deadlineMs) {
      isClosing = true;
      clearTimeout(timer);
      const deadline = setTimeout(() => stop.abort(), deadlineMs);
      await underWay;
      clearTimeout(deadline);
      stop.abort();
      await sender.close();
    },
  };
}

/** The facts without the reviews that are there no more: they were removed or withdrawn since, or are back. */
function withoutGone(
  facts: ChangeFacts,
  {
    fresh,
    ...listed
  }: { readonly fresh: readonly PresentReview[]; readonly worsened: number; readonly vanished: number },
): ChangeFacts {
  const poorRemembered = Math.min(facts.poor, facts.remembered); // the poor ones are remembered first
  const poorPresent = fresh.filter(({ isPoor }) => isPoor).length;
  return {
    ...facts,
    added: facts.added - (facts.remembered - fresh.length),
    poor: facts.poor - Math.max(0, poorRemembered - poorPresent),
    worsened: facts.worsened - (Math.min(facts.worsened, MAX_REMEMBERED) - listed.worsened),
    vanished: facts.vanished - (Math.min(facts.vanished, MAX_LISTED) - listed.vanished),
  };
}

function keyOf({ notice, address }: OwedNotice): string {
  return `${notice} ${address}`;
}
