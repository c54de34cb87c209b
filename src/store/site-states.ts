/** The states of the stores of all sites in one PostgreSQL database, read with one query. */
import { sql } from "kysely";
import { openPostgres } from "./engine/postgres.ts";
import { schemaOf } from "./engine/store-url.ts";
import type { Tables } from "./tables.ts";

/** Schemas in one statement. */
const MAX_SCHEMAS = 500;

/**
 * What changes with each site's store, by the site's name; none for those without one. `url` is the address of the store
 * of any site.
 */
export async function readSiteStates(url: string, names: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const database = await openPostgres<Tables>(url);
  try {
    const states = new Map<string, string>();
    const byState = new Map(names.map((name) => [schemaOf(name), name]));
    const existing = await sql<{ schema: string }>`
      select nspname as schema from pg_class join pg_namespace on pg_namespace.oid = relnamespace
      where relname = 'revision' and nspname like 'site%' and relkind = 'r'`.execute(database);
    const schemas = existing.rows.map(({ schema }) => schema).filter((schema) => byState.has(schema));
    for (let from = 0; from < schemas.length; from += MAX_SCHEMAS) {
      const selects = schemas.slice(from, from + MAX_SCHEMAS).map(
        (schema) => sql`select ${sql.lit(schema)} as schema, concat_ws(' ', number, revised_at,
          (select min(due_at) from ${sql.id(schema, "subscription")}),
          (select min(due_at) from ${sql.id(schema, "intent")}),
          (select min(next_at) from ${sql.id(schema, "followed_source")}),
          (select min(due_at) from ${sql.id(schema, "notice_delivery")}),
          (select string_agg(digest_at, ' ' order by address) from ${sql.id(schema, "notice_address")})) as state from ${sql.id(schema, "revision")}`,
      );
      const { rows } = await sql<{ schema: string; state: string }>`${sql.join(selects, sql` union all `)}`.execute(
        database,
      );
      for (const { schema, state } of rows) states.set(byState.get(schema) ?? "", state);
    }
    return states;
  } finally {
    await database.destroy();
  }
}
