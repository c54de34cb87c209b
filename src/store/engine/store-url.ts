/** The URL of a store: `sqlite:PATH` or `postgres://…`. */
import { createHash } from "node:crypto";
import { existsSync, lstatSync, realpathSync } from "node:fs";

/** Whether the URL is that of a SQLite store. */
export function isSqlite(url: string): boolean {
  return /^sqlite:./.test(url);
}

/** Whether the URL is that of a PostgreSQL database. */
export function isPostgres(url: string): boolean {
  return /^postgres(ql)?:\/\//.test(url) && URL.canParse(url);
}

/** The path of a SQLite store; undefined for one in memory and for PostgreSQL. */
export function storeFileOf(url: string): string | undefined {
  const path = url.startsWith("sqlite:") ? url.slice("sqlite:".length) : "";
  return path === "" || path === ":memory:" ? undefined : path;
}

/**
 * A store's own path, for files beside it: every name of the store must lead to the same ones. Only a link to the file is
 * resolved, because the real name of a folder may be closed to the program, as under `--permission`. Undefined if the link
 * leads nowhere, or in a circle.
 */
export function ownPathOf(path: string): string | undefined {
  if (lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() !== true) return path;
  try {
    return realpathSync(path);
  } catch {
    return undefined;
  }
}

/** Whether there is a store at the URL. Opening a SQLite store that does not exist creates it. */
export function isStoreThere(url: string): boolean {
  return !isSqlite(url) || existsSync(storeFileOf(url) ?? "");
}

/** Hides the passwords in an address, even a malformed one, in time that grows with its length. */
export function withoutPassword(address: string): string {
  const at = address.lastIndexOf("@");
  const [before] = /^.*?:\/\/[^:@/]*:/s.exec(address.slice(0, Math.max(at, 0))) ?? [];
  const hidden = before === undefined ? address : `${before}•••${address.slice(at)}`;
  return hidden.replace(/([?&](?:ssl)?password=)[^&\s]*/gi, "$1•••");
}

/**
 * The URL of a site's store: a schema of its own in the PostgreSQL database at `url`, or else the SQLite file.
 */
export function siteStoreUrl(url: string, name: string, file: string): string {
  if (!isPostgres(url)) return `sqlite:${file}`;
  const address = new URL(url);
  const options = address.searchParams.get("options");
  const search = `-c search_path=${schemaOf(name)}`;
  address.searchParams.set("options", options === null ? search : `${options} ${search}`);
  return address.href.replaceAll("+", "%20"); // the driver does not read a plus as a space
}

/**
 * The database and the schema of a site's store on PostgreSQL; undefined for any other store. Sites of one database share
 * a pool of connections.
 */
export function siteSchemaOf(url: string): { readonly databaseUrl: string; readonly schema: string } | undefined {
  if (!isPostgres(url)) return undefined;
  const address = new URL(url);
  const options = address.searchParams.get("options") ?? "";
  const schema = / ?-c search_path=(sitex?_[a-z\d_]+)$/.exec(options);
  if (schema === null) return undefined;
  const rest = options.slice(0, schema.index);
  if (rest === "") address.searchParams.delete("options");
  else address.searchParams.set("options", rest);
  return { databaseUrl: address.href.replaceAll("+", "%20"), schema: schema[1] ?? "" };
}

/** PostgreSQL cuts a longer name without an error, and two sites would have one schema. */
const MAX_SCHEMA_CHARACTERS = 63;

/** The schema of a site's store: `site_NAME`. Of a name that is too long for one, its hash tells it from others. */
export function schemaOf(name: string): string {
  const schema = `site_${name.replaceAll("-", "_")}`;
  if (schema.length <= MAX_SCHEMA_CHARACTERS) return schema;
  return `sitex_${createHash("sha256").update(name).digest("hex").slice(0, 40)}`;
}
