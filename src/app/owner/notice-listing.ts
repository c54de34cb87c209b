/** The addresses that are told what is new, with what waits for them, and tests of them, as the command and the desk do it. */
import { randomBytes, randomUUID } from "node:crypto";
import { type BusinessFile, mailAddressOf, type NoticeAddress } from "../../business.ts";
import { aggregateRatingOf } from "../../edition/aggregate-rating.ts";
import { ownWords } from "../../lib/own-words.ts";
import { digestDueAt } from "../../notices/digest-schedule.ts";
import { composeSentence } from "../../notices/notice-message.ts";
import { addressNaming } from "../../notices/notice-sender.ts";
import { noticeWords } from "../../notices/notice-words.ts";
import { localeOf } from "../../page/text/locale.ts";
import { keepAddress, noticeKey, readAddresses, waitingNotices } from "../../store/notice-rows.ts";
import { sessionKeys, sourceSecret } from "../../store/session-keys.ts";
import type { Store } from "../../store/store.ts";
import { readPublishedFigures } from "../../store/store-survey.ts";
import { baseUrlOf, type Config } from "../config.ts";
import { type KeySetting, openSender } from "../owner-notices.ts";

const now = () => new Date();

/** An address in `goodword notices --json`. */
export interface AddressLine {
  /** The e-mail address, or only the host of another: its path may be a secret. */
  readonly to: string;
  /** Tells it from others of the host, as in the log. */
  readonly key: string;
  readonly format: NoticeAddress["format"] | null;
  readonly when: NoticeAddress["when"];
  readonly digest: NoticeAddress["digest"] | null;
  /** The last message: when it was sent or tried, of which type, and what came of it. */
  readonly last_at: string | null;
  readonly last_type: string | null;
  readonly outcome: string | null;
  /** Messages that wait, and when the next is tried. */
  readonly waiting: number;
  readonly next_at: string | null;
  readonly next_digest_at: string | null;
}

/** The addresses in the order of business.yaml. */
export async function listNotices(
  store: Store,
  { notices = [], time_zone }: Pick<BusinessFile, "notices" | "time_zone">,
): Promise<readonly AddressLine[]> {
  if (notices.length === 0) return [];
  const nameOf = addressNaming(sourceSecret(await sessionKeys(store, now(), randomBytes)));
  const [known, waiting] = [await readAddresses(store.database), await waitingNotices(store.database)];
  return notices.map((address) => {
    const [row, owed] = [known.get(noticeKey(address)), waiting.get(noticeKey(address))];
    const isMail = mailAddressOf(address.to) !== undefined;
    return {
      to: isMail ? address.to : `${new URL(address.to).origin}/…`,
      key: nameOf(address).key,
      format: isMail ? null : address.format,
      when: address.when,
      digest: address.digest ?? null,
      last_at: row?.last_at ?? null,
      last_type: row?.last_type ?? null,
      outcome: row?.outcome ?? null,
      waiting: owed?.count ?? 0,
      next_at: owed?.dueAt ?? null,
      next_digest_at: digestDueAt(address, row, { zone: time_zone, now: now() }) ?? null,
    };
  });
}

/** Sends each address a message of the type `test`, and records what came back. Returns how many did not accept it. */
export async function sendTests(
  config: Config,
  store: Store,
  { business, keySetting }: { readonly business: BusinessFile; readonly keySetting: KeySetting },
): Promise<number> {
  const sender = openSender(config, now, keySetting);
  const { ratingCounts } = await readPublishedFigures(store.database);
  const head = {
    ...{ id: randomUUID(), at: now().toISOString(), business, base_url: baseUrlOf(config, config.PORT) },
    aggregate_rating: aggregateRatingOf(ratingCounts),
  };
  const what = noticeWords(localeOf(business.language).tag).test;
  const notice = composeSentence(head, { type: "test", what, isUrgent: false });
  const { signal } = new AbortController();
  try {
    const sent = await Promise.all(
      (business.notices ?? []).map(async (address) => {
        return { address, ...(await sender.send(address, notice, signal)), last_at: now().toISOString() };
      }),
    );
    // All at once and last: while one took its time, a server may have recorded other messages.
    for (const { address, isAccepted, outcome, last_at } of sent) {
      const told = isAccepted ? ownWords`sent: ${outcome}` : ownWords`failed: ${outcome}`;
      await keepAddress(store.database, { address: noticeKey(address), last_at, last_type: "test", outcome: told });
    }
    return sent.filter(({ isAccepted }) => !isAccepted).length;
  } finally {
    await sender.close();
  }
}
