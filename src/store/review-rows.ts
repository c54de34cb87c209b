/** SQL for published reviews: verified rows that are not copies of another source's rows, converted to reviews. */
import type { Expression, ExpressionBuilder, SqlBool } from "kysely";
import type { Review } from "../review.ts";
import { listOf, type ReviewList } from "../review-list.ts";
import { readColumns } from "./engine/read-columns.ts";
import { type Copy, CopyFinder, type CopyRow } from "./review-copies.ts";
import type { ChangeTable, Database, ReviewTable, Tables } from "./tables.ts";

/**
 * SQL condition for verified rows: the source is verified, or the row itself is marked as verified (interface §1).
 * Published are the verified rows without copies: see `publishedRows`.
 */
export function verifiedCondition(verifiedSources: readonly string[]) {
  return (where: ExpressionBuilder<Tables, "review">): Expression<SqlBool> =>
    where.or([
      where("row_verified", "=", 1),
      ...(verifiedSources.length > 0 ? [where("source", "in", [...verifiedSources])] : []),
    ]);
}

/** The published rows at a revision. The next snapshot reads only what has been written since. */
export interface PublishedRows {
  readonly revision: number;
  /** The latest change in the history at that revision. */
  readonly change: HistoryPlace | undefined;
  readonly sources: readonly string[];
  readonly reviews: ReviewList;
  /** The source of all verified rows, if it is one: then none is a copy. */
  readonly onlySource: string | undefined;
  /**
   * The ids and days of the verified rows that are not published, because another source has the same review: one that
   * was imported from two sources is listed once (interface §5).
   */
  readonly copies: ReadonlyMap<string, string>;
}

type HistoryPlace = Pick<ChangeTable, "number" | "at">;

/**
 * The published rows in the order of publication: newest date first, then id in descending order. If the changes since
 * `known` are all in the history with the rows that they wrote, only these rows are read.
 */
export async function publishedRows(
  database: Database,
  { revision, sources, known }: Pick<PublishedRows, "revision" | "sources"> & { readonly known?: PublishedRows },
): Promise<PublishedRows> {
  const change = await latestChange(database);
  const written = known && (await idsWrittenSince(database, known, { revision, sources }));
  if (known === undefined || written === undefined) {
    const rows = await readRows(
      database,
      verifiedQuery(database, sources).orderBy("date", "desc").orderBy("id", "desc"),
    );
    const copies = copiesAmong(rows, sources);
    const reviews = listOf(copies.size === 0 ? rows.reviews : rows.reviews.filter(({ id }) => !copies.has(id)));
    return { revision, change, sources, reviews, onlySource: onlySourceOf(rows.reviews), copies };
  }
  if (written.length === 0) return { ...known, revision, change };
  const news: Review[] = [];
  for (let start = 0; start < written.length; start += VALUES_AT_A_TIME) {
    const ids = written.slice(start, start + VALUES_AT_A_TIME);
    news.push(...(await readRows(database, verifiedQuery(database, sources).where("id", "in", ids))).reviews);
  }
  const { left, taken } = known.reviews.without(written);
  const reviews = left.with(news);
  const isWritten = new Set(written);
  const copies = new Map([...known.copies].filter(([id]) => !isWritten.has(id)));
  const isNoneGone = taken.length === 0 && copies.size === known.copies.size;
  const onlySource = onlySourceAfter(known, { news, isNoneGone }, { reviews, copies });
  if (onlySource !== undefined) return { revision, change, sources, reviews, onlySource, copies };
  const daysOfCopies = written.flatMap((id) => known.copies.get(id) ?? []);
  const days = new Set([...[...taken, ...news].map(({ date }) => date), ...daysOfCopies]);
  const settled = await settleCopies(database, { reviews, copies }, { sources, days });
  const rows = { revision, change, sources, ...settled };
  // Without copies before, there were several sources or no rows, and there can only be more copies now.
  return { ...rows, onlySource: copies.size === 0 ? undefined : onlySourceIn(settled.reviews, settled.copies) };
}

