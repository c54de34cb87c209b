/**
 * The edition cache of a site on PostgreSQL: a row in the site's own tables, so that a change by any machine deletes it in
 * its transaction. Like the file, it is served only at the store's revision, by the same program with the same settings.
 */
import { createHash } from "node:crypto";
import { promisify } from "node:util";
import { zstdCompress, zstdDecompress } from "node:zlib";
import type { RenderedEdition } from "../edition/render-datasets.ts";
import { keepCachedEdition, readCachedEdition } from "../store/edition-cache-row.ts";
import { isDatabaseAway, isReadOnlyFault } from "../store/engine/database-outage.ts";
import { openPostgres } from "../store/engine/postgres.ts";
import { siteSchemaOf } from "../store/engine/store-url.ts";
import type { Database, Tables } from "../store/tables.ts";
import { bytesOfEdition, type EditionCacheSettings, editionOfBytes, makerOf } from "./serialised-edition.ts";

/** Of about 25,000 reviews. A larger edition is not kept: writing it with each change would take the database seconds. */
const MAX_CHARACTERS = 8_000_000;
const MAX_BYTES = 100_000_000;

const compress = promisify(zstdCompress);
const decompress = promisify<Uint8Array, { readonly maxOutputLength: number }, Buffer>(zstdDecompress);

/** SQLSTATE of a database that has no row to give, because it is a replica. */
const ON_A_REPLICA = "0A000";

/** Whether the store's cache is a row: of a site among many. A server with one site renders at its start. */
export function isCachedInRow({ databaseUrl }: EditionCacheSettings): boolean {
  return siteSchemaOf(databaseUrl) !== undefined;
}

/**
 * Reads the cached edition; undefined if there is none for this revision of the store, this program and these settings,
 * or the database cannot be reached.
 * @throws Error if the row is damaged.
 */
export async function readEditionRow(settings: EditionCacheSettings): Promise<RenderedEdition | undefined> {
  const database = await openPostgres<Tables>(settings.databaseUrl);
  try {
    const row = await readCachedEdition(database, JSON.stringify(makerOf(settings)));
    if (row === undefined) return undefined;
    const packed = Buffer.from(row.body, "base64");
    if (hashOf(packed) !== row.hash) throw new Error("its contents do not match its checksum");
    return editionOfBytes(await decompress(packed, { maxOutputLength: MAX_BYTES }));
  } catch (error) {
    const isOnReplica = (error as { readonly code?: unknown }).code === ON_A_REPLICA;
    if (isDatabaseAway(error) || isOnReplica) return undefined;
    throw error;
  } finally {
    await database.destroy();
  }
}

/** Keeps an edition for the site's next first answer, unless the store has moved on or accepts no changes. */
export async function saveEditionRow(
  edition: RenderedEdition,
  settings: EditionCacheSettings,
  database: Database,
): Promise<void> {
  const bytes = bytesOfEdition(edition);
  if (bytes.length > MAX_BYTES) return;
  const packed = await compress(bytes);
  const body = packed.toString("base64");
  if (body.length > MAX_CHARACTERS) return;
  const of = { revision: edition.revision, revised_at: edition.revisedAt.toISOString() };
  try {
    await keepCachedEdition(database, { ...of, maker: JSON.stringify(makerOf(settings)), hash: hashOf(packed), body });
  } catch (error) {
    if (!isReadOnlyFault(error)) throw error;
  }
}

function hashOf(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("base64url");
}
