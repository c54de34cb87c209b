/** The SQLite engine: a Kysely dialect over `node:sqlite`, with one connection for writing and one for reading. */
import { chmodSync, closeSync, mkdirSync, openSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { DatabaseSync, type SQLInputValue, type StatementSync } from "node:sqlite";
import { setImmediate as startImmediate } from "node:timers";
import { setImmediate, setTimeout as wait } from "node:timers/promises";
import { pathToFileURL } from "node:url";
import {
  CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  Kysely,
  type QueryResult,
  SelectQueryNode,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
  sql,
  type TransactionSettings,
} from "kysely";

/** How long a statement waits for another process's lock, and the delay between two attempts. */
const BUSY_MS = 10_000;
const RETRY_MS = 20;
const STATEMENTS_KEPT = 500;
/** The page cache of the writing connection, at most, and while many rows are added. */
const [CACHE_KB, LARGE_CACHE_KB] = [8_000, 16_000];
/** The size of a new file's pages. Twice SQLite's own: half as many are moved through the log for as many rows. */
const PAGE_BYTES = 8_192;

/**
 * Opens a database file, which is created with mode 0600 if necessary; or `:memory:`; or, with an empty path, a private
 * file that is deleted when closed. Commits are durable before they return (`synchronous=FULL`). Reads of a file have a
 * connection of their own (WAL), so they never wait for a writer in this or another process.
 */
export function openSqlite<Tables>(path: string): Kysely<Tables> {
  const isFile = path !== ":memory:" && path !== "";
  if (isFile) createPrivateFile(path);
  const writer = openLane(
    path,
    `pragma page_size = ${PAGE_BYTES}; pragma journal_mode = wal; pragma synchronous = full; pragma foreign_keys = on; pragma cache_size = -${CACHE_KB}`,
  );
  const reader = isFile ? openLane(path, "pragma query_only = on") : writer;
  return new Kysely<Tables>({ dialect: new NodeSqliteDialect(writer, reader) });
}

/** A connection with its prepared statements. One transaction or statement uses it at a time. */
interface Lane {
  readonly database: DatabaseSync;
  readonly prepare: (text: string) => Statement;
  /** Waits for exclusive use, first come, first served. Returns the function that ends it. */
  readonly take: () => Promise<() => void>;
}

interface Statement {
  readonly statement: StatementSync;
  readonly givesRows: boolean;
}

function openLane(path: string, pragmas: string): Lane {
  const database = new DatabaseSync(path, { timeout: BUSY_MS });
  // From here on runPatiently() waits for locks, because SQLite would block the thread.
  database.exec(`${pragmas}; pragma temp_store = file; pragma busy_timeout = 0`);
  const statements = new Map<string, Statement>();
  let last: Promise<void> = Promise.resolve();
  return {
    database,
    prepare(text) {
      const known = statements.get(text);
      if (known !== undefined) return known;
      const statement = database.prepare(text);
      const prepared = { statement, givesRows: statement.columns().length > 0 };
      if (statements.size < STATEMENTS_KEPT) statements.set(text, prepared);
      return prepared;
    },
    async take() {
      const before = last;
      const { promise, resolve } = Promise.withResolvers<void>();
      last = promise;
      await before;
      await giveWay();
      return resolve;
    },
  };
}

/** How long statements that follow one another may keep the thread from everything else. */
const TURN_MS = 3;
/** When the first statement of this turn of the event loop began. */
let turnBegan: number | undefined;

/**
 * Lets the thread do other work if statements have kept it for a while: they block it, and promises alone give nothing
 * else a turn, so that a fan-out's transactions would be one long wait for readers.
 */
async function giveWay(): Promise<void> {
  const now = performance.now();
  if (turnBegan === undefined) {
    turnBegan = now;
    startImmediate(() => {
      turnBegan = undefined;
    }).unref();
  } else if (now - turnBegan > TURN_MS) await setImmediate();
}

/** Runs a statement and repeats it while another process holds the lock. A busy statement has had no effect. */
async function runPatiently<Row>(lane: Lane, query: CompiledQuery): Promise<QueryResult<Row>> {
  const deadline = performance.now() + BUSY_MS;
  for (;;) {
    try {
      return runStatement(lane, query);
    } catch (error) {
      if (!isBusy(error) || performance.now() > deadline) throw error;
      await wait(RETRY_MS);
    }
  }
}

/** A statement to run once for each set of values, inside a transaction. */
interface RepeatedQuery extends CompiledQuery {
  readonly repetitions: readonly (readonly unknown[])[];
}

/** Makes a query that runs a statement once for each set of values. Only for a transaction: otherwise each commits. */
export function repeated(statement: CompiledQuery, repetitions: RepeatedQuery["repetitions"]): RepeatedQuery {
  return { ...statement, parameters: [], repetitions };
}

/** A query of which each row is made into something else. */
interface MadeQuery<Made> extends CompiledQuery<Made> {
  readonly making: Making<Made>;
}

interface Making<Made> {
  /** Gets the values of a row, in the order of the columns, and its place among all rows. */
  readonly make: (values: readonly unknown[], place: number) => Made;
  /** What reads on after a page, if the query is the first of several. */
  readonly next: NextPage | undefined;
}

export interface NextPage {
  /** Its last parameters are the values that the last row of the page before has at `places`. */
  readonly query: CompiledQuery;
  readonly places: readonly number[];
}

/**
 * Makes a query whose rows are what `make` makes of the values of each. A query that is repeated makes them again, from
 * the first page on.
 */
export function madeOfValues<Made>(query: CompiledQuery, making: Making<Made>): MadeQuery<Made> {
  return { ...query, making } as MadeQuery<Made>;
}

type Query<Row> = CompiledQuery | RepeatedQuery | MadeQuery<Row>;

function runStatement<Row>(lane: Lane, query: Query<Row>): QueryResult<Row> {
  if ("making" in query) return { rows: rowsMade(lane, query) };
  const { statement, givesRows } = lane.prepare(query.sql);
  if ("repetitions" in query) {
    for (const values of query.repetitions) statement.run(...(values as SQLInputValue[]));
    return { rows: [] };
  }
  const values = query.parameters as SQLInputValue[];
  if (givesRows) return { rows: statement.all(...values) as Row[] };
  const { changes, lastInsertRowid } = statement.run(...values);
  return { rows: [], numAffectedRows: BigInt(changes), insertId: BigInt(lastInsertRowid) };
}

function rowsMade<Row>(lane: Lane, { making: { make, next }, ...query }: MadeQuery<Row>): Row[] {
  const rows: Row[] = [];
  let page = valuesOf(lane, query.sql, query.parameters);
  for (;;) {
    for (const values of page) rows.push(make(values, rows.length));
    const last = page.at(-1);
    if (last === undefined || next === undefined) return rows;
    const given = next.query.parameters.slice(0, -next.places.length);
    page = valuesOf(lane, next.query.sql, [...given, ...next.places.map((place) => last[place])]);
  }
}

/** The values of all rows of a statement. */
function valuesOf(lane: Lane, text: string, parameters: readonly unknown[]): readonly (readonly unknown[])[] {
  const { statement } = lane.prepare(text);
  statement.setReturnArrays(true);
  try {
    return statement.all(...(parameters as SQLInputValue[])) as unknown as readonly (readonly unknown[])[];
  } finally {
    statement.setReturnArrays(false); // the next query of the same text may be another kind
  }
}

const SQLITE_BUSY = 5;

/** Whether an error means that another process holds the lock. */
function isBusy(error: unknown): boolean {
  return error instanceof Error && "errcode" in error && (Number(error.errcode) & 0xff) === SQLITE_BUSY;
}

/**
 * The connection that Kysely sees. A transaction keeps its lane until it ends. Outside a transaction, selects go to the
 * reader and all other statements to the writer.
 */
class RoutedConnection implements DatabaseConnection {
  readonly #writer: Lane;
  readonly #reader: Lane;
  #held: { readonly lane: Lane; readonly release: () => void } | undefined;

  constructor(writer: Lane, reader: Lane) {
    this.#writer = writer;
    this.#reader = reader;
  }

  /** A transaction that may write takes the write lock when it begins, so it cannot fail later for lack of it. */
  async begin(isReadOnly: boolean): Promise<void> {
    const lane = isReadOnly ? this.#reader : this.#writer;
    this.#held = { lane, release: await lane.take() };
    await runPatiently(lane, CompiledQuery.raw(isReadOnly ? "begin" : "begin immediate"));
  }

  async executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    if (this.#held !== undefined) return await runPatiently<Row>(this.#held.lane, query);
    const lane = SelectQueryNode.is(query.query) ? this.#reader : this.#writer;
    const release = await lane.take();
    try {
      return await runPatiently<Row>(lane, query);
    } finally {
      release();
    }
  }

  // biome-ignore lint/correctness/useYield: it always throws
  async *streamQuery<Row>(): AsyncIterableIterator<QueryResult<Row>> {
    throw new Error("The SQLite store returns rows in pages, not as a stream");
  }

  release(): void {
    this.#held?.release();
    this.#held = undefined;
  }
}

class NodeSqliteDriver implements Driver {
  readonly #writer: Lane;
  readonly #reader: Lane;

  constructor(writer: Lane, reader: Lane) {
    this.#writer = writer;
    this.#reader = reader;
  }

  async init(): Promise<void> {}

  async acquireConnection(): Promise<RoutedConnection> {
    return new RoutedConnection(this.#writer, this.#reader);
  }

  async beginTransaction(connection: RoutedConnection, { accessMode }: TransactionSettings): Promise<void> {
    await connection.begin(accessMode === "read only");
  }

  async commitTransaction(connection: RoutedConnection): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw("commit"));
  }

  /** On a full disk, SQLite has already rolled back. The error of a second rollback must not hide the original one. */
  async rollbackTransaction(connection: RoutedConnection): Promise<void> {
    try {
      await connection.executeQuery(CompiledQuery.raw("rollback"));
    } catch (error) {
      if (!(error instanceof Error && error.message.includes("no transaction is active"))) throw error;
    }
  }

  async releaseConnection(connection: RoutedConnection): Promise<void> {
    connection.release();
  }

  async destroy(): Promise<void> {
    if (this.#reader !== this.#writer) this.#reader.database.close();
    this.#writer.database.close();
  }
}

/** Declares that SQLite can roll back changes of tables, which Kysely's own adapter does not assume. */
class NodeSqliteAdapter extends SqliteAdapter {
  override get supportsTransactionalDdl(): boolean {
    return true;
  }
}

class NodeSqliteDialect implements Dialect {
  readonly #writer: Lane;
  readonly #reader: Lane;

  constructor(writer: Lane, reader: Lane) {
    this.#writer = writer;
    this.#reader = reader;
  }

  createDriver = (): Driver => new NodeSqliteDriver(this.#writer, this.#reader);
  createQueryCompiler = (): SqliteQueryCompiler => new SqliteQueryCompiler();
  createAdapter = (): SqliteAdapter => new NodeSqliteAdapter();
  createIntrospector = (database: Kysely<unknown>): SqliteIntrospector => new SqliteIntrospector(database);
}

/**
 * Does work with a larger page cache, of which a transaction takes what it needs. Keys that are hashes are added all over
 * their indexes; what does not fit in the cache then goes to the log and comes back, again and again.
 */
export async function withLargeCache<Tables, Result>(
  database: Kysely<Tables>,
  work: () => Promise<Result>,
): Promise<Result> {
  await sql.raw(`pragma cache_size = -${LARGE_CACHE_KB}`).execute(database);
  try {
    return await work();
  } finally {
    await sql.raw(`pragma cache_size = -${CACHE_KB}`).execute(database);
  }
}

/** How long to wait for readers that prevent the write-ahead log from being emptied. */
const EMPTYING_MS = 60_000;

/** Rewrites the file without free pages and empties the write-ahead log. @throws Error when readers prevent it. */
export async function compactSqlite<Tables>(database: Kysely<Tables>, waitMs = EMPTYING_MS): Promise<void> {
  await sql`vacuum`.execute(database);
  const deadline = performance.now() + waitMs;
  for (;;) {
    const { rows } = await sql<{ busy: number }>`pragma wal_checkpoint(truncate)`.execute(database);
    if (rows[0]?.busy !== 1) return;
    if (performance.now() > deadline) {
      throw new Error("another program keeps reading the store, whose log can therefore not be emptied");
    }
    await wait(RETRY_MS);
  }
}

/** The tables that identify a store. */
const STORE_TABLES = ["revision", "review", "business"];

/**
 * Makes a private copy of a database file, which is deleted when closed. The file is opened read-only. It may come from
 * somebody else: of its schema only plain CREATE TABLE statements are run.
 * @throws Error when it is not a store, or damaged.
 */
export function copySqlite<Tables>(file: string): Kysely<Tables> {
  const lane = openLane("", "pragma foreign_keys = off");
  const { database } = lane;
  try {
    database.prepare("attach ? as original").run(`${pathToFileURL(file).href}?mode=ro`);
    const check = database.prepare("pragma original.integrity_check(1)").get()?.integrity_check;
    if (check !== "ok") throw new Error("it is damaged; take an older backup");
    const tables = database
      .prepare("select name, sql from original.sqlite_master where type = 'table' and name not like 'sqlite_%'")
      .all() as { name: string; sql: string }[];
    if (!STORE_TABLES.every((table) => tables.some(({ name }) => name === table))) {
      throw new Error(
        tables.length === 0 ? "it is empty" : "it is a database of another program, and holds no store of goodword",
      );
    }
    for (const { name, sql: definition } of tables) {
      if (!/^create table [^;]*$/i.test(definition) || name.includes('"'))
        throw new Error("it holds tables that goodword does not make");
      database.prepare(definition).run(); // runs the first statement only
      database.exec(`insert into main."${name}" select * from original."${name}"`);
    }
    database.exec("detach original");
  } catch (error) {
    database.close();
    throw new Error(reasonNotRead(file, error), { cause: error });
  }
  return new Kysely<Tables>({ dialect: new NodeSqliteDialect(lane, lane) });
}

/** Explains to the owner why a backup cannot be read. */
export function reasonNotRead(file: string, error: unknown): string {
  const isUnopened = (error as Error).message.startsWith("unable to open");
  const code = isUnopened ? CANNOT_OPEN : Number((error as { errcode?: number }).errcode ?? 0) & 0xff;
  const reason = FILE_FAULTS[code] ?? (error as Error).message.replace(/\.$/, "");
  return `Cannot restore ${JSON.stringify(file)}: ${reason}. The store is as it was.`;
}

const CANNOT_OPEN = 14;

/** Explanations of SQLite's result codes for a file that it cannot read. */
const FILE_FAULTS: Readonly<Record<number, string>> = {
  11: "it is damaged; take an older backup",
  [CANNOT_OPEN]: "it cannot be opened, or is a folder; name the file that goodword backup wrote",
  26: "it is not a database; name the file that goodword backup wrote",
};

/**
 * Makes sure that the file exists and only its owner can access it. An existing file is never opened: closing any
 * handle of it would release the locks that SQLite holds on it in this process (POSIX advisory locks), and the next
 * program to read the store would assume that it is alone and delete the write-ahead log.
 */
export function createPrivateFile(path: string): void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  try {
    closeSync(openSync(path, "wx", 0o600));
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "EEXIST")) throw error;
    if ((statSync(path).mode & 0o077) !== 0) chmodSync(path, 0o600);
  }
}
