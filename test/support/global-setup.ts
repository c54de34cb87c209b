/** Before and after all tests of a run: one PostgreSQL and one compile cache for all files, instead of one for each. */
import { join } from "node:path";
import { type PostgresServer, startPostgres } from "./postgres-server.ts";

let server: PostgresServer | undefined;

export async function globalSetup(): Promise<void> {
  process.env.NODE_COMPILE_CACHE ??= join(import.meta.dirname, "..", "..", "node_modules", ".cache", "tests");
  if (process.env.TEST_DATABASE_URL !== undefined) return;
  server = await startPostgres();
  process.env.TEST_DATABASE_URL = server.url;
}

export async function globalTeardown(): Promise<void> {
  await server?.stop();
}
