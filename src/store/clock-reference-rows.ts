/** SQL for the clock of an embedded store: what the processes of its machine agree on (database-clock.ts). */
import type { ClockReferenceTable, Database } from "./tables.ts";

export type ClockReference = Readonly<Omit<ClockReferenceTable, "id">>;

/** The stored reference; undefined before the first. */
export async function readClockReference(database: Database): Promise<ClockReference | undefined> {
  return await database.selectFrom("clock_reference").select(["boot", "offset_ms", "steady_ms"]).executeTakeFirst();
}

/** Replaces the stored reference. */
export async function writeClockReference(database: Database, reference: ClockReference): Promise<void> {
  await database
    .insertInto("clock_reference")
    .values({ id: 1, ...reference })
    .onConflict((conflict) => conflict.column("id").doUpdateSet(reference))
    .execute();
}
