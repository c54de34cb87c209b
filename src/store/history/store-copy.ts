/** Copies a whole store to another engine, or its subscriptions and session keys to a new store. */
import { type RawBuilder, sql } from "kysely";
import { insertMany } from "../engine/insert-many.ts";
import { lockRevision, readRevision, type Store } from "../store.ts";
import type { Database, Tables } from "../tables.ts";

/**
 * The tables that are copied, with their primary keys. The revision is copied separately. Left out are claims, the clock
 * and commit marks, which belong to running processes of the old store, its cached edition, and pending erasures, because
 * a new store has no freed pages.
 */
const PRIMARY_KEYS = {
  business: ["id"],
  review: ["id"],
  analysis: ["key"],
  session_key: ["number"],
  subscription: ["id"],
  intent: ["id"],
  fan_out: ["topic", "shard"],
  followed_source: ["key"],
  notice: ["id"],
  notice_review: ["notice", "id", "is_edited"],
  notice_delivery: ["notice", "address"],
  notice_address: ["address"],
  trouble: ["key"],
  removal: ["id", "what"],
  removal_key: ["id", "kind", "key"],
  correction: ["id", "aspect", "text_key"],
  edit: ["id"],
  import_outcome: ["outcome"],
  change: ["number"],
  saved_row: ["change", "id"],
  withdrawn_review: ["id"],
  source_place: ["source", "kind", "id"],
  published_change: ["number"],
  published_review: ["id"],
  sequence_end: ["number"],
  source_import: ["source", "change"],
  sighting: ["source", "id", "place", "change"],
  vanished_review: ["id", "change"],
} as const satisfies Partial<Record<keyof Tables, readonly string[]>>;

type CopiedTable = keyof typeof PRIMARY_KEYS;

const COPIED_TABLES = Object.keys(PRIMARY_KEYS) as readonly CopiedTable[];

const ROWS_AT_A_TIME = 200;

type Row = Record<string, string | number | null>;

/** The number of rows that were copied from each table. */
export type CopiedRows = ReadonlyMap<CopiedTable, number>;

/** Called after each batch with the table and the number of its rows so far. */
export type OnCopied = (table: CopiedTable, rows: number) => void;

/**
 * Copies everything from one store to an empty one: from one consistent snapshot, in one transaction of the target, in
 * batches.
 * @throws Error when the target holds anything.
 */
export async function copyStore(from: Store, to: Store, onCopied: OnCopied = () => {}): Promise<CopiedRows> {
  return await from.database
    .transaction()
    .setAccessMode("read only")
    .setIsolationLevel("repeatable read")
    .execute(async (source) => {
      return await to.database.transaction().execute(async (target) => {
        await lockRevision(target);
        await requireEmpty(target);
        const copied = new Map<CopiedTable, number>();
        for (const table of COPIED_TABLES) {
          copied.set(table, await copyTable(source, target, { table, onCopied }));
        }
        const { number, revised_at } = await readRevision(source);
        await target.updateTable("revision").set({ number, revised_at: revised_at.toISOString() }).execute();
        return copied;
      });
    });
}

async function requireEmpty(target: Database): Promise<void> {
  const held: string[] = [];
  for (const table of COPIED_TABLES) {
    const { rows } = await sql`select 1 from ${sql.table(table)} limit 1`.execute(target);
    if (rows.length > 0) held.push(table);
  }
  if ((await readRevision(target)).number === 0 && held.length === 0) return;
  throw new Error(
    `The target is not empty${held.length === 0 ? "" : `: it has rows in ${held.join(", ")}`}. Nothing was copied. Name a store that nothing was imported into and no server was started on`,
  );
}

/**
 * Copies subscriptions, fan-outs and session keys into a store that has not been used yet. Existing subscriptions and
 * keys stay as they are.
 */
export async function copyHubRows(source: Database, target: Database): Promise<void> {
  for (const table of ["subscription", "intent", "session_key"] as const) {
    await copyTable(source, target, { table, skipsConflicts: true });
  }
  if ((await source.selectFrom("fan_out").select("topic").limit(1).execute()).length === 0) return;
  await target.deleteFrom("fan_out").execute();
  await copyTable(source, target, { table: "fan_out" });
}

/** Copies what the public may know of the history into a store that has none. */
export async function copyPublishedChanges(source: Database, target: Database): Promise<void> {
  await copyTable(source, target, { table: "published_change" });
}

interface TableCopy {
  readonly table: CopiedTable;
  readonly onCopied?: OnCopied;
  /** Whether rows that the target already has are skipped, instead of being an error. */
  readonly skipsConflicts?: boolean;
}

/** Copies a table in pages. Returns the number of rows in the source. */
async function copyTable(
  source: Database,
  target: Database,
  { table, onCopied, skipsConflicts = false }: TableCopy,
): Promise<number> {
  const keys = PRIMARY_KEYS[table];
  const columns = sql.join(keys.map((key) => sql.ref(key)));
  let copied = 0;
  for (let last: Row | undefined; ; ) {
    const after: RawBuilder<unknown> =
      last === undefined ? sql`` : sql`where (${columns}) > (${sql.join(keys.map((key) => last?.[key]))})`;
    const page = sql<Row>`select * from ${sql.table(table)} ${after} order by ${columns} limit ${ROWS_AT_A_TIME}`;
    const { rows } = await page.execute(source);
    if (rows.length > 0) {
      await insertMany(target, table, { rows: rows as never, skipsConflicts });
      copied += rows.length;
      onCopied?.(table, copied);
    }
    last = rows.at(-1);
    if (last === undefined || rows.length < ROWS_AT_A_TIME) return copied;
  }
}
