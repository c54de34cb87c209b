/**
 * What the hubs of all sites of a process share: the client for callbacks, and every limit on requests from and to
 * others, so that many sites together can do no more to a host than one.
 */
import { type AddressRange, parseAddressRanges } from "../outbound/address-class.ts";
import { type NameResolution, openNameResolution } from "../outbound/name-resolution.ts";
import { isDatabaseAway } from "../store/engine/database-outage.ts";
import { type CallbackClient, openCallbackClient } from "./callback/callback.ts";
import type { CountedEvent, HubEvent } from "./dispatch/hub-event.ts";
import { type HostLimiter, makeHostLimiter } from "./limits/host-limiter.ts";
import { HUB_LIMITS, type HubLimits, makeBreakers } from "./limits/hub-limits.ts";
import { makeTokenBuckets, type TokenBuckets } from "./limits/token-bucket.ts";
import { openUnrecordedDeliveries, type UnrecordedOfAll } from "./limits/unrecorded-deliveries.ts";

export interface OutboundSettings {
  /** Deadline of a whole exchange with a callback. */
  readonly timeoutSeconds: number;
  /** CIDR ranges of addresses that callbacks may have although they are not public. */
  readonly allowCallbacks: readonly string[];
  /** An HTTP proxy through which every request to a callback goes. */
  readonly proxyUrl?: string | undefined;
}

export interface OutboundParts {
  readonly settings: OutboundSettings;
  readonly limits?: Partial<HubLimits> | undefined;
  readonly resolution?: NameResolution | undefined;
  /** How far this machine's clock is ahead of the stores', in milliseconds. */
  readonly clockAheadMs?: (() => number) | undefined;
  /** Logs what concerns no single site. */
  readonly log: HubLog;
}

/** `client`: the network that sent a refused request, which limits lines of the log and is not in them. */
type HubLog = (event: HubEvent, client?: string) => void;

export interface HubOutbound {
  readonly limits: HubLimits;
  readonly allowed: readonly AddressRange[];
  readonly callbacks: CallbackClient;
  readonly resolution: NameResolution;
  readonly limiter: HostLimiter;
  readonly unrecorded: UnrecordedOfAll;
  /** Requests to subscribe, by client, by site of the callback, and by both. */
  readonly clients: TokenBuckets;
  readonly sites: TokenBuckets;
  readonly clientsAtSites: TokenBuckets;
  /** What all hubs have done since the process started. */
  readonly counts: { accepted: number; readonly events: Record<CountedEvent, number> };
  /**
   * A log that counts each event. Local failures are logged only periodically, because one cause affects every attempt. A
   * database outage is not logged here: the publisher, which queries the database more often, logs it.
   */
  countInto(log: HubLog): HubLog;
  close(): Promise<void>;
}

const LOCAL_FAILURE_LOG_INTERVAL_MS = 10_000;

/** Opens what hubs share. */
export function openHubOutbound({ settings, clockAheadMs, ...parts }: OutboundParts): HubOutbound {
  const { resolution = openNameResolution() } = parts;
  const limits = { ...HUB_LIMITS, ...parts.limits };
  const clock = () => performance.now();
  const allowed = parseAddressRanges(settings.allowCallbacks);
  const counts = { accepted: 0, events: { ...NO_EVENTS } };
  const loggedFaults = new WeakSet<object>();
  let localFailureLoggedAt = Number.NEGATIVE_INFINITY;

  function countInto(log: HubLog): HubLog {
    return (event, client) => {
      if (event.event === "fault" && (isDatabaseAway(event.error) || isLogged(event.error))) return;
      counts.events[event.event === "subscription removed" ? (event.cause ?? "failures") : event.event]++;
      if (event.event === "local failure") {
        if (clock() - localFailureLoggedAt < LOCAL_FAILURE_LOG_INTERVAL_MS) return;
        localFailureLoggedAt = clock();
      }
      log(event, client);
    };
  }

  /** Whether an error is logged already: one of a transaction concerns each of its writes. */
  function isLogged(error: unknown): boolean {
    if (!(error instanceof Error)) return false;
    const isKnown = loggedFaults.has(error);
    loggedFaults.add(error);
    return isKnown;
  }

  const log = countInto(parts.log);
  function logPause(paused: string, pauseMs: number): void {
    const host = paused.replace(/^https:\/\//, "");
    log({ event: "host paused", host, reason: `Many failures in a row; not contacted for ${pauseMs / 1000} s` });
  }

  const callbacks = openCallbackClient({
    resolution,
    allowed,
    timeoutMs: settings.timeoutSeconds * 1000,
    proxyUrl: settings.proxyUrl,
    maxConnections: limits.total,
    clockAheadMs,
  });
  const unrecorded = openUnrecordedDeliveries(limits.total, clock);
  return {
    ...{ limits, allowed, callbacks, resolution, unrecorded, counts, countInto },
    limiter: makeHostLimiter(limits, makeBreakers(limits, clock, logPause), clock, {
      connectionsSuffice: callbacks.suffices,
      mayBegin: unrecorded.mayBegin,
    }),
    clients: makeTokenBuckets({ burst: limits.clientBurst, perSecond: limits.clientPerSecond }),
    sites: makeTokenBuckets({ burst: limits.siteBurst, perSecond: limits.sitePerSecond }),
    clientsAtSites: makeTokenBuckets({ burst: limits.siteBurstOfClient, perSecond: limits.sitePerSecondOfClient }),
    close: callbacks.close,
  };
}

const NO_EVENTS: Readonly<Record<CountedEvent, number>> = {
  "subscription activated": 0,
  "subscription renewed": 0,
  "subscription ended by the subscriber": 0,
  "verification refused": 0,
  "verification unanswered": 0,
  delivered: 0,
  "delivery failed": 0,
  gone: 0,
  failures: 0,
  "request refused": 0,
  "lease ended": 0,
  "host paused": 0,
  "local failure": 0,
  "fan-out started": 0,
  "fan-out finished": 0,
  fault: 0,
};
