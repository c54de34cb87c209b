/** Merges duplicate versions of a review within one import, before anything touches the store. */
import { type Issue, quote } from "../../issue.ts";
import {
  type Basis,
  type Candidate,
  type CandidateReply,
  type StagedReview,
  stagedReview,
} from "../review/candidate.ts";
import { compareInstants, finerInstant } from "../review/iso-time.ts";
import type { Staging } from "./staging.ts";

/** Refuses records; `count` is how many records the issues are about. */
type Refuse = (issues: readonly Issue[], count: number) => void;

/**
 * Leaves one version of each review in the staging area. Versions that contradict each other are all refused. Returns
 * the bases of the reviews that had identical versions.
 */
export function mergeDuplicates(staging: Staging, refuse: Refuse): ReadonlySet<Basis> {
  const repeated = new Set(staging.groupVersions());
  for (const staged of staging.duplicates()) {
    const merged = mergeVersions(staged);
    if (areOfTimes(staged)) repeated.add("content");
    if ("field" in merged) {
      refuse([contradictionIssue(merged, staged)], staged.length);
      staging.replace(staged, undefined);
    } else {
      staging.replace(staged, stagedReview(merged, staged[0]?.place ?? ""));
    }
  }
  return repeated;
}

/** Whether rows without an id say the same at several times, and may be several reviews. */
function areOfTimes(staged: readonly StagedReview[]): boolean {
  const times = new Set(staged.map(({ candidate }) => candidate.written_at).filter((time) => time !== null));
  return times.size > 1 && staged.every(({ basis }) => basis === "content");
}

function contradictionIssue({ field, places, values }: Contradiction, staged: readonly StagedReview[]): Issue {
  const [first, second] = places;
  const hint = staged.some(({ basis }) => basis !== "content")
    ? ""
    : " (rows without an id are told apart by author, date and text)";
  return {
    code: "contradiction",
    path: [second, field],
    message: `${second}: ${field} is ${quote(values[1])}, but ${quote(values[0])} in ${first}, which is the same review${hint}`,
  };
}

/** One version of a review, and its place in the input files. */
export interface Version {
  readonly candidate: Candidate;
  readonly place: string;
}

/** Two versions that cannot both be right, and the field in which they differ. */
export interface Contradiction {
  readonly field: "author" | "date" | "owner_reply" | "rating" | "text" | "verified";
  readonly places: readonly [string, string];
  readonly values: readonly [unknown, unknown];
}

/**
 * Merges versions into one review. The newest edit wins. Versions of the same edit, or without an edit time, must agree,
 * and each fills in fields that the other lacks. The result does not depend on the order of the files.
 */
export function mergeVersions(versions: readonly Version[]): Candidate | Contradiction {
  const ordered = versions.toSorted((a, b) => (canonicalOrder(a) < canonicalOrder(b) ? -1 : 1));
  const newest = ordered
    .map(({ candidate }) => candidate.updated_at ?? "")
    .reduce((a, b) => (withoutZone(a) > withoutZone(b) ? a : b));
  const age = ({ candidate: { updated_at } }: Version) =>
    updated_at === undefined ? "unknown" : compareInstants(updated_at, newest) < 0 ? "superseded" : "newest";
  const undated = ordered.filter((version) => age(version) === "unknown");
  const superseded = ordered.filter((version) => age(version) === "superseded");
  const current = ordered.filter((version) => age(version) === "newest");
  const [first, ...rest] = [...current, ...undated];
  if (first === undefined) throw new RangeError("There are no versions to merge");
  let merged = first;
  for (const version of rest) {
    const contradiction = contradictionOf(merged, version);
    if (contradiction === undefined) merged = { ...merged, candidate: union(merged.candidate, version.candidate) };
    // A version without an edit time may be a copy of one that has been edited since.
    else if (!superseded.some((old) => contradictionOf(old, version) === undefined)) return contradiction;
  }
  return superseded.reduce((kept, { candidate }) => completed(kept, candidate), merged.candidate);
}

