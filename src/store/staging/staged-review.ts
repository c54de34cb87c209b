/** A review in the staging area, and what an import asks of that. */

/** The basis of a review's identity: the source's own id, the id under which Goodword published it, or its content. */
export type Basis = "own id" | "published id" | "content";

/** One version of a review in the staging area. */
export interface StagedReview {
  readonly id: string;
  readonly source_key: string;
  readonly natural_key: string;
  readonly source: string;
  readonly basis: Basis;
  /** Where it was read, for messages: `reviews.csv, line 12`. */
  readonly place: string;
  /** The candidate as text, without U+0000. */
  readonly body: string;
}

/** The numbers of reviews from `first` to `last`, both included. */
interface NumberRange {
  readonly first: number;
  readonly last: number;
}

export interface Staging {
  /** Adds a version of a review. Returns its number: the next one has a higher one. */
  add(review: StagedReview): number;
  /**
   * Leaves one of identical versions, and groups the others of each review: those with the same source key, those that
   * were published under the id that follows from a source's own id, and those without an id that have the same content.
   * Call it once, after the last `add`. Returns the bases of the reviews of which there were identical versions.
   */
  groupVersions(): ReadonlySet<Basis>;
  /** The groups with more than one version. The order within a group does not depend on the order of the files. */
  duplicates(): Iterable<readonly StagedReview[]>;
  /** Replaces all versions of a review with the merged one, or removes them when `merged` is undefined. */
  replace(versions: readonly StagedReview[], merged: StagedReview | undefined): void;
  /**
   * All reviews in the order of their ids, in which the store adds rows fastest, `size` at a time. Those of a page may be
   * replaced before the next page is read.
   */
  batches(size: number): Iterable<readonly StagedReview[]>;
  /** The highest number of a staged review; 0 if there is none. */
  lastNumber(): number;
  /** Whether nothing but identical versions has been removed or replaced. */
  isAsAdded(): boolean;
  /** The candidates of the reviews of these numbers as texts, in the order in which they were added, `size` at a time. */
  bodies(size: number, numbers: NumberRange): Iterable<readonly string[]>;
  /** The sources of the reviews, in the order in which they were first added. */
  sources(): readonly string[];
  /** Whether a review with this basis of its identity was added. */
  hasBasis(basis: Basis): boolean;
  /** Remembers ids of stored reviews. */
  remember(ids: Iterable<string>): void;
  /** The given ids that were remembered. */
  remembered(ids: readonly string[]): Set<string>;
  /** Keeps a row of the store for later, under a key. */
  setAside(key: string, row: string): void;
  /** The rows that were set aside, `size` at a time. */
  aside(size: number): Iterable<readonly { readonly key: string; readonly row: string }[]>;
  /** Adds an analysis that a review needs and the store does not have. */
  addAnalysis(key: string, body: string): void;
  /** Takes the analyses added so far for needless, except those of the keys that `needAnalyses` is given. */
  doubtAnalyses(): void;
  needAnalyses(keys: readonly string[]): void;
  /**
   * The added analyses that are needed, in the order of their keys, `size` at a time. They are forgotten; those that are
   * added meanwhile are not among them.
   */
  takeAnalyses(size: number): Iterable<readonly { readonly key: string; readonly body: string }[]>;
  close(): void;
}
