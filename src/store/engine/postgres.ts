/**
 * The PostgreSQL engine, for many processes on many machines: Kysely's dialect over a bounded pool. Only this file
 * loads `pg`, so that the SQLite store does not need it.
 */
import { Socket } from "node:net";
import type { Duplex } from "node:stream";
import { setTimeout as wait } from "node:timers/promises";
import { isMainThread } from "node:worker_threads";
import {
  CompiledQuery,
  type DatabaseConnection,
  Kysely,
  PostgresAdapter,
  PostgresDialect,
  type PostgresDialectConfig,
  PostgresDriver,
  type PostgresPool,
  type QueryResult,
  sql,
  type TransactionSettings,
} from "kysely";
import type { Client, ClientConfig, Pool } from "pg";
import { noteFailedCommit } from "./database-fault.ts";
import { isDatabaseAway } from "./database-outage.ts";
import { LongListPostgresCompiler } from "./long-lists.ts";
import { siteSchemaOf } from "./store-url.ts";
import { isUnsynced } from "./unsynced-commit.ts";

const MAX_CONNECTIONS = 10;
/**
 * Of the ten connections that a process with many sites opens: those of its main thread, and those of each of the threads
 * that render and import. One more holds the claims.
 */
const [MAX_SITES_CONNECTIONS, MAX_THREAD_CONNECTIONS] = [5, 2];
const MAX_CONNECT_MS = 10_000;
const MAX_IDLE_MS = 30_000;
/** A longer statement is cancelled: by the server inside a transaction, by the client outside of one. */
const MAX_STATEMENT_MS = 30_000;
/** How long a stalled process can hold the locks of a transaction. A claim's writes have a shorter limit (claims.ts). */
const MAX_STALL_MS = 30_000;

/**
 * Opens the database at `url` (`postgres://user:password@host/name?sslmode=…`, including its TLS settings). It sets no
 * session state, so it works through PgBouncer in transaction mode.
 * @throws Error when the driver is not installed.
 */
export async function openPostgres<Tables>(url: string): Promise<Kysely<Tables>> {
  const site = siteSchemaOf(url);
  const pool = site === undefined ? await openPool(url, MAX_CONNECTIONS) : await takeSharedPool(site.databaseUrl);
  const database = new Kysely<Tables>({ dialect: new LimitedPostgresDialect({ pool }, site?.schema) });
  urls.set(database, url);
  if (site !== undefined)
    sharedBy.set(database, { schema: site.schema, pool: (await shared.get(site.databaseUrl)?.pool) ?? pool });
  return database;
}

/**
 * Opens the database that the store of a site is in, with the pool that the stores of all sites share. Its statements name
 * schemas themselves, and so need no transaction that does.
 */
export async function openDatabaseOfSites<Tables>(url: string): Promise<Kysely<Tables>> {
  const pool = await takeSharedPool(siteSchemaOf(url)?.databaseUrl ?? url);
  return new Kysely<Tables>({ dialect: new LimitedPostgresDialect({ pool }, undefined) });
}

/** The schema of a site's store, and the pool that it shares with others. */
interface SharedPool {
  readonly schema: string;
  readonly pool: object;
}

const sharedBy = new WeakMap<object, SharedPool>();

/** What a site's store shares with those of other sites; undefined for a store with a pool of its own. */
export function sharedPoolOf<Tables>(database: Kysely<Tables>): SharedPool | undefined {
  return sharedBy.get(database);
}

/** The pools that the stores of sites share, by the address of the database, with the number of stores. */
const shared = new Map<string, { readonly pool: Promise<Pool>; stores: number }>();

async function takeSharedPool(databaseUrl: string): Promise<PostgresPool> {
  const entry = shared.get(databaseUrl) ?? {
    pool: openPool(databaseUrl, isMainThread ? MAX_SITES_CONNECTIONS : MAX_THREAD_CONNECTIONS),
    stores: 0,
  };
  shared.set(databaseUrl, entry);
  entry.stores++;
  const pool = await entry.pool;
  /** Ends the pool with the last store that uses it. */
  const end = async () => {
    if (--entry.stores > 0) return;
    shared.delete(databaseUrl);
    await pool.end();
  };
  return { connect: () => pool.connect(), end };
}

/** The URL of each database, for connections outside the pool, whose statements may take longer. */
const urls = new WeakMap<object, string>();

