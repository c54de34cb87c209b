/** Copies the hub's subscriptions and the MCP session keys when a backup is restored into a new store. */
import type { Database } from "../tables.ts";

const ROWS_AT_A_TIME = 100;

/**
 * Copies subscriptions, fan-outs and session keys into a store that has not been used yet. Existing subscriptions and
 * keys stay as they are.
 */
export async function copyHubRows(from: Database, to: Database): Promise<void> {
  for (const table of ["subscription", "session_key"] as const) {
    const rows = await from.selectFrom(table).selectAll().execute();
    for (let start = 0; start < rows.length; start += ROWS_AT_A_TIME) {
      await to
        .insertInto(table)
        .values(rows.slice(start, start + ROWS_AT_A_TIME))
        .onConflict((conflict) => conflict.doNothing())
        .execute();
    }
  }
  const fanOuts = await from.selectFrom("fan_out").selectAll().execute();
  if (fanOuts.length === 0) return;
  await to.deleteFrom("fan_out").execute();
  await to.insertInto("fan_out").values(fanOuts).execute();
}
