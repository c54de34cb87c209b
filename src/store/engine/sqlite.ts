/** The SQLite engine: a Kysely dialect over `node:sqlite`, with one connection for writing and one for reading. */
import {
  chmodSync,
  closeSync,
  constants,
  existsSync,
  fchownSync,
  fstatSync,
  linkSync,
  lstatSync,
  openSync,
  readlinkSync,
  realpathSync,
  rmSync,
  type Stats,
  statSync,
} from "node:fs";
import { dirname, resolve } from "node:path";
import { DatabaseSync, type DatabaseSyncOptions, type SQLInputValue, type StatementSync } from "node:sqlite";
import { setImmediate as startImmediate } from "node:timers";
import { setImmediate, setTimeout as wait } from "node:timers/promises";
import { pathToFileURL } from "node:url";
import {
  CompiledQuery,
  type DatabaseConnection,
  type Driver,
  Kysely,
  type QueryResult,
  SelectQueryNode,
  SqliteAdapter,
  SqliteIntrospector,
  sql,
  type TransactionSettings,
} from "kysely";
import { makeFolder } from "../../lib/make-folder.ts";
import { partBeside } from "../../lib/part-files.ts";
import { LongListSqliteCompiler } from "./long-lists.ts";
import { MAX_ROW_BYTES, requireStoreFile } from "./store-files.ts";
import { isUnsynced } from "./unsynced-commit.ts";

/** How long a statement waits for another process's lock, and the delay between two attempts. */
const MAX_BUSY_MS = 10_000;
const RETRY_MS = 20;
const MAX_STATEMENTS = 500;
const PAGE_CACHE_KB = 8_000;
/** Twice SQLite's own: half as many pages go through the log for the same rows. */
const PAGE_BYTES = 8_192;
/** What a row counts for beside its texts. */
const ROW_CHARACTERS = 100;
const TOO_LARGE =
  "The store holds more than goodword stores: somebody else has changed it. Restore a backup, or let its owner put it right";

let maxResultCharacters = Number.POSITIVE_INFINITY;

/**
 * Refuses from now on, in this thread, what a statement reads beyond so many characters: for a process that reads stores of
 * strangers, one of which could fill the memory of all.
 */
export function boundResults(characters: number): void {
  maxResultCharacters = characters;
}

/** What a file defines, which stays as it is; nothing if there is none or it cannot be read: opening it says why. */
export function definedIn(path: string | undefined): readonly { readonly name: string }[] {
  if (path === undefined || (statSync(path, { throwIfNoEntry: false })?.isFile() ?? false) === false) return [];
  const address = pathToFileURL(path);
  address.searchParams.set("immutable", "1"); // SQLite puts no file beside it
  try {
    const database = new DatabaseSync(address, { readOnly: true });
    try {
      return database.prepare("select name from sqlite_master limit 1000").all() as { name: string }[];
    } finally {
      database.close();
    }
  } catch {
    return [];
  }
}

/**
 * Opens a database file, which is created with mode 0600 if necessary; or `:memory:`; or, with an empty path, a private
 * file that is deleted when closed. Commits are durable before they return (`synchronous=FULL`). Reads of a file have a
 * connection of their own (WAL), so they never wait for a writer in this or another process.
 */
export function openSqlite<Tables>(path: string): Kysely<Tables> {
  const isFile = path !== ":memory:" && path !== "";
  if (isFile) {
    requireStoreFile(path);
    createPrivateFile(path);
  }
  const writer = openConnection(
    path,
    `pragma page_size = ${PAGE_BYTES}; pragma journal_mode = wal; pragma synchronous = full; pragma cache_size = -${PAGE_CACHE_KB}`,
  );
  const reader = isFile ? openConnection(path, "pragma query_only = on") : writer;
  const database = databaseOf<Tables>(writer, reader);
  if (isFile) files.set(database, path);
  return database;
}

/**
 * Makes the file of a new store with what `fill` writes. It has another name until all of it is on the disk: a killed
 * process or a power cut leaves it whole or not there, with one wait for the disk. Returns false if there is one by then.
 * @throws Error if it cannot be made.
 */
