/** Opens the follower of business.yaml's sources with this program's settings, and logs its events. */
import type { Logger } from "pino";
import { type FollowEvent, type Follower, openFollower } from "../follow/follower.ts";
import type { Claims } from "../store/claims.ts";
import type { Store } from "../store/store.ts";
import type { Config } from "./config.ts";
import { importSource } from "./source-import.ts";

/** Opens a follower of the sources in the store's business. */
export function openFollowing(
  config: Config,
  { store, claims, now }: { readonly store: Store; readonly claims: Claims; readonly now: () => Date },
  log: (event: FollowEvent) => void,
): Follower {
  const { SOURCES_ALLOW, SOURCES_PROXY, HUB_PROXY } = config;
  return openFollower({
    store,
    claims,
    importSource: (...given) => importSource(config, ...given),
    allowedAddresses: SOURCES_ALLOW,
    proxyUrl: SOURCES_PROXY || HUB_PROXY || undefined,
    environment: (name) => process.env[name],
    log,
    now,
    random: Math.random,
  });
}

/** Logs an event; as a warning if the owner must act. */
export function logFollowEvent(log: Logger, { event, ...details }: FollowEvent): void {
  if ("error" in details) log.error({ err: details.error }, "Could not follow the sources; trying again");
  else if (event === "failed") log.warn(details, "A followed source could not be imported");
  else if (event === "unchanged") log.info(details, "A followed source has not changed");
  else log.info(details, "Imported a followed source");
}
