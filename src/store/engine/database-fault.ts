/** Explains errors of PostgreSQL to the owner: what happened, and what to do about it. */
import { isDatabaseAway } from "./database-outage.ts";

/** An error of the server as `pg` reports it. Errors of Node have a code too, but no severity. */
interface ServerError extends Error {
  readonly code: string;
  readonly severity: string;
}

interface Explanation {
  readonly what: string;
  readonly remedy: string;
}

/** Explanations by SQLSTATE (PostgreSQL, appendix A), or by its class, which is its first two characters. */
const EXPLANATIONS: Readonly<Record<string, Explanation>> = {
  "57014": {
    what: "The database stopped a statement that took too long, or that somebody cancelled",
    remedy: "Look in pg_stat_activity for what holds it up: another program's lock, or too much work. Then try again",
  },
  "55P03": {
    what: "Another program keeps a lock on the tables of the store",
    remedy: "Look in pg_locks and pg_stat_activity for who has it. Then try again",
  },
  "40": {
    what: "Another command changed the same rows at the same time",
    remedy: "Try again when it has ended",
  },
  "42501": {
    what: "The role in DATABASE_URL lacks a right in the database",
    remedy:
      "Make it the owner of the tables, or, for a new store, let it create them: grant usage, create on schema NAME to ROLE",
  },
  "25006": {
    what: "The database accepts no changes: it is a replica, or was set to read-only",
    remedy:
      "Name the primary database in DATABASE_URL, or turn default_transaction_read_only off for the role and the database",
  },
  "22P05": {
    what: "The encoding of the database has no such character: reviews need UTF8",
    remedy:
      "Move the store into a new database: create database NAME encoding 'UTF8' template template0, then goodword migrate-store",
  },
  "53100": {
    what: "The disk of the database is full",
    remedy: "Make room there, then try again",
  },
  "53200": {
    what: "The database has not enough memory",
    remedy: "Give its machine more, or try again when there is less to do",
  },
  "53300": {
    what: "The database accepts no more connections",
    remedy:
      "Each process of goodword opens up to ten: raise max_connections, or put PgBouncer in front. Or try again later",
  },
  "28": {
    what: "The database refuses the user or the password in DATABASE_URL",
    remedy: "Correct them, or let this machine in with a line of pg_hba.conf",
  },
  "3D000": {
    what: "There is no database of the name in DATABASE_URL",
    remedy: "Correct the name, or make the database: create database NAME encoding 'UTF8' template template0",
  },
  "3F000": {
    what: "The role in DATABASE_URL may use no schema of the database, or that of its search_path is not there",
    remedy: "Correct the address, or make a schema for the role: create schema NAME authorization ROLE",
  },
  "42P07": {
    what: "The database has a table or an index that the store has yet to make",
    remedy:
      "It belongs to another program, or a dump of an older version was restored over it. Name an empty database in DATABASE_URL, or restore the dump into one",
  },
  "42P01": {
    what: "A table of the store is not in the database",
    remedy: "Somebody deleted it, or a dump was restored in part: restore a backup into a new, empty database",
  },
  "42703": {
    what: "A table in the database is not one of the store, or not as the store made it",
    remedy: "Name an empty database in DATABASE_URL, or restore a backup into one",
  },
  "58": {
    what: "The disk of the database cannot be read or written",
    remedy: "The log of the database says why",
  },
  XX: {
    what: "The files of the database are damaged, or it has a fault",
    remedy: "The log of the database says what. Restore a backup into a new, empty database",
  },
};

const AWAY: Explanation = {
  what: "The database cannot be reached",
  remedy: "Check DATABASE_URL, or try again when the database is back",
};

const ANY_OTHER: Explanation = {
  what: "The database refused a statement",
  remedy: "If the message does not say what to do, its log may",
};

/** Errors that interrupted a commit: the database may or may not have made it. */
const duringCommit = new WeakSet<object>();

const UNKNOWN_OUTCOME =
  "That happened while a change was being committed, so it is not known whether it was made: goodword history shows its last line. Repeating an import, a removal or a redaction does no harm.";

/** Notes that a commit failed with the error. */
export function noteFailedCommit(error: unknown): void {
  if (isDatabaseAway(error)) duringCommit.add(error as Error);
}

/**
 * Explains an error of PostgreSQL: what happened, the state of the data (`outcome`, unless a commit was interrupted), and
 * what to do. Undefined for any other error.
 */
export function explainDatabaseFault(error: unknown, outcome?: string): string | undefined {
  const isFromServer = isServerError(error);
  if (!isFromServer && !isDatabaseAway(error)) return undefined;
  const { code, message } = error as Error & { readonly code?: unknown };
  const listed = isFromServer ? (EXPLANATIONS[error.code] ?? EXPLANATIONS[error.code.slice(0, 2)]) : undefined;
  const { what, remedy } = listed ?? (isDatabaseAway(error) ? AWAY : ANY_OTHER);
  const reason = `${what} (${message || code}${isFromServer ? `; SQLSTATE ${code}` : ""}).`;
  const state = duringCommit.has(error as Error) ? UNKNOWN_OUTCOME : outcome;
  return [reason, ...(state === undefined ? [] : [state]), remedy].join(" ");
}

function isServerError(error: unknown): error is ServerError {
  if (!(error instanceof Error)) return false;
  const { code, severity } = error as Partial<ServerError>;
  return typeof code === "string" && typeof severity === "string";
}