/** The latest change in the history; undefined before the first. */
export async function latestChange(database: Database): Promise<HistoryPlace | undefined> {
  const changes = database.selectFrom("change").select(["number", "at"]);
  const last = await changes.orderBy("number", "desc").limit(1).executeTakeFirst();
  return last && { ...last }; // a row has no prototype, which an edition from a file has
}

type Rows = Pick<PublishedRows, "reviews" | "copies">;

/** Finds which rows are copies after some of these days were written. Copies have the same day: those of others stay. */
async function settleCopies(
  database: Database,
  { reviews, copies }: Rows,
  { sources, days }: Pick<PublishedRows, "sources"> & { readonly days: ReadonlySet<string> },
): Promise<Rows> {
  const asked = [...days];
  const found = new Map([...copies].filter(([, day]) => !days.has(day)));
  const withheld: string[] = [];
  const returned: Review[] = [];
  for (let start = 0; start < asked.length; start += VALUES_AT_A_TIME) {
    const ofDays = verifiedQuery(database, sources).where("date", "in", asked.slice(start, start + VALUES_AT_A_TIME));
    const rows = await readRows(database, ofDays);
    for (const [id, day] of copiesAmong(rows, sources)) {
      found.set(id, day);
      withheld.push(id);
    }
    for (const review of rows.reviews) if (copies.has(review.id) && !found.has(review.id)) returned.push(review);
  }
  return { reviews: reviews.without(withheld).left.with(returned), copies: found };
}

/** Values in one statement: databases limit them. */
const VALUES_AT_A_TIME = 500;
/** Above this number of written rows, reading all rows is hardly slower. */
const MOST_WRITTEN = 20_000;

/**
 * The ids of the rows that were written since `known`; undefined if the history does not show them: something else raised
 * the revision, the saved rows of a change are gone, or it is a different store.
 */
async function idsWrittenSince(
  database: Database,
  known: PublishedRows,
  { revision, sources }: Pick<PublishedRows, "revision" | "sources">,
): Promise<string[] | undefined> {
  if (sources.join() !== known.sources.join() || known.change === undefined) return undefined;
  const [last, ...changes] = await database
    .selectFrom("change")
    .select(["number", "at", "undone", "saved_bytes"])
    .where("number", ">=", known.change.number)
    .orderBy("number")
    .execute();
  if (last?.number !== known.change.number || last.at !== known.change.at) return undefined;
  if (changes.length !== revision - known.revision) return undefined;
  if (changes.some(({ undone, saved_bytes }) => undone !== 0 || saved_bytes === null)) return undefined;
  const saved = await database
    .selectFrom("saved_row")
    .select(["id", "became"])
    .where("change", ">", last.number)
    .limit(MOST_WRITTEN + 1)
    .execute();
  if (saved.length > MOST_WRITTEN) return undefined;
  return [...new Set(saved.flatMap(({ id, became }) => (became === null ? [id] : [id, became])))];
}

function verifiedQuery(database: Database, sources: readonly string[]) {
  return database.selectFrom("review").where(verifiedCondition(sources));
}

/** Reviews, and in the same order what else identifies copies. */
interface ReadRows {
  readonly reviews: readonly Review[];
  readonly sourceIds: readonly CopyRow["source_id"][];
  readonly arrivals: readonly CopyRow["arrived"][];
}

/** The rows of a query. */
async function readRows(database: Database, query: ReturnType<typeof verifiedQuery>): Promise<ReadRows> {
  const [sourceIds, arrivals]: [CopyRow["source_id"][], CopyRow["arrived"][]] = [[], []];
  const reviews = await readColumns(database, query, {
    columns: READ_COLUMNS,
    make([id, author, author_avatar_url, rating, date, text, source, source_url, ...others], place) {
      const [reply_text, reply_date, source_id, arrived] = others;
      sourceIds[place] = source_id;
      arrivals[place] = arrived;
      const owner_reply = reply_text === null || reply_date === null ? null : { text: reply_text, date: reply_date };
      return { id, author, author_avatar_url, rating, date, text, source, source_url, owner_reply, verified: true };
    },
  });
  return { reviews, sourceIds, arrivals };
}

