/**
 * SQL for the change sequence (interface §10). Whatever happens to a published review gets the next number, and only the
 * latest number of a review is stored: a copy that has everything up to a number lacks what has a higher one.
 */
import { randomBytes } from "node:crypto";
import { sql } from "kysely";
import { insertMany } from "./engine/insert-many.ts";
import { readColumns } from "./engine/read-columns.ts";
import type { Database, SequenceEndTable } from "./tables.ts";

/** How long a copy may take to ask again, and the id of a review that is published no more stays. */
const KEPT_MS = 400 * 86_400_000;
const MAX_ENDS = 10_000;
/** As a literal: with a parameter, no engine knows that the index of these rows will do. */
const IS_GONE = sql.lit(1);

export type SequenceEnd = Readonly<Omit<SequenceEndTable, "at">>;

/** A review that is no longer published. */
type GoneReview = readonly [id: string, number: number];

/** What an edition needs of the change sequence. */
export interface ChangeSequence {
  /** In ascending order: what a copy may have followed it to. */
  readonly ends: readonly SequenceEnd[];
  /** The numbers of published reviews by id: of all, or those that were given since the last edition. */
  readonly numbers: ReadonlyMap<string, number>;
  readonly isWhole: boolean;
  /** Newest first. */
  readonly gone: readonly GoneReview[];
}

/** The sequence of an empty store. */
export const NO_SEQUENCE: ChangeSequence = { ends: [], numbers: new Map(), isWhole: true, gone: [] };

/** Gives numbers to reviews, in the transaction of a change. */
export interface Numbering {
  /** The highest number before the change. */
  readonly base: number;
  /** Numbers published reviews that are new or changed; with `isGone`, those that are no longer published. */
  number(ids: readonly string[], options?: { readonly isGone: boolean }): Promise<void>;
  /** Records the end of the sequence, and forgets what copies have had the time to see. */
  finish(): Promise<void>;
}

/** Begins to give numbers. With `isRestart`, everything before is forgotten, so that all copies start again. */
export async function openNumbering(
  transaction: Database,
  { at, isRestart = false }: { readonly at: Date; readonly isRestart?: boolean },
): Promise<Numbering> {
  const highest = transaction.selectFrom("sequence_end").select(({ fn }) => fn.max<number | null>("number").as("last"));
  const before = (await highest.executeTakeFirst())?.last ?? null;
  const base = before ?? 0;
  if (isRestart) await transaction.deleteFrom("published_review").execute();
  let last = isRestart ? base + 1 : base;
  return {
    base,
    async number(ids, { isGone } = { isGone: false }) {
      if (base > 0 && ids.length > 0) await transaction.deleteFrom("published_review").where("id", "in", ids).execute();
      const rows = ids.map((id) => ({ id, number: ++last, is_gone: isGone ? 1 : 0 }));
      await insertMany(transaction, "published_review", { rows });
    },
    async finish() {
      if (before !== null && last === base) return;
      const end = { number: last, key: randomBytes(9).toString("base64url"), at: at.toISOString() };
      await transaction.insertInto("sequence_end").values(end).execute();
      if (isRestart) await transaction.deleteFrom("sequence_end").where("number", "<", last).execute();
      await forgetSeen(transaction, at);
    },
  };
}

/** Forgets the ids of reviews that copies have had the time to delete, and the ends of copies that did not ask. */
async function forgetSeen(transaction: Database, at: Date): Promise<void> {
  const ends = () => transaction.selectFrom("sequence_end").select("number").orderBy("number", "desc").limit(1);
  const seen = await ends()
    .where("at", "<", new Date(at.getTime() - KEPT_MS).toISOString())
    .executeTakeFirst();
  if (seen !== undefined) {
    await transaction.deleteFrom("sequence_end").where("number", "<", seen.number).execute();
    const gone = transaction.deleteFrom("published_review").where("is_gone", "=", 1);
    await gone.where("number", "<=", seen.number).execute();
  }
  const excess = await ends().offset(MAX_ENDS).executeTakeFirst();
  if (excess !== undefined) await transaction.deleteFrom("sequence_end").where("number", "<=", excess.number).execute();
}

/** Whether any review is published. */
export async function isAnyPublished(database: Database): Promise<boolean> {
  const published = database.selectFrom("published_review").select("id").where("is_gone", "=", 0);
  return (await published.limit(1).executeTakeFirst()) !== undefined;
}

/** The sequence. With the end that an edition has, only the numbers that were given since, if it is the same sequence. */
export async function readChangeSequence(database: Database, since?: SequenceEnd): Promise<ChangeSequence> {
  const ends = await readColumns(database, database.selectFrom("sequence_end").orderBy("number"), {
    columns: ["number", "key"],
    make: ([number, key]): SequenceEnd => ({ number, key }),
  });
  const isSame = since !== undefined && ends.some(({ number, key }) => number === since.number && key === since.key);
  const reviews = database.selectFrom("published_review");
  const numbers = new Map<string, number>();
  await readColumns(database, reviews.where("is_gone", "=", 0).where("number", ">", isSame ? since.number : 0), {
    columns: ["id", "number"],
    make: ([id, number]) => void numbers.set(id, number),
  });
  const gone = await readColumns(database, reviews.where("is_gone", "=", IS_GONE).orderBy("id", "desc"), {
    columns: ["id", "number"],
    make: ([id, number]): GoneReview => [id, number],
  });
  return { ends, numbers, isWhole: !isSame, gone };
}