/** The first field in which two versions contradict each other, or undefined when both can be right. */
function contradictionOf(a: Version, b: Version): Contradiction | undefined {
  const [left, right] = [a.candidate, b.candidate];
  const differ = <Value>(x: Value | undefined, y: Value | undefined) => x !== undefined && y !== undefined && x !== y;
  const contradiction = (field: Contradiction["field"], x: unknown, y: unknown): Contradiction => ({
    field,
    places: [a.place, b.place],
    values: [x, y],
  });
  if (left.rating !== right.rating) return contradiction("rating", left.rating, right.rating);
  if (!datesAgree(left, right)) return contradiction("date", left.date, right.date);
  if (differ(left.text, right.text)) return contradiction("text", left.text, right.text);
  if (differ(left.author, right.author)) return contradiction("author", left.author, right.author);
  if (differ(left.row_verified, right.row_verified))
    return contradiction("verified", left.row_verified, right.row_verified);
  const [x, y] = [left.owner_reply, right.owner_reply];
  if (x && y && x.text !== y.text && compareReplies(x, y) === 0) return contradiction("owner_reply", x.text, y.text);
  return undefined;
}

/**
 * Whether two dates can belong to the same review: the same day, or adjacent days when only one of them has an instant,
 * because the other may be a day in another time zone.
 */
export function datesAgree(
  a: Pick<Candidate, "date" | "written_at">,
  b: Pick<Candidate, "date" | "written_at">,
): boolean {
  if (a.date === b.date) return true;
  if ((a.written_at === null) === (b.written_at === null)) return false;
  return Math.abs(Date.parse(a.date) - Date.parse(b.date)) <= 86_400_000;
}

/** Combines the fields of two versions that agree. */
function union(a: Candidate, b: Candidate): Candidate {
  const timed = a.written_at === null ? b : a;
  const written_at =
    a.written_at !== null && b.written_at !== null ? finerInstant(a.written_at, b.written_at) : timed.written_at;
  return {
    ...completed(a, b),
    source_id: a.source_id ?? b.source_id,
    date: timed.date,
    written_at,
    author_avatar_url: either(a.author_avatar_url, b.author_avatar_url),
    source_url: either(a.source_url, b.source_url),
    owner_reply: newerReply(a.owner_reply, b.owner_reply),
    updated_at:
      a.updated_at !== undefined && b.updated_at !== undefined
        ? finerInstant(a.updated_at, b.updated_at)
        : (a.updated_at ?? b.updated_at),
  };
}

/** `a`, with its missing fields filled in from `b`. */
function completed(a: Candidate, b: Candidate): Candidate {
  return {
    ...a,
    author: a.author ?? b.author,
    author_avatar_url: a.author_avatar_url === undefined ? b.author_avatar_url : a.author_avatar_url,
    text: a.text === undefined ? b.text : a.text,
    source_url: a.source_url === undefined ? b.source_url : a.source_url,
    owner_reply: a.owner_reply === undefined ? b.owner_reply : a.owner_reply,
    row_verified: a.row_verified ?? b.row_verified,
    hidden: a.hidden ?? b.hidden,
  };
}

/** Chooses one of two URLs. The choice does not depend on their order. */
function either(a: string | null | undefined, b: string | null | undefined): string | null | undefined {
  if (typeof a !== "string" || typeof b !== "string") return a ?? b ?? (a === undefined ? b : a);
  return a < b ? a : b;
}

type MaybeReply = CandidateReply | null | undefined;

/** The newer reply. An export without a reply is older than one that has it. */
function newerReply(a: MaybeReply, b: MaybeReply): MaybeReply {
  if (!a || !b) return a ?? b ?? (a === undefined ? b : a);
  const order = compareReplies(a, b);
  if (order !== 0) return order > 0 ? a : b;
  if (a.replied_at !== null && b.replied_at !== null) {
    return { ...a, replied_at: finerInstant(a.replied_at, b.replied_at) };
  }
  return a.replied_at === null ? b : a;
}

/** Negative if `a` is older than `b`; 0 if both may have been written at the same time. */
export function compareReplies(a: CandidateReply, b: CandidateReply): number {
  if (a.replied_at !== null && b.replied_at !== null) return compareInstants(a.replied_at, b.replied_at);
  const times = [a, b].flatMap(({ date, replied_at }) => (date === null ? [] : { date, written_at: replied_at }));
  if (times[0] && times[1] && a.text === b.text && datesAgree(times[0], times[1])) return 0;
  const [left, right] = [a.date ?? "", b.date ?? ""]; // a reply without a day is older than one with its day
  return left < right ? -1 : left > right ? 1 : 0;
}

function canonicalOrder({ candidate }: Version): string {
  return `${candidate.source_id === null ? 1 : 0}${JSON.stringify(candidate)}`;
}

function withoutZone(instant: string): string {
  return instant.slice(0, -1);
}
