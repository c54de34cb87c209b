/** Overwrites PostgreSQL's write-ahead log, which holds every word that was written to the store. */
import type { Kysely } from "kysely";
import { connectOutsidePool } from "./postgres.ts";

const MAX_OVERWRITE_MS = 120_000;
/** More segments than this are not overwritten: two gigabytes at their usual size. */
const MAX_SEGMENTS = 128;
const INSUFFICIENT_PRIVILEGE = "42501";

/** Writes a record, without which there would be nothing to switch from, and fills the rest of its segment with zeros. */
const FILL_SEGMENT = "select pg_walfile_name(pg_logical_emit_message(false, 'goodword', '')) as name, pg_switch_wal()";

const SEGMENTS = "select name from pg_ls_waldir() where name ~ '^[0-9A-F]{24}$'";

/**
 * Ends the segment that is written, lets the server give up or rename all segments before it, and overwrites the renamed
 * ones, which wait to be reused. Returns false where that is not possible: the user may not do it, or the server keeps
 * old segments, such as for a replica, or very many for reuse. Archives and replicas have logs of their own.
 */
export async function overwriteLog<Tables>(database: Kysely<Tables>): Promise<boolean> {
  const { client } = await connectOutsidePool(database, { query_timeout: MAX_OVERWRITE_MS });
  const fill = async () => String((await client.query(FILL_SEGMENT)).rows[0]?.name);
  const deadline = performance.now() + MAX_OVERWRITE_MS;
  try {
    const ended = await fill();
    await client.query("checkpoint");
    const { rows } = await client.query<{ name: string }>(SEGMENTS);
    const names = rows.map(({ name }) => name).toSorted();
    const [first = "", last = ""] = [names[0], names.at(-1)];
    if (first <= ended || names.length > MAX_SEGMENTS) return false;
    while ((await fill()) < last) if (performance.now() > deadline) return false;
    return true;
  } catch (error) {
    if ((error as { code?: unknown }).code === INSUFFICIENT_PRIVILEGE) return false;
    throw error;
  } finally {
    await client.end().catch(() => {});
  }
}
