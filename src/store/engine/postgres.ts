/**
 * The PostgreSQL engine, for many processes on many machines: Kysely's dialect over a bounded pool. Only this file
 * loads `pg`, so that the SQLite store does not need it.
 */
import {
  CompiledQuery,
  Kysely,
  PostgresAdapter,
  PostgresDialect,
  type PostgresDialectConfig,
  PostgresDriver,
  sql,
  type TransactionSettings,
} from "kysely";
import type { Pool } from "pg";

const CONNECTIONS = 10;
const CONNECT_MS = 10_000;
const IDLE_MS = 30_000;
/** A longer statement is cancelled: by the server inside a transaction, by the client outside of one. */
const STATEMENT_MS = 30_000;
/** The longest time that a stalled process can keep the locks of a transaction. */
const STALLED_MS = 60_000;

/**
 * Opens the database at `url` (`postgres://user:password@host/name?sslmode=…`, including its TLS settings). It sets no
 * session state, so it works through PgBouncer in transaction mode.
 * @throws Error when the driver is not installed.
 */
export async function openPostgres<Tables>(url: string): Promise<Kysely<Tables>> {
  const pool = await openPool(url);
  return new Kysely<Tables>({ dialect: new LimitedPostgresDialect({ pool }) });
}

/** Whether queries go to PostgreSQL and not to the embedded engine. */
export function isOnPostgres<Tables>(database: Kysely<Tables>): boolean {
  return database.getExecutor().adapter instanceof PostgresAdapter;
}

/** Any number: advisory locks are told apart by it. */
const MIGRATION_LOCK = 8_210_117;

/**
 * Takes the lock of those who change tables, until the transaction ends. Returns false if another process has it. A lock
 * of the session would stay behind on a connection that a pooler gives to somebody else.
 */
export async function tryMigrationLock<Tables>(transaction: Kysely<Tables>): Promise<boolean> {
  const attempt = sql<{ locked: boolean }>`select pg_try_advisory_xact_lock(${sql.lit(MIGRATION_LOCK)}) as locked`;
  return (await attempt.execute(transaction)).rows[0]?.locked === true;
}

/** Modes that the driver knows. It checks certificate and host name in all but the first and the last. */
const SSL_MODES = ["disable", "prefer", "require", "verify-ca", "verify-full", "no-verify"];

/**
 * The URL as the driver takes it: modes that it treats as `verify-full` are called so, because it warns of the others.
 * @throws Error for a mode that there is not; the driver would take any for `verify-full`.
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

/** An error of the driver, with what to do about it where its own message does not say so. */
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

async function openPool(url: string): Promise<Pool> {
  const { default: pg } = await import("pg");
  const pool = new pg.Pool({
    connectionString: withSslMode(url),
    max: CONNECTIONS,
    connectionTimeoutMillis: CONNECT_MS,
    idleTimeoutMillis: IDLE_MS,
    query_timeout: STATEMENT_MS + 5_000,
    application_name: "goodword",
    allowExitOnIdle: true,
  });
  pool.on("error", () => {}); // an idle connection broke: the pool has dropped it, and the next query opens another
  // A connection that is in use may break between two queries of a transaction. Without a listener of its own, that
  // would end the process; with one, the next query fails and the transaction with it.
  pool.on("connect", (client) => void client.on("error", () => {}));
  return pool;
}

const LIMITS = `set local statement_timeout = ${STATEMENT_MS}; set local idle_in_transaction_session_timeout = ${STALLED_MS}`;

/** Begins each transaction and sets its limits in one round trip. They end with it and leave no session state. */
class LimitedPostgresDriver extends PostgresDriver {
  override async beginTransaction(
    connection: Parameters<PostgresDriver["beginTransaction"]>[0],
    { isolationLevel, accessMode }: TransactionSettings,
  ): Promise<void> {
    const isolation = isolationLevel === undefined ? "" : ` isolation level ${isolationLevel}`;
    const mode = accessMode === undefined ? "" : ` ${accessMode}`;
    await connection.executeQuery(CompiledQuery.raw(`start transaction${isolation}${mode}; ${LIMITS}`));
  }
}

class LimitedPostgresDialect extends PostgresDialect {
  readonly #config: PostgresDialectConfig;

  constructor(config: PostgresDialectConfig) {
    super(config);
    this.#config = config;
  }

  override createDriver(): PostgresDriver {
    return new LimitedPostgresDriver(this.#config);
  }
}
