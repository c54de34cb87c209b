/** Runs work in one transaction, for a dry run one that is rolled back: what is shown is then exactly what would be done. */
import type { Database } from "./tables.ts";

class DryRun extends Error {}

export async function commit<Result>(
  database: Database,
  isDryRun: boolean,
  work: (transaction: Database) => Promise<Result>,
): Promise<Result> {
  let result: Result | undefined;
  try {
    return await database.transaction().execute(async (transaction) => {
      result = await work(transaction);
      if (isDryRun) throw new DryRun();
      return result;
    });
  } catch (error) {
    if (error instanceof DryRun) return result as Result;
    throw error;
  }
}