/** The columns of a review that are published. */
export const PUBLISHED_COLUMNS = [
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
] as const satisfies (keyof ReviewTable)[];

/** Those, and the others that identify copies. Reading all columns takes 50 % longer. */
const READ_COLUMNS = [...PUBLISHED_COLUMNS, "source_id", "arrived"] as const;

function onlySourceOf(rows: Iterable<{ readonly source: string }>): string | undefined {
  let only: string | undefined;
  for (const { source } of rows) {
    only ??= source;
    if (source !== only) return undefined;
  }
  return only;
}

/** The source of all verified rows. A copy is of another one than the review that it is a copy of. */
function onlySourceIn(reviews: ReviewList, copies: PublishedRows["copies"]): string | undefined {
  return copies.size === 0 ? onlySourceOf(reviews) : undefined;
}

/** The same after some rows were written. Mostly it follows from what was known, and the others need not be read. */
function onlySourceAfter(
  known: PublishedRows,
  { news, isNoneGone }: { readonly news: readonly Review[]; readonly isNoneGone: boolean },
  { reviews, copies }: Rows,
): string | undefined {
  const { onlySource } = known;
  const isMixed = onlySource === undefined && known.reviews.length > 0;
  if (isMixed && isNoneGone) return undefined;
  if (onlySource !== undefined && reviews.length > 0 && news.every(({ source }) => source === onlySource))
    return onlySource;
  return onlySourceIn(reviews, copies);
}

/** The copies among rows that include all of their days. */
function copiesAmong({ reviews, sourceIds, arrivals }: ReadRows, verifiedSources: readonly string[]) {
  const copies = new Map<string, string>();
  if (reviews.length === 0 || onlySourceOf(reviews) !== undefined) return copies;
  const finder = new CopyFinder(verifiedSources);
  for (const [at, { id, source, author, date, text }] of reviews.entries()) {
    finder.add({ id, source, author, date, text, source_id: sourceIds[at] ?? null, arrived: arrivals[at] ?? 0 });
  }
  const ids = new Set([...finder.copies()].map(({ id }) => id));
  for (const { id, date } of reviews) if (ids.has(id)) copies.set(id, date);
  return copies;
}

/** A row that is a copy, and whether its own source is verified. */
export interface StoredCopy extends Copy {
  readonly isVerified: boolean;
}

const ROWS_AT_A_TIME = 2000;

/**
 * Every stored row that is not published because another source has the same review: copies among verified rows, and
 * rows of unverified sources that are also published from a verified one.
 */
export async function storedCopies(database: Database, verifiedSources: readonly string[]): Promise<StoredCopy[]> {
  const sources = await database.selectFrom("review").select("source").distinct().execute();
  if (sources.length < 2) return [];
  const published = new CopyFinder(verifiedSources);
  const all = new CopyFinder(verifiedSources);
  const unverified = new Set<string>();
  for (let after = ""; ; ) {
    const rows = await database
      .selectFrom("review")
      .select(["id", "source", "source_id", "author", "date", "text", "arrived", "row_verified"])
      .where("id", ">", after)
      .orderBy("id")
      .limit(ROWS_AT_A_TIME)
      .execute();
    for (const row of rows) {
      const isVerified = row.row_verified === 1 || verifiedSources.includes(row.source);
      if (isVerified) published.add(row);
      else unverified.add(row.id);
      // Published rows come first here, whenever they were imported: the aim is to find the one that a row is a copy of.
      all.add({ ...row, arrived: isVerified ? row.arrived : Number.MAX_SAFE_INTEGER });
    }
    const last = rows.at(-1);
    if (last === undefined || rows.length < ROWS_AT_A_TIME) break;
    after = last.id;
  }
  const withheld = [...all.copies()].filter(({ id, original }) => unverified.has(id) && !unverified.has(original.id));
  return [
    ...[...published.copies()].map((copy) => ({ ...copy, isVerified: true })),
    ...withheld.map((copy) => ({ ...copy, isVerified: false })),
  ];
}