/** Whether queries go to PostgreSQL and not to the embedded engine. */
export function isOnPostgres<Tables>(database: Kysely<Tables>): boolean {
  return database.getExecutor().adapter instanceof PostgresAdapter;
}

/** The number of the advisory lock; any will do. */
const MIGRATION_LOCK = 8_210_117;

/**
 * Tries to take the lock for migrations until the transaction ends. Returns false if another process holds it. A lock of
 * the session would stay on a connection that a pooler then gives to another client.
 */
export async function tryMigrationLock<Tables>(transaction: Kysely<Tables>): Promise<boolean> {
  const attempt = sql<{ locked: boolean }>`select pg_try_advisory_xact_lock(${sql.lit(MIGRATION_LOCK)}) as locked`;
  return (await attempt.execute(transaction)).rows[0]?.locked === true;
}

/** Whether a query would find a table of this name: in the connection's schemas, not in others of the database. */
export async function isTableInReach<Tables>(database: Kysely<Tables>, table: string): Promise<boolean> {
  const { rows } = await sql<{ there: boolean }>`select to_regclass(${table}) is not null as there`.execute(database);
  return rows[0]?.there === true;
}

/** Makes the schema in which the tables of a site are meant to be, if it is missing. */
export async function makeSiteSchema<Tables>(transaction: Kysely<Tables>): Promise<void> {
  const query = sql<{ path: string; schema: string | null }>`
    select current_setting('search_path') as path, current_schema() as schema`;
  const [row] = (await query.execute(transaction)).rows;
  if (row?.schema === null && /^sitex?_[a-z\d_]+$/.test(row.path))
    await sql`create schema if not exists ${sql.id(row.path)}`.execute(transaction);
}

/** The encodings that hold every character. A server without a locale has SQL_ASCII, which stores any bytes unchanged. */
const COMPLETE_ENCODINGS = new Set(["UTF8", "SQL_ASCII"]);

/** @throws Error unless the database can hold every character. Called before it is filled. */
export async function requireUtf8<Tables>(database: Kysely<Tables>): Promise<void> {
  const query = sql<{ encoding: string; name: string }>`
    select pg_encoding_to_char(encoding) as encoding, datname as name from pg_database where datname = current_database()`;
  const [row] = (await query.execute(database)).rows;
  if (row === undefined || COMPLETE_ENCODINGS.has(row.encoding)) return;
  throw new Error(
    `The encoding of the database ${row.name} is ${row.encoding}, which cannot hold every review. Nothing was changed. Make one with UTF8 and name it in DATABASE_URL: create database NAME encoding 'UTF8' template template0`,
  );
}

/**
 * A command that lacks `--site` would make a store of one business beside those of the sites, and work on that.
 * @throws Error if it would. Called before the database is filled.
 */
export async function requireNoSites<Tables>(database: Kysely<Tables>): Promise<void> {
  const query = sql<{ schema: string }>`
    select nspname as schema from pg_class join pg_namespace on pg_namespace.oid = relnamespace
    where relname = 'revision' and nspname ~ '^sitex?_' and current_schema() = 'public' limit 1`;
  const [row] = (await query.execute(database)).rows;
  if (row === undefined) return;
  throw new Error(
    `The database holds stores of sites (such as ${row.schema}), and none of a single business. Nothing was changed. Add --site NAME --sites FOLDER, or name another database in DATABASE_URL`,
  );
}

/** Time limit for the rewrite of all tables, waiting included; for one table without waiting; and `lock_timeout`. */
const MAX_REWRITE_WAIT_MS = 60_000;
const MAX_REWRITE_MS = 1_800_000;
/** Longer than `deadlock_timeout` (1 s by default), after which the server cancels an automatic vacuum that is in the way. */
const MAX_LOCK_WAIT_MS = 1_500;
const REWRITE_RETRY_MS = 500;
const LOCK_NOT_AVAILABLE = "55P03";

/**
 * Rewrites tables, each in the order of an index, so that no deleted row is left in their files. It waits for the
 * transactions that use a table by short attempts to lock it, because readers queue behind a waiting lock. The server
 * enforces the limits of an attempt, even if this process is killed. (`vacuum full` would do the same, but cannot have a
 * limit without changing the session.)
 * @throws Error when other transactions use a table, or may still see rows deleted from it, for longer than `waitMs`.
 */
