/** SQL for the places that sources' reviews are about: what the first import with a place had. */
import { insertMany } from "./engine/insert-many.ts";
import type { Database, SourcePlaceTable } from "./tables.ts";

/** The remembered places, in a fixed order. */
export async function readSourcePlaces(database: Database): Promise<SourcePlaceTable[]> {
  const rows = await database.selectFrom("source_place").selectAll().execute();
  const keyOf = ({ source, kind, id }: SourcePlaceTable) => `${source}\n${kind}\n${id}`;
  return rows.toSorted((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
}

/** Remembers these places instead of all others. */
export async function writeSourcePlaces(transaction: Database, places: readonly SourcePlaceTable[]): Promise<void> {
  await transaction.deleteFrom("source_place").execute();
  await addSourcePlaces(transaction, places);
}

export async function addSourcePlaces(transaction: Database, places: readonly SourcePlaceTable[]): Promise<void> {
  await insertMany(transaction, "source_place", { rows: places, skipsConflicts: true });
}

/** Forgets the place of a source whose reviews are withdrawn. */
export async function forgetSourcePlace(transaction: Database, source: string): Promise<void> {
  await transaction.deleteFrom("source_place").where("source", "=", source).execute();
}
