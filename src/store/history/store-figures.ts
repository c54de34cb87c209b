/** Figures about the store for `/metrics`: its size, its last changes, failures of followed sources, and messages that wait. */
import { sql } from "kysely";
import { isOnPostgres } from "../engine/postgres.ts";
import { readFollowedSources } from "../followed-source-rows.ts";
import { type WaitingNotices, waitingNotices } from "../notice-rows.ts";
import type { Store } from "../store.ts";
import { type ImportOutcomes, readImportOutcomes } from "./import-outcome-rows.ts";

export interface StoreFigures {
  /** Size on disk without the write-ahead log. */
  readonly bytes: number;
  /** The number of changes in the history. */
  readonly changes: number;
  /** When each command last changed the store. */
  readonly lastChanges: readonly { readonly command: string; readonly at: Date }[];
  /** How imports by command ended. */
  readonly imports: ImportOutcomes;
  /** Consecutive failures of each followed source, by its key. */
  readonly sourceFailures: ReadonlyMap<string, number>;
  /** The messages to the owner that wait, for each address that any wait for. */
  readonly waitingNotices: readonly WaitingNotices[];
}

/** Reads the figures. Cheap: none of the reads grows with the reviews. */
export async function readStoreFigures(store: Store): Promise<StoreFigures> {
  const { database } = store;
  const size = isOnPostgres(database)
    ? sql<{ bytes: number }>`(select pg_database_size(current_database()) as bytes)`
    : sql<{ bytes: number }>`(select page_count * page_size as bytes from pragma_page_count(), pragma_page_size())`;
  const { bytes } = await database.selectFrom(size.as("size")).select("bytes").executeTakeFirstOrThrow();
  const lastChanges = await database
    .selectFrom("change")
    .select(({ fn }) => ["command", fn.max("at").as("at"), fn.max("number").as("number")])
    .groupBy("command")
    .orderBy("command")
    .execute();
  const sources = await readFollowedSources(store);
  return {
    bytes: Number(bytes),
    changes: Math.max(0, ...lastChanges.map(({ number }) => Number(number))),
    lastChanges: lastChanges.map(({ command, at }) => ({ command, at: new Date(at) })),
    imports: await readImportOutcomes(database),
    sourceFailures: new Map(Array.from(sources, ([key, { failures }]) => [key, failures])),
    waitingNotices: [...(await waitingNotices(database)).values()],
  };
}
