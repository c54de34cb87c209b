/** What the hub tells of its work: one structured line each. Of a callback no more than its host is ever named. */

/** An event about one subscription, or about the hub itself. */
export interface HubEvent {
  readonly event: HubEventName;
  /** Path of the topic. */
  readonly topic?: string;
  /** Host and port of the callback; its path and query may be a secret. */
  readonly host?: string;
  /** Identifies the subscription without giving away its callback. */
  readonly subscription?: string;
  readonly reason?: string;
  readonly status?: number;
  /** Failures in a row, this one included. */
  readonly failures?: number;
  readonly error?: unknown;
}

export type HubEventName =
  | "subscription activated"
  | "subscription renewed"
  | "subscription ended by the subscriber"
  | "verification refused"
  | "verification unanswered"
  | "delivery failed"
  | "subscription removed"
  | "lease ended"
  | "host left alone"
  | "local failure"
  | "set out"
  | "fault";

/** Figures of a hub since it was opened. */
export interface HubFigures {
  /** Since the dispatching loop last went round: it should never be many. */
  readonly secondsSinceTurn: number;
  /** Requests in the store that wait to be verified. */
  readonly pending: number;
  /** Subscriptions in the store to which a delivery is owed: in trouble, and tried again. */
  readonly retrying: number;
  /** Requests to callbacks that are under way. */
  readonly running: number;
  readonly connections: number;
  readonly accepted: number;
  readonly activated: number;
  readonly delivered: number;
  readonly failed: number;
  readonly removed: number;
}

/** The counters among the figures. */
export type Tally = { -readonly [Name in "accepted" | "activated" | "delivered" | "failed" | "removed"]: number };