/** The text of a stored review and its author. */
export type AuthoredText = Pick<ReviewTable, "source" | "author" | "date"> & { readonly text: string };

/** All stored reviews with a text, in pages. */
export async function* authoredTexts(database: Database): AsyncGenerator<readonly AuthoredText[]> {
  for (let after = ""; ; ) {
    const rows = await database
      .selectFrom("review")
      .select(["id", "source", "author", "date", "text"])
      .where("text", "is not", null)
      .where("id", ">", after)
      .orderBy("id")
      .limit(ROWS_AT_A_TIME)
      .execute();
    yield rows.map(({ source, author, date, text }) => ({ source, author, date, text: text ?? "" }));
    const last = rows.at(-1);
    if (last === undefined || rows.length < ROWS_AT_A_TIME) return;
    after = last.id;
  }
}

/** Stop after this many: it is only a warning. */
const MAX_AUTHORS = 500;

/**
 * Reviews without a source's own id whose author wrote several at the same source on the same day, by author and day.
 * `unnamed` are the placeholders for customers without a name.
 */
export async function sameAuthorAndDay(
  database: Database,
  { sources, unnamed }: { readonly sources: readonly string[]; readonly unnamed: readonly string[] },
): Promise<Pick<ReviewTable, "id" | "author" | "date">[][]> {
  if (sources.length === 0) return [];
  const repeated = await database
    .selectFrom("review")
    .select(["source", "author", "date"])
    .where("source_id", "is", null)
    .where("source", "in", [...sources])
    .where("author", "not in", [...unnamed])
    .groupBy(["source", "author", "date"])
    .having(({ fn }) => fn.countAll(), ">", 1)
    .orderBy("date", "desc")
    .orderBy("author")
    .limit(MAX_AUTHORS)
    .execute();
  const reading = repeated.map(async ({ source, author, date }) => {
    return await database
      .selectFrom("review")
      .select(["id", "author", "date"])
      .where("date", "=", date)
      .where("author", "=", author)
      .where("source", "=", source)
      .where("source_id", "is", null)
      .orderBy("id")
      .execute();
  });
  return await Promise.all(reading);
}

/** The number of verified reviews, including copies. */
export async function countVerified(
  database: Database,
  verifiedSources: readonly string[],
  ids?: readonly string[],
): Promise<number> {
  if (ids?.length === 0) return 0;
  let query = database.selectFrom("review").select(({ fn }) => fn.countAll().as("count"));
  query = query.where(verifiedCondition(verifiedSources));
  if (ids !== undefined) query = query.where("id", "in", [...ids]);
  return Number((await query.executeTakeFirstOrThrow()).count);
}

/** The number of stored reviews of each source that are not published because nothing verifies them. */
export async function countUnverified(
  database: Database,
  verifiedSources: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  const rows = await database
    .selectFrom("review")
    .select(({ fn }) => ["source", fn.countAll().as("count")])
    .where(({ fn, val }) => fn.coalesce("row_verified", val(0)), "<>", 1)
    .$if(verifiedSources.length > 0, (query) => query.where("source", "not in", [...verifiedSources]))
    .groupBy("source")
    .execute();
  return new Map(rows.map(({ source, count }) => [source, Number(count)]));
}

/** The ids of withdrawn and of removed reviews, in ascending order. Redacted reviews are not among them. */
export async function goneReviewIds(database: Database): Promise<string[]> {
  const rows = await database
    .selectFrom("removal")
    .select("id")
    .where("what", "=", "review")
    .union(database.selectFrom("withdrawn_review").select("id"))
    .orderBy("id")
    .execute();
  return rows.map(({ id }) => id);
}
