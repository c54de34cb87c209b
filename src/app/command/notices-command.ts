/** `goodword notices`: lists the addresses that are told what is new, and sends each a test with `--test`. */
import { randomBytes, randomUUID } from "node:crypto";
import { type BusinessFile, mailAddressOf, type NoticeAddress, UNNAMED_BUSINESS } from "../../business.ts";
import { aggregateRatingOf } from "../../edition/aggregate-rating.ts";
import { ownWords } from "../../lib/own-words.ts";
import { composeSentence } from "../../notices/notice-message.ts";
import { addressNaming } from "../../notices/notice-sender.ts";
import { noticeWords } from "../../notices/notice-words.ts";
import { localeOf } from "../../page/text/locale.ts";
import { keepAddress, noticeKey, readAddresses, waitingNotices } from "../../store/notice-rows.ts";
import { sessionKeys, sourceSecret } from "../../store/session-keys.ts";
import { openStore, readBusiness, type Store } from "../../store/store.ts";
import { readPublishedFigures } from "../../store/store-survey.ts";
import { baseUrlOf, type Config } from "../config.ts";
import { openSender } from "../owner-notices.ts";
import { localTime, plural } from "../terminal/terminal-text.ts";
import { asTyped } from "../terminal/typed-command.ts";

const now = () => new Date();

/**
 * Prints a few lines per address, or the list as JSON.
 * @throws Error if a test was not accepted.
 */
export async function noticesCommand(
  config: Config,
  { test = false, json = false }: { readonly test?: boolean; readonly json?: boolean },
): Promise<void> {
  await using store = await openStore(config.DATABASE_URL);
  const business = (await readBusiness(store.database)) ?? UNNAMED_BUSINESS;
  const failed = test ? await sendTests(config, store, business) : 0;
  const lines = await listAddresses(store, business.notices ?? []);
  if (json) process.stdout.write(`${JSON.stringify(lines)}\n`);
  else for (const line of lines) process.stdout.write(asTyped(textOf(line)));
  if (lines.length === 0 && !json)
    process.stdout.write(
      "Nobody is told what is new. Name addresses under notices in business.yaml, and import that file.\n",
    );
  if (failed > 0)
    throw new Error(`${plural(failed, "address", "addresses")} did not accept the test, for the reason above.`);
}

/** Sends each address a message of the type `test`, and records what came back. Returns how many did not accept it. */
async function sendTests(config: Config, store: Store, business: BusinessFile): Promise<number> {
  const sender = openSender(config, now, (name) => process.env[name]);
  const { ratingCounts } = await readPublishedFigures(store.database);
  const head = {
    ...{ id: randomUUID(), at: now().toISOString(), business, base_url: baseUrlOf(config, config.PORT) },
    aggregate_rating: aggregateRatingOf(ratingCounts),
  };
  const what = noticeWords(localeOf(business.language).tag).test;
  const notice = composeSentence(head, { type: "test", what, isUrgent: false });
  const { signal } = new AbortController();
  const sending = (business.notices ?? []).map(async (address) => {
    const { isAccepted, outcome } = await sender.send(address, notice, signal);
    const told = isAccepted ? ownWords`sent: ${outcome}` : ownWords`failed: ${outcome}`;
    await keepAddress(store.database, {
      ...{ address: noticeKey(address), last_at: now().toISOString(), last_type: "test", outcome: told },
    });
    return isAccepted;
  });
  try {
    return (await Promise.all(sending)).filter((isAccepted) => !isAccepted).length;
  } finally {
    await sender.close();
  }
}

/** An address in `goodword notices --json`. */
interface AddressLine {
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

async function listAddresses(store: Store, addresses: readonly NoticeAddress[]): Promise<readonly AddressLine[]> {
  const nameOf = addressNaming(sourceSecret(await sessionKeys(store, now(), randomBytes)));
  const [known, waiting] = [await readAddresses(store.database), await waitingNotices(store.database)];
  return addresses.map((address) => {
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
      next_digest_at: address.digest === undefined ? null : (row?.digest_at ?? null),
    };
  });
}

function textOf(line: AddressLine): string {
  const { last_at, last_type, outcome, next_at, next_digest_at } = line;
  const last = last_at === null ? "none yet" : `${localTime(last_at)}, ${last_type}, ${outcome}`;
  const next = next_at === null ? "nothing waits" : `${localTime(next_at)}, if a server runs; ${line.waiting} waiting`;
  const rows = [
    ["key", line.key],
    ["told of", [...line.when, ...(line.digest === null ? [] : [`${line.digest} digest`])].join(", ") || "nothing"],
    ["last", last],
    ["next try", next],
    ...(next_digest_at === null ? [] : [["digest", localTime(next_digest_at)]]),
  ];
  const head = line.format === null || line.format === "json" ? line.to : `${line.to} (${line.format})`;
  return `${head}\n${rows.map(([name = "", value]) => `  ${name.padEnd(10)}${value}\n`).join("")}`;
}