export async function rewriteTables<Tables>(
  database: Kysely<Tables>,
  tables: readonly { readonly table: string; readonly index: string }[],
  waitMs: number = MAX_REWRITE_WAIT_MS,
): Promise<void> {
  const { client } = await connectOutsidePool(database, { query_timeout: MAX_REWRITE_MS + waitMs });
  const deadline = performance.now() + waitMs;
  try {
    const { rows } = await client.query("select pg_snapshot_xmax(pg_current_snapshot())::xid::text as horizon");
    const horizon = String(rows[0]?.horizon);
    const users = `select pid, application_name from pg_stat_activity
      where pid <> pg_backend_pid() and coalesce(backend_type, '') <> 'autovacuum worker'
        and (datname = current_database() or backend_type = 'walsender')`;
    await retry(async () => {
      const seeing = await client.query(
        `${users} and (age(backend_xmin) > age($1::xid) or age(backend_xid) > age($1::xid))`,
        [horizon],
      );
      // What runs in another database counts too: it bounds what the rewriting session itself may still see.
      const running = "select 1 where age(pg_snapshot_xmin(pg_current_snapshot())::xid) > age($1::xid)";
      const isAnyRunning = (await client.query(running, [horizon])).rows.length > 0;
      return seeing.rows.length > 0 || isAnyRunning ? seeing.rows : undefined;
    });
    for (const { table, index } of tables) {
      await retry(async () => {
        if (await rewrite(table, index, horizon)) return undefined;
        const holding = `${users} and pid in (select pid from pg_locks where relation = $1::regclass and granted)`;
        return (await client.query(holding, [table])).rows;
      });
    }
  } finally {
    await client.end().catch(() => {});
  }

  /** Retries until no session blocks. `attempt` returns the blocking sessions that it can see, undefined if none. */
  async function retry(attempt: () => Promise<readonly Session[] | undefined>): Promise<void> {
    for (;;) {
      const blocking = await attempt();
      if (blocking === undefined) return;
      if (performance.now() > deadline) {
        const named = blocking.map(({ pid, application_name: name }) => (name ? `${pid} (${name})` : `${pid}`));
        const who = named.length === 0 ? "" : `: process ${named.join(", ")} of pg_stat_activity`;
        throw new Error(`another program keeps a transaction open in the database${who}`);
      }
      await wait(REWRITE_RETRY_MS);
    }
  }

  /** Rewrites a table. Returns whether that dropped every row deleted before the horizon. */
  async function rewrite(table: string, index: string, horizon: string): Promise<boolean> {
    const isCleared = "select age(relfrozenxid) <= age($1::xid) as cleared from pg_class where oid = $2::regclass";
    try {
      await client.query(
        `start transaction; set local lock_timeout = ${MAX_LOCK_WAIT_MS}; set local statement_timeout = ${MAX_REWRITE_MS}; cluster ${table} using ${index}; commit`,
      );
      return (await client.query(isCleared, [horizon, table])).rows[0]?.cleared === true;
    } catch (error) {
      await client.query("rollback");
      if ((error as { code?: unknown }).code === LOCK_NOT_AVAILABLE) return false;
      throw error;
    }
  }
}

/** A connection, with what the driver's types leave out: whether it keeps the process running. */
export type OwnClient = Client & { ref(): void; unref(): void };

/** A connection of its own to the database, which `destroy` cuts. */
export async function connectOutsidePool<Tables>(
  database: Kysely<Tables>,
  options: { readonly application_name?: string; readonly query_timeout?: number } = {},
): Promise<{ readonly client: OwnClient; readonly destroy: () => void }> {
  const url = urls.get(database);
  if (url === undefined) throw new Error("Not a PostgreSQL database that openPostgres() opened");
  const { default: pg } = await import("pg");
  const socket = new Socket();
  const given = { ...connectionTo(url), ...options, keepAlive: true, stream: () => socket };
  const client = new (guardedClient(pg.Client))(given);
  client.on("error", () => {}); // the statement that it interrupts fails
  await client.connect();
  return { client: client as OwnClient, destroy: () => void socket.destroy() };
}

interface Session {
  readonly pid: number;
  readonly application_name: string;
}

/** Modes that the driver knows. It checks certificate and host name in all but the first and the last. */
const SSL_MODES = ["disable", "prefer", "require", "verify-ca", "verify-full", "no-verify"];

