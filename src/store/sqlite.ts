/** The embedded engine: Kysely's SQLite dialect over `node:sqlite`. */
import { chmodSync, closeSync, mkdirSync, openSync } from "node:fs";
import { dirname } from "node:path";
import { DatabaseSync, type SQLInputValue } from "node:sqlite";
import {
  CompiledQuery,
  type DatabaseConnection,
  Kysely,
  SqliteDialect,
  SqliteDriver,
  type TransactionSettings,
} from "kysely";

const BUSY_MILLISECONDS = 10_000;

/**
 * Opens the database file, made with mode 0600 where there is none; or `:memory:`; or, with an empty path, a private
 * file that is gone when closed. Commits are durable before they
 * return (`synchronous=FULL`); readers never wait for the writer (WAL); a writer waits up to 10 s for another.
 */
export function openSqlite<Tables>(path: string): Kysely<Tables> {
  if (path !== ":memory:" && path !== "") makePrivate(path);
  const database = new DatabaseSync(path, { timeout: BUSY_MILLISECONDS });
  database.exec(
    "pragma journal_mode = wal; pragma synchronous = full; pragma foreign_keys = on; pragma temp_store = file",
  );
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
  override async beginTransaction(connection: DatabaseConnection, settings?: TransactionSettings): Promise<void> {
    const begin = settings?.accessMode === "read only" ? "begin" : "begin immediate";
    await connection.executeQuery(CompiledQuery.raw(begin));
  }
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
