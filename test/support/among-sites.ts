/**
 * Suites of the interface for one site among many: where GOODWORD_TEST_SITES is set, what a test starts as one program is
 * a process that serves so many sites, and the test's own store is one of them. Others are asked in between, so that they
 * are opened and rest meanwhile. With GOODWORD_TEST_REPLICAS all are schemas of one PostgreSQL database, else SQLite files.
 */
import { cpSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { siteStoreUrl } from "../../src/store/engine/store-url.ts";
import { namedDatabase } from "./postgres-server.ts";
import { temporaryFolder } from "./program.ts";
import { copySchema, importInto, reviewOf } from "./sites.ts";
import { SITES } from "./test-runs.ts";
import { ask } from "./wire.ts";

const others = Array.from({ length: Math.max(0, SITES - 1) }, (_, at) => `other-${at}`);
const hostOf = (name: string) => `${name}.test`;

/** The name of the site whose store belongs to a test's folder. */
function ownName(folder: string): string {
  return `own-${basename(folder)
    .toLowerCase()
    .replaceAll(/[^a-z\d]/g, "-")}`;
}

/** The store of a test's own site; `databaseUrl` is the PostgreSQL database of all, if they are in one. */
export function ownStoreUrl(folder: string, databaseUrl = ""): string {
  const data = join(folder, "sites", ownName(folder), "data");
  mkdirSync(data, { recursive: true });
  return siteStoreUrl(databaseUrl, ownName(folder), join(data, "goodword.db"));
}

/** The PostgreSQL database of all sites, with the others in it: one for all files of a run. */
export async function databaseOfSites(): Promise<string> {
  const { url, isNew } = await namedDatabase(`goodword_sites_${SITES}`);
  const [first, ...copies] = others;
  if (isNew && first !== undefined) {
    await importOther(siteStoreUrl(url, first, ""));
    await copySchema(url, first, copies);
  }
  return url;
}

async function importOther(url: string): Promise<void> {
  using folder = temporaryFolder();
  await importInto(url, [reviewOf(folder.path, "other", "Words of another site")]);
}

let folderOfOthers: Promise<string> | undefined;

/** The folder that holds the other sites of this process's programs. */
async function makeOthers(isOnPostgres: boolean): Promise<string> {
  const folder = temporaryFolder();
  process.once("exit", () => folder[Symbol.dispose]()); // after whatever is still served from it
  const [first, ...copies] = others.map((name) => join(folder.path, name));
  if (first === undefined) return folder.path;
  mkdirSync(join(first, "data"), { recursive: true });
  if (!isOnPostgres) await importOther(`sqlite:${join(first, "data", "goodword.db")}`);
  for (const copy of copies) cpSync(first, copy, { recursive: true });
  return folder.path;
}

export interface FolderOfSites {
  readonly path: string;
  /** The host of the test's own site. */
  readonly host: string;
}

const made = new Map<string, FolderOfSites>();

/** The folder of sites in a test's folder. When it is made, the test's own site is given this address. */
export async function folderOfSites(folder: string, baseUrl: string, isOnPostgres: boolean): Promise<FolderOfSites> {
  folderOfOthers ??= makeOthers(isOnPostgres);
  const from = await folderOfOthers;
  const known = made.get(folder);
  if (known !== undefined) return known;
  const path = join(folder, "sites");
  made.set(folder, { path, host: new URL(baseUrl).host });
  mkdirSync(join(path, ownName(folder)), { recursive: true });
  writeFileSync(join(path, "goodword.env"), `SITES_BASE_URL=http://${hostOf("{site}")}\n`);
  writeFileSync(join(path, ownName(folder), "goodword.env"), `BASE_URL=${baseUrl}\n`);
  for (const name of others) symlinkSync(join(from, name), join(path, name));
  return { path, host: new URL(baseUrl).host };
}

/** Asks one of the other sites on each fourth call. `faults` says which answers were not its own. */
export function askOthers(portOf: () => number | undefined): { look(): void; faults(): Promise<readonly string[]> } {
  const asked: Promise<string | undefined>[] = [];
  let count = 0;
  async function lookAt(name: string, port: number): Promise<string | undefined> {
    const answer = await ask(`http://127.0.0.1:${port}/reviews.json`, { headers: { Host: hostOf(name) } }).catch(
      () => {},
    );
    if (answer === undefined) return undefined; // the program was ended
    if (answer.status === 503 && answer.headers["retry-after"] !== undefined) return undefined; // too many at once
    const isOwn = answer.status === 200 && /"review_count":1,.*"Words of another site"/.test(answer.text);
    return isOwn ? undefined : `${name}: ${answer.status} ${answer.text.slice(0, 500)}`;
  }
  return {
    look() {
      const [port, name] = [portOf(), others[(count * 7) % others.length]];
      if (count++ % 4 === 0 && port !== undefined && name !== undefined) asked.push(lookAt(name, port));
    },
    faults: async () => (await Promise.all(asked)).filter((fault) => fault !== undefined),
  };
}
