/** What a run has counted and noted so far. Faults and warnings are bounded in number, all are counted. */
import { Invalid, type Issue } from "../issue.ts";
import type { Extent } from "./format/format.ts";

const ISSUES_KEPT = 100;

/** A file of a known format. */
interface CountedFile {
  readonly name: string;
  readonly format: string;
  readonly records: number;
  /** Whether the user named it; otherwise it was found in a folder or archive. */
  readonly isNamed: boolean;
}

export interface ImportCounts {
  /** Records seen, refused ones among them. */
  read: number;
  /** Records refused, and files refused whole. */
  readonly refused: number;
  readonly refusedRecords: number;
  readonly issues: readonly Issue[];
  readonly warnings: readonly string[];
  readonly passedOver: readonly string[];
  /** Whether a review was met whose source neither its file nor the command names. */
  isSourceAssumed: boolean;
  /** The files read so far, with the format of each and the number of its records. */
  readonly files: CountedFile[];
  /** The formats met, and how much of the reviews their files held. */
  readonly extents: Map<string, Set<Extent>>;
  /** Notes the faults of a file. */
  refuseFile(issues: readonly Issue[]): void;
  /** Notes the faults of one record, or of as many as tell of the same review. */
  refuseRecord(issues: readonly Issue[], records?: number): void;
  warn(sentence: string): void;
  /** Warns of something that may happen in many records of a file: told once, with the number of times. */
  warnCounted(key: string, sentence: (count: number) => string): void;
  passOver(name: string): void;
  /** All faults as one error, the last sentence saying how many more there are. */
  invalid(): Invalid;
}

export function openImportCounts(): ImportCounts {
  const issues: Issue[] = [];
  const warnings = new Set<string>();
  const counted = new Map<string, { count: number; readonly sentence: (count: number) => string }>();
  const passedOver: string[] = [];
  let [faults, files, records] = [0, 0, 0];
  const note = (more: readonly Issue[]) => {
    faults += more.length;
    issues.push(...more.slice(0, Math.max(0, ISSUES_KEPT - issues.length)));
  };
  return {
    read: 0,
    isSourceAssumed: false,
    files: [],
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
    refuseFile(more) {
      files += 1;
      note(more);
    },
    refuseRecord(more, count = 1) {
      records += count;
      note(more);
    },
    warn(sentence) {
      if (warnings.size < ISSUES_KEPT) warnings.add(sentence);
    },
    warnCounted(key, sentence) {
      const known = counted.get(key);
      if (known !== undefined) known.count += 1;
      else if (counted.size < ISSUES_KEPT) counted.set(key, { count: 1, sentence });
    },
    passOver: (name) => void passedOver.push(name),
    invalid() {
      const more = faults - issues.length;
      if (more <= 0) return new Invalid(issues);
      return new Invalid([...issues, { code: "more", path: [], message: `and ${more} more` }]);
    },
  };
}
