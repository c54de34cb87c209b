/**
 * Writes a small store of today's tables as SQL to `test/support/store-of-version-N.sql`, so that every later program is tested
 * on it. To be run once after a migration was added; the file of a released version is never made again.
 *
 *   node scripts/store-fixture.ts
 */
import { execFileSync } from "node:child_process";
import { copyFileSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { MIGRATIONS } from "../src/store/migrations.ts";

const ROOT = join(import.meta.dirname, "..");
const REVIEWS = 6;

const version = Object.keys(MIGRATIONS).length;
const file = join(ROOT, "test", "support", `store-of-version-${version}.sql`);

/** A store in which something was imported, removed, redacted and subscribed to. */
function fill(folder: string): string {
  const path = join(folder, "goodword.db");
  const env = { ...process.env, DATABASE_URL: `sqlite:${path}` };
  const goodword = (...args: string[]) =>
    execFileSync(process.execPath, [join(ROOT, "bin", "goodword.js"), ...args], { cwd: folder, env, stdio: "ignore" });
  const lines = readFileSync(join(ROOT, "sample", "reviews.jsonl"), "utf8")
    .split("\n")
    .slice(0, REVIEWS);
  writeFileSync(join(folder, "reviews.jsonl"), `${lines.join("\n")}\n`);
  copyFileSync(join(ROOT, "sample", "business.yaml"), join(folder, "business.yaml"));
  goodword("import", "reviews.jsonl", "business.yaml");
  const database = new DatabaseSync(path);
  const ids = database
    .prepare("select id from review order by date")
    .all()
    .map(({ id }) => String(id));
  database.close();
  goodword("remove", ids[0] ?? "");
  goodword("redact", ids[1] ?? "", "--author");
  const subscribed = new DatabaseSync(path);
  subscribed.exec(
    `insert into subscription (id, shard, topic, callback, origin, site, version, secret, lease_ends_at, failures)
     values ('${"ab".repeat(20)}', 3, '/feed.xml', 'https://subscriber.example.com/hook', 'https://subscriber.example.com',
             'example.com', 2, 'a secret of the sample', '2099-01-01T00:00:00.000Z', 1)`,
  );
  subscribed.close();
  return path;
}

function literal(value: unknown): string {
  if (value === null) return "NULL";
  return typeof value === "number" ? String(value) : `'${String(value).replaceAll("'", "''")}'`;
}

function dump(path: string): string {
  const database = new DatabaseSync(path, { readOnly: true });
  const parts = database.prepare(
    "select type, name, sql from sqlite_master where sql is not null order by type = 'index', name",
  );
  const statements = parts.all().flatMap(({ type, name, sql }) => {
    if (type !== "table") return [`${sql};`];
    const rows = database.prepare(`select * from "${name}"`).all();
    return [
      `${sql};`,
      ...rows.map((row) => `INSERT INTO "${name}" VALUES(${Object.values(row).map(literal).join(",")});`),
    ];
  });
  database.close();
  return ["BEGIN TRANSACTION;", ...statements, "COMMIT;", ""].join("\n");
}

if (existsSync(file)) throw new Error(`${file} is there already. Delete it first if that version was never released.`);
const folder = mkdtempSync(join(tmpdir(), "goodword-fixture-"));
try {
  const sql = dump(fill(folder));
  writeFileSync(
    file,
    `-- A store of invented sample reviews, as a program with ${version} migrations wrote it.\n${sql}`,
  );
} finally {
  rmSync(folder, { recursive: true, force: true });
}
console.log(file);