export async function makeSqliteFile<Tables>(
  path: string,
  fill: (database: Kysely<Tables>) => Promise<void>,
): Promise<boolean> {
  const part = partBeside(path);
  createPrivateFile(part);
  try {
    const connection = openConnection(part, `pragma page_size = ${PAGE_BYTES}; pragma journal_mode = memory`);
    const database = databaseOf<Tables>(connection, connection);
    try {
      await sql`pragma synchronous = off`.execute(database);
      await fill(database);
      await sql`pragma synchronous = full`.execute(database);
      await sql`pragma journal_mode = wal`.execute(database); // writes a page, and waits for all of the file
    } finally {
      await database.destroy();
    }
    linkSync(part, path); // unlike a renaming, it replaces nothing
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw error;
  } finally {
    rmSync(part, { force: true });
  }
}

/**
 * Opens a file to read it as it is now, and leaves no file beside it. Where nothing is in its log, the file alone is
 * read: SQLite would create a log and an index of it, which a connection that only reads cannot delete.
 */
export function openSqliteReader<Tables>(path: string): Kysely<Tables> {
  const hasLog = (statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0) > 0;
  requireStoreFile(path);
  const address = pathToFileURL(path);
  if (!hasLog) address.searchParams.set("immutable", "1");
  const reader = openConnection(address, "pragma query_only = on", { readOnly: true });
  return databaseOf<Tables>(reader, reader);
}

function databaseOf<Tables>(writer: Connection, reader: Connection): Kysely<Tables> {
  return new SqliteDatabase<Tables>(writer, reader);
}

/** Kysely closes a driver only if its first use succeeded, and the files are open before that. */
class SqliteDatabase<Tables> extends Kysely<Tables> {
  readonly #driver: Driver;

  constructor(writer: Connection, reader: Connection) {
    const driver = makeDriver(writer, reader);
    super({
      dialect: {
        createDriver: () => driver,
        createQueryCompiler: () => new LongListSqliteCompiler(),
        createAdapter: () => new SqliteAdapter(),
        createIntrospector: (introspected) => new SqliteIntrospector(introspected),
      },
    });
    this.#driver = driver;
  }

  override async destroy(): Promise<void> {
    await super.destroy();
    await this.#driver.destroy();
  }
}

const files = new WeakMap<object, string>();

/** The file of a database that openSqlite() opened; undefined for one without a file of a name. */
export function sqliteFileOf<Tables>(database: Kysely<Tables>): string | undefined {
  return files.get(database);
}

/** A connection with its prepared statements. One transaction or statement uses it at a time. */
interface Connection {
  readonly database: DatabaseSync;
  /** Runs the pragmas of its first use. */
  readonly begin: () => void;
  readonly prepare: (text: string) => Statement;
  /** Waits for exclusive use, first come, first served. Returns the function that ends it. */
  readonly acquire: () => Promise<() => void>;
}

interface Statement {
  readonly statement: StatementSync;
  readonly returnsRows: boolean;
}

function openConnection(path: string | URL, pragmas: string, options: DatabaseSyncOptions = {}): Connection {
  const limits = path === "" ? {} : { length: MAX_ROW_BYTES }; // what waits in a private file may be larger
  // patiently() waits for locks, because SQLite would block the thread.
  const database = new DatabaseSync(path, { ...options, timeout: 0, limits });
  const statements = new Map<string, Statement>();
  let last: Promise<void> = Promise.resolve();
  return {
    database,
    begin: () => database.exec(`${pragmas}; pragma temp_store = file`),
    prepare(text) {
      const cached = statements.get(text);
      if (cached !== undefined) return cached;
      const statement = database.prepare(text);
      const prepared = { statement, returnsRows: statement.columns().length > 0 };
      if (statements.size < MAX_STATEMENTS) statements.set(text, prepared);
      return prepared;
    },
    async acquire() {
      const before = last;
      const { promise, resolve } = Promise.withResolvers<void>();
      last = promise;
      await before;
      await yieldToLoop();
      return resolve;
    },
  };
}

/** How long consecutive statements may occupy the thread. */
const MAX_TURN_MS = 3;
/** When the first statement of this turn of the event loop began. */
let turnBegan: number | undefined;

/**
 * Lets the event loop turn if statements have occupied the thread for a while. They block it, and promises alone never
 * let it turn, so that readers would wait for all of a fan-out's transactions.
 */
