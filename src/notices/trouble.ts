/**
 * What is wrong (interface §9). Imports and followed sources record it themselves, with their outcome; deliveries that
 * stand still and a disk that fills are looked for here, by the limits of the alerts in `deploy/`.
 */
import type { FollowedSource } from "../business.ts";
import { nameText, type SourceName, sourceKey } from "../follow/shown-source.ts";
import { freeBytes } from "../lib/free-bytes.ts";
import { localeOf } from "../page/text/locale.ts";
import { fill } from "../page/text/words.ts";
import { storeFileOf } from "../store/engine/store-url.ts";
import { readFollowedSources } from "../store/followed-source-rows.ts";
import { readStoreFigures } from "../store/history/store-figures.ts";
import { type NoticeFacts, sourceTrouble } from "../store/notice-rows.ts";
import type { Store } from "../store/store.ts";
import { countWaiting } from "../store/subscription-rows.ts";
import { type ComposedNotice, composeSentence, type NoticeHead } from "./notice-message.ts";
import { noticeWords } from "./notice-words.ts";

/** Whether something is wrong now. */
export interface TroubleState {
  readonly key: string;
  readonly isOn: boolean;
}

type TroubleFacts = Extract<NoticeFacts, { type: "trouble" }>;

export interface TroubleWatchParts {
  readonly store: Store;
  readonly databaseUrl: string;
  readonly nameOfSource: (source: FollowedSource) => SourceName;
  readonly now: () => Date;
  /** Free bytes beside a file. */
  readonly readFreeBytes?: (file: string) => Promise<number>;
}

export interface TroubleWatch {
  /** Looks for what no transaction records. `known` are the troubles that the owner was told of. */
  look(known: ReadonlySet<string>): Promise<readonly TroubleState[]>;
  compose(head: NoticeHead, facts: TroubleFacts): Promise<ComposedNotice>;
}

const MAX_OVERDUE_MINUTES = 15;
const MIN_FREE_BYTES = 500e6;
/** A disk that was nearly full has room again from this multiple of the limit on, so that no two messages alternate. */
const RELIEF = 1.2;

export function openTroubleWatch(parts: TroubleWatchParts): TroubleWatch {
  const { store, now, readFreeBytes = freeBytes } = parts;
  const file = storeFileOf(parts.databaseUrl);

  async function isDiskFull(isKnown: boolean): Promise<boolean> {
    if (file === undefined) return false;
    const limit = Math.max(MIN_FREE_BYTES, 2 * (await readStoreFigures(store)).bytes);
    return (await readFreeBytes(file)) < limit * (isKnown ? RELIEF : 1);
  }

  return {
    async look(known) {
      const { oldestDueAt } = await countWaiting(store);
      const overdueMs = oldestDueAt === undefined ? 0 : now().getTime() - oldestDueAt.getTime();
      return [
        { key: "deliveries", isOn: overdueMs > MAX_OVERDUE_MINUTES * 60_000 },
        { key: "disk", isOn: await isDiskFull(known.has("disk")) },
      ];
    },
    async compose(head, { trouble, isOver }) {
      const words = noticeWords(localeOf(head.business.language).tag);
      const say = async (): Promise<string> => {
        if (trouble === "import") return isOver ? words.refusedOver : words.refused;
        if (trouble === "deliveries")
          return isOver ? words.deliveriesOver : fill(words.deliveries, { minutes: String(MAX_OVERDUE_MINUTES) });
        if (trouble === "disk") {
          const megabytes = file === undefined ? 0 : Math.floor((await readFreeBytes(file)) / 1e6);
          return isOver ? words.diskOver : fill(words.disk, { megabytes: String(megabytes) });
        }
        const followed = head.business.sources?.find((each) => sourceTrouble(sourceKey(each)) === trouble);
        const row = followed && (await readFollowedSources(store)).get(sourceKey(followed));
        const source = followed === undefined ? "–" : nameText(parts.nameOfSource(followed));
        const [failures, reason] = [String(row?.failures ?? 0), row?.outcome ?? ""];
        return fill(isOver ? words.sourceOver : words.source, { source, failures, reason });
      };
      return composeSentence(head, { type: "trouble", what: await say(), isUrgent: !isOver });
    },
  };
}
