/** What an import is asked, and what it answers. The names of the report are printed as they are. */
import type { Issue } from "../issue.ts";
import type { ReviewChange } from "./apply/apply-staged.ts";
import type { ColumnMapping } from "./format/column-mapping.ts";
import type { DateOrder } from "./review/date-text.ts";

export interface ImportOptions {
  /** The order of day and month in dates that name no month, where a table does not show it. */
  readonly dates?: DateOrder;
  /** Which column of a table is which field. */
  readonly columns?: ColumnMapping;
  /** The encoding of text that is not UTF-8. */
  readonly encoding?: string;
  /** The source of all reviews of the run, whatever the exports say. */
  readonly source?: string;
  /** These are the whole exports of their sources: reviews that they lack are withdrawn. */
  readonly complete?: boolean;
  /** Withdraw however many reviews that means; without it, more than a fifth of what is published is refused. */
  readonly yes?: boolean;
  /** What the history names as imported, where it is not the paths. */
  readonly files?: readonly string[];
  /** Report what would be done, and leave the store as it is. */
  readonly dryRun?: boolean;
  /** Refuse files that describe a business: what is imported may hold reviews only. */
  readonly reviewsOnly?: boolean;
  /** Import what is valid although some is not. */
  readonly skipInvalid?: boolean;
  /** The time of the revision that a change makes. */
  readonly now: Date;
  readonly onProgress?: (progress: Progress) => void;
  /** List in the report which reviews change. */
  readonly list?: boolean;
}

/** How far a run is: records read so far, or reviews analysed or compared with the store so far. */
export interface Progress {
  readonly phase: "reading" | "analysing" | "writing";
  readonly file: string | null;
  readonly read: number;
  readonly written: number;
}

/** A file of a known format. */
interface ImportedFile {
  readonly name: string;
  readonly format: string;
  readonly records: number;
}

/** One thing refused: `path` is the file, the line or index in it, and the field. */
type Refusal = Issue;

/** What a run did. `read` = `added` + `changed` + `unchanged` + `refused` wherever no file was refused whole. */
export interface ImportReport {
  readonly read: number;
  readonly added: number;
  readonly changed: number;
  readonly unchanged: number;
  readonly withheld: number;
  /** Reviews that another source has as well, and that are published under that one. */
  readonly duplicates: number;
  readonly withdrawn: number;
  readonly refused: number;
  readonly withheld_sources: Readonly<Record<string, number>>;
  readonly warnings: readonly string[];
  readonly passed_over: readonly string[];
  readonly issues: readonly Refusal[];
  /** The files that were read, each with its format and the number of its records. */
  readonly files: readonly ImportedFile[];
  /** With `list`: the reviews that are added, changed or withdrawn; of very many the first. */
  readonly changes?: readonly ReviewChange[];
  /** The taxonomy that reads the reviews, and why it is this one. */
  readonly taxonomy: { readonly name: string; readonly reason: string };
  readonly business: "added" | "changed" | "unchanged" | null;
  readonly revision: number;
  readonly revised: boolean;
}
