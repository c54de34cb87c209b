/** The hub's limits: generous to whoever uses it as it is meant, and bounds to everybody else. */
import { HOST_LIMITER_LIMITS, type HostLimiterLimits } from "./host-limiter.ts";

/** What bounds the hub's use of memory, sockets and other people's patience. */
export interface HubLimits extends HostLimiterLimits {
  /** Requests that one client may make at once, and a second. */
  readonly clientBurst: number;
  readonly clientPerSecond: number;
  /** Requests about callbacks of one site at once, and a second. */
  readonly siteBurst: number;
  readonly sitePerSecond: number;
  readonly subscriptionsOfSite: number;
  /** A topic sets out at most once in this time: a burst of changes arrives as few notifications. */
  readonly intervalMs: number;
  /** A claim on a part of the work holds for this long unless renewed: the delay that a killed process can cause. */
  readonly claimMs: number;
  /** Requests that may wait to be verified, in all. */
  readonly pending: number;
}

export const HUB_LIMITS: HubLimits = {
  ...HOST_LIMITER_LIMITS,
  clientBurst: 2000,
  clientPerSecond: 50,
  siteBurst: 2000,
  sitePerSecond: 20,
  subscriptionsOfSite: 20_000,
  intervalMs: 1000,
  claimMs: 4000,
  pending: 100_000,
};

/** So many different subscriptions of an origin must fail in a row before it is left alone; of an address, more. */
export const ORIGIN_HEALTH = { failures: 20, shortestHoldMs: 5000, longestHoldMs: 60_000, hosts: 10_000 };
export const ADDRESS_HEALTH = { ...ORIGIN_HEALTH, failures: 60 };
/** So many different verifications of an origin must come to nothing in a row before it is asked no more for a while. */
export const CONSENT_HEALTH = { ...ORIGIN_HEALTH, failures: 40 };
