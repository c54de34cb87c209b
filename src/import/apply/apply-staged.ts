/** Merges the staged reviews into the store, inside the one transaction of an import. */
import { setImmediate } from "node:timers/promises";
import { languageOfText } from "../../insight/text/language.ts";
import { boundedPages } from "../../lib/bounded-pages.ts";
import type { OpenChange } from "../../store/history/change-rows.ts";
import { countVerified, isVerifiedRow, PUBLISHED_COLUMNS } from "../../store/review-rows.ts";
import {
  hasReviews,
  lastArrival,
  namesById,
  reviewsAfter,
  reviewsById,
  reviewsToMatch,
  rowsDiffer,
  type StoredKeys,
} from "../../store/review-writes.ts";
import { type Database, HIDDEN_ROW, type ReviewTable } from "../../store/tables.ts";
import { type Candidate, type Identity, identity, type StagedReview, unnamedAuthor } from "../review/candidate.ts";
import { compareInstants, finerInstant } from "../review/iso-time.ts";
import { compareReplies, datesAgree } from "../staging/deduplication.ts";
import type { AnalysedReview, Staging } from "../staging/staging.ts";

const BATCH = 300;

/** The result of an import. `withheld` counts, by source, the imported reviews that are not published. */
export interface Applied {
  readonly added: number;
  readonly changed: number;
  /** How many published reviews have another id now. */
  readonly readdressed: number;
  readonly withheld: Readonly<Record<string, number>>;
  /** Those that the owner's own system hides, by its state (`Status: spam`). They are in no other count. */
  readonly hidden: Readonly<Record<string, number>>;
}

/** A change that an import makes to one review. `fields` lists the published fields that a change affects. */
export interface ReviewChange {
  readonly change: "added" | "changed" | "withdrawn";
  readonly id: string;
  readonly source: string;
  readonly author: string;
  readonly date: string;
  readonly fields?: readonly string[];
}

export interface ApplyOptions {
  readonly staging: Staging;
  readonly verifiedSources: readonly string[];
  /** Called for each review that is added, changed or withdrawn. */
  readonly onChange?: ((change: ReviewChange) => void) | undefined;
  /** Called after each batch with the number of reviews written so far. */
  readonly onBatch?: ((written: number) => void) | undefined;
}

/** Adds and updates reviews until the store agrees with the staging area, which remembers the ids of all of them. */
export async function applyStaged(database: Database, change: OpenChange, options: ApplyOptions): Promise<Applied> {
  const { staging } = options;
  // Ids of the sources tell their reviews apart: none can be one that this import has just added.
  const areAllNew = !staging.hasBasis("published id") && !staging.hasBasis("content") && !(await hasReviews(database));
  return await mergeStaged(database, change, { ...options, areAllNew });
}

