/** The URL of a store: `sqlite:PATH` or `postgres://…`. */

/** Whether the URL is that of a SQLite store. */
export function isSqlite(url: string): boolean {
  return /^sqlite:./.test(url);
}

/** Whether the URL is that of a PostgreSQL database. */
export function isPostgres(url: string): boolean {
  return /^postgres(ql)?:\/\//.test(url) && URL.canParse(url);
}
