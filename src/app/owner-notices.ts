/** Opens what sends messages to the owner with this program's settings, and logs what it does. */
import type { Logger } from "pino";
import { sourceNaming } from "../follow/shown-source.ts";
import { addressNaming, type NoticeSender, openNoticeSender } from "../notices/notice-sender.ts";
import { type NoticeEvent, type Notifier, openNotifier } from "../notices/notifier.ts";
import { openTroubleWatch } from "../notices/trouble.ts";
import type { Publisher } from "../publication/publisher.ts";
import type { Claims } from "../store/claims.ts";
import { type SessionKey, sourceSecret } from "../store/session-keys.ts";
import type { Store } from "../store/store.ts";
import type { Config } from "./config.ts";

export type KeySetting = (name: string) => string | undefined;

/** Opens the sender with the settings of this program. */
export function openSender(config: Config, now: () => Date, keySetting: KeySetting): NoticeSender {
  const { NOTICES_ALLOW, HUB_PROXY, SMTP_URL, MAIL_FROM } = config;
  return openNoticeSender({
    allowedAddresses: NOTICES_ALLOW,
    proxyUrl: HUB_PROXY || undefined,
    mail: SMTP_URL === "" ? undefined : { smtpUrl: SMTP_URL, from: MAIL_FROM },
    ...{ keySetting, now },
  });
}

interface Surroundings {
  readonly store: Store;
  readonly claims: Claims;
  readonly now: () => Date;
  readonly baseUrl: string;
  readonly keys: readonly SessionKey[];
  readonly keySetting: KeySetting;
  readonly publisher: Pick<Publisher, "confirmed">;
  readonly log: Logger;
  /** Called for each event, beside what is logged. */
  readonly onEvent: (event: NoticeEvent) => void;
}

/** Opens the notifier of a server. */
export function openNotifying(config: Config, surroundings: Surroundings): Notifier {
  const { store, claims, now, baseUrl, keys, keySetting, publisher, log, onEvent } = surroundings;
  const secret = sourceSecret(keys);
  const nameOfSource = sourceNaming(secret);
  return openNotifier({
    ...{ store, claims, now, baseUrl },
    sender: openSender(config, now, keySetting),
    nameOf: addressNaming(secret),
    troubles: openTroubleWatch({ store, databaseUrl: config.DATABASE_URL, nameOfSource, now }),
    async digest(cadence, at) {
      const edition = publisher.confirmed();
      if (edition === undefined) throw new Error("There is no edition yet to make a digest of");
      const { digestOf } = await import("../publication/store-digest.ts"); // with what reads texts
      return await digestOf(store, edition, { cadence, now: at });
    },
    servedRevision: () => publisher.confirmed()?.revision ?? -1,
    log(event) {
      onEvent(event);
      logNoticeEvent(log, event);
    },
  });
}

/** Logs an event: of the address only its host and short key. */
function logNoticeEvent(log: Logger, event: NoticeEvent): void {
  if (event.event === "fault") {
    log.error({ err: event.error }, "Messages to the owner could not be looked after; trying again");
    return;
  }
  const { event: what, name, ...told } = event;
  const fields = { ...name, ...told };
  if (what === "sent") log.info(fields, "Sent a message to the owner");
  else if (what === "failed") log.warn(fields, "A message to the owner was not accepted; trying again");
  else log.warn(fields, "A message to the owner is given up");
}
