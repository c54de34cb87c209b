/** SQL for published reviews: verified rows that are not copies of another source's rows, converted to reviews. */
import { type Expression, type ExpressionBuilder, type SelectQueryBuilder, type SqlBool, sql } from "kysely";
import { dateOfReviewId, type Review, timePart } from "../review.ts";
import { isOnPostgres } from "./engine/postgres.ts";
import { readColumns } from "./engine/read-columns.ts";
import { type Copy, CopyFinder, type CopyRow } from "./review-copies.ts";
import { type IdRange, reviewSpans } from "./review-writes.ts";
import { type ChangeTable, type Database, HIDDEN_ROW, type ReviewTable, type Tables } from "./tables.ts";

/**
 * SQL condition for verified rows: the source is verified, or the row itself is marked as verified (interface §1), and
 * the owner's own system does not hide it. Published are the verified rows without copies: see `publishedReviews`.
 */
export function verifiedCondition(verifiedSources: readonly string[]) {
  return (where: ExpressionBuilder<Tables, "review">): Expression<SqlBool> =>
    where.or([
      where("row_verified", "=", 1),
      ...(verifiedSources.length > 0
        ? [
            where.and([
              where("source", "in", [...verifiedSources]),
              where(({ fn, val }) => fn.coalesce("row_verified", val(0)), "<>", HIDDEN_ROW),
            ]),
          ]
        : []),
    ]);
}

/** Whether a row is verified: the same in the program. */
export function isVerifiedRow(
  { row_verified, source }: Pick<ReviewTable, "row_verified" | "source">,
  verifiedSources: readonly string[],
): boolean {
  return row_verified === 1 || (verifiedSources.includes(source) && row_verified !== HIDDEN_ROW);
}

/** A change in the history of the store. */
export type PastChange = Pick<ChangeTable, "number" | "at">;

/** The latest change in the history; undefined before the first. */
export async function latestChange(database: Database): Promise<PastChange | undefined> {
  const changes = database.selectFrom("change").select(["number", "at"]);
  return await changes.orderBy("number", "desc").limit(1).executeTakeFirst();
}

/**
 * The published reviews in the order of publication: newest date first, then id in descending order. With `days`, only
 * those of these days. One that was imported from two sources is listed once (interface §5); its copies have the same day.
 */
export async function publishedReviews(
  database: Database,
  sources: readonly string[],
  days?: Iterable<string>,
): Promise<readonly Review[]> {
  const wanted = days && [...days];
  if (wanted?.length === 0) return [];
  const all = verifiedQuery(database, sources);
  return withoutCopies(await readRows(database, wanted === undefined ? all : all.where("date", "in", wanted)), sources);
}

/** The published ones of the reviews with these ids, in the order of publication. */
export async function publishedAmong(
  database: Database,
  sources: readonly string[],
  ids: readonly string[],
): Promise<readonly Review[]> {
  if (ids.length === 0) return [];
  // Only reviews of two sources can be copies, and those are told by all that are of their day: there may be very many.
  if (await isOfOneSource(database))
    return (await readRows(database, verifiedQuery(database, sources).where("id", "in", ids))).reviews;
  const wanted = new Set(ids);
  const ofDays = await publishedReviews(database, sources, new Set(ids.map(dateOfReviewId)));
  return ofDays.filter(({ id }) => wanted.has(id));
}

/** Whether all rows of the store are of one source: two looks into an index. */
async function isOfOneSource(database: Database): Promise<boolean> {
  const { rows } = await sql<{ first: string | null; last: string | null }>`
    select (select min(source) from review) as first, (select max(source) from review) as last
  `.execute(database);
  return rows[0]?.first === rows[0]?.last;
}

/** What the place of one in their list consists of. */
export const REVIEW_PLACE = ["date", "id"] as const;

/** Which published reviews a page lists. */
export interface PageWish {
  readonly limit: number;
  /** In the text, the author's name or the reply, in any case of letters; or the review's id. */
  readonly words?: string | undefined;
  /** Only reviews with text. */
  readonly isWithText?: boolean;
  /** The last review of the page before. */
  readonly after?: Pick<ReviewTable, "date" | "id"> | undefined;
}

/** A page of published reviews, newest first. `last`: there are older ones after it. */
export interface ReviewPage {
  readonly reviews: readonly Review[];
  readonly last: Pick<ReviewTable, "date" | "id"> | undefined;
}

