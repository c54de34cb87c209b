/**
 * What a desk does to a site that may take long: one thing at a time, in a thread, whatever windows are open. It is one
 * transaction, or a folder that is written again from the start, so that a killed process leaves nothing half done. Its
 * note tells the next desk what it was.
 */
import { randomUUID } from "node:crypto";
import { totalmem } from "node:os";
import { MAX_FILE_BYTES } from "../../import/input/input-file.ts";
import type { Issue } from "../../issue.ts";
import { entryFile } from "../../lib/entry-file.ts";
import type { RestoreEffects } from "../../maintenance/restore.ts";
import type { PreviewDocument } from "../../publication/preview.ts";
import type { Removal } from "../../store/history/removal-rows.ts";
import type { Config } from "../config.ts";
import { issuesOfFault } from "../fault-message.ts";
import type { ImportLimits } from "../import-worker.ts";
import { runThread } from "../thread-run.ts";
import { leftNotes, type WorkNote, writeNote } from "./work-notes.ts";

/** V8 ends the process, and not only the thread, if one object does not fit: a file that is read whole may have a tenth. */
const WHOLE_BYTES_PER_MB = 100_000;

/** Nobody else waits for the desk's process, so its work may take what a command may. `memory`: the machine's, in bytes. */
export function workLimits(memory: number): ImportLimits {
  const heapMb = Math.max(640, Math.min(4096, Math.floor(memory / 2_000_000)));
  return {
    ...{ deadlineMs: 6 * 3_600_000, readingDeadlineMs: 24 * 3_600_000, heapMb },
    maxWholeBytes: Math.min(MAX_FILE_BYTES, heapMb * WHOLE_BYTES_PER_MB),
  };
}

export const WORK_LIMITS = workLimits(totalmem());

/** What the thread is to do. A restore without `confirmed` asks. `finish`: to say what killed desks have left. */
export type WorkTask =
  | { readonly kind: "remove"; readonly id: string; readonly what: Removal["what"] }
  | { readonly kind: "undo"; readonly number: number }
  | { readonly kind: "restore"; readonly path: string; readonly name: string; readonly confirmed?: RestoreEffects }
  | { readonly kind: "export"; readonly address: string }
  | { readonly kind: "digest" | "look" }
  | { readonly kind: "finish"; readonly notes: readonly WorkNote[] };

/** What the thread is given. */
export interface WorkOrder {
  readonly config: Config;
  /** The site's in a folder of sites; undefined where there is only one business. */
  readonly name: string | undefined;
  readonly folder: string;
  readonly task: WorkTask;
  readonly at: Date;
  /** BCP 47 tag of the language of the lines. */
  readonly language: string;
}

/** What is asked before a backup is restored. */
export interface RestoreQuestion {
  /** Undefined if there is nothing to lose. */
  readonly question: string | undefined;
  readonly details: readonly string[];
  /** Those of them that hold words of the backup or the store. */
  readonly foreign: readonly string[];
  /** The backup's. */
  readonly name: string;
  readonly confirmed: RestoreEffects;
}

/** The front page as it is published, and what it loads. */
export interface Look {
  /** That of the store. */
  readonly revision: number;
  readonly documents: readonly PreviewDocument[];
}

/** What came of it: lines for the owner, or faults. */
export type WorkOutcome =
  | { readonly lines: readonly string[]; readonly asked?: RestoreQuestion; readonly look?: Look }
  | { readonly issues: readonly Issue[] };

export function isQuestion(outcome: WorkOutcome): outcome is WorkOutcome & { readonly asked: RestoreQuestion } {
  return "asked" in outcome && outcome.asked !== undefined;
}

interface WorkProgress {
  readonly done: number;
  readonly all: number;
}

export type WorkMessage =
  | ({ readonly kind: "progress" } & WorkProgress)
  | ({ readonly kind: "done" | "refused" } & WorkOutcome);

export interface Work {
  readonly id: string;
  readonly kind: WorkTask["kind"] | "import";
  readonly at: Date;
  /** The path of the page that says what came of it. */
  readonly back: string;
  progress?: WorkProgress;
  /** Undefined while it is under way. */
  outcome?: WorkOutcome;
  readonly ended: Promise<void>;
}

