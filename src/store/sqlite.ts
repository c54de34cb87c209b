/** The embedded engine: Kysely's SQLite dialect over `node:sqlite`. */
import { chmodSync, closeSync, mkdirSync, openSync } from "node:fs";
import { dirname } from "node:path";
import { DatabaseSync, type SQLInputValue } from "node:sqlite";
import { setTimeout as wait } from "node:timers/promises";
import {
  CompiledQuery,
  type DatabaseConnection,
  Kysely,
  type QueryResult,
  SqliteDialect,
  SqliteDriver,
  type TransactionSettings,
} from "kysely";

/** How long a writer waits for another, and how long between two tries. */
const BUSY_MILLISECONDS = 10_000;
const RETRY_MILLISECONDS = 20;

/**
 * Opens the database file, made with mode 0600 where there is none; or `:memory:`; or, with an empty path, a private
 * file that is gone when closed. Commits are durable before they return (`synchronous=FULL`); readers never wait for
 * the writer (WAL); a writer waits up to 10 s for another, and lets the process go on meanwhile.
 */
export function openSqlite<Tables>(path: string): Kysely<Tables> {
  if (path !== ":memory:" && path !== "") makePrivate(path);
  const database = new DatabaseSync(path, { timeout: BUSY_MILLISECONDS });
  database.exec(
    "pragma journal_mode = wal; pragma synchronous = full; pragma foreign_keys = on; pragma temp_store = file",
  );
  database.exec("pragma busy_timeout = 0"); // from here on PatientConnection waits, without holding up the thread
  const statements = new Map<string, Statement>();
  const prepare = (sql: string): Statement => {
    const known = statements.get(sql);
    if (known !== undefined) return known;
    const statement = adapt(database, sql);
    if (statements.size < 500) statements.set(sql, statement);
    return statement;
  };
  return new Kysely<Tables>({
    dialect: new NodeSqliteDialect({ database: { prepare, close: () => database.close() } }),
  });
}

/** A transaction that will write takes the write lock at once, so it cannot fail half-way for want of it. */
class NodeSqliteDriver extends SqliteDriver {
  override async acquireConnection(): Promise<DatabaseConnection> {
    return new PatientConnection(await super.acquireConnection());
  }

  override async beginTransaction(connection: DatabaseConnection, settings?: TransactionSettings): Promise<void> {
    const begin = settings?.accessMode === "read only" ? "begin" : "begin immediate";
    await connection.executeQuery(CompiledQuery.raw(begin));
  }

  /** On a full disk the engine has rolled back by itself; its word about that must not hide what went wrong. */
  override async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    try {
      await super.rollbackTransaction(connection);
    } catch (error) {
      if (!(error instanceof Error && error.message.includes("no transaction is active"))) throw error;
    }
  }
}

/** A connection that tries a statement again while another process holds the lock: a busy statement has done nothing. */
class PatientConnection implements DatabaseConnection {
  readonly #connection: DatabaseConnection;

  constructor(connection: DatabaseConnection) {
    this.#connection = connection;
  }

  async executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    const deadline = performance.now() + BUSY_MILLISECONDS;
    for (;;) {
      try {
        return await this.#connection.executeQuery<Row>(query);
      } catch (error) {
        if (!isBusy(error) || performance.now() > deadline) throw error;
        await wait(RETRY_MILLISECONDS);
      }
    }
  }

  streamQuery<Row>(query: CompiledQuery, chunkSize: number): AsyncIterableIterator<QueryResult<Row>> {
    return this.#connection.streamQuery<Row>(query, chunkSize);
  }
}

const SQLITE_BUSY = 5;

function isBusy(error: unknown): boolean {
  return error instanceof Error && "errcode" in error && (Number(error.errcode) & 0xff) === SQLITE_BUSY;
}

class NodeSqliteDialect extends SqliteDialect {
  readonly #config: ConstructorParameters<typeof SqliteDialect>[0];

  constructor(config: ConstructorParameters<typeof SqliteDialect>[0]) {
    super(config);
    this.#config = config;
  }

  override createDriver(): NodeSqliteDriver {
    return new NodeSqliteDriver(this.#config);
  }
}

interface Statement {
  readonly reader: boolean;
  all(parameters: readonly unknown[]): unknown[];
  run(parameters: readonly unknown[]): { changes: number | bigint; lastInsertRowid: number | bigint };
  iterate(parameters: readonly unknown[]): IterableIterator<unknown>;
}

function adapt(database: DatabaseSync, sql: string): Statement {
  const statement = database.prepare(sql);
  return {
    reader: statement.columns().length > 0,
    all: (parameters) => statement.all(...(parameters as SQLInputValue[])),
    run: (parameters) => statement.run(...(parameters as SQLInputValue[])),
    iterate: (parameters) => statement.iterate(...(parameters as SQLInputValue[])) as IterableIterator<unknown>,
  };
}

/** Makes sure that the file exists and is its owner's alone. */
export function makePrivate(path: string): void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  closeSync(openSync(path, "a", 0o600));
  chmodSync(path, 0o600);
}
