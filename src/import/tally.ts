/** What a run has counted and noted so far. Faults and warnings are bounded in number, all are counted. */
import { Invalid, type Issue } from "../issue.ts";

const ISSUES_KEPT = 100;

export interface Tally {
  /** Records seen, refused ones among them. */
  read: number;
  /** Records and whole files refused. */
  refused: number;
  readonly issues: readonly Issue[];
  readonly warnings: readonly string[];
  readonly passedOver: readonly string[];
  /** Notes the faults of one record or file. */
  refuse(issues: readonly Issue[]): void;
  warn(sentence: string): void;
  passOver(name: string): void;
  /** All faults as one error, the last sentence saying how many more there are. */
  invalid(): Invalid;
}

export function openTally(): Tally {
  const issues: Issue[] = [];
  const warnings = new Set<string>();
  const passedOver: string[] = [];
  let faults = 0;
  return {
    read: 0,
    refused: 0,
    issues,
    get warnings() {
      return [...warnings];
    },
    passedOver,
    refuse(more) {
      this.refused += 1;
      faults += more.length;
      issues.push(...more.slice(0, Math.max(0, ISSUES_KEPT - issues.length)));
    },
    warn(sentence) {
      if (warnings.size < ISSUES_KEPT) warnings.add(sentence);
    },
    passOver: (name) => void passedOver.push(name),
    invalid() {
      const more = faults - issues.length;
      if (more <= 0) return new Invalid(issues);
      return new Invalid([...issues, { code: "more", path: [], message: `and ${more} more` }]);
    },
  };
}
