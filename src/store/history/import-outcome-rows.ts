/** Counts how imports by command ended, so that a server can report that the nightly one was refused. */
import { unsynced } from "../engine/unsynced-commit.ts";
import { noteTrouble } from "../notice-rows.ts";
import type { Store } from "../store.ts";
import type { Database } from "../tables.ts";

/** `refused`: the input was not accepted. `failed`: anything else, such as a full disk. */
export type ImportOutcome = "imported" | "unchanged" | "refused" | "failed";

const IMPORT_OUTCOMES: readonly ImportOutcome[] = ["imported", "unchanged", "refused", "failed"];
const FAILURES: readonly ImportOutcome[] = ["refused", "failed"];

export interface ImportOutcomes {
  readonly times: Readonly<Record<ImportOutcome, number>>;
  /** How many imports were refused or failed since the last that was accepted. */
  readonly failuresInARow: number;
}

/**
 * Counts an import that has ended. One that is accepted ends a row of failures. The owner is told when one is not, and
 * when one is again; of a followed source, by its own failures.
 */
export async function noteImportOutcome(
  { database }: Store,
  outcome: ImportOutcome,
  { now, isFollowed }: { readonly now: Date; readonly isFollowed: boolean },
): Promise<void> {
  const isFailure = FAILURES.includes(outcome);
  const last_at = now.toISOString();
  await unsynced(database, async (transaction) => {
    if (!isFailure) await transaction.updateTable("import_outcome").set({ in_a_row: 0 }).execute();
    await transaction
      .insertInto("import_outcome")
      .values({ outcome, times: 1, in_a_row: isFailure ? 1 : 0, last_at })
      .onConflict((conflict) =>
        conflict.column("outcome").doUpdateSet(({ eb }) => ({
          times: eb("import_outcome.times", "+", 1),
          in_a_row: isFailure ? eb("import_outcome.in_a_row", "+", 1) : 0,
          last_at,
        })),
      )
      .execute();
    if (!isFollowed) await noteTrouble(transaction, { key: "import", isOn: isFailure, at: now });
  });
}

/** Reads the counts. */
export async function readImportOutcomes(database: Database): Promise<ImportOutcomes> {
  const rows = await database.selectFrom("import_outcome").select(["outcome", "times", "in_a_row"]).execute();
  const times = Object.fromEntries(IMPORT_OUTCOMES.map((outcome) => [outcome, 0])) as Record<ImportOutcome, number>;
  for (const row of rows) times[row.outcome] = Number(row.times);
  return { times, failuresInARow: rows.reduce((sum, row) => sum + Number(row.in_a_row), 0) };
}
