/** Counts, faults and warnings of an import in progress. All faults are counted, and the first ones are listed. */
import { Invalid, type Issue } from "../issue.ts";
import type { Examples } from "./example-reviews.ts";
import type { Extent } from "./format/format.ts";
import type { ReadFrom } from "./review/read-from.ts";

const MAX_ISSUES = 100;

/** Who says where a review was written. */
export const SAYERS = ["file", "owner", "nobody"] as const;

/** A file that was read, with its format. */
interface CountedFile {
  readonly name: string;
  readonly format: string;
  readonly records: number;
  /** Whether the user named the file; otherwise it was found in a folder or archive. */
  readonly isNamed: boolean;
  readonly readFrom: ReadFrom;
}

export interface ImportCounts {
  /** Records read, including refused ones. */
  read: number;
  /** Those of them that are of another place than the one that is imported. */
  otherPlaces: number;
  /** Refused records, and files that were refused as a whole. */
  readonly refused: number;
  readonly refusedRecords: number;
  readonly issues: readonly Issue[];
  readonly warnings: readonly string[];
  readonly passedOver: readonly string[];
  /** Business files among the skipped ones: in a place where none counts. */
  readonly misplacedBusinesses: ReadonlySet<string>;
  /** The latest instant or day that a review read so far names as that of its making or edit (ISO 8601); empty at first. */
  newest: string;
  /** The files read so far. */
  readonly files: CountedFile[];
  /** Of each file, some reviews that are to be published. */
  readonly examples: Map<string, Examples>;
  /** How many reviews of each source were read so far, by who names it. */
  readonly sources: Map<string, Record<(typeof SAYERS)[number], number>>;
  /** The extents of the files read so far, by format. */
  readonly extents: Map<string, Set<Extent>>;
  /** Records the faults of a refused file. */
  refuseFile(issues: readonly Issue[]): void;
  /** Records the faults of a refused record, or of several `records` of the same review. */
  refuseRecord(issues: readonly Issue[], records?: number): void;
  warn(sentence: string): void;
  /** Adds a warning that may concern many records of a file. It is reported once, with its count. */
  warnCounted(key: string, sentence: (count: number) => string): void;
  passOver(name: string): void;
  /** Names a business file that is passed over because of its place, and warns of it. */
  passOverBusiness(name: string, warning: string): void;
  /** Adds what was counted of a file as a whole. */
  addFile(counts: ImportCounts): void;
  /** The listed faults as one error, which ends with the number of further ones. */
  invalid(): Invalid;
}

export function openImportCounts(): ImportCounts {
  const issues: Issue[] = [];
  const warnings = new Set<string>();
  const counted = new Map<string, { count: number; readonly sentence: (count: number) => string }>();
  const passedOver: string[] = [];
  const misplacedBusinesses = new Set<string>();
  let [faults, files, records] = [0, 0, 0];
  const note = (more: readonly Issue[]) => {
    faults += more.length;
    issues.push(...more.slice(0, Math.max(0, MAX_ISSUES - issues.length)));
  };
  return {
    read: 0,
    otherPlaces: 0,
    newest: "",
    files: [],
    examples: new Map(),
    sources: new Map(),
    get refused() {
      return files + records;
    },
    get refusedRecords() {
      return records;
    },
    issues,
    extents: new Map(),
    get warnings() {
      return [...warnings, ...[...counted.values()].map(({ count, sentence }) => sentence(count))];
    },
    passedOver,
    misplacedBusinesses,
    refuseFile(more) {
      files += 1;
      note(more);
    },
    refuseRecord(more, count = 1) {
      records += count;
      note(more);
    },
    warn(sentence) {
      if (warnings.size < MAX_ISSUES) warnings.add(sentence);
    },
    warnCounted(key, sentence) {
      const warning = counted.get(key);
      if (warning !== undefined) warning.count += 1;
      else if (counted.size < MAX_ISSUES) counted.set(key, { count: 1, sentence });
    },
    passOver: (name) => void passedOver.push(name),
    passOverBusiness(name, warning) {
      passedOver.push(name);
      misplacedBusinesses.add(name);
      this.warn(warning);
    },
    addFile(counts) {
      if (counts.refused > 0) this.refuseFile(counts.issues);
      for (const warning of counts.warnings) this.warn(warning);
      passedOver.push(...counts.passedOver);
      for (const name of counts.misplacedBusinesses) misplacedBusinesses.add(name);
      this.files.push(...counts.files);
      for (const [format, extents] of counts.extents)
        this.extents.set(format, extents.union(this.extents.get(format) ?? new Set()));
    },
    invalid() {
      const more = faults - issues.length;
      if (more <= 0) return new Invalid(issues);
      return new Invalid([...issues, { code: "more", path: [], message: `and ${more} more` }]);
    },
  };
}