async function yieldToLoop(): Promise<void> {
  const now = performance.now();
  if (turnBegan === undefined) {
    turnBegan = now;
    startImmediate(() => {
      turnBegan = undefined;
    }).unref();
  } else if (now - turnBegan > MAX_TURN_MS) await setImmediate();
}

/** Runs a statement, or all of them, and repeats it while another process holds the lock. A busy statement has had no effect. */
async function patiently<Found>(run: () => Found): Promise<Found> {
  const deadline = performance.now() + MAX_BUSY_MS;
  for (;;) {
    try {
      return run();
    } catch (error) {
      if (!isBusy(error) || performance.now() > deadline) throw error;
      await wait(RETRY_MS);
    }
  }
}

async function runPatiently<Row>(connection: Connection, query: CompiledQuery | ArrayQuery): Promise<QueryResult<Row>> {
  return await patiently(() => runStatement<Row>(connection, query));
}

/** A query whose rows are arrays, in the order of its columns: objects with names take SQLite twice as long. */
export interface ArrayQuery extends CompiledQuery<readonly unknown[]> {
  readonly returnsArrays: true;
}

function runStatement<Row>(connection: Connection, query: CompiledQuery | ArrayQuery): QueryResult<Row> {
  const { statement, returnsRows } = connection.prepare(query.sql);
  const values = query.parameters as SQLInputValue[];
  if (returnsRows) {
    statement.setReturnArrays("returnsArrays" in query);
    return { rows: rowsOf(statement, values) as Row[] };
  }
  const { changes, lastInsertRowid } = statement.run(...values);
  return { rows: [], numAffectedRows: BigInt(changes), insertId: BigInt(lastInsertRowid) };
}

function rowsOf(statement: StatementSync, values: readonly SQLInputValue[]): unknown[] {
  try {
    if (maxResultCharacters === Number.POSITIVE_INFINITY) return statement.all(...values);
    const rows: unknown[] = [];
    let characters = 0;
    for (const row of statement.iterate(...values)) {
      characters += ROW_CHARACTERS;
      for (const value of Object.values(row))
        characters += typeof value === "string" ? value.length : value instanceof Uint8Array ? value.byteLength : 0;
      if (characters > maxResultCharacters) throw new Error(TOO_LARGE);
      rows.push(row);
    }
    return rows;
  } catch (error) {
    throw hasCode(error, SQLITE_TOO_LARGE) ? new Error(TOO_LARGE, { cause: error }) : error;
  }
}

const [SQLITE_BUSY, SQLITE_TOO_LARGE] = [5, 18];

/** Whether an error means that another process holds the lock. */
export function isBusy(error: unknown): boolean {
  return hasCode(error, SQLITE_BUSY);
}

function hasCode(error: unknown, code: number): boolean {
  return error instanceof Error && "errcode" in error && (Number(error.errcode) & 0xff) === code;
}

/**
 * The connection that Kysely sees. A transaction holds one of the two until it ends. Outside a transaction, selects go to
 * the reader and all other statements to the writer.
 */
class RoutedConnection implements DatabaseConnection {
  readonly #writer: Connection;
  readonly #reader: Connection;
  #held: { readonly connection: Connection; readonly release: () => void } | undefined;

  constructor(writer: Connection, reader: Connection) {
    this.#writer = writer;
    this.#reader = reader;
  }

  /** A transaction that may write takes the write lock when it begins, so it cannot fail later for lack of it. */
  async begin(isReadOnly: boolean): Promise<void> {
    const isLax = isUnsynced();
    const connection = isReadOnly ? this.#reader : this.#writer;
    const release = await connection.acquire();
    const resync = () => {
      try {
        connection.database.exec("pragma synchronous = full");
      } finally {
        release();
      }
    };
    this.#held = { connection, release: isLax ? resync : release };
    if (isLax) connection.database.exec("pragma synchronous = normal");
    await runPatiently(connection, CompiledQuery.raw(isReadOnly ? "begin" : "begin immediate"));
  }

  async executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    if (this.#held !== undefined) return await runPatiently<Row>(this.#held.connection, query);
    const connection = SelectQueryNode.is(query.query) ? this.#reader : this.#writer;
    const release = await connection.acquire();
    try {
      return await runPatiently<Row>(connection, query);
    } finally {
      release();
    }
  }

