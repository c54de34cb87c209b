/**
 * The states of the stores of all sites in one PostgreSQL database, read again and again over one connection: another
 * connection for each time would have the database look up every table anew.
 */
import { isDeepStrictEqual } from "node:util";
import { type CompiledQuery, type RawBuilder, sql } from "kysely";
import { openDatabaseOfSites } from "./engine/postgres.ts";
import { schemaOf } from "./engine/store-url.ts";
import type { Database, Tables } from "./tables.ts";

export interface SiteStates {
  /** What changes with each site's store, by the site's name; none for those without one, or with a damaged one. */
  read(names: readonly string[]): Promise<ReadonlyMap<string, string>>;
  /** Whether the database accepted no changes when it was last asked. */
  isReadOnly(): boolean;
  close(): Promise<void>;
}

/** Schemas in one statement: the database takes four times as long for each where there are some hundred. */
const MAX_SCHEMAS = 50;
/** Readings in which the work of each site is read once, and those in which is read which stores there are. */
const [WORK_READINGS, CATALOGUE_READINGS] = [4, 2];
/** The tables that a store must have, of which those after the first are empty while a site has no work. */
const TABLES = ["revision", "subscription", "intent", "followed_source", "notice_delivery", "notice_address"];

/** Opens the states of all stores in a database. `url` is the address of the store of any site. */
export async function openSiteStates(url: string): Promise<SiteStates> {
  const database = await openDatabaseOfSites<Tables>(url);
  const works = new Map<string, string>();
  let states: ReadonlyMap<string, string> = new Map();
  /** What was visible in the last reading, and in how many before it; empty if nothing is known of it. */
  let [visible, calmReadings]: [readonly string[], number] = [[], 0];
  let known: KnownStores = { sites: [], working: [], revisions: [] };
  let [readings, isReadOnly] = [0, false];
  let closed = false;

  /** Which of the sites have a store, and which of these have work. What is known already is kept if it is still so. */
  async function readCatalogue(names: readonly string[]): Promise<KnownStores> {
    const { rows } = await sql<{ schema: string; work: boolean }>`
      select nspname as schema, bool_or(relname <> 'revision' and pg_relation_size(pg_class.oid) > 0) as work
      from pg_class join pg_namespace on pg_namespace.oid = relnamespace
      where relname in (${sql.join(TABLES)}) and nspname like 'site%' and relkind = 'r'
      group by nspname having count(*) = ${TABLES.length} order by nspname`.execute(database);
    const byName = new Map(names.map((name) => [schemaOf(name), name]));
    const sites = rows.flatMap(({ schema, work }) => {
      const name = byName.get(schema);
      return name === undefined ? [] : [{ name, schema, work }];
    });
    const working = sites.filter(({ work }) => work).map(({ schema }) => schema);
    const isSame =
      sites.length === known.sites.length && sites.every(({ schema }, at) => schema === known.sites[at]?.schema);
    if (isSame) return { ...known, working };
    const schemas = sites.map(({ schema }) => schema);
    return { sites, working, revisions: groupsOf(schemas).map((group) => queryOf(database, group, revisionQuery)) };
  }

  /** Changes with whatever anybody may see in the database, and with the sites that are asked for. */
  async function readVisible(names: readonly string[]): Promise<readonly string[]> {
    const query = sql<{ mode: string; snapshot: string }>`select current_setting('transaction_read_only') as mode,
      concat_ws(' ', pg_postmaster_start_time(), pg_current_snapshot()) as snapshot`;
    const { mode, snapshot } = (await query.execute(database)).rows[0] ?? {};
    isReadOnly = mode === "on";
    return isReadOnly ? [] : [String(snapshot), ...names]; // a replica's snapshots do not list what is under way
  }

  async function readAll(queries: readonly StatesQuery[], found: Map<string, string>): Promise<void> {
    for (const query of queries)
      if (!closed) for (const { schema, state } of await statesOf(database, query)) found.set(schema, state);
  }

  return {
    async read(names) {
      const visibleNow = await readVisible(names);
      calmReadings = visible.length > 0 && isDeepStrictEqual(visible, visibleNow) ? calmReadings + 1 : 0;
      if (calmReadings >= WORK_READINGS) return states;
      visible = []; // until all of it is read
      if (readings++ % CATALOGUE_READINGS === 0) known = await readCatalogue(names);
      const { sites, working, revisions } = known;
      const found = new Map<string, string>();
      await readAll(revisions, found);
      const isWorking = new Set(working);
      for (const schema of works.keys()) if (!isWorking.has(schema)) works.delete(schema);
      const isTurn = (schema: string, at: number) =>
        !works.has(schema) || at % WORK_READINGS === readings % WORK_READINGS;
      const turn = groupsOf(working.filter(isTurn));
      await readAll(
        turn.map((group) => queryOf(database, group, workQuery)),
        works,
      );
      states = new Map(
        sites.flatMap(({ name, schema }) => {
          const revision = found.get(schema);
          return revision === undefined ? [] : [[name, `${revision} ${works.get(schema) ?? ""}`] as const];
        }),
      );
      visible = visibleNow;
      return states;
    },
    isReadOnly: () => isReadOnly,
    async close() {
      closed = true;
      await database.destroy();
    },
  };
}

/** The stores that there are, in order, and the statements that read their revisions. */
interface KnownStores {
  readonly sites: readonly { readonly name: string; readonly schema: string }[];
  readonly working: readonly string[];
  readonly revisions: readonly StatesQuery[];
}

type Query = (schema: string) => RawBuilder<SchemaState>;

interface SchemaState {
  readonly schema: string;
  readonly state: string;
}

/** A statement that reads the states of schemas. */
interface StatesQuery {
  readonly schemas: readonly string[];
  readonly query: Query;
  readonly compiled: CompiledQuery<SchemaState>;
}

function groupsOf(schemas: readonly string[]): readonly (readonly string[])[] {
  return Array.from({ length: Math.ceil(schemas.length / MAX_SCHEMAS) }, (_, at) =>
    schemas.slice(at * MAX_SCHEMAS, (at + 1) * MAX_SCHEMAS),
  );
}

function queryOf(database: Database, schemas: readonly string[], query: Query): StatesQuery {
  const compiled = sql<SchemaState>`${sql.join(schemas.map(query), sql` union all `)}`.compile(database);
  return { schemas, query, compiled };
}

/** The states of schemas. One that cannot be read keeps no other from being read: the halves are then asked alone. */
async function statesOf(
  database: Database,
  { schemas, query, compiled }: StatesQuery,
): Promise<readonly SchemaState[]> {
  try {
    return (await database.executeQuery(compiled)).rows;
  } catch (error) {
    if (!isOfSchema(error)) throw error;
    if (schemas.length < 2) return [];
    const middle = Math.ceil(schemas.length / 2);
    const found: SchemaState[] = [];
    for (const half of [schemas.slice(0, middle), schemas.slice(middle)])
      found.push(...(await statesOf(database, queryOf(database, half, query))));
    return found;
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
