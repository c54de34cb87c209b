/**
 * The import that is under way at a desk: files are uploaded, checked, settled and published. There is one at a time,
 * whatever windows are open. It lives in this process and in files without names, so that nothing of it is left when the
 * process ends; what is published is one transaction.
 */
import { randomUUID } from "node:crypto";
import type { AnalystProgress } from "../../analysis/model-analyst.ts";
import type { FileSamples } from "../../import/file-samples.ts";
import { type ColumnMapping, type DateOrder, type Progress, UNCONFIRMED } from "../../import/importer.ts";
import { privateFileOf } from "../../lib/private-file.ts";
import type { Config } from "../config.ts";
import { type ImportOutcome, runImport } from "../import-worker.ts";
import { closeAll, type UploadedFile } from "./desk-form.ts";
import { WORK_LIMITS, type Works } from "./desk-work.ts";
import type { RememberedChoices } from "./file-choices.ts";

/** What the owner says of the files. */
export interface ImportSettings {
  readonly source?: string;
  readonly location?: string;
  readonly columns?: ColumnMapping;
  readonly dates?: DateOrder;
  readonly encoding?: string;
  /** The files hold all reviews of their source: what they lack is withdrawn. */
  readonly complete?: boolean;
  /** Leave out what is refused. */
  readonly skipInvalid?: boolean;
  /** Confirms what the check has asked. */
  readonly yes?: boolean;
  readonly asked?: readonly string[];
  /** What business.yaml holds, and its path for messages, where the store has no business yet. */
  readonly business?: { readonly path: string; readonly bytes: Uint8Array } | undefined;
  /** Whether columns, dates and encoding are those of an earlier file with the same columns. */
  readonly isRecalled?: boolean;
  /** The store's revision before the check; undefined without a store. */
  readonly revision?: number | undefined;
}

export interface ImportJob {
  /** Changes with each check, so that nobody publishes what another window has replaced. */
  readonly id: string;
  readonly files: readonly Pick<UploadedFile, "name" | "bytes">[];
  readonly settings: ImportSettings;
  readonly state: "checking" | "checked" | "publishing" | "published";
  readonly progress: Progress | AnalystProgress | undefined;
  /** What came of the check, or of the publishing. */
  readonly outcome: ImportOutcome | undefined;
}

type NewJob = Omit<ImportJob, "progress" | "outcome">;

export interface ImportJobs {
  current(): ImportJob | undefined;
  /** Checks new files in place of those of the last import, or those again. False while an import is published. */
  check(files: readonly UploadedFile[] | undefined, settings: ImportSettings): Promise<boolean>;
  /** Publishes what was checked as `id`, once. False if that is not what is checked now, or if other work is under way. */
  publish(id: string, settings: Pick<ImportSettings, "skipInvalid" | "yes">): boolean;
  /** Whether what was checked as `id` has been published. */
  isPublished(id: string): boolean;
  /** Resolves when nothing is under way. */
  ended(): Promise<void>;
  /** Ends a check. */
  cancel(): Promise<void>;
  close(): Promise<void>;
}

/** How many are remembered, for forms that are sent again. */
const MAX_PUBLISHED = 100;

