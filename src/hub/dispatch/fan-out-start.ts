/** Starts a topic's fan-out when its document is new, and determines which documents may be delivered. */
import type { Document } from "../../edition/document.ts";
import { TOPIC_PATHS } from "../../edition/topic.ts";
import {
  beginFanOut,
  type FanOut,
  finishWithoutSubscribers,
  readFanOuts,
  startFanOut,
  type TopicVersion,
} from "../../store/fan-out-rows.ts";
import { makeDueNow } from "../../store/subscription-rows.ts";
import type { DispatcherContext } from "./dispatch-context.ts";

/** The state of all topics. */
export interface CurrentFanOuts {
  readonly fanOuts: readonly FanOut[];
  /** Documents to deliver, by topic: those of this process that the topics' fan-outs deliver. */
  readonly documents: ReadonlyMap<string, Document>;
  /** Whether the fan-out of a newer document must wait because the last one has just started. */
  readonly waiting: boolean;
}

type Result = "changed" | "wait" | "none";
type Newest = ReadonlyMap<string, ReturnType<DispatcherContext["newest"]>>;

/** Makes the function that starts the fan-outs that are due and returns the state of all topics. */
export function makeFanOutStart(
  context: Pick<DispatcherContext, "store" | "groupCommit" | "newest" | "now" | "log" | "intervalMs">,
): () => Promise<CurrentFanOuts> {
  const { intervalMs, log, newest, now, store, groupCommit } = context;
  const seen = new Map<string, { readonly revision: number; readonly tags: Set<string> }>();

  async function startIfDue(topic: string, own: TopicVersion | undefined, fanOuts: readonly FanOut[]): Promise<Result> {
    if (own === undefined) return "none";
    const stored = fanOuts.find((fanOut) => fanOut.topic === topic);
    const tags = seenTags(topic, own, stored);
    const decision = decideFanOut({ stored, own, seen: tags, now: now(), intervalMs });
    if (decision === "begin") {
      await groupCommit((transaction) => beginFanOut(transaction, topic, own, now()));
      return "changed";
    }
    if (decision !== "start" || stored === undefined) return decision === "wait" ? "wait" : "none";
    const { tag, revision } = stored;
    const hasStarted = await groupCommit(async (transaction) => {
      const done = await startFanOut(transaction, topic, { previous: { tag, revision }, next: own, now: now() });
      if (!done) return false;
      await makeDueNow(transaction, topic, now());
      await finishWithoutSubscribers(transaction, topic);
      return true;
    });
    if (hasStarted) {
      tags.add(own.tag);
      log({ event: "fan-out started", topic });
    }
    return "changed";
  }

  /** Returns the tags of the fan-outs of a topic that were seen at the revision of `own`. */
  function seenTags(topic: string, own: TopicVersion, stored: TopicVersion | undefined): Set<string> {
    const known = seen.get(topic);
    const tags = known?.revision === own.revision ? known.tags : new Set<string>();
    if (stored?.revision === own.revision) tags.add(stored.tag);
    seen.set(topic, { revision: own.revision, tags });
    return tags;
  }

  function deliverable(own: Newest, fanOuts: readonly FanOut[]): Map<string, Document> {
    const documents = new Map<string, Document>();
    for (const topic of TOPIC_PATHS) {
      const document = own.get(topic)?.document;
      const stored = fanOuts.find((fanOut) => fanOut.topic === topic);
      if (document !== undefined && document.tag === stored?.tag) documents.set(topic, document);
    }
    return documents;
  }

  return async () => {
    const before = await readFanOuts(store);
    // One snapshot per round, so that a fan-out starts and delivers the same document.
    const own: Newest = new Map(TOPIC_PATHS.map((topic) => [topic, newest(topic)]));
    const results = await Promise.all(
      TOPIC_PATHS.map((topic) => startIfDue(topic, own.get(topic)?.topicVersion, before)),
    );
    const fanOuts = results.includes("changed") ? await readFanOuts(store) : before;
    return { fanOuts, documents: deliverable(own, fanOuts), waiting: results.includes("wait") };
  };
}

/** `begin`: the topic is new, so nobody lacks its document. `wait`: start a fan-out, but not so soon after the last. */
type FanOutDecision = "begin" | "start" | "wait" | "none";

interface TopicState {
  /** The version of the topic's latest fan-out, and when it started. */
  readonly stored: (TopicVersion & { readonly startedAt: Date }) | undefined;
  /** The newest document of this process. */
  readonly own: TopicVersion;
  /** Tags of the topic's fan-outs that this process has seen at the revision of `own`. */
  readonly seen: ReadonlySet<string>;
  readonly now: Date;
  readonly intervalMs: number;
}

/**
 * Decides whether a topic needs a fan-out. A process with an older edition starts none. At the same revision the bytes
 * may differ because of another version or other settings of the program: then the later process starts one, and the
 * other does not answer with its own.
 */
export function decideFanOut({ stored, own, seen, now, intervalMs }: TopicState): FanOutDecision {
  if (stored === undefined) return "begin";
  if (stored.tag === own.tag || own.revision < stored.revision) return "none";
  if (own.revision === stored.revision && seen.has(own.tag)) return "none";
  const elapsedMs = now.getTime() - stored.startedAt.getTime();
  return elapsedMs >= 0 && elapsedMs < intervalMs ? "wait" : "start";
}
