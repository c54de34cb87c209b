/**
 * PgBouncer in transaction mode between the program and PostgreSQL: the suites of the store, the hub and whole programs
 * run through it, with three connections to the database for all of them, and with no start-up parameter ignored. Needs
 * `pgbouncer` (Debian: apt-get install pgbouncer) in PATH, or its path in PGBOUNCER.
 *
 *     node bench/pgbouncer.ts [test files]
 */
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import pg from "pg";
import { freePort } from "../test/support/free-port.ts";
import { startPostgres } from "../test/support/postgres-server.ts";

const PROGRAM = process.env.PGBOUNCER ?? "pgbouncer";
const SUITES = [
  "src/store/subscription-rows.test.ts",
  "src/store/migrations.test.ts",
  "test/store/postgres.test.ts",
  "test/store/migrate-store.test.ts",
  "test/program/database-clock.test.ts",
  "test/hub/hub-standard.test.ts",
  "test/hub/hub-distribution.test.ts",
  "test/hub/hub-kill.test.ts",
];

const version = spawnSync(PROGRAM, ["--version"], { encoding: "utf8" });
if (version.status !== 0) throw new Error(`There is no ${PROGRAM} here: install it, or name it in PGBOUNCER`);
const folder = mkdtempSync(join(tmpdir(), "goodword-pgbouncer-"));
chmodSync(folder, 0o755);
const server = await startPostgres();
const port = await freePort();
const { port: databasePort } = new URL(server.url);
const settings = join(folder, "pgbouncer.ini");
writeFileSync(
  settings,
  `[databases]
* = host=127.0.0.1 port=${databasePort} user=postgres password=postgres
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = any
pool_mode = transaction
default_pool_size = 3
server_login_retry = 1
max_client_conn = 1000
log_connections = 0
log_disconnections = 0
${process.getuid?.() === 0 ? "user = nobody" : ""}
`,
);
const pooler = spawn(PROGRAM, [settings], { stdio: ["ignore", "ignore", "ignore"] });
try {
  while (!(await isListening())) await wait(50);
  console.log(version.stdout.split("\n")[0]);
  const url = `postgres://postgres:postgres@127.0.0.1:${port}/postgres`;
  const files = process.argv.length > 2 ? process.argv.slice(2) : SUITES;
  const run = spawn(process.execPath, ["--test", "--test-concurrency=1", "--test-timeout=180000", ...files], {
    stdio: "inherit",
    env: { ...process.env, TEST_DATABASE_URL: url, GOODWORD_TEST_ENGINE: "PostgreSQL" },
  });
  const [code] = (await once(run, "exit")) as [number | null];
  process.exitCode = code ?? 1;
  console.log(await figures(url));
} finally {
  pooler.kill();
  await server.stop();
  rmSync(folder, { recursive: true, force: true });
}

async function isListening(): Promise<boolean> {
  if (pooler.exitCode !== null) throw new Error(`PgBouncer ended with ${pooler.exitCode}`);
  const socket = connect(port, "127.0.0.1");
  try {
    await once(socket, "connect");
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}

/** How much went through it: its own count of transactions. */
async function figures(url: string): Promise<string> {
  const admin = new URL(url);
  admin.pathname = "/pgbouncer";
  const client = new pg.Client({ connectionString: admin.href });
  await client.connect();
  const { rows } = await client.query<{ database: string; total_xact_count: string }>("show stats");
  await client.end();
  const transactions = rows.reduce((sum, row) => sum + Number(row.total_xact_count), 0);
  return `${transactions} transactions of ${rows.length} databases went through PgBouncer in transaction mode`;
}