async function mergeStaged(
  database: Database,
  change: OpenChange,
  { staging, areAllNew, ...options }: ApplyOptions & { readonly areAllNew: boolean },
): Promise<Applied> {
  const withheld = new Map<string, number>();
  const hidden = new Map<string, number>();
  const arrival = (await lastArrival(database)) + 1;
  const arrivals = new Map(staging.sources().map((source, place) => [source, arrival + place]));
  let [added, changed, readdressed, done] = [0, 0, 0, 0];
  for (const batch of staging.batches(BATCH)) {
    const stored = matchStored(areAllNew ? [] : await reviewsToMatch(database, batch));
    const fresh: ReviewTable[] = [];
    for await (const { staged, old } of withRows(database, batch, stored.take)) {
      const { id, source_key, natural_key, candidate, language } = staged;
      const keys: Identity = { id, source_key, natural_key };
      const row =
        old === undefined
          ? newRow(keys, candidate, { language, arrived: arrivals.get(candidate.source) ?? arrival })
          : updatedRow(old, keys, candidate);
      const isOther = old !== undefined && rowsDiffer(old, row);
      if (old === undefined) fresh.push(row);
      else if (isOther) await change.replace(old, row);
      const fields = isOther ? publicDifferences(old, row) : [];
      if (old === undefined) added += 1;
      else if (fields.length > 0) changed += 1;
      if (old === undefined || fields.length > 0) {
        options.onChange?.({ ...named(row), change: old === undefined ? "added" : "changed", ...(old && { fields }) });
      }
      const isPublished = isVerifiedRow(row, options.verifiedSources);
      if (row.row_verified === HIDDEN_ROW)
        hidden.set(candidate.hidden ?? "", (hidden.get(candidate.hidden ?? "") ?? 0) + 1);
      else if (!isPublished) withheld.set(row.source, (withheld.get(row.source) ?? 0) + 1);
      else if (old !== undefined && old.id !== row.id) readdressed += 1;
      staging.remember([row.id], row.source);
    }
    await change.insert(fresh);
    done += batch.length;
    options.onBatch?.(done);
    await setImmediate(); // lets a signal, such as Ctrl+C, end the import
  }
  return { added, changed, readdressed, withheld: Object.fromEntries(withheld), hidden: Object.fromEntries(hidden) };
}

/** The reviews of a batch, in their order, each with its stored row if there is one. The rows are read in bounded pages. */
async function* withRows(
  database: Database,
  batch: readonly AnalysedReview[],
  take: (staged: StagedReview) => StoredKeys | undefined,
): AsyncGenerator<{ readonly staged: AnalysedReview; readonly old: ReviewTable | undefined }> {
  const matches = batch.map((staged) => ({ staged, stored: take(staged) }));
  for (const page of boundedPages(matches, ({ stored }) => Number(stored?.bytes ?? 0))) {
    const ids = page.flatMap(({ stored }) => stored?.id ?? []);
    const rows = new Map((await reviewsById(database, ids)).map((row) => [row.id, row]));
    for (const { staged, stored } of page) yield { staged, old: rows.get(stored?.id ?? "") };
  }
}

/** How many reviews were withdrawn, and how many of those had been published. */
export interface Withdrawn {
  readonly withdrawn: number;
  readonly unpublished: number;
}

/** Withdraws the stored reviews of the imported sources that this import does not contain. */
export async function withdraw(
  database: Database,
  change: OpenChange,
  { staging, verifiedSources, onChange }: Omit<ApplyOptions, "onBatch">,
): Promise<Withdrawn> {
  let [withdrawn, unpublished] = [0, 0];
  for await (const gone of lackedIds(database, staging, staging.sources())) {
    unpublished += await countVerified(database, verifiedSources, gone);
    if (onChange !== undefined) {
      for (const row of await namesById(database, gone)) onChange({ ...row, change: "withdrawn" });
    }
    await change.delete(gone);
    withdrawn += gone.length;
  }
  return { withdrawn, unpublished };
}

/** The ids of the stored reviews of these sources that the import does not contain, in pages. */
export async function* lackedIds(
  database: Database,
  staging: Staging,
  sources: readonly string[],
): AsyncGenerator<readonly string[]> {
  for (let after = ""; ; ) {
    const rows = await reviewsAfter(database, { after, limit: BATCH });
    const last = rows.at(-1);
    if (last === undefined) return;
    const ids = rows.flatMap(({ id, source }) => (sources.includes(source) ? id : []));
    const imported = staging.remembered(ids);
    const lacked = ids.filter((id) => !imported.has(id));
    if (lacked.length > 0) yield lacked;
    after = last.id;
  }
}

/** The fields by which a person recognises a review. */
function named({ id, source, author, date }: ReviewTable): Omit<ReviewChange, "change"> {
  return { id, source, author, date };
}