/**
 * The URL for the driver. It treats some modes as `verify-full` with a warning, so they are replaced by that.
 * @throws Error for an unknown mode, which the driver would treat as `verify-full`.
 */
function withSslMode(url: string): string {
  const parsed = new URL(url);
  const mode = parsed.searchParams.get("sslmode");
  if (mode === null || parsed.searchParams.has("uselibpqcompat")) return url;
  if (!SSL_MODES.includes(mode)) {
    throw new Error(`sslmode in DATABASE_URL is "${mode}", but must be one of ${SSL_MODES.join(", ")}`);
  }
  if (["prefer", "require", "verify-ca"].includes(mode)) parsed.searchParams.set("sslmode", "verify-full");
  return parsed.href;
}

/** Codes of certificates that are not accepted, by OpenSSL and by Node. */
const CERTIFICATE_CODES =
  /^(DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT_IN_CHAIN|UNABLE_TO_|CERT_|ERR_TLS_CERT_ALTNAME_INVALID)/;

/** Explains an error of the driver and what to do about it, where its own message does not. */
export function explainConnecting(error: unknown): unknown {
  const { code, path, message } = error as { code?: unknown; path?: unknown; message?: unknown };
  const explain = (text: string) => new Error(text, { cause: error });
  if (CERTIFICATE_CODES.test(String(code))) {
    const [reason] = String(message).split(";");
    return explain(
      `The certificate of the database is not accepted (${reason}): name the authority that signed it in DATABASE_URL, ` +
        "sslmode=verify-full&sslrootcert=FILE, and the host as the certificate names it",
    );
  }
  if (message === "The server does not support SSL connections") {
    return explain("The database does not offer TLS: turn it on there, or take sslmode out of DATABASE_URL");
  }
  if (code === "ENOENT" && typeof path === "string") {
    return explain(`The file ${path}, which DATABASE_URL names, is not there`);
  }
  return error;
}

function connectionTo(url: string) {
  return { connectionString: withSslMode(url), connectionTimeoutMillis: MAX_CONNECT_MS, application_name: "goodword" };
}

/** Missing in the driver's types: the listeners that get every message of its stream. */
interface Attachable {
  attachListeners(stream: Pick<Duplex, "on">): void;
}

/** All connections of the process. */
const connections = new Set<Attached>();
let isStopping = false;

interface Attached {
  readonly stream: Duplex;
}

/**
 * Cuts every connection of the process, for a stop: what waits for an answer fails, and nothing connects any more. Where
 * the database is silent, queries would wait for longer than a supervisor does.
 */
export function cutConnections(): void {
  isStopping = true;
  for (const { stream } of connections) cut(stream);
}

function cut(stream: Duplex): void {
  stream.destroy(new Error("Connection terminated: the program stops"));
}

/**
 * The driver's client, made to break the connection at an answer that it cannot read. By itself it throws in a listener,
 * which ends the process.
 */
function guardedClient(driver: typeof Client): typeof Client {
  return class extends driver {
    constructor(config?: string | ClientConfig) {
      super(config);
      const connection = this.connection as unknown as Attachable & Attached;
      connections.add(connection);
      this.once("end", () => connections.delete(connection));
      const attach = connection.attachListeners.bind(connection);
      connection.attachListeners = (stream: Duplex) => {
        if (isStopping) cut(stream);
        attach({
          on(event: string, listener: (...given: unknown[]) => void) {
            return stream.on(event, (...given: unknown[]) => {
              try {
                listener(...given);
              } catch (cause) {
                stream.destroy(new Error("Connection terminated: its answer cannot be read", { cause }));
              }
            });
          },
        } as Pick<Duplex, "on">);
      };
    }
  };
}

async function openPool(url: string, max: number): Promise<Pool> {
  const { default: pg } = await import("pg");
  const pool = new pg.Pool({
    ...connectionTo(url),
    Client: guardedClient(pg.Client),
    max,
    idleTimeoutMillis: MAX_IDLE_MS,
    query_timeout: MAX_STATEMENT_MS + 5_000,
    allowExitOnIdle: true,
  });
  pool.on("error", () => {}); // an idle connection broke: the pool has dropped it, and the next query opens another
  // A connection that is in use may break between two queries of a transaction. Without a listener of its own, that
  // would end the process; with one, the next query fails and the transaction with it.
  pool.on("connect", (client) => void client.on("error", () => {}));
  return pool;
}

