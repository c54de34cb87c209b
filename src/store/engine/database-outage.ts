/** Distinguishes errors of a database that is unreachable or accepts no changes, which are temporary, from all others. */

/** Codes of the operating system and of name resolution. */
const NETWORK_CODES = new Set([
  ...["ECONNREFUSED", "ECONNRESET", "ECONNABORTED", "EPIPE", "ETIMEDOUT", "EHOSTUNREACH", "ENETUNREACH", "EHOSTDOWN"],
  ...["ENOTFOUND", "EAI_AGAIN"],
]);

/**
 * SQLSTATE codes (PostgreSQL, appendix A): connection exceptions (class 08), too many connections, shutdown, crash,
 * starting up, and a database that currently accepts no connections.
 */
const SQL_STATES = /^(08...|53300|57P0[123]|55000)$/;

/** The messages of `pg` about connections that broke or could not be opened; these errors have no code. */
const MESSAGES =
  /^(Connection terminated|timeout exceeded when trying to connect|Query read timeout|Client has encountered a connection error)/;

/** Whether an error means that the database accepts no changes: it is a replica, or was set to read-only. */
export function isReadOnlyFault(error: unknown): boolean {
  return (error as { readonly code?: unknown } | undefined)?.code === "25006";
}

/** Whether an error of PostgreSQL's driver means that the database is unreachable at the moment. */
export function isDatabaseAway(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { code, syscall } = error as { code?: unknown; syscall?: unknown };
  if (code === "ENOENT") return syscall === "connect"; // the socket file of a server on this machine
  if (typeof code === "string") return NETWORK_CODES.has(code) || SQL_STATES.test(code);
  return MESSAGES.test(error.message);
}
