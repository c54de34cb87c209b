/** Opens the services of a site that need its store, after the first answers: MCP, the hub, the follower of sources and messages to the owner. */
import { randomBytes } from "node:crypto";
import { setImmediate } from "node:timers/promises";
import type { Logger } from "pino";
import type { FollowEvent, Follower } from "../../follow/follower.ts";
import type { Hub } from "../../hub/hub.ts";
import type { HubOutbound } from "../../hub/hub-outbound.ts";
import type { McpEndpoint } from "../../mcp/endpoint.ts";
import type { NoticeEvent } from "../../notices/notifier.ts";
import type { Publisher } from "../../publication/publisher.ts";
import type { DatabaseClock } from "../../store/database-clock.ts";
import type { Store } from "../../store/store.ts";
import type { Config } from "../config.ts";
import { openRefusalLog } from "../refusal-log.ts";
import type { StoreAccess } from "./store-access.ts";
import { openKeysAndClock } from "./store-opening.ts";

/** A part of the program that is closed together with others on stop. */
export interface Closing {
  close(deadlineMs: number): Promise<void>;
}

export interface Services {
  /** Answers a request to `/mcp`. */
  readonly mcp: McpEndpoint;
  readonly hub: Hub;
  readonly follower: Follower;
}

interface Surroundings {
  readonly store: Store;
  readonly publisher: Publisher;
  readonly baseUrl: string;
  readonly access: StoreAccess;
  readonly log: Logger;
  readonly stop: AbortSignal;
  /** Opens what the hubs of all sites share, once. */
  readonly outbound: (clock: DatabaseClock, closed: AbortSignal) => Promise<HubOutbound>;
  /** Parts to close on stop, to which the services are added. */
  readonly closing: Closing[];
  /** The value of a setting that holds a key of a followed source. */
  readonly keySetting: (name: string) => string | undefined;
  readonly onFollowEvent: (event: FollowEvent) => void;
  readonly onNoticeEvent: (event: NoticeEvent) => void;
  /** Called after each failed attempt to reach the database. */
  readonly onAway: () => void;
}

const FOREIGN_HOST =
  "Refused an agent's request to /mcp, because it is meant for another host: if that host is yours, name it in BASE_URL or ALLOWED_HOSTS";

/**
 * Opens the services one after another: each import blocks the thread, and requests are answered in between. Services
 * that write start when the store accepts changes.
 * @throws Error if the store fails, or on `stop`.
 */
export async function openServices(config: Config, surroundings: Surroundings): Promise<Services> {
  const { store, publisher, baseUrl, access, log, stop, closing, onAway } = surroundings;
  await access.watch(store);
  const { keys, clock } = await openKeysAndClock(config.DATABASE_URL, store, { log, stop, onAway });
  closing.push({ close: async () => clock.close() });
  await setImmediate();
  const { openMcpEndpoint } = await import("../../mcp/endpoint.ts");
  await setImmediate();
  const { openServerHub } = await import("./hub-opening.ts");
  await setImmediate();
  const outbound = await surroundings.outbound(clock, stop);
  const refusedHosts = openRefusalLog((count) => log.warn({ left_out: count }, "More refused requests to /mcp"), {
    linesPerClient: 1,
  });
  closing.push({ close: async () => refusedHosts.end() });
  const mcp = openMcpEndpoint({
    edition: publisher.current,
    allowedHosts: [new URL(baseUrl).host, "localhost", "127.0.0.1", "[::1]", ...config.ALLOWED_HOSTS],
    keys,
    now: clock.now,
    randomBytes,
    onRefusedHost: (refused) =>
      refusedHosts.add(`${refused.host} ${refused.origin}`, () => log.warn(refused, FOREIGN_HOST)),
  });
  const { openClaims } = await import("../../store/claims.ts");
  const claims = openClaims(store);
  const claimants: Closing[] = [];
  closing.push({
    async close(deadlineMs) {
      await Promise.all(claimants.map((one) => one.close(deadlineMs)));
      await claims.close();
    },
  });
  const hub = openServerHub(config, { store, claims, publisher, clock, baseUrl, log, outbound });
  claimants.push(hub);
  await setImmediate();
  const { logFollowEvent, openFollowing } = await import("../followed-sources.ts");
  const follower = openFollowing(
    config,
    { store, claims, now: clock.now, keys, keySetting: surroundings.keySetting },
    (event) => {
      surroundings.onFollowEvent(event);
      logFollowEvent(log, event);
    },
  );
  claimants.push(follower);
  const { openNotifying } = await import("../owner-notices.ts");
  const { keySetting, onNoticeEvent: onEvent } = surroundings;
  const notifying = { store, claims, now: clock.now, baseUrl, keys, keySetting, publisher, log, onEvent };
  const notifier = openNotifying(config, notifying);
  claimants.push(notifier);
  const { startUpkeep } = await import("./store-upkeep.ts"); // before: a file that cannot be opened fails the services
  void access.writable.then(() => {
    if (stop.aborted) return;
    hub.start();
    follower.start();
    notifier.start();
    closing.push(startUpkeep(store, { databaseUrl: config.DATABASE_URL, now: clock.now, log }));
  });
  return { mcp, hub, follower };
}