export function openImportJobs(
  config: Config,
  works: Pick<Works, "beginOther">,
  choices: RememberedChoices,
): ImportJobs {
  let job: ImportJob | undefined;
  let files: readonly UploadedFile[] = [];
  let running: Promise<void> = Promise.resolve();
  let stop = new AbortController();
  let turn: Promise<unknown> = Promise.resolve();
  let published: readonly string[] = [];

  /** One after the other: no file is closed that a thread still reads. */
  function inTurn<T>(work: () => Promise<T>): Promise<T> {
    const result = turn.then(work);
    turn = result.catch(() => {});
    return result;
  }

  function check(next: NewJob, isNew: boolean): void {
    stop = new AbortController();
    const given = { now: new Date(), signal: stop.signal };
    running = run(next, given).then(async () => {
      const again = job?.id === next.id ? withChoices(job, isNew) : undefined;
      if (again !== undefined) await run({ ...next, settings: again }, given);
    });
  }

  /** Remembers what was chosen for files that could be read; what was chosen before for new ones with the same columns. */
  function withChoices({ outcome, settings }: ImportJob, isNew: boolean): ImportSettings | undefined {
    const { tables = [] }: Partial<FileSamples> = outcome ?? {};
    const { columns, dates, encoding } = settings;
    if (isNew && columns === undefined && dates === undefined && encoding === undefined) {
      const recalled = choices.recall(tables);
      return recalled && { ...settings, ...givenOf(recalled), isRecalled: true };
    }
    const report = outcome !== undefined && "report" in outcome ? outcome.report : undefined;
    if (report !== undefined && report.read > report.refused) choices.remember(tables, { columns, dates, encoding });
    return undefined;
  }

  async function run(
    next: NewJob,
    { now, signal }: { readonly now: Date; readonly signal: AbortSignal },
  ): Promise<void> {
    const isCheck = next.state === "checking";
    job = { ...next, progress: undefined, outcome: undefined };
    const isCurrent = () => job?.id === next.id && !signal.aborted;
    const { skipInvalid, business, revision: _, isRecalled: __, ...settings } = next.settings;
    const uploaded = files.map(({ name, handle }) => ({ name, descriptor: handle.fd }));
    const onProgress = (progress: ImportJob["progress"]) => {
      if (isCurrent() && job !== undefined) job = { ...job, progress };
    };
    // All that is refused is shown at once, beside what is not.
    const options = {
      ...settings,
      now,
      skipInvalid: isCheck || skipInvalid === true,
      list: isCheck,
      files: files.map(({ name }) => name),
    };
    const importing = async () => {
      await using copy = business && (await privateFileOf(business.bytes));
      const own = copy && { name: business.path, descriptor: copy.fd, isBusinessFile: true };
      const inputs = own === undefined ? uploaded : [own, ...uploaded];
      return await runImport({ config, path: "", inputs, isCheck, onProgress, options }, signal, WORK_LIMITS);
    };
    const outcome = await importing().catch((error: unknown) => ({
      issues: [{ code: "failed", path: [], message: String(error) }],
    }));
    if (!isCurrent()) return;
    const isDone = !isCheck && "report" in outcome;
    const id = isDone || isCheck ? next.id : randomUUID(); // what is asked now was not seen with the form before
    job = { ...next, id, state: isDone ? "published" : "checked", progress: undefined, outcome };
    if (!isDone) return;
    published = [...published, next.id].slice(-MAX_PUBLISHED);
    await closeFiles();
  }

  /** Ends what is under way; what a transaction has not committed is not there. */
  async function end(): Promise<void> {
    stop.abort();
    job = undefined; // nobody publishes it meanwhile
    await running;
  }

  async function closeFiles(): Promise<void> {
    const closing = files;
    files = [];
    await closeAll(closing);
  }

  return {
    current: () => job,
    check: (uploaded, settings) =>
      inTurn(async () => {
        if (job?.state === "publishing") {
          await closeAll(uploaded ?? []);
          return false;
        }
        await end();
        if (uploaded !== undefined) {
          await closeFiles();
          files = uploaded;
        }
        const named = files.map(({ name, bytes }) => ({ name, bytes }));
        const next = { id: randomUUID(), files: named, settings, state: "checking" } as const;
        if (files.length > 0) check(next, uploaded !== undefined);
        return true;
      }),
    publish(id, settings) {
      if (job?.id !== id) return false;
      if (job.state !== "checked") return true;
      const asked = questionsOf(job.outcome);
      const next = { ...job, settings: { ...job.settings, ...settings, asked }, state: "publishing" } as const;
      return works.beginOther({ kind: "import", files: job.files.map(({ name }) => name) }, (now, signal) => {
        running = run(next, { now, signal });
        return running;
      });
    },
    isPublished: (id) => published.includes(id),
    ended: () => running,
    cancel: () =>
      inTurn(async () => {
        if (job?.state === "publishing") return;
        await end();
        await closeFiles();
      }),
    close: () =>
      inTurn(async () => {
        await end();
        await closeFiles();
      }),
  };
}

type Given<T> = { [K in keyof T]?: Exclude<T[K], undefined> };

/** Without members that are undefined. */
function givenOf<T extends object>(all: T): Given<T> {
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined)) as Given<T>;
}

/** What the owner was asked last: he confirms that, and no more. */
function questionsOf(outcome: ImportOutcome | undefined): readonly string[] {
  if (outcome === undefined) return [];
  if ("report" in outcome) return outcome.report.to_confirm ?? [];
  return outcome.issues.filter(({ code }) => code === UNCONFIRMED).map(({ message }) => message);
}