  /** On a full disk, SQLite has already rolled back. */
  async rollback(): Promise<void> {
    if (this.#held?.connection.database.isTransaction === true) await this.executeQuery(CompiledQuery.raw("rollback"));
  }

  // biome-ignore lint/correctness/useYield: it always throws
  async *streamQuery<Row>(): AsyncIterableIterator<QueryResult<Row>> {
    throw new Error("The SQLite store does not stream rows");
  }

  release(): void {
    this.#held?.release();
    this.#held = undefined;
  }
}

function makeDriver(writer: Connection, reader: Connection): Driver {
  return {
    async init() {
      for (const connection of new Set([writer, reader])) await patiently(connection.begin);
    },
    async acquireConnection() {
      return new RoutedConnection(writer, reader);
    },
    async beginTransaction(connection: RoutedConnection, { accessMode }: TransactionSettings) {
      await connection.begin(accessMode === "read only");
    },
    async commitTransaction(connection) {
      await connection.executeQuery(CompiledQuery.raw("commit"));
    },
    async rollbackTransaction(connection: RoutedConnection) {
      await connection.rollback();
    },
    async releaseConnection(connection: RoutedConnection) {
      connection.release();
    },
    async destroy() {
      for (const { database } of [reader, writer]) if (database.isOpen) database.close();
    },
  };
}

/** How long to wait for readers that prevent the write-ahead log from being emptied. */
const MAX_READERS_MS = 60_000;

/** Rewrites the file without free pages and empties the write-ahead log. @throws Error when readers prevent it. */
export async function compactSqlite<Tables>(database: Kysely<Tables>, waitMs = MAX_READERS_MS): Promise<void> {
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

/**
 * Makes sure that the file exists and only its owner can access it. An existing file is never opened: closing any
 * handle of it would release the locks that SQLite holds on it in this process (POSIX advisory locks), and the next
 * program to read the store would assume that it is alone and delete the write-ahead log. If root creates it, it belongs
 * to `owner`.
 */
export function createPrivateFile(path: string, owner?: { readonly uid: number; readonly gid: number }): void {
  makeFolder(dirname(path), 0o700);
  try {
    const file = openSync(path, "wx", 0o600); // follows no link
    // Root's own need no change; Node's permission model allows none, but the delivered files run as one user.
    if (owner !== undefined && owner.uid !== 0 && process.getuid?.() === 0) fchownSync(file, owner.uid, owner.gid);
    closeSync(file);
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "EEXIST")) throw error;
    const target = missingTargetOf(path);
    if (target === undefined) makePrivate(path);
    else createPrivateFile(target, owner);
  }
}

/** What a link leads to that is not there yet, in a folder that is: SQLite would make it for everybody to read. */
function missingTargetOf(path: string): string | undefined {
  if (existsSync(path) || !lstatSync(path).isSymbolicLink()) return undefined;
  const target = resolve(realpathSync(dirname(path)), readlinkSync(path));
  // A link to a further one is left to SQLite, which says what is wrong with a circle.
  const isFree = existsSync(dirname(target)) && lstatSync(target, { throwIfNoEntry: false }) === undefined;
  return isFree ? target : undefined;
}

/** Linux opens a file with this flag only to look at it (open(2)): closing it ends no lock. */
const O_PATH = 0o10000000;

/** Takes other users' rights of a file away. What a link leads to, also one that comes meanwhile, keeps its own. */
function makePrivate(path: string): void {
  const isTooOpen = (found: Stats) => found.isFile() && (found.mode & 0o077) !== 0;
  if (!isTooOpen(lstatSync(path))) return;
  if (process.platform !== "linux") {
    chmodSync(path, 0o600);
    return;
  }
  const file = openSync(path, O_PATH | constants.O_NOFOLLOW);
  try {
    if (isTooOpen(fstatSync(file))) chmodSync(`/proc/self/fd/${file}`, 0o600);
  } catch (error) {
    // Without /proc, or where Node's permissions keep the program from it.
    if (!["ENOENT", "ERR_ACCESS_DENIED"].includes((error as NodeJS.ErrnoException).code ?? "")) throw error;
    chmodSync(path, 0o600);
  } finally {
    closeSync(file);
  }
}