const LIMITS = `set local statement_timeout = ${MAX_STATEMENT_MS}; set local idle_in_transaction_session_timeout = ${MAX_STALL_MS}`;

/**
 * Begins each transaction and sets its limits in one round trip. They end with it and leave no session state. With a
 * schema every statement runs in a transaction, which alone says that the schema is meant.
 */
class LimitedPostgresDriver extends PostgresDriver {
  readonly #schema: string | undefined;

  constructor(config: PostgresDialectConfig, schema: string | undefined) {
    super(config);
    this.#schema = schema;
  }

  override async acquireConnection(): Promise<DatabaseConnection> {
    const connection = await super.acquireConnection();
    return this.#schema === undefined ? connection : new SchemaConnection(connection, this.#schema);
  }

  override async releaseConnection(connection: Released): Promise<void> {
    const released: DatabaseConnection = connection;
    await super.releaseConnection((released instanceof SchemaConnection ? released.inner : released) as Released);
  }

  override async beginTransaction(
    connection: Parameters<PostgresDriver["beginTransaction"]>[0],
    { isolationLevel, accessMode }: TransactionSettings,
  ): Promise<void> {
    const isolation = isolationLevel === undefined ? "" : ` isolation level ${isolationLevel}`;
    const mode = accessMode === undefined ? "" : ` ${accessMode}`;
    if (connection instanceof SchemaConnection) connection.isInTransaction = true;
    const schema = this.#schema === undefined ? "" : `; ${searchPath(this.#schema)}`;
    const unsynced = isUnsynced() ? "; set local synchronous_commit = off" : "";
    const begin = `start transaction${isolation}${mode}; ${LIMITS}${schema}${unsynced}`;
    await connection.executeQuery(CompiledQuery.raw(begin));
  }

  override async commitTransaction(connection: Parameters<PostgresDriver["commitTransaction"]>[0]): Promise<void> {
    try {
      await super.commitTransaction(connection);
    } catch (error) {
      noteFailedCommit(error);
      throw error;
    } finally {
      if (connection instanceof SchemaConnection) connection.isInTransaction = false;
    }
  }

  /** The server itself rolls back when a connection breaks. The error that broke the transaction is the one to report. */
  override async rollbackTransaction(connection: Parameters<PostgresDriver["rollbackTransaction"]>[0]): Promise<void> {
    await super.rollbackTransaction(connection).catch((error: unknown) => {
      if (!isDatabaseAway(error)) throw error;
    });
    if (connection instanceof SchemaConnection) connection.isInTransaction = false;
  }
}

function searchPath(schema: string): string {
  return `set local search_path = ${schema}`;
}

/** A connection of a shared pool, for the tables of one schema. */
class SchemaConnection implements DatabaseConnection {
  readonly inner: DatabaseConnection;
  readonly #schema: string;
  isInTransaction = false;

  constructor(inner: DatabaseConnection, schema: string) {
    this.inner = inner;
    this.#schema = schema;
  }

  async executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    if (this.isInTransaction) return await this.inner.executeQuery<Row>(query);
    await this.inner.executeQuery(CompiledQuery.raw(`start transaction; ${LIMITS}; ${searchPath(this.#schema)}`));
    try {
      const result = await this.inner.executeQuery<Row>(query);
      await this.inner.executeQuery(CompiledQuery.raw("commit"));
      return result;
    } catch (error) {
      await this.inner.executeQuery(CompiledQuery.raw("rollback")).catch(() => {}); // the first error is the one to report
      throw error;
    }
  }

  streamQuery<Row>(query: CompiledQuery, size: number): AsyncIterableIterator<QueryResult<Row>> {
    if (!this.isInTransaction) throw new Error("Rows are streamed in a transaction only");
    return this.inner.streamQuery<Row>(query, size);
  }
}

type Released = Parameters<PostgresDriver["releaseConnection"]>[0];

class LimitedPostgresDialect extends PostgresDialect {
  readonly #config: PostgresDialectConfig;
  readonly #schema: string | undefined;

  constructor(config: PostgresDialectConfig, schema: string | undefined) {
    super(config);
    this.#config = config;
    this.#schema = schema;
  }

  override createDriver(): PostgresDriver {
    return new LimitedPostgresDriver(this.#config, this.#schema);
  }

  override createQueryCompiler(): LongListPostgresCompiler {
    return new LongListPostgresCompiler();
  }
}
