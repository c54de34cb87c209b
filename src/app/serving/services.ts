/** Opens the services that need the store, after the first answers: MCP, the hub and the follower of sources. */
import { randomBytes } from "node:crypto";
import { setImmediate } from "node:timers/promises";
import type { Logger } from "pino";
import type { Hub } from "../../hub/hub.ts";
import type { McpEndpoint } from "../../mcp/endpoint.ts";
import type { Publisher } from "../../publication/publisher.ts";
import type { Config } from "../config.ts";
import { openRefusalLog } from "../refusal-log.ts";
import type { MetricsOpening } from "./metrics-opening.ts";
import type { StoreAccess } from "./store-access.ts";
import { openServerStore } from "./store-opening.ts";

/** A part of the program that is closed together with others on stop. */
export interface Closing {
  close(deadlineMs: number): Promise<void>;
}

export interface Services {
  /** Answers a request to `/mcp`. */
  readonly mcp: McpEndpoint;
  readonly hub: Hub;
}

interface Surroundings {
  readonly publisher: Publisher;
  readonly baseUrl: string;
  readonly access: StoreAccess;
  readonly metrics: MetricsOpening;
  readonly log: Logger;
  readonly stop: AbortSignal;
  /** Parts to close on stop, to which the services are added. */
  readonly closing: Closing[];
  /** Called after each failed attempt to reach the database. */
  readonly onAway: () => void;
}

const FOREIGN_HOST =
  "Refused an agent's request to /mcp, because it is meant for another host: if that host is yours, name it in BASE_URL or ALLOWED_HOSTS";

/**
 * Opens the services one after another: each import blocks the thread, and requests are answered in between. Services
 * that write start when the store accepts changes.
 * @throws Error if the store cannot be opened, a port is in use, or on `stop`.
 */
export async function openServices(config: Config, surroundings: Surroundings): Promise<Services> {
  const { publisher, baseUrl, access, metrics, log, stop, closing } = surroundings;
  // A port of its own is opened first, so that one in use ends the start even while the database is away.
  if (config.METRICS_PORT !== null) await metrics.open();
  const { store, keys, clock } = await openServerStore(config.DATABASE_URL, {
    log,
    stop,
    onAway() {
      surroundings.onAway();
      metrics.open().catch(() => {}); // awaited below
    },
  });
  closing.push({ close: async () => clock.close() });
  await access.opened(store);
  await setImmediate();
  const { openMcpEndpoint } = await import("../../mcp/endpoint.ts");
  await setImmediate();
  const { openServerHub } = await import("./hub-opening.ts");
  await setImmediate();
  const { followerMetrics, followMetrics, hubMetrics } = await import("../metrics/service-metrics.ts");
  const { add } = await metrics.open();
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
  const hub = openServerHub(config, { store, claims, publisher, clock, baseUrl, log });
  add(hubMetrics(hub.status));
  claimants.push(hub);
  await setImmediate();
  const following = followMetrics();
  add(following.metrics);
  const { logFollowEvent, openFollowing } = await import("../followed-sources.ts");
  const follower = openFollowing(config, { store, claims, now: clock.now, keys }, (event) => {
    following.note(event);
    logFollowEvent(log, event);
  });
  claimants.push(follower);
  add(followerMetrics(follower));
  void access.writable.then(async () => {
    const { startUpkeep } = await import("./store-upkeep.ts");
    if (stop.aborted) return;
    hub.start();
    follower.start();
    closing.push(startUpkeep(store, { databaseUrl: config.DATABASE_URL, now: clock.now, log }));
  });
  return { mcp, hub };
}
