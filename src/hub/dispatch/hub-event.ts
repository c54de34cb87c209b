/** The hub's events, each logged as one structured line. Of a callback nothing but its host is ever named. */
import type { Subscription } from "../../subscription.ts";

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
  /** Deliveries of a fan-out that were acknowledged, and attempts that failed, in this process. */
  readonly delivered?: number;
  readonly failed?: number;
  readonly seconds?: number;
  readonly error?: unknown;
}

export type HubEventName =
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

/** Figures of a hub since it was opened. */
export interface HubFigures {
  /** Seconds since the dispatcher last looked for work. */
  readonly secondsSinceTurn: number;
  /** Requests in the store that wait to be verified. */
  readonly pending: number;
  /** Subscriptions in the store to which a delivery is owed. */
  readonly owed: number;
  /** Seconds since the longest owed delivery was due; 0 when none is overdue. */
  readonly oldestOwedSeconds: number;
  /** Requests to callbacks that are under way. */
  readonly running: number;
  readonly connections: number;
  readonly accepted: number;
  /** How often each event happened; `subscription removed` is counted by its cause. */
  readonly events: Readonly<Record<CountedEvent, number>>;
}

/** The events that are counted. */
export type CountedEvent = Exclude<HubEventName, "subscription removed"> | "gone" | "failures";

/** Names a subscription in an event; not by its callback, which may be a secret. */
export function subjectOf({ id, origin, topic }: Subscription): Pick<HubEvent, "topic" | "host" | "subscription"> {
  return { topic, host: origin.slice("https://".length), subscription: id.slice(0, 12) };
}