/** Reads a page of published reviews, without reading the others. */
export async function publishedPage(
  database: Database,
  sources: readonly string[],
  { limit, words = "", isWithText = false, after }: PageWish,
): Promise<ReviewPage> {
  let query = verifiedQuery(database, sources);
  if (isWithText) query = query.where("text", "is not", null);
  const isId = REVIEW_ID.test(words);
  if (isId) query = query.where("id", "=", words.toUpperCase());
  if (after !== undefined) {
    const { date, id } = after;
    query = query.where((where) =>
      where.or([where("date", "<", date), where.and([where("date", "=", date), where("id", "<", id)])]),
    );
  }
  const most = limit + 1;
  const rows = await (words === "" || isId
    ? newestFirst(query.select(["id", "date"]))
        .limit(most)
        .execute()
    : rowsHolding(database, query, { words, limit: most }));
  const wanted = rows.slice(0, limit).map(({ id }) => id);
  const end = rows.length > limit ? rows[limit - 1] : undefined;
  return {
    reviews: await publishedAmong(database, sources, wanted),
    last: end,
  };
}

const newestFirst = <Row>(query: SelectQueryBuilder<Tables, "review", Row>) =>
  query.orderBy("date", "desc").orderBy("id", "desc");

/** In how many of the newest reviews words are looked for before all. */
const SEARCHED_FIRST = 1_000;

/**
 * The newest reviews of a query that hold the words. Common ones are found among the newest. Others are looked for in the
 * order of the table: SQLite would read all rows one by one in that of an index.
 */
async function rowsHolding(
  database: Database,
  query: ReturnType<typeof verifiedQuery>,
  { words, limit }: { readonly words: string; readonly limit: number },
): Promise<{ readonly id: string; readonly date: string }[]> {
  const holds = sql<SqlBool>`(${sql.join(holding(words, isOnPostgres(database)), sql` or `)})`;
  const newest = newestFirst(query.select(["id", "date", "text", "author", "reply_text"])).limit(SEARCHED_FIRST);
  const first = database.selectFrom(newest.as("review")).where(holds);
  const common = await first
    .select(["id", "date"])
    .orderBy("date", "desc")
    .orderBy("id", "desc")
    .limit(limit)
    .execute();
  if (common.length === limit) return common;
  const all = query.where(holds).select(["id", "date"]).orderBy(sql`date || ''`, "desc");
  return await all.orderBy("id", "desc").limit(limit).execute();
}

const REVIEW_ID = /^[0-7][0-9A-HJKMNP-TV-Z]{25}$/i;

/** SQLite knows the case of English letters only, so that other words are looked for in three spellings. */
function holding(words: string, isPostgres: boolean): Expression<SqlBool>[] {
  const spellings = /^\p{ASCII}*$/u.test(words) ? [words] : [words, words.toLowerCase(), words.toUpperCase()];
  const like = isPostgres ? sql`ilike` : sql`like`;
  return (["text", "author", "reply_text"] as const).map((column) => {
    const holds = (part: string) =>
      sql<SqlBool>`${sql.ref(column)} ${like} ${`%${part.replaceAll(/[\\%_]/g, "\\$&")}%`} escape '\\'`;
    return sql<SqlBool>`(${holds(rarePart(words))} and (${sql.join([...new Set(spellings)].map(holds), sql` or `)}))`;
  });
}

const LETTERS_BY_FREQUENCY = " etaoinsrhldcumfpgwybvkxjqz";

/**
 * The part of words, in every spelling of them, that begins with the letter which texts have least: SQLite looks for the
 * first letter fast. Empty if the words have no three letters without an accent in a row.
 */
function rarePart(words: string): string {
  const runs = words.match(/[ -~]{3,}/g) ?? [];
  const parts = runs.flatMap((run) => Array.from({ length: run.length - 2 }, (_, at) => run.slice(at)));
  const rank = (part: string) => LETTERS_BY_FREQUENCY.indexOf(part.charAt(0).toLowerCase()) >>> 0; // none of them is the rarest
  return parts.toSorted((a, b) => rank(b) - rank(a))[0] ?? "";
}

/** A period of days, both inclusive. */
export interface DayRange {
  readonly from: string;
  readonly to: string;
}

/** The ids of all reviews of these days: they begin with the day. */
export function idsOfDays({ from, to }: DayRange): Required<IdRange> {
  const after = new Date(Date.parse(to) + 86_400_000).toISOString().slice(0, 10);
  return { after: timePart(from), before: timePart(after) };
}

/** The ids of the published reviews of these days, in the order of publication. */
export async function publishedIds(
  database: Database,
  sources: readonly string[],
  { from, to }: DayRange,
): Promise<readonly string[]> {
  const query = () => verifiedQuery(database, sources).where("date", ">=", from).where("date", "<=", to);
  let hasOneSource = true;
  let [first]: string[] = [];
  const ids = await readColumns(database, query().orderBy("date", "desc").orderBy("id", "desc"), {
    columns: ["id", "source"],
    make([id, source]) {
      first ??= source;
      hasOneSource &&= source === first;
      return id;
    },
  });
  if (hasOneSource) return ids;
  const copies = new CopyFinder(sources);
  const published = new Set(ids);
  for await (const rows of copyRowsIn(database, idsOfDays({ from, to })))
    for (const row of rows) if (published.has(row.id)) copies.add(row);
  for (const { id } of copies.copies()) published.delete(id);
  return [...published];
}

