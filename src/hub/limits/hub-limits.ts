/** The hub's limits. They are far above ordinary use. */
import { makeCircuitBreaker } from "./circuit-breaker.ts";
import { type Breakers, HOST_LIMITER_LIMITS, type HostLimiterLimits } from "./host-limiter.ts";

/** Limits on the hub's memory, sockets and requests to others. */
export interface HubLimits extends HostLimiterLimits {
  /** Requests that one client may make: in a burst, and per second. */
  readonly clientBurst: number;
  readonly clientPerSecond: number;
  /** Requests about callbacks of one site: in a burst, and per second. */
  readonly siteBurst: number;
  readonly sitePerSecond: number;
  /** The part of these that each client has to itself. */
  readonly siteBurstOfClient: number;
  readonly sitePerSecondOfClient: number;
  /** Maximum number of verified subscriptions of one site. */
  readonly subscriptionsOfSite: number;
  /** Minimum time between two fan-outs of a topic, so that a burst of changes causes few notifications. */
  readonly intervalMs: number;
  /** Maximum number of requests that wait for verification, and of those that wait to be stored. */
  readonly pending: number;
  readonly unstored: number;
  /** How long a request waits for the store before it is refused. A database that hangs would hold it much longer. */
  readonly storeTimeoutMs: number;
  /** The pause of a party at a failing host: doubled each time that it fails again, up to the maximum. */
  readonly minPauseMs: number;
  readonly maxPauseMs: number;
}

export const HUB_LIMITS: HubLimits = {
  ...HOST_LIMITER_LIMITS,
  clientBurst: 2000,
  clientPerSecond: 50,
  siteBurst: 2000,
  sitePerSecond: 20,
  siteBurstOfClient: 10,
  sitePerSecondOfClient: 0.1,
  subscriptionsOfSite: 20_000,
  intervalMs: 1000,
  pending: 100_000,
  unstored: 2000,
  storeTimeoutMs: 6000,
  minPauseMs: 5000,
  maxPauseMs: 60_000,
};

const MAX_HOSTS = 10_000;
/** Consecutive failing subscriptions after which deliveries to their origin are paused. */
export const DELIVERY_BREAKER = { failures: 20, failuresOfAll: 20, maxHosts: MAX_HOSTS };
/** Consecutive failing verifications after which those of that client to the origin are paused. */
const VERIFICATION_BREAKER = { failures: 40, failuresOfAll: 160, maxHosts: MAX_HOSTS };
/** Failing subscriptions in a row of one site, or verifications of one client, at one address. */
const ADDRESS_BREAKER = { failures: 60, failuresOfAll: 120, maxHosts: MAX_HOSTS };

/** The hub's circuit breakers. `clock` counts milliseconds; `onPause` is called for each pause. */
export function makeBreakers(
  limits: HubLimits,
  clock: () => number,
  onPause?: Parameters<typeof makeCircuitBreaker>[2],
): Breakers {
  return {
    deliveries: makeCircuitBreaker({ ...limits, ...DELIVERY_BREAKER }, clock, onPause),
    verifications: makeCircuitBreaker({ ...limits, ...VERIFICATION_BREAKER }, clock, onPause),
    addresses: makeCircuitBreaker({ ...limits, ...ADDRESS_BREAKER }, clock, onPause),
  };
}
