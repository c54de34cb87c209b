/**
 * Records the progress of all fan-outs of this process in one transaction: often enough that a kill repeats
 * little, and at once before deliveries have to wait for it.
 */
import { type Claim, proveClaims } from "../../store/claims.ts";
import { advanceFanOuts, type FanOut, type FanOutProgress } from "../../store/fan-out-rows.ts";
import type { DispatcherContext } from "./dispatch-context.ts";

/** The progress of a fan-out since it was last recorded. */
export interface ProgressStep {
  readonly from: FanOut;
  readonly to: FanOutProgress;
  /** Must be called with whether the step was recorded. If not, the next one includes it. */
  readonly end: (isRecorded: boolean) => void;
}

/** Work whose progress is recorded. */
interface Recorded {
  readonly claim: Claim;
  takeProgress(): ProgressStep[];
}

export interface ProgressRecording {
  /** Requests a recording: at the next tick, or now. */
  request(when: "soon" | "now"): void;
  /** Records what is due. Must be called periodically. */
  tick(): void;
  /** Records everything now, or leaves it if that fails. */
  flush(): Promise<void>;
}

type RecordingContext = Pick<DispatcherContext, "clock" | "groupCommit" | "limiter" | "log" | "unrecorded">;

/** Progress is recorded when a delivery is unrecorded for this long, and otherwise at this interval. */
const MAX_AGE_MS = 200;
const INTERVAL_MS = 500;

/** Opens the recording of the progress of `works`. */
export function openProgressRecording(
  { clock, groupCommit, limiter, log, unrecorded }: RecordingContext,
  works: () => readonly Recorded[],
): ProgressRecording {
  let recording: Promise<void> | undefined;
  let recordedAt = clock();
  let isRequested = false;
  let isUrgent = false;

  function start(): Promise<void> {
    [isRequested, isUrgent, recordedAt] = [false, false, clock()];
    recording = record().finally(() => {
      recording = undefined;
      limiter.resume();
      if (isUrgent) void start();
    });
    return recording;
  }

  async function record(): Promise<void> {
    const steps = works().flatMap((work) => work.takeProgress().map((step) => ({ claim: work.claim, ...step })));
    if (steps.length === 0) return;
    try {
      const recorded = await groupCommit(async (transaction) => {
        const held = await proveClaims(transaction, [...new Set(steps.map(({ claim }) => claim))]);
        const proved = steps.filter(({ claim }) => held.has(claim));
        await advanceFanOuts(transaction, proved);
        return new Set(proved);
      });
      for (const step of steps) step.end(recorded.has(step));
    } catch (error) {
      for (const step of steps) step.end(false);
      isUrgent = false; // the next tick tries again
      log({ event: "fault", error });
    }
  }

  return {
    request(when) {
      if (when === "soon") isRequested = true;
      else if (recording === undefined) void start();
      else isUrgent = true;
    },
    tick() {
      if (recording !== undefined) return;
      if (isRequested || unrecorded.ageMs() >= MAX_AGE_MS || clock() - recordedAt >= INTERVAL_MS) void start();
    },
    async flush() {
      while (recording !== undefined) await recording;
      await start();
    },
  };
}
