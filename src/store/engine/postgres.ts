/**
 * The engine for many processes on many machines: Kysely's PostgreSQL dialect over a bounded pool. `pg` is loaded here
 * only, so that the embedded store needs none of it.
 */
import {
  CompiledQuery,
  Kysely,
  PostgresDialect,
  type PostgresDialectConfig,
  PostgresDriver,
  type TransactionSettings,
} from "kysely";
import type { Pool } from "pg";

const CONNECTIONS = 10;
const CONNECT_MS = 10_000;
const IDLE_MS = 30_000;
/** A statement that takes longer is cancelled: by the server inside a transaction, by the client outside of one. */
const STATEMENT_MS = 30_000;
/** A process that stalls inside a transaction keeps its locks no longer than this. */
const STALLED_MS = 60_000;

/**
 * Opens the database that `url` names (`postgres://user:password@host/name?sslmode=…`; TLS settings of the URL hold).
 * Nothing is set on the session, so it works through PgBouncer in transaction mode.
 * @throws Error when the driver is not installed.
 */
export async function openPostgres<Tables>(url: string): Promise<Kysely<Tables>> {
  const pool = await openPool(url);
  return new Kysely<Tables>({ dialect: new LimitedPostgresDialect({ pool }) });
}

async function openPool(url: string): Promise<Pool> {
  const { default: pg } = await import("pg");
  const pool = new pg.Pool({
    connectionString: url,
    max: CONNECTIONS,
    connectionTimeoutMillis: CONNECT_MS,
    idleTimeoutMillis: IDLE_MS,
    query_timeout: STATEMENT_MS + 5_000,
    application_name: "goodword",
    allowExitOnIdle: true,
  });
  pool.on("error", () => {}); // an idle connection broke: the pool has dropped it, and the next query opens another
  return pool;
}

const LIMITS = `set local statement_timeout = ${STATEMENT_MS}; set local idle_in_transaction_session_timeout = ${STALLED_MS}`;

/** Begins each transaction with its limits, which end with it: one round trip, and nothing stays on the session. */
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
