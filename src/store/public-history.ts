/** What the public may know of the store's history, for `/provenance.json` (interface §6). */
import { sql } from "kysely";
import { dateOfReviewId } from "../review.ts";
import {
  listPublishedChanges,
  type PublishedChange,
  type SourceImport,
  sourceImports,
} from "./published-change-rows.ts";
import { countKinds, type KindCount } from "./review-rows.ts";
import type { Database, RemovalTable } from "./tables.ts";

export interface PublicHistory {
  readonly stored: readonly KindCount[];
  readonly imports: readonly SourceImport[];
  /** How many reviews of each source the owner took out, by a complete import or `withdraw`. */
  readonly withdrawn: ReadonlyMap<string, number>;
  readonly removals: readonly RemovalCount[];
  /** Newest first. */
  readonly changes: readonly PublishedChange[];
}

/** The history of an empty store. */
export const NO_HISTORY: PublicHistory = {
  stored: [],
  imports: [],
  withdrawn: new Map(),
  removals: [],
  changes: [],
};

export async function readPublicHistory(database: Database): Promise<PublicHistory> {
  return {
    stored: await countKinds(database),
    imports: await sourceImports(database),
    withdrawn: await countOwnerWithdrawn(database),
    removals: await countRemovals(database),
    changes: await listPublishedChanges(database),
  };
}

/** Removals and redactions that are alike in what is public about them. */
export interface RemovalCount extends Pick<RemovalTable, "what" | "source" | "rating"> {
  /** The year of the reviews. */
  readonly year: number;
  readonly count: number;
}

/** Removals and redactions by what is public about them: source, year of the review, and stars. */
async function countRemovals(database: Database): Promise<RemovalCount[]> {
  const counts = new Map<string, RemovalCount>();
  const removals = database.selectFrom("removal").select(["id", "what", "source", "rating"]);
  for (const { id, what, source, rating } of await removals.execute()) {
    const kind = { what, source, rating, year: Number(dateOfReviewId(id).slice(0, 4)) };
    const key = JSON.stringify(kind);
    counts.set(key, { ...kind, count: (counts.get(key)?.count ?? 0) + 1 });
  }
  return [...counts.values()];
}

/** How many reviews of each source the owner took out. A removed one counts as that alone, while its removal is in force. */
async function countOwnerWithdrawn(database: Database): Promise<ReadonlyMap<string, number>> {
  const rows = await database
    .selectFrom("withdrawn_review")
    .select(({ fn }) => ["source", fn.countAll().as("count")])
    .where("withdrawn_by", ">", 0)
    .where(sql<boolean>`substr(id, 11) not in (select substr(id, 11) from removal where what = 'review')`)
    .groupBy("source")
    .execute();
  return new Map(rows.map(({ source, count }) => [source, Number(count)]));
}
