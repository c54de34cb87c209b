/** The hub's events, each logged as one structured line. Only the host of a callback is ever named. */
import type { Pair } from "../../intent.ts";
import { shortId } from "../../subscription.ts";

/** An event about one subscription, a topic, or the hub itself. */
export interface HubEvent {
  readonly event: HubEventName;
  /** Path of the topic. */
  readonly topic?: string;
  /** Host and port of the callback; its path and query may be a secret. */
  readonly host?: string;
  /** Identifies the subscription without revealing its callback. */
  readonly subscription?: string;
  readonly reason?: string;
  /** Why a subscription was removed: its callback answered 410, or failed too often in a row. */
  readonly cause?: "gone" | "failures";
  readonly status?: number;
  /** Consecutive failures, including this one. */
  readonly failures?: number;
  /** Duration of the lease that a confirmed request grants. */
  readonly leaseSeconds?: number;
  /** Deliveries of a fan-out that were acknowledged, and attempts that failed, in this process. */
  readonly delivered?: number;
  readonly failed?: number;
  readonly seconds?: number;
  readonly error?: unknown;
}

export type HubEventName =
  | "request refused"
  | "subscription activated"
  | "subscription renewed"
  | "subscription ended by the subscriber"
  | "verification refused"
  | "verification unanswered"
  | "delivered"
  | "delivery failed"
  | "subscription removed"
  | "lease ended"
  | "host paused"
  | "local failure"
  | "fan-out started"
  | "fan-out finished"
  | "fault";

/** The state of a hub in numbers; counts are since it was opened. */
export interface HubStatus {
  /** Seconds since the dispatcher last looked for work. */
  readonly secondsSinceTurn: number;
  /** Stored requests that wait for verification. */
  readonly pending: number;
  /** Stored subscriptions that are owed a delivery. */
  readonly owed: number;
  /** Seconds since the longest owed delivery was due; 0 when none is overdue. */
  readonly oldestOwedSeconds: number;
  /** Current requests to callbacks. */
  readonly running: number;
  readonly connections: number;
  readonly accepted: number;
  /** How often each event happened; `subscription removed` is counted by its cause. */
  readonly events: Readonly<Record<CountedEvent, number>>;
}

/** The events that are counted. */
export type CountedEvent = Exclude<HubEventName, "subscription removed"> | "gone" | "failures";

/** Identifies a subscription in an event, without its callback, which may be a secret. */
export function subjectOf({ id, origin, topic }: Pair): Pick<HubEvent, "topic" | "host" | "subscription"> {
  return { topic, host: origin.slice("https://".length), subscription: shortId(id) };
}
