/**
 * The states of the stores of all sites in one PostgreSQL database, read again and again over one connection: another
 * connection for each time would have the database look up every table anew.
 */
import { type RawBuilder, sql } from "kysely";
import { openPostgres } from "./engine/postgres.ts";
import { schemaOf } from "./engine/store-url.ts";
import type { Database, Tables } from "./tables.ts";

export interface SiteStates {
  /** What changes with each site's store, by the site's name; none for those without one, or with a damaged one. */
  read(names: readonly string[]): Promise<ReadonlyMap<string, string>>;
  close(): Promise<void>;
}

/** Schemas in one statement: the database takes four times as long for each where there are some hundred. */
const MAX_SCHEMAS = 50;
/** Readings in which the work of each site is read once. */
const WORK_READINGS = 4;
/** The tables that a store must have, of which those after the first are empty while a site has no work. */
const TABLES = ["revision", "subscription", "intent", "followed_source", "notice_delivery", "notice_address"];

/** Opens the states of all stores in a database. `url` is the address of the store of any site. */
export async function openSiteStates(url: string): Promise<SiteStates> {
  const database = await openPostgres<Tables>(url);
  const works = new Map<string, string>();
  let readings = 0;
  let closed = false;

  async function readAll(schemas: readonly string[], query: Query, found: Map<string, string>): Promise<void> {
    for (let from = 0; from < schemas.length && !closed; from += MAX_SCHEMAS)
      for (const { schema, state } of await statesOf(database, schemas.slice(from, from + MAX_SCHEMAS), query))
        found.set(schema, state);
  }

  return {
    async read(names) {
      const byName = new Map(names.map((name) => [schemaOf(name), name]));
      const existing = await sql<{ schema: string; work: boolean }>`
        select nspname as schema, bool_or(relname <> 'revision' and pg_relation_size(pg_class.oid) > 0) as work
        from pg_class join pg_namespace on pg_namespace.oid = relnamespace
        where relname in (${sql.join(TABLES)}) and nspname like 'site%' and relkind = 'r'
        group by nspname having count(*) = ${TABLES.length} order by nspname`.execute(database);
      const schemas = existing.rows.filter(({ schema }) => byName.has(schema));
      const revisions = new Map<string, string>();
      await readAll(
        schemas.map(({ schema }) => schema),
        revisionQuery,
        revisions,
      );
      const working = new Set(schemas.filter(({ work }) => work).map(({ schema }) => schema));
      for (const schema of works.keys()) if (!working.has(schema)) works.delete(schema);
      readings++;
      const isTurn = (schema: string, at: number) =>
        !works.has(schema) || at % WORK_READINGS === readings % WORK_READINGS;
      await readAll([...working].filter(isTurn), workQuery, works);
      const states = new Map<string, string>();
      for (const [schema, revision] of revisions)
        states.set(byName.get(schema) ?? "", `${revision} ${works.get(schema) ?? ""}`);
      return states;
    },
    async close() {
      closed = true;
      await database.destroy();
    },
  };
}

type Query = (schema: string) => RawBuilder<SchemaState>;

interface SchemaState {
  readonly schema: string;
  readonly state: string;
}

/** The states of schemas. One that cannot be read keeps no other from being read: the halves are then asked alone. */
async function statesOf(database: Database, schemas: readonly string[], query: Query): Promise<readonly SchemaState[]> {
  try {
    return (await sql<SchemaState>`${sql.join(schemas.map(query), sql` union all `)}`.execute(database)).rows;
  } catch (error) {
    if (!isOfSchema(error)) throw error;
    if (schemas.length < 2) return [];
    const middle = Math.ceil(schemas.length / 2);
    const [one, other] = [schemas.slice(0, middle), schemas.slice(middle)];
    return [...(await statesOf(database, one, query)), ...(await statesOf(database, other, query))];
  }
}

/** Whether something that a query names is not there, or may not be read (SQLSTATE class 42). */
function isOfSchema(error: unknown): boolean {
  return /^42/.test(String((error as { readonly code?: unknown }).code));
}

function revisionQuery(schema: string): RawBuilder<SchemaState> {
  return sql`select ${sql.lit(schema)} as schema, concat_ws(' ', number, revised_at) as state
    from ${sql.id(schema, "revision")}`;
}

function workQuery(schema: string): RawBuilder<SchemaState> {
  return sql`select ${sql.lit(schema)} as schema, concat_ws(' ',
    (select min(due_at) from ${sql.id(schema, "subscription")}),
    (select min(due_at) from ${sql.id(schema, "intent")}),
    (select min(next_at) from ${sql.id(schema, "followed_source")}),
    (select min(due_at) from ${sql.id(schema, "notice_delivery")}),
    (select string_agg(digest_at, ' ' order by address) from ${sql.id(schema, "notice_address")})) as state`;
}
