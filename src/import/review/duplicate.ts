/** Several tellings of one review in one run: which of them holds, or that they contradict each other. */
import type { Candidate, CandidateReply } from "./candidate.ts";
import { compareInstants, finerInstant } from "./review-time.ts";

/** One telling of a review, and where it stands. */
export interface Version {
  readonly candidate: Candidate;
  readonly place: string;
}

/** Two tellings that cannot both be right, and the field in which they differ. */
export interface Contradiction {
  readonly field: "author" | "date" | "owner_reply" | "rating" | "text" | "verified";
  readonly places: readonly [string, string];
  readonly values: readonly [unknown, unknown];
}

/**
 * The one review that the versions tell of. The newest edit holds; versions of the same edit, or without a time of
 * edit, must agree and complete each other. What comes out does not depend on the order of the files.
 */
export function mergeVersions(versions: readonly Version[]): Candidate | Contradiction {
  const ordered = versions.toSorted((a, b) => (canonical(a) < canonical(b) ? -1 : 1));
  const newest = ordered
    .map(({ candidate }) => candidate.updated_at ?? "")
    .reduce((a, b) => (bare(a) > bare(b) ? a : b));
  const age = ({ candidate: { updated_at } }: Version) =>
    updated_at === undefined ? "unknown" : compareInstants(updated_at, newest) < 0 ? "superseded" : "newest";
  const undated = ordered.filter((version) => age(version) === "unknown");
  const superseded = ordered.filter((version) => age(version) === "superseded");
  const current = ordered.filter((version) => age(version) === "newest");
  const [first, ...rest] = [...current, ...undated];
  if (first === undefined) throw new RangeError("No versions to settle");
  let settled = first;
  for (const version of rest) {
    const contradiction = contradictionOf(settled, version);
    if (contradiction === undefined) settled = { ...settled, candidate: union(settled.candidate, version.candidate) };
    // A version without a time of edit may be a copy of one that was edited since.
    else if (!superseded.some((old) => contradictionOf(old, version) === undefined)) return contradiction;
  }
  return superseded.reduce((kept, { candidate }) => completed(kept, candidate), settled.candidate);
}

/** The first contradiction of two versions, undefined when both can be right. */
function contradictionOf(a: Version, b: Version): Contradiction | undefined {
  const [left, right] = [a.candidate, b.candidate];
  const differ = <Value>(x: Value | undefined, y: Value | undefined) => x !== undefined && y !== undefined && x !== y;
  const said = (field: Contradiction["field"], x: unknown, y: unknown): Contradiction => ({
    field,
    places: [a.place, b.place],
    values: [x, y],
  });
  if (left.rating !== right.rating) return said("rating", left.rating, right.rating);
  if (!datesAgree(left, right)) return said("date", left.date, right.date);
  if (differ(left.text, right.text)) return said("text", left.text, right.text);
  if (differ(left.author, right.author)) return said("author", left.author, right.author);
  if (differ(left.row_verified, right.row_verified)) return said("verified", left.row_verified, right.row_verified);
  const [x, y] = [left.owner_reply, right.owner_reply];
  if (x && y && x.text !== y.text && compareReplies(x, y) === 0) return said("owner_reply", x.text, y.text);
  return undefined;
}

/**
 * Whether two tellings of a date can be of one review: the same day, or neighbouring days when only one of them
 * knows the instant, because the other may be a day of another time zone.
 */
export function datesAgree(
  a: Pick<Candidate, "date" | "written_at">,
  b: Pick<Candidate, "date" | "written_at">,
): boolean {
  if (a.date === b.date) return true;
  if ((a.written_at === null) === (b.written_at === null)) return false;
  return Math.abs(Date.parse(a.date) - Date.parse(b.date)) <= 86_400_000;
}

/** What two agreeing versions know together. */
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

/** `a`, and from `b` what `a` does not carry. */
function completed(a: Candidate, b: Candidate): Candidate {
  return {
    ...a,
    author: a.author ?? b.author,
    author_avatar_url: a.author_avatar_url === undefined ? b.author_avatar_url : a.author_avatar_url,
    text: a.text === undefined ? b.text : a.text,
    source_url: a.source_url === undefined ? b.source_url : a.source_url,
    owner_reply: a.owner_reply === undefined ? b.owner_reply : a.owner_reply,
    row_verified: a.row_verified ?? b.row_verified,
  };
}

/** Of two addresses one; of two different ones always the same, whichever comes first. */
function either(a: string | null | undefined, b: string | null | undefined): string | null | undefined {
  if (typeof a !== "string" || typeof b !== "string") return a ?? b ?? (a === undefined ? b : a);
  return a < b ? a : b;
}

type MaybeReply = CandidateReply | null | undefined;

/** A reply is newer than none: an export without it is older than the reply. */
function newerReply(a: MaybeReply, b: MaybeReply): MaybeReply {
  if (!a || !b) return a ?? b ?? (a === undefined ? b : a);
  const order = compareReplies(a, b);
  if (order !== 0) return order > 0 ? a : b;
  if (a.replied_at !== null && b.replied_at !== null) {
    return { ...a, replied_at: finerInstant(a.replied_at, b.replied_at) };
  }
  return a.replied_at === null ? b : a;
}

/** Negative when `a` was written before `b`; 0 when they may have been written at the same time. */
export function compareReplies(a: CandidateReply, b: CandidateReply): number {
  if (a.replied_at !== null && b.replied_at !== null) return compareInstants(a.replied_at, b.replied_at);
  const times = [a, b].map(({ date, replied_at }) => ({ date, written_at: replied_at }));
  if (times[0] && times[1] && a.text === b.text && datesAgree(times[0], times[1])) return 0;
  return a.date < b.date ? -1 : a.date > b.date ? 1 : 0;
}

function canonical({ candidate }: Version): string {
  return `${candidate.source_id === null ? 1 : 0}${JSON.stringify(candidate)}`;
}

function bare(instant: string): string {
  return instant.slice(0, -1);
}
