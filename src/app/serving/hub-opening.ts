/** Opens the hub with this program's settings, and logs what it does. */
import { randomBytes } from "node:crypto";
import type { Logger } from "pino";
import type { HubEvent, HubEventName } from "../../hub/dispatch/hub-event.ts";
import { type Hub, openHub } from "../../hub/hub.ts";
import { type HubOutbound, openHubOutbound } from "../../hub/hub-outbound.ts";
import type { Publisher } from "../../publication/publisher.ts";
import type { Claims } from "../../store/claims.ts";
import type { DatabaseClock } from "../../store/database-clock.ts";
import type { Store } from "../../store/store.ts";
import type { Config } from "../config.ts";
import { openRefusalLog, type RefusalLog } from "../refusal-log.ts";

/** Opens what the hubs of all sites share, which logs to the log of the process. */
export function openServerOutbound(config: Config, clockAheadMs: () => number, log: Logger): HubOutbound {
  return openHubOutbound({
    settings: {
      timeoutSeconds: config.HUB_TIMEOUT_SECONDS,
      allowCallbacks: config.HUB_ALLOW_CALLBACKS,
      proxyUrl: config.HUB_PROXY || undefined,
    },
    clockAheadMs,
    log: openHubLog(log).write, // a pause of a host is not thinned
  });
}

interface HubSurroundings {
  readonly outbound: HubOutbound;
  readonly store: Store;
  readonly claims: Claims;
  readonly publisher: Publisher;
  readonly clock: DatabaseClock;
  readonly baseUrl: string;
  readonly log: Logger;
}

/** Opens the hub of a server. It answers requests; `start()` begins verifications and deliveries. */
export function openServerHub(config: Config, { clock, log, ...parts }: HubSurroundings): Hub {
  const logEvent = openHubLog(log);
  const hub = openHub({
    ...parts,
    settings: {
      baseUrl: parts.baseUrl,
      retrySeconds: config.HUB_RETRY_SECONDS,
      lease: config.HUB_LEASE_SECONDS,
      secretKeys: config.HUB_SECRET_KEY,
    },
    log: logEvent.write,
    now: clock.now,
    randomBytes,
  });
  return {
    ...hub,
    async close(deadlineMs) {
      await hub.close(deadlineMs);
      logEvent.end();
    },
  };
}

/**
 * Log level per event: warnings for events that need the operator's attention, errors for the hub's own faults, debug
 * for single deliveries.
 */
const LEVEL_OF_EVENT: { readonly [Name in HubEventName]?: "error" | "warn" | "debug" } = {
  fault: "error",
  "fan-out started": "debug",
  "delivery failed": "warn",
  "subscription removed": "warn",
  "local failure": "warn",
  "host paused": "warn",
  delivered: "debug",
};

/** What strangers can cause by the thousand: lines about these events are thinned, by client or else by host. */
const REFUSALS = ["request refused", "verification refused", "verification unanswered"] as const;

/** Logs the events of a hub. `end` says how many lines have been left out since the last minute ended. */
export function openHubLog(log: Logger) {
  const refusals = new Map<HubEventName, RefusalLog>(
    REFUSALS.map((event) => [
      event,
      openRefusalLog((count) => log.info({ event, left_out: count }, `Hub: ${event}, more of them than are logged`)),
    ]),
  );
  return {
    write({ event, error, ...details }: HubEvent, client?: string): void {
      const fields = { event, ...details, ...(error === undefined ? {} : { err: error }) };
      const write = () => log[LEVEL_OF_EVENT[event] ?? "info"](fields, `Hub: ${event}`);
      const refusal = refusals.get(event);
      if (refusal === undefined) write();
      else refusal.add(client ?? details.host ?? "", write);
    },
    end(): void {
      for (const refusal of refusals.values()) refusal.end();
    },
  };
}
