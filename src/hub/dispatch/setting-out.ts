/** Whether a topic sets out with its newest document: the one question of the hub, asked of what it last set out with. */
import type { TopicVersion } from "../../store/fan-out-rows.ts";

/** `begin`: nothing was ever set out with, so nobody lacks it. `wait`: it sets out, but not so soon after the last. */
export type FanOutDecision = "begin" | "set out" | "wait" | "none";

export interface TopicState {
  /** What the topic last set out with, and when. */
  readonly stored: (TopicVersion & { readonly setOutAt: Date }) | undefined;
  /** The newest document of this process. */
  readonly own: TopicVersion;
  /** Tags that this process has seen the topic set out with at the revision of `own`. */
  readonly seen: ReadonlySet<string>;
  readonly now: Date;
  /** A topic sets out at most once in this time, so that a burst of changes arrives as few notifications. */
  readonly intervalMs: number;
}

/**
 * Decides. A process whose edition is older does nothing. At the same revision bytes may differ because the program or
 * its settings do; then the newcomer sets out once, and one that was there before does not answer back.
 */
export function departure({ stored, own, seen, now, intervalMs }: TopicState): FanOutDecision {
  if (stored === undefined) return "begin";
  if (stored.tag === own.tag || own.revision < stored.revision) return "none";
  if (own.revision === stored.revision && seen.has(own.tag)) return "none";
  const elapsed = now.getTime() - stored.setOutAt.getTime();
  return elapsed >= 0 && elapsed < intervalMs ? "wait" : "set out";
}
