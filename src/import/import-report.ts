/** The options and the report of an import. `--json` prints the report with these names. */
import type { LanguageCount } from "../insights-document.ts";
import type { Issue } from "../issue.ts";
import type { Store } from "../store/store.ts";
import type { Database } from "../store/tables.ts";
import type { ReviewChange } from "./apply/apply-staged.ts";
import type { Examples } from "./example-reviews.ts";
import type { ColumnMapping } from "./format/column-mapping.ts";
import type { SAYERS } from "./import-counts.ts";
import type { FoundPlace } from "./place/found-places.ts";
import type { RecordLog } from "./record-log.ts";
import type { DateOrder } from "./review/free-form-date.ts";
import type { ReadFrom } from "./review/read-from.ts";

/** One of the places in files that were read before. */
interface LoggedPlace {
  readonly place: FoundPlace;
  readonly log: RecordLog;
}

export interface ImportOptions {
  /** The order of day and month in numeric dates, if a table does not show it. */
  readonly dates?: DateOrder;
  /** Maps columns of a table to fields. */
  readonly columns?: ColumnMapping;
  /** The encoding of text that is not UTF-8. */
  readonly encoding?: string;
  /** How many bytes of a file may be held in memory, as JSON and web pages are. */
  readonly maxWholeBytes?: number;
  /** The name or id of the place whose reviews are imported, where the files hold those of several. */
  readonly location?: string;
  /** A place whose reviews alone are imported, from what was read of files before. Only other files are given as paths. */
  readonly logged?: LoggedPlace;
  /** The source of the reviews whose files name none. */
  readonly source?: string;
  /** The source of all reviews, whatever their files name. */
  readonly overrideSource?: string;
  /** The public address of the site: a logo that is not there is warned of, as pages do not show it. */
  readonly baseUrl?: string;
  /** The exports are complete: stored reviews of their sources that they do not contain are withdrawn. */
  readonly complete?: boolean;
  /** The memory of a server that publishes the store. An import after which it would need more must be confirmed. */
  readonly memoryMb?: number;
  /**
   * Confirms what is refused or doubted otherwise: more than `memoryMb`, to withdraw over a fifth of what is published, or, with
   * `location`, that the place of the stored reviews has another id now, or that a page's worth of reviews in a row is
   * really gone.
   */
  readonly yes?: boolean;
  /** What was asked before `yes` was said: to withdraw another number is asked anew. Undefined: nothing was asked. */
  readonly asked?: readonly string[] | undefined;
  /** The files to name in the history, if they are not the paths. */
  readonly files?: readonly string[];
  /**
   * Makes the store to write to, once the input is accepted. The import is then given a temporary store, so that a
   * refused one makes none.
   */
  readonly makeStore?: (() => Promise<Store>) | undefined;
  /** Reports what would be done, without changing the store. */
  readonly dryRun?: boolean;
  /** Called in a dry run when all is as it would be, just before it is rolled back. */
  readonly onApplied?: (transaction: Database) => Promise<void>;
  /** Refuses business files: only reviews may be imported. */
  readonly reviewsOnly?: boolean;
  /** Imports the valid records and skips invalid ones. */
  readonly skipInvalid?: boolean;
  /** The time of the new revision. */
  readonly now: Date;
  readonly onProgress?: (progress: Progress) => void;
  /** Lists the changed reviews in the report. */
  readonly list?: boolean;
  /** A language model reads all texts afterwards, in whatever language. */
  readonly isReadByModel?: boolean;
}

/** The progress of an import: records read so far, and reviews analysed or written so far. */
export interface Progress {
  readonly phase: "reading" | "analysing" | "writing";
  readonly file: string | null;
  readonly read: number;
  readonly written: number;
}

/** A file that was read, with its format. */
interface ImportedFile {
  readonly name: string;
  readonly format: string;
  readonly records: number;
  /** From which columns or members of it each field was read, and what was decided of it. */
  readonly read_from: ReadFrom;
  /** Of a dry run: its first review that would be published, as an example. */
  readonly examples?: Examples;
}

interface SaidSource {
  readonly source: string;
  readonly said_by: (typeof SAYERS)[number];
  readonly records: number;
}

/** A fault. `path` holds the file, the line or index in it, and the field. */
type Refusal = Issue;

/**
 * The result of an import. `read` = `added` + `changed` + `unchanged` + `left_out` + `other_places` + `refused`, unless
 * a whole file was refused.
 */
export interface ImportReport {
  readonly read: number;
  readonly added: number;
  readonly changed: number;
  readonly unchanged: number;
  /** Reviews that stay out because the owner removed them. */
  readonly left_out: number;
  /** Reviews of other places than the one that is imported. */
  readonly other_places: number;
  readonly withheld: number;
  /** Reviews that are published under another source that has them too. */
  readonly duplicates: number;
  readonly withdrawn: number;
  /** Reviews that an earlier import had and that this one lacks although it covers them, and those that are back. */
  readonly vanished: number;
  readonly returned: number;
  readonly refused: number;
  /** The withheld ones that nothing verifies, by source. */
  readonly withheld_sources: Readonly<Record<string, number>>;
  /** The withheld ones that the owner's own system hides, by its state (`Status: spam`). */
  readonly withheld_states: Readonly<Record<string, number>>;
  /** Published reviews with text, by language; most frequent first. */
  readonly languages: readonly LanguageCount[];
  /** Published reviews whose text is in a language that is not read: those of earlier imports, too. */
  readonly unread_count: number;
  /** Those of them that are in the files. */
  readonly unread_in_files: number;
  /** Where the reviews in the files were written, and who says so, by number; `nobody`: it is assumed. */
  readonly sources: readonly SaidSource[];
  readonly warnings: readonly string[];
  readonly passed_over: readonly string[];
  readonly issues: readonly Refusal[];
  /** The files that were read, with their formats and numbers of records. */
  readonly files: readonly ImportedFile[];
  /** With `list`: the added, changed and withdrawn reviews, up to a limit. */
  readonly changes?: readonly ReviewChange[];
  /** Of a dry run: what the import must be confirmed for, which `warnings` hold, too. */
  readonly to_confirm?: readonly string[];
  /** The taxonomy in use, and why it was chosen. */
  readonly taxonomy: { readonly name: string; readonly reason: string };
  readonly business: "added" | "changed" | "unchanged" | null;
  /** The file that describes the business. */
  readonly business_file: string | null;
  /** What the business decides otherwise than before, besides words: what is fetched, sent and verified. */
  readonly business_changes: readonly string[];
  readonly revision: number;
  readonly revised: boolean;
}

/** The numbers of a report that are shown, in this order. */
export const SHOWN_COUNTS = [
  "read",
  "added",
  "changed",
  "unchanged",
  "left_out",
  "other_places",
  "withheld",
  "duplicates",
  "withdrawn",
  "refused",
] as const satisfies readonly (keyof ImportReport)[];