export interface Works {
  isFree(): boolean;
  /** What is under way, or has ended and was not seen. */
  current(): Work | undefined;
  /** Begins work; undefined while other work is under way. */
  begin(task: WorkTask, language: string, back: string): Work | undefined;
  /** Begins work that another part does and shows, such as an import. False while other work is under way. */
  beginOther(note: Omit<WorkNote, "at">, run: (at: Date, signal: AbortSignal) => Promise<void>): boolean;
  /** The latest look at the front page. */
  look(): Look | undefined;
  /** Its outcome was seen. What killed desks have left is tried again if it could not be told. */
  seen(id: string): void;
  close(): Promise<void>;
}

/** `finishLanguage`: in which what killed desks have left is told. */
export function openWorks(
  { config, name, folder }: Pick<WorkOrder, "config" | "name" | "folder">,
  finishLanguage: () => Promise<string>,
): Works {
  let work: Work | undefined;
  let look: Look | undefined;
  const stop = new AbortController();
  const { signal } = stop;
  const isFree = () => (work === undefined || work.outcome !== undefined) && !signal.aborted;

  /** Runs work with its note, which stays if the desk ends before the work does. */
  function start(
    { kind, back }: Pick<Work, "kind" | "back">,
    note: Omit<WorkNote, "at"> | undefined,
    run: (at: Date) => Promise<void>,
  ): Work {
    const at = new Date();
    const forget = note === undefined ? () => {} : writeNote(folder, { ...note, at: at.toISOString() });
    const { promise: ended, resolve } = Promise.withResolvers<void>();
    const begun: Work = { id: randomUUID(), kind, back, at, ended };
    work = begun;
    void run(at)
      .catch((error: unknown) => {
        begun.outcome = { issues: issuesOfFault(error) };
      })
      .then(() => {
        if (!signal.aborted) forget();
        resolve();
      });
    return begun;
  }

  async function perform(task: WorkTask, at: Date, language: string): Promise<WorkOutcome> {
    let outcome: WorkOutcome = failed("The work ended early");
    const order: WorkOrder = { config, name, folder, task, at, language };
    const deadline = AbortSignal.any([signal, AbortSignal.timeout(WORK_LIMITS.deadlineMs)]);
    const isDone = await runThread<WorkMessage>(entryFile("desk-work-thread", import.meta.url), {
      ...{ order, heapMb: WORK_LIMITS.heapMb, signal: deadline },
      onMessage({ kind, ...message }) {
        if (kind === "progress") {
          if (work !== undefined) work.progress = message as WorkProgress;
        } else outcome = message as WorkOutcome;
        return kind !== "progress";
      },
      onFault(error) {
        outcome = { issues: issuesOfFault(error) };
      },
    });
    if (!isDone)
      return failed(signal.aborted ? "The desk was ended" : "It was stopped, because it took longer than 6 hours");
    return outcome;
  }

  function begin(task: WorkTask, language: string, back: string): Work {
    const begun: Work = start({ kind: task.kind, back }, noteOf(task), async (at) => {
      const outcome = await perform(task, at, language);
      if ("look" in outcome) look = outcome.look;
      begun.outcome = outcome;
    });
    return begun;
  }

  /** Says what became of the work of killed desks. */
  async function finish(): Promise<void> {
    const left = leftNotes(folder);
    if (left.notes.length === 0) return left.remove();
    const begun = begin({ kind: "finish", notes: left.notes }, await finishLanguage(), "/");
    await begun.ended;
    if (begun.outcome !== undefined && "lines" in begun.outcome) left.remove();
  }
  void finish();

  return {
    isFree,
    current: () => work,
    look: () => look,
    begin: (task, language, back) => (isFree() ? begin(task, language, back) : undefined),
    beginOther(note, run) {
      if (!isFree()) return false;
      const begun = start({ kind: "import", back: "/import" }, note, async (at) => {
        await run(at, signal);
        if (work === begun) work = undefined;
      });
      return true;
    },
    seen(id) {
      if (work?.id !== id || work.outcome === undefined) return;
      const isLeft = work.kind === "finish" && "issues" in work.outcome;
      work = undefined;
      if (isLeft) void finish();
    },
    async close() {
      stop.abort();
      await work?.ended;
    },
  };
}

function failed(message: string): WorkOutcome {
  return { issues: [{ code: "failed", path: [], message }] };
}

/** What the next desk has to know of a task. What only asks or repeats needs no note. */
function noteOf(task: WorkTask): Omit<WorkNote, "at"> | undefined {
  switch (task.kind) {
    case "finish":
    case "digest":
    case "look":
      return undefined;
    case "restore":
      return task.confirmed === undefined ? undefined : { kind: task.kind, files: [task.name] };
    case "undo":
      return { kind: task.kind, files: [], number: task.number };
    default:
      return { kind: task.kind, files: [] };
  }
}
