/**
 * The travelling of one topic's fan-outs through one shard: chunk after chunk. While hosts hold a chunk up the next ones
 * begin beside it, so that nobody waits behind a host that is not theirs.
 */
import type { Document } from "../../edition/document.ts";
import type { FanOut } from "../../store/fan-out-rows.ts";
import { type FanOutBatch, type FanOutBatchContext, openFanOutBatch } from "./fan-out-batch.ts";

export interface FanOutRun {
  /** Goes on as far as it can: `document` is that of the fan-out, undefined where this process does not have it. */
  goOn(fanOut: FanOut | undefined, document: Document | undefined): void;
  /** Looks after what is under way. */
  review(fanOut: FanOut | undefined): void;
  isIdle(): boolean;
  stop(): void;
}

export interface FanOutRunContext extends Omit<FanOutBatchContext, "isReached" | "previous"> {
  readonly isReached: (tag: string, id: string) => boolean;
  readonly kick: () => void;
  readonly onFault: (error: unknown) => void;
}

/** How many chunks may be under way at once. */
const MOST_CHUNKS = 8;
/** How often it is looked whether hosts hold the last chunk up. */
const LOOK_MS = 100;

/** Opens the travelling; it rests until `goOn`. */
export function openFanOutRun(parts: FanOutRunContext): FanOutRun {
  const chunks: FanOutBatch[] = [];
  /** How far this process has brought the fan-out: what was read of it before may be older. */
  let progress: FanOut | undefined;
  let timer: NodeJS.Timeout | undefined;
  let stopped = false;

  function goOn(fanOut: FanOut | undefined, document: Document | undefined): void {
    review(fanOut);
    if (stopped || fanOut === undefined || document === undefined) return;
    const last = chunks.at(-1);
    if (last === undefined) begin(progress !== undefined && isSame(progress, fanOut) ? progress : fanOut, document);
    else if (chunks.length < MOST_CHUNKS && last.to !== undefined && isSame(last.to, fanOut) && last.isHeldUp()) {
      begin(last.to, document);
    }
  }

  function begin(from: FanOut, document: Document): void {
    if (from.finished) return;
    const isReached = (id: string) => parts.isReached(from.tag, id);
    const chunk = openFanOutBatch(from, document, { ...parts, isReached, previous: chunks.at(-1)?.end });
    chunks.push(chunk);
    look();
    chunk.end
      .then(() => {
        progress = chunk.to;
      })
      .finally(() => chunks.splice(chunks.indexOf(chunk), 1))
      .then(parts.kick)
      .catch(parts.onFault);
  }

  function look(): void {
    clearTimeout(timer);
    if (chunks.length === 0 || chunks.length >= MOST_CHUNKS) return;
    if (chunks.at(-1)?.isHeldUp()) parts.kick();
    timer = setTimeout(look, LOOK_MS);
  }

  function review(fanOut: FanOut | undefined): void {
    for (const chunk of chunks) chunk.review(fanOut);
  }

  return {
    goOn,
    review,
    isIdle: () => chunks.length === 0,
    stop() {
      stopped = true;
      clearTimeout(timer);
      for (const chunk of chunks) chunk.stop();
    },
  };
}

function isSame(one: FanOut, other: FanOut): boolean {
  return one.tag === other.tag && one.revision === other.revision;
}
