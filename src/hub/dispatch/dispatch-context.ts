/** The dependencies that the parts of the dispatcher share. */
import type { Document } from "../../edition/document.ts";
import type { Claims } from "../../store/claims.ts";
import type { TopicVersion } from "../../store/fan-out-rows.ts";
import type { GroupCommit } from "../../store/group-commit.ts";
import type { Store } from "../../store/store.ts";
import type { CallbackClient } from "../callback/callback.ts";
import type { HostLimiter } from "../limits/host-limiter.ts";
import type { UnrecordedDeliveries } from "../limits/unrecorded-deliveries.ts";
import type { HubEvent } from "./hub-event.ts";
import type { SecretSealing } from "./secret-sealing.ts";

/** The dependencies of the work on one shard. */
export interface DispatchContext {
  readonly store: Store;
  readonly groupCommit: GroupCommit;
  readonly limiter: HostLimiter;
  readonly unrecorded: UnrecordedDeliveries;
  readonly send: CallbackClient["send"];
  readonly settings: DispatchSettings;
  /** Returns a topic's document and version in the newest edition of this process. */
  readonly newest: (topic: string) => { readonly document: Document; readonly topicVersion: TopicVersion } | undefined;
  readonly now: () => Date;
  /** A monotonic clock in milliseconds. */
  readonly clock: () => number;
  readonly randomBytes: (count: number) => Uint8Array;
  readonly log: (event: HubEvent) => void;
  /** Wakes the loop that looks for work. */
  readonly wake: () => void;
  /** Requests that progress be recorded: soon, together with that of other shards, or now, because much is unrecorded. */
  readonly record: (when: "soon" | "now") => void;
}

interface DispatchSettings {
  readonly baseUrl: string;
  /** Waits before the second and the third attempt. */
  readonly retrySeconds: readonly number[];
  readonly secrets: SecretSealing;
  /** Maximum number of verified subscriptions of one site. */
  readonly subscriptionsOfSite: number;
}

/** The dependencies of the loop that finds the work. */
export interface DispatcherContext extends Omit<DispatchContext, "wake" | "record"> {
  readonly claims: Claims;
  /** Minimum time between two fan-outs of a topic. */
  readonly intervalMs: number;
}