/** If more rows were written, reading everything is no slower than analysing that many again. */
const MAX_WRITTEN_ROWS = 5_000;

/**
 * The ids of the rows that were written in the `revisions` since a change; undefined if the history does not show them:
 * something else raised the revision, the saved rows of a change are gone, or it is a different store.
 */
export async function idsWrittenSince(
  database: Database,
  last: PastChange,
  revisions: number,
): Promise<ReadonlySet<string> | undefined> {
  const [first, ...changes] = await database
    .selectFrom("change")
    .select(["number", "at", "undone", "saved_bytes"])
    .where("number", ">=", last.number)
    .orderBy("number")
    .execute();
  if (first?.number !== last.number || first.at !== last.at) return undefined;
  if (changes.length !== revisions) return undefined;
  if (changes.some(({ undone, saved_bytes }) => undone !== 0 || saved_bytes === null)) return undefined;
  const saved = await database
    .selectFrom("saved_row")
    .select("id")
    .where("change", ">", first.number)
    .limit(MAX_WRITTEN_ROWS + 1)
    .execute();
  if (saved.length > MAX_WRITTEN_ROWS) return undefined;
  return new Set(saved.map(({ id }) => id));
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

/** The rows of a query, newest first. There may be very many. */
async function readRows(database: Database, query: ReturnType<typeof verifiedQuery>): Promise<ReadRows> {
  const [sourceIds, arrivals]: [CopyRow["source_id"][], CopyRow["arrived"][]] = [[], []];
  const reviews = await readColumns(database, query.orderBy("date", "desc").orderBy("id", "desc"), {
    columns: READ_COLUMNS,
    make([id, author, author_avatar_url, rating, date, text, source, source_url, ...others], place) {
      const [reply_text, reply_date, source_id, arrived] = others;
      sourceIds[place] = source_id;
      arrivals[place] = arrived;
      const owner_reply = reply_text === null ? null : { text: reply_text, date: reply_date };
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

/** The reviews of rows that include all of their days, without those that are copies. */
function withoutCopies({ reviews, sourceIds, arrivals }: ReadRows, verifiedSources: readonly string[]) {
  if (reviews.every(({ source }) => source === reviews[0]?.source)) return reviews;
  const finder = new CopyFinder(verifiedSources);
  for (const [at, { id, source, author, date, text }] of reviews.entries()) {
    finder.add({ id, source, author, date, text, source_id: sourceIds[at] ?? null, arrived: arrivals[at] ?? 0 });
  }
  const copies = new Set(Array.from(finder.copies(), ({ id }) => id));
  return reviews.filter(({ id }) => !copies.has(id));
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
  for await (const rows of copyRows(database)) {
    for (const row of rows) {
      const isVerified = isVerifiedRow(row, verifiedSources);
      if (isVerified) published.add(row);
      else unverified.add(row.id);
      // Published rows come first here, whenever they were imported: the aim is to find the one that a row is a copy of.
      all.add({ ...row, arrived: isVerified ? row.arrived : Number.MAX_SAFE_INTEGER });
    }
  }
  const withheld = [...all.copies()].filter(({ id, original }) => unverified.has(id) && !unverified.has(original.id));
  return [
    ...[...published.copies()].map((copy) => ({ ...copy, isVerified: true })),
    ...withheld.map((copy) => ({ ...copy, isVerified: false })),
  ];
}

const COPY_COLUMNS = ["id", "source", "source_id", "author", "date", "text", "arrived", "row_verified"] as const;

/** What tells copies among the stored rows, in pages; with `days`, only among the rows of these. */
export async function* copyRows(
  database: Database,
  days?: ReadonlySet<string>,
): AsyncGenerator<readonly (CopyRow & Pick<ReviewTable, "row_verified">)[]> {
  const query = database.selectFrom("review").select(COPY_COLUMNS);
  for (const day of days ?? []) yield await query.where("date", "=", day).execute();
  if (days === undefined) yield* copyRowsIn(database);
}

async function* copyRowsIn(database: Database, range?: IdRange) {
  const query = database.selectFrom("review").select(COPY_COLUMNS);
  for await (const { after, last } of reviewSpans(database, ROWS_AT_A_TIME, range))
    yield await query.where("id", ">", after).where("id", "<=", last).orderBy("id").execute();
}

/** The text of a stored review and its author. */
export type AuthoredText = Pick<ReviewTable, "source" | "author" | "date"> & { readonly text: string };

/** All stored reviews with a text, in pages. */
export async function* authoredTexts(database: Database): AsyncGenerator<readonly AuthoredText[]> {
  for await (const { after, last } of reviewSpans(database, ROWS_AT_A_TIME)) {
    const rows = await database
      .selectFrom("review")
      .select(["source", "author", "date", "text"])
      .where("text", "is not", null)
      .where("id", ">", after)
      .where("id", "<=", last)
      .orderBy("id")
      .execute();
    yield rows.map((row) => ({ ...row, text: row.text ?? "" }));
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

/** How many reviews the store holds, published or not, the bytes of all that they consist of, and of the long ones. */
export interface StoredSize {
  readonly reviews: number;
  readonly bytes: number;
  readonly longBytes: number;
}

const LONG_BYTES = 10_000;
/** What a saved row holds besides words: names of columns, keys, dates. Some have more of it. */
const SAVED_ROW_BYTES = 460;

/** With the number of a change, what the store would hold after its undo, by an estimate that reads no words. */
export async function storedSize(database: Database, undone?: number): Promise<StoredSize> {
  const columns = ["author", "author_avatar_url", "text", "source_id", "source_url", "reply_text"] as const;
  const sizes = columns.map((name) => sql`coalesce(octet_length(${sql.ref(name)}), 0)`);
  const { rows } = await sql<{ readonly [Name in keyof StoredSize]: number | string | null }>`
    select count(*) as reviews, sum(size) as bytes, sum(case when size > ${LONG_BYTES} then size end) as "longBytes"
    from (select ${sql.join(sizes, sql` + `)} as size from review${undone === undefined ? sql`` : rowsAfterUndo(undone)}) as sizes
  `.execute(database);
  const [row] = rows;
  return { reviews: Number(row?.reviews), bytes: Number(row?.bytes ?? 0), longBytes: Number(row?.longBytes ?? 0) };
}

/** Leaves out of all reviews those that the undo takes out, and adds the sizes of those that it brings back. */
function rowsAfterUndo(change: number) {
  return sql`
    where not exists (select 1 from saved_row where change = ${change} and saved_row.id = review.id) union all
    select case when octet_length(body) > ${SAVED_ROW_BYTES} then octet_length(body) - ${SAVED_ROW_BYTES} else 0 end
    from saved_row where change = ${change} and body is not null`;
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

/**
 * The number of published reviews with text in each language, by their number. `copies` are the ids of verified rows that
 * are not published.
 */
export async function countLanguages(
  database: Database,
  verifiedSources: readonly string[],
  copies: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  const counts = new Map<string, number>();
  const all = database
    .selectFrom("review")
    .select(({ fn }) => ["language", fn.countAll().as("count")])
    .where("language", "is not", null)
    .groupBy("language");
  const add = (rows: readonly { readonly language: string | null; readonly count: unknown }[], sign: number) => {
    for (const { language, count } of rows)
      if (language !== null) counts.set(language, (counts.get(language) ?? 0) + sign * Number(count));
  };
  add(await all.where(verifiedCondition(verifiedSources)).execute(), 1);
  if (copies.length > 0) add(await all.where("id", "in", copies).execute(), -1);
  return counts;
}

/** The ids of the verified reviews in some languages, in pages. */
export async function* idsInLanguages(
  database: Database,
  verifiedSources: readonly string[],
  languages: readonly string[],
): AsyncGenerator<readonly string[]> {
  for (let last = ""; languages.length > 0; ) {
    const query = database
      .selectFrom("review")
      .select("id")
      .where("language", "in", [...languages]);
    const page = query.where(verifiedCondition(verifiedSources)).where("id", ">", last).orderBy("id");
    const rows = await page.limit(ROWS_AT_A_TIME).execute();
    if (rows.length === 0) return;
    yield rows.map(({ id }) => id);
    last = rows.at(-1)?.id ?? "";
  }
}

/** How many stored reviews have a source and a mark as verified. */
export interface KindCount extends Pick<ReviewTable, "source" | "row_verified"> {
  readonly count: number;
}

/** The stored reviews by what decides whether they are verified. */
export async function countKinds(database: Database): Promise<KindCount[]> {
  const rows = await database
    .selectFrom("review")
    .select(({ fn }) => ["source", "row_verified", fn.countAll().as("count")])
    .groupBy(["source", "row_verified"])
    .execute();
  return rows.map((row) => ({ ...row, count: Number(row.count) }));
}

/** The number of stored reviews of each source that are not published because nothing verifies them. */
export async function countUnverified(
  database: Database,
  verifiedSources: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  const counts = new Map<string, number>();
  for (const kind of await countKinds(database))
    if (!isVerifiedRow(kind, verifiedSources)) counts.set(kind.source, (counts.get(kind.source) ?? 0) + kind.count);
  return counts;
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
