/** The states of the stores of all sites in one PostgreSQL database, read with one query. */
import { sql } from "kysely";
import { openPostgres } from "./engine/postgres.ts";
import { schemaOf } from "./engine/store-url.ts";
import type { Database, Tables } from "./tables.ts";

/** Schemas in one statement. */
const MAX_SCHEMAS = 500;

/**
 * What changes with each site's store, by the site's name; none for those without one, or with a damaged one. `url` is the
 * address of the store of any site.
 */
export async function readSiteStates(url: string, names: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const database = await openPostgres<Tables>(url);
  try {
    const states = new Map<string, string>();
    const byName = new Map(names.map((name) => [schemaOf(name), name]));
    const existing = await sql<{ schema: string }>`
      select nspname as schema from pg_class join pg_namespace on pg_namespace.oid = relnamespace
      where relname = 'revision' and nspname like 'site%' and relkind = 'r'`.execute(database);
    const schemas = existing.rows.map(({ schema }) => schema).filter((schema) => byName.has(schema));
    for (let from = 0; from < schemas.length; from += MAX_SCHEMAS)
      for (const { schema, state } of await statesOf(database, schemas.slice(from, from + MAX_SCHEMAS)))
        states.set(byName.get(schema) ?? "", state);
    return states;
  } finally {
    await database.destroy();
  }
}

interface SchemaState {
  readonly schema: string;
  readonly state: string;
}

/** The states of schemas. One that lacks a table keeps no other from being read: the halves are then asked alone. */
async function statesOf(database: Database, schemas: readonly string[]): Promise<readonly SchemaState[]> {
  try {
    const selects = sql.join(schemas.map(stateQuery), sql` union all `);
    return (await sql<SchemaState>`${selects}`.execute(database)).rows;
  } catch (error) {
    if (!isOfSchema(error)) throw error;
    if (schemas.length < 2) return [];
    const middle = Math.ceil(schemas.length / 2);
    const [one, other] = [schemas.slice(0, middle), schemas.slice(middle)];
    return [...(await statesOf(database, one)), ...(await statesOf(database, other))];
  }
}

/** Whether something that a query names is not there, or may not be read (SQLSTATE class 42). */
function isOfSchema(error: unknown): boolean {
  return /^42/.test(String((error as { readonly code?: unknown }).code));
}

function stateQuery(schema: string) {
  return sql`select ${sql.lit(schema)} as schema, concat_ws(' ', number, revised_at,
    (select min(due_at) from ${sql.id(schema, "subscription")}),
    (select min(due_at) from ${sql.id(schema, "intent")}),
    (select min(next_at) from ${sql.id(schema, "followed_source")}),
    (select min(due_at) from ${sql.id(schema, "notice_delivery")}),
    (select string_agg(digest_at, ' ' order by address) from ${sql.id(schema, "notice_address")})) as state from ${sql.id(schema, "revision")}`;
}
