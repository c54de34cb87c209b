/** Connections to PostgreSQL over TLS, as DATABASE_URL asks for them. */
import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { sql } from "kysely";
import pg from "pg";
import { openStore } from "../../src/store/store.ts";
import { emptyDatabase, type PostgresServer, startPostgres } from "../support/postgres-server.ts";
import { run, temporaryFolder } from "../support/program.ts";
import { makeTestCertificate } from "../support/test-certificate.ts";
import { until } from "../support/within.ts";

describe("over TLS", () => {
  const folder = temporaryFolder();
  const file = (name: string) => join(folder.path, name);
  let server: PostgresServer;
  let url: string;

  before(async () => {
    server = await startPostgres();
    const { certificate, key } = makeTestCertificate();
    writeFileSync(file("authority.pem"), certificate);
    writeFileSync(file("another.pem"), makeTestCertificate().certificate);
    await turnTlsOn(server.url, { "server.crt": certificate, "server.key": key });
    url = await emptyDatabase(server);
  });
  after(async () => {
    await server.stop();
    folder[Symbol.dispose]();
  });

  /** Whether a store that is opened with these parameters of the URL is connected by TLS. */
  async function isEncrypted(parameters: string): Promise<boolean> {
    await using store = await openStore(url + parameters);
    const ssl = sql<{ ssl: boolean }>`select ssl from pg_stat_ssl where pid = pg_backend_pid()`;
    return (await ssl.execute(store.database)).rows[0]?.ssl === true;
  }

  for (const mode of ["prefer", "require", "verify-ca", "verify-full"]) {
    test(`sslmode=${mode} checks the certificate: its own authority is accepted, others are not`, async () => {
      assert.equal(await isEncrypted(`?sslmode=${mode}&sslrootcert=${file("authority.pem")}`), true);
      for (const authority of ["", `&sslrootcert=${file("another.pem")}`]) {
        await assert.rejects(
          isEncrypted(`?sslmode=${mode}${authority}`),
          /certificate of the database is not accepted/,
        );
      }
    });
  }

  test("sslmode=no-verify encrypts whatever the certificate, sslmode=disable does not encrypt", async () => {
    assert.equal(await isEncrypted("?sslmode=no-verify"), true);
    assert.equal(await isEncrypted("?sslmode=disable"), false);
    assert.equal(await isEncrypted(""), false);
  });

  test("what cannot be is refused, and a command says what to do", async () => {
    await assert.rejects(isEncrypted("?sslmode=allways"), /sslmode in DATABASE_URL is "allways", but must be one of/);
    await assert.rejects(isEncrypted("?sslmode=verify-full&sslrootcert=/nowhere.pem"), /nowhere\.pem.* is not there/);
    const DATABASE_URL = `${url}?sslmode=verify-full&sslrootcert=${file("another.pem")}`;
    const { code, stderr } = await run(folder.path, ["history"], { DATABASE_URL });
    assert.equal(code, 1);
    assert.match(
      stderr,
      /The certificate of the database is not accepted \(self-signed certificate\): name the authority/,
    );
    assert.ok(!stderr.includes("postgres:postgres"), "the password is not shown");
  });
});

test("a database without TLS is not used where TLS is asked for", async () => {
  const plain = `${await emptyDatabase()}?sslmode=verify-full`;
  await assert.rejects(openStore(plain), /does not offer TLS: turn it on there/);
});

/** Has the server write its certificate and key itself, so that they are its own user's, and use them. */
async function turnTlsOn(url: string, files: Readonly<Record<string, string>>): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  for (const [name, text] of Object.entries(files)) {
    const lines = `select regexp_split_to_table('${text.trim()}', '\n')`;
    await client.query(`copy (${lines}) to program 'umask 077; cat > ${name}'`); // in the folder of its data
  }
  await client.query("alter system set ssl = on");
  await client.query("select pg_reload_conf()");
  await until(async () => (await client.query<{ ssl: string }>("show ssl")).rows[0]?.ssl === "on");
  await client.end();
}
