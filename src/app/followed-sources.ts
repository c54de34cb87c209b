/** Opens the follower of business.yaml's sources with this program's settings, and logs its events. */
import type { Logger } from "pino";
import { type FollowEvent, type Follower, openFollower } from "../follow/follower.ts";
import type { Claims } from "../store/claims.ts";
import { type SessionKey, sourceSecret } from "../store/session-keys.ts";
import type { Store } from "../store/store.ts";
import type { Config } from "./config.ts";

interface Followed {
  readonly store: Store;
  readonly claims: Claims;
  readonly now: () => Date;
  readonly keys: readonly SessionKey[];
  readonly keySetting: (name: string) => string | undefined;
}

/** Opens a follower of the sources in the store's business. */
export function openFollowing(
  config: Config,
  { store, claims, now, keys, keySetting }: Followed,
  log: (event: FollowEvent) => void,
): Follower {
  const { SOURCES_ALLOW, SOURCES_PROXY, HUB_PROXY } = config;
  return openFollower({
    store,
    claims,
    importSource: async (...given) => {
      const { importSource } = await import("./source-import.ts"); // with every format of imports
      return await importSource(config, ...given);
    },
    secret: sourceSecret(keys),
    allowedAddresses: SOURCES_ALLOW,
    proxyUrl: SOURCES_PROXY || HUB_PROXY || undefined,
    environment: keySetting,
    log,
    now,
    random: Math.random,
  });
}

/** Logs an event, without a word of what was fetched; as a warning if the owner must act. */
export function logFollowEvent(log: Logger, event: FollowEvent): void {
  if (event.event === "fault") {
    log.error({ err: event.error }, "Could not follow the sources; trying again");
    return;
  }
  const { host, key } = event.source.name;
  if (event.event === "unchanged") log.info({ host, key }, "A followed source has not changed");
  else if (event.event === "failed") {
    const { reason, failures, next } = event;
    log.warn({ host, key, reason, failures, next }, "A followed source could not be imported");
  } else {
    const { added, changed, withdrawn, read, withheld, warnings } = event;
    const counts = { added, changed, withdrawn, read, withheld, warnings: warnings.length };
    log.info({ host, key, ...counts }, "Imported a followed source");
  }
}
