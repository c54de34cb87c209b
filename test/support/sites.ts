/** A folder of sites for tests, served by the whole program. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import pg from "pg";
import { importPaths } from "../../src/import/importer.ts";
import { schemaOf } from "../../src/store/engine/store-url.ts";
import { openStore } from "../../src/store/store.ts";
import { type Starting, startProgram } from "./program.ts";
import { type Answer, type Asked, askPatiently } from "./wire.ts";

/** The address of each site without one of its own. */
export const SITES_BASE_URL = "http://{site}.test";

export interface ServedFolder extends AsyncDisposable {
  readonly program: Starting;
  readonly port: number;
  /** Asks for a path at a host. */
  get(host: string, path: string, asked?: Asked): Promise<Answer>;
}

/** A site's own CSV with one review, which names it. */
export function reviewOf(folder: string, site: string, text = `Words of ${site}`): string {
  const file = join(folder, `${site}.csv`);
  const rows = ["id,author,rating,date,text,source", `${site},Author of ${site},5,2026-01-02,${text},google`];
  writeFileSync(file, `${rows.join("\n")}\n`);
  return file;
}

/** Imports a review, or the files, into a site, as a command does. */
export async function importSite(folder: string, site: string, files = [reviewOf(folder, site)]): Promise<void> {
  const data = join(folder, "sites", site, "data");
  mkdirSync(data, { recursive: true });
  await importInto(`sqlite:${join(data, "goodword.db")}`, files);
}

/** Imports files into the store at a URL, as a command does. */
export async function importInto(url: string, files: readonly string[]): Promise<void> {
  await using stack = new AsyncDisposableStack();
  const store = stack.adopt(await openStore(url), (opened) => opened.close());
  await importPaths(store, files, { now: new Date() });
}

/** Makes the PostgreSQL schemas of further sites as copies of one: imports of a thousand would take minutes. */
export async function copySchema(databaseUrl: string, from: string, others: readonly string[]): Promise<void> {
  const client = new pg.Client(databaseUrl);
  await client.connect();
  const tables = await client.query(
    "select relname, relpersistence = 'u' as unlogged from pg_class where relkind = 'r' and relnamespace = $1::regnamespace",
    [schemaOf(from)],
  );
  for (const other of others) {
    const copies = tables.rows.map(({ relname, unlogged }) => {
      const [source, copy] = [from, other].map((site) => `"${schemaOf(site)}"."${relname}"`);
      return `create ${unlogged ? "unlogged " : ""}table ${copy} (like ${source} including all); insert into ${copy} select * from ${source}`;
    });
    await client.query(`create schema "${schemaOf(other)}"; ${copies.join("; ")}`);
  }
  await client.end();
}

/** Makes the folder `sites`, with settings of the process. */
export function makeSitesFolder(folder: string): string {
  const sites = join(folder, "sites");
  mkdirSync(sites);
  writeFileSync(join(sites, "goodword.env"), `SITES_BASE_URL=${SITES_BASE_URL}\n`);
  return sites;
}

/** Serves the folder `sites`. */
export async function serveSites(
  folder: string,
  settings: Readonly<Record<string, string>> = {},
  args: readonly string[] = [],
): Promise<ServedFolder> {
  const program = startProgram(folder, settings, ["--sites", "sites", ...args]);
  const { port } = (await program.logged((entry) => typeof entry.port === "number")) as { port: number };
  return {
    program,
    port,
    get: async (host, path, { headers, ...asked } = {}) =>
      await askPatiently(`http://127.0.0.1:${port}${path}`, { ...asked, headers: { Host: host, ...headers } }),
    [Symbol.asyncDispose]: async () => await program[Symbol.asyncDispose](),
  };
}
