/** What an incoming review makes of what the store holds of it. */
import type { ReviewTable } from "../../store/tables.ts";
import { type Candidate, type Identity, identity, unnamedAuthor } from "../review/candidate.ts";
import { compareReplies, datesAgree } from "../review/duplicate.ts";
import { compareInstants, finerInstant } from "../review/review-time.ts";

/** The row of a review that the store does not hold yet; `arrived` is the number of its source's arrival. */
export function newRow(candidate: Candidate, arrived: number): ReviewTable {
  const { source, source_id, rating, date, written_at, owner_reply } = candidate;
  return {
    ...(candidate.redacted ?? identity(candidate)),
    source,
    source_id,
    author: candidate.author ?? unnamedAuthor(source),
    author_avatar_url: candidate.author_avatar_url ?? null,
    rating,
    date,
    text: candidate.text ?? null,
    source_url: candidate.source_url ?? null,
    reply_text: owner_reply?.text ?? null,
    reply_date: owner_reply?.date ?? null,
    row_verified: candidate.row_verified ?? null,
    written_at,
    replied_at: owner_reply?.replied_at ?? null,
    updated_at: candidate.updated_at ?? null,
    arrived,
  };
}

/**
 * The row after an import of `candidate`, which is of the same review. An older edit changes nothing; what the export
 * does not carry stays; a day does not overrule an instant that it agrees with.
 */
export function updatedRow(row: ReviewTable, candidate: Candidate): ReviewTable {
  if (isOlder(candidate.updated_at, row.updated_at)) return row;
  const { source, rating } = candidate;
  const known = { date: row.date, written_at: row.written_at };
  const timing = datesAgree(known, candidate) ? timeOf(known, candidate) : candidate;
  const content = {
    source,
    source_id: candidate.source_id ?? row.source_id,
    author: candidate.author ?? row.author,
    date: timing.date,
    text: candidate.text === undefined ? row.text : candidate.text,
  };
  return {
    ...content,
    ...mergedIdentity(row, content, candidate.redacted),
    author_avatar_url: candidate.author_avatar_url === undefined ? row.author_avatar_url : candidate.author_avatar_url,
    rating,
    source_url: candidate.source_url === undefined ? row.source_url : candidate.source_url,
    ...replyOf(row, candidate),
    // That something was published says nothing new about a review that we hold.
    row_verified: (candidate.published_id === undefined ? candidate.row_verified : undefined) ?? row.row_verified,
    written_at: timing.written_at,
    updated_at: finer(row.updated_at, candidate.updated_at ?? null),
    arrived: row.arrived,
  };
}

const PUBLISHED = [
  "id",
  "author",
  "author_avatar_url",
  "rating",
  "date",
  "text",
  "source",
  "source_url",
  "reply_text",
  "reply_date",
  "row_verified",
] as const satisfies readonly (keyof ReviewTable)[];

/** The published fields in which the two rows differ; the rest is the importer's own memory. */
export function publicDifferences(a: ReviewTable, b: ReviewTable): string[] {
  return PUBLISHED.filter((name) => a[name] !== b[name]);
}

/** Whether the two rows differ at all. */
export function differs(a: ReviewTable, b: ReviewTable): boolean {
  return (Object.keys(a) as (keyof ReviewTable)[]).some((name) => a[name] !== b[name]);
}

/** A row without an id of its source keeps the identity that it has, as long as its date stays. */
export function identityOf(
  row: ReviewTable,
  content: Pick<Candidate, "source" | "source_id" | "author" | "date" | "text">,
): Identity {
  const derived = identity(content);
  const isKept = content.source_id === null && content.date === row.date;
  return isKept ? { ...derived, id: row.id, source_key: row.source_key } : derived;
}

/** A redacted review keeps what told it from others before its name or words were taken out. */
function mergedIdentity(
  row: ReviewTable,
  content: Parameters<typeof identityOf>[1],
  redacted: Identity | undefined,
): Identity {
  if (redacted === undefined) return identityOf(row, content);
  if (content.source_id !== null) return { ...identityOf(row, content), natural_key: redacted.natural_key };
  return content.date === row.date ? { ...redacted, id: row.id, source_key: row.source_key } : redacted;
}

type Timing = Pick<Candidate, "date" | "written_at">;

function timeOf(known: Timing, told: Timing): Timing {
  if (told.written_at === null) return known;
  return { date: told.date, written_at: finer(known.written_at, told.written_at) };
}

function replyOf(
  row: ReviewTable,
  candidate: Candidate,
): Pick<ReviewTable, "reply_text" | "reply_date" | "replied_at"> {
  const { reply_text, reply_date, replied_at } = row;
  const told = candidate.owner_reply;
  const kept = { reply_text, reply_date, replied_at };
  if (told === undefined) return kept;
  if (told === null) return { reply_text: null, reply_date: null, replied_at: null };
  if (reply_text !== null && reply_date !== null) {
    const order = compareReplies(told, { text: reply_text, date: reply_date, replied_at });
    const isSameEdit = candidate.updated_at !== undefined && row.updated_at !== null;
    if (order < 0 && isSameEdit) return kept;
    if (order === 0 && told.text === reply_text) {
      if (told.replied_at === null) return kept;
      return { reply_text, reply_date: told.date, replied_at: finer(replied_at, told.replied_at) };
    }
  }
  return { reply_text: told.text, reply_date: told.date, replied_at: told.replied_at };
}

function isOlder(told: string | undefined, known: string | null): boolean {
  return told !== undefined && known !== null && compareInstants(told, known) < 0;
}

/** The newer of two instants; of two tellings of the same the finer. */
function finer(known: string | null, told: string | null): string | null {
  if (known === null || told === null) return told ?? known;
  return compareInstants(known, told) === 0 ? finerInstant(known, told) : told;
}
