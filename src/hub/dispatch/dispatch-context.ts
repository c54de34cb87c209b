/** What the dispatching works with. */
import type { Document } from "../../edition/document.ts";
import type { TopicVersion } from "../../store/fan-out-rows.ts";
import type { GroupCommit } from "../../store/group-commit.ts";
import type { Store } from "../../store/store.ts";
import type { Subscription } from "../../subscription.ts";
import type { CallbackDoor } from "../callback/callback.ts";
import type { CircuitBreaker } from "../limits/circuit-breaker.ts";
import type { HostLimiter } from "../limits/host-limiter.ts";
import type { HubEvent, Tally } from "./hub-event.ts";

/** What the work on a shard needs. */
export interface DispatchContext {
  readonly store: Store;
  readonly groupCommit: GroupCommit;
  readonly door: Pick<CallbackDoor, "send">;
  readonly limiter: HostLimiter;
  /** How hosts have taken deliveries. */
  readonly hostBreaker: CircuitBreaker;
  /** How hosts have answered verifications, which anybody can cause: it must not hold up deliveries. */
  readonly consentBreaker: CircuitBreaker;
  readonly addressBreaker: CircuitBreaker;
  readonly baseUrl: string;
  /** Waits before the second and the third attempt. */
  readonly retrySeconds: readonly number[];
  readonly now: () => Date;
  readonly randomBytes: (count: number) => Uint8Array;
  readonly log: (event: HubEvent) => void;
  readonly tally: Tally;
  /** Document and revision of a topic in the newest edition of this process. */
  readonly newest: (topic: string) => { readonly document: Document; readonly topicVersion: TopicVersion } | undefined;
  /** Has the loop go round soon. */
  readonly kick: () => void;
}

/** What the loop works with. */
export interface DispatcherContext extends Omit<DispatchContext, "kick"> {
  /** Tells this process from others. */
  readonly owner: string;
  /** A topic sets out at most once in this time. */
  readonly intervalMs: number;
  /** A claim holds for this long unless renewed: the delay that a killed process can cause. */
  readonly claimMs: number;
  /** Counts milliseconds and never jumps. */
  readonly clock: () => number;
}

/** How an event names a subscription: not by its callback, which may be a secret. */
export function subjectOf({ id, origin, topic }: Subscription): Pick<HubEvent, "topic" | "host" | "subscription"> {
  return { topic, host: origin.replace(/^https:\/\//, ""), subscription: id.slice(0, 12) };
}