/** Finds the stored rows of a batch's reviews among those that they may correspond to. Each is matched at most once. */
function matchStored(rows: readonly StoredKeys[]) {
  const byId = new Map(rows.map((row) => [row.id, row]));
  const bySource = new Map(rows.map((row) => [row.source_key, row]));
  let byNaturalKey: Map<string, StoredKeys[]> | undefined;
  const rowsWith = (key: string) => {
    byNaturalKey ??= Map.groupBy(rows, (row) => row.natural_key);
    return byNaturalKey.get(key) ?? [];
  };
  return {
    /**
     * The stored row of this review: the one with the same source key or published id. A review with a source id also
     * matches a row of the same content without one; a review without an id matches any row of the same content.
     */
    take({ id, source_key, natural_key, basis, candidate }: StagedReview): StoredKeys | undefined {
      if (rows.length === 0) return undefined;
      const namesake = byId.get(id);
      const sameContent = () => rowsWith(natural_key).filter((row) => byId.has(row.id));
      const row =
        bySource.get(source_key) ??
        (namesake?.source === candidate.source ? namesake : undefined) ??
        (basis === "own id" ? sameContent().find(({ source_id }) => source_id === null) : undefined) ??
        (basis === "content" ? sameContent()[0] : undefined);
      if (row === undefined) return undefined;
      byId.delete(row.id);
      bySource.delete(row.source_key);
      return row;
    },
  };
}

/** The row of a review that is new to the store. `arrived` orders sources by when they were first imported. */
function newRow(
  keys: Identity,
  candidate: Candidate,
  { language, arrived }: Pick<ReviewTable, "language" | "arrived">,
): ReviewTable {
  const { source, source_id, rating, date, written_at, owner_reply } = candidate;
  return {
    ...keys,
    source,
    source_id,
    author: candidate.author ?? unnamedAuthor(source),
    author_avatar_url: candidate.author_avatar_url ?? null,
    rating,
    date,
    text: candidate.text ?? null,
    language: language ?? languageOfText(candidate.text ?? null),
    source_url: candidate.source_url ?? null,
    reply_text: owner_reply?.text ?? null,
    reply_date: owner_reply?.date ?? null,
    row_verified: typeof candidate.hidden === "string" ? HIDDEN_ROW : (candidate.row_verified ?? null),
    written_at,
    replied_at: owner_reply?.replied_at ?? null,
    updated_at: candidate.updated_at ?? null,
    arrived,
  };
}

/**
 * Merges a candidate into the stored row of the same review. An older edit changes nothing, fields that the export does
 * not have stay as they are, and a day does not replace an instant that falls on it.
 */
function updatedRow(row: ReviewTable, keys: Identity, candidate: Candidate): ReviewTable {
  if (isOlder(candidate.updated_at, row.updated_at)) return row;
  const { source, rating } = candidate;
  const stored = { date: row.date, written_at: row.written_at };
  const timing = datesAgree(stored, candidate) ? timeOf(stored, candidate) : candidate;
  const content = {
    source,
    source_id: candidate.source_id ?? row.source_id,
    author: candidate.author ?? row.author,
    date: timing.date,
    text: candidate.text === undefined ? row.text : candidate.text,
  };
  return {
    ...content,
    ...mergedIdentity(row, content, { keys, candidate }),
    language: content.text === row.text ? row.language : languageOfText(content.text),
    author_avatar_url: candidate.author_avatar_url === undefined ? row.author_avatar_url : candidate.author_avatar_url,
    rating,
    source_url: candidate.source_url === undefined ? row.source_url : candidate.source_url,
    ...replyOf(row, candidate),
    // A review from a Goodword export was verified when it was published, which adds nothing to a stored row.
    row_verified: verificationOf(row, candidate),
    written_at: timing.written_at,
    updated_at: importedInstant(row.updated_at, candidate.updated_at ?? null),
    arrived: row.arrived,
  };
}

