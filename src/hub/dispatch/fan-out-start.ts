/** Departures: each topic sets out with its newest document when that is due, and then its document may be delivered. */
import type { Document } from "../../edition/document.ts";
import { TOPIC_PATHS } from "../../edition/topic.ts";
import { beginFanOut, type FanOut, readFanOuts, setOut, type TopicVersion } from "../../store/fan-out-rows.ts";
import { hastenOwed } from "../../store/subscription-rows.ts";
import type { DispatcherContext } from "./dispatch-context.ts";
import { departure } from "./setting-out.ts";

/** Where the topics stand after a round of departures. */
export interface Standing {
  readonly fanOuts: readonly FanOut[];
  /** By topic: the newest documents of this process, of topics that have set out with just these. */
  readonly documents: ReadonlyMap<string, Document>;
  /** Whether a topic has a newer document that is not to set out yet. */
  readonly waiting: boolean;
}

type Result = "changed" | "wait" | "none";

/** Makes the function that sets topics out. */
export function makeFanOutStart(
  parts: Pick<DispatcherContext, "store" | "groupCommit" | "newest" | "now" | "log" | "intervalMs">,
): () => Promise<Standing> {
  const { intervalMs, log, newest, now, store, groupCommit } = parts;
  const seen = new Map<string, { readonly revision: number; readonly tags: Set<string> }>();

  async function depart(topic: string, fanOuts: readonly FanOut[]): Promise<Result> {
    const own = newest(topic)?.topicVersion;
    if (own === undefined) return "none";
    const stored = fanOuts.find((fanOut) => fanOut.topic === topic);
    const tags = seenTags(topic, own, stored);
    const decision = departure({ stored, own, seen: tags, now: now(), intervalMs });
    if (decision === "begin") {
      await groupCommit((transaction) => beginFanOut(transaction, topic, own, now()));
      return "changed";
    }
    if (decision !== "set out" || stored === undefined) return decision === "wait" ? "wait" : "none";
    const { tag, revision } = stored;
    const hasSetOut = await groupCommit(async (transaction) => {
      const done = await setOut(transaction, topic, { previous: { tag, revision }, next: own, now: now() });
      if (done) await hastenOwed(transaction, topic, now());
      return done;
    });
    if (hasSetOut) {
      tags.add(own.tag);
      log({ event: "set out", topic });
    }
    return "changed";
  }

  /** The tags that the topic was seen to have set out with at the revision of `own`. */
  function seenTags(topic: string, own: TopicVersion, stored: TopicVersion | undefined): Set<string> {
    const known = seen.get(topic);
    const tags = known?.revision === own.revision ? known.tags : new Set<string>();
    if (stored?.revision === own.revision) tags.add(stored.tag);
    seen.set(topic, { revision: own.revision, tags });
    return tags;
  }

  function deliverable(fanOuts: readonly FanOut[]): Map<string, Document> {
    const documents = new Map<string, Document>();
    for (const topic of TOPIC_PATHS) {
      const document = newest(topic)?.document;
      const stored = fanOuts.find((fanOut) => fanOut.topic === topic);
      if (document !== undefined && document.tag === stored?.tag) documents.set(topic, document);
    }
    return documents;
  }

  return async () => {
    const before = await readFanOuts(store);
    const results = await Promise.all(TOPIC_PATHS.map((topic) => depart(topic, before)));
    const fanOuts = results.includes("changed") ? await readFanOuts(store) : before;
    return { fanOuts, documents: deliverable(fanOuts), waiting: results.includes("wait") };
  };
}