/** A row that the owner's system hides stays so until that shows it again; an export that does not tell changes nothing. */
function verificationOf(row: ReviewTable, { hidden, published_id, row_verified }: Candidate): number | null {
  if (typeof hidden === "string") return HIDDEN_ROW;
  const stored = hidden === null && row.row_verified === HIDDEN_ROW ? null : row.row_verified;
  if (stored === HIDDEN_ROW) return stored;
  return (published_id === undefined ? row_verified : undefined) ?? stored;
}

const COMPARED_COLUMNS = [...PUBLISHED_COLUMNS, "row_verified"] as const;

/** The published fields in which two rows differ. */
function publicDifferences(a: ReviewTable, b: ReviewTable): string[] {
  return COMPARED_COLUMNS.filter((name) => a[name] !== b[name]);
}

/** Derives the identity of changed content. A row without a source id keeps its identity unless its date changes. */
export function identityOf(row: ReviewTable, content: Content, derived: Identity = identity(content)): Identity {
  const isKept = content.source_id === null && content.date === row.date;
  return isKept ? { ...derived, id: row.id, source_key: row.source_key } : derived;
}

/**
 * A redacted review keeps the identity that it had before its author or text was removed. A review whose row takes all
 * its content has the identity that was derived when it was staged.
 */
function mergedIdentity(
  row: ReviewTable,
  content: Content,
  { keys, candidate }: { readonly keys: Identity; readonly candidate: Candidate },
): Identity {
  const { redacted } = candidate;
  if (redacted === undefined) return identityOf(row, content, isContentOf(candidate, content) ? keys : undefined);
  if (content.source_id !== null) return { ...identityOf(row, content), natural_key: redacted.natural_key };
  return content.date === row.date ? { ...redacted, id: row.id, source_key: row.source_key } : redacted;
}

type Content = Pick<Candidate, "source" | "source_id" | "author" | "date" | "text">;

function isContentOf(candidate: Candidate, { source, source_id, author, date, text }: Content): boolean {
  const isSame = candidate.author === author && candidate.text === text && candidate.date === date;
  return isSame && candidate.source === source && candidate.source_id === source_id && source_id !== null;
}

type Timing = Pick<Candidate, "date" | "written_at">;

function timeOf(stored: Timing, imported: Timing): Timing {
  if (imported.written_at === null) return stored;
  return { date: imported.date, written_at: importedInstant(stored.written_at, imported.written_at) };
}

function replyOf(
  row: ReviewTable,
  candidate: Candidate,
): Pick<ReviewTable, "reply_text" | "reply_date" | "replied_at"> {
  const { reply_text, reply_date, replied_at } = row;
  const imported = candidate.owner_reply;
  const kept = { reply_text, reply_date, replied_at };
  if (imported === undefined) return kept;
  if (imported === null) return { reply_text: null, reply_date: null, replied_at: null };
  // A reply without a day says nothing of when it was written: the same words keep the day that they have.
  if (imported.date === null && imported.text === reply_text) return kept;
  if (reply_text !== null) {
    const order = compareReplies(imported, { text: reply_text, date: reply_date, replied_at });
    const isSameEdit = candidate.updated_at !== undefined && row.updated_at !== null;
    if (order < 0 && isSameEdit) return kept;
    if (order === 0 && imported.text === reply_text) {
      if (imported.replied_at === null) return kept;
      return { reply_text, reply_date: imported.date, replied_at: importedInstant(replied_at, imported.replied_at) };
    }
  }
  return { reply_text: imported.text, reply_date: imported.date, replied_at: imported.replied_at };
}

function isOlder(imported: string | undefined, stored: string | null): boolean {
  return imported !== undefined && stored !== null && compareInstants(imported, stored) < 0;
}

/** The instant of the import; if it equals the stored one, whichever has more decimals. */
function importedInstant(stored: string | null, imported: string | null): string | null {
  if (stored === null || imported === null) return imported ?? stored;
  return compareInstants(stored, imported) === 0 ? finerInstant(stored, imported) : imported;
}
