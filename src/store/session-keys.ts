/**
 * The keys that sign MCP session ids and name followed sources. They are stored, so that all processes share them and
 * they survive restarts.
 */
import type { Store } from "./store.ts";
import type { Database } from "./tables.ts";

export interface SessionKey {
  /** 256 random bits. */
  readonly secret: Uint8Array;
  readonly made_at: Date;
}

const SECRET_BYTES = 32;

/**
 * Reads all keys, newest first, and creates the first one if there is none. Processes that start at the same time use
 * the same key, because only one of them can insert the row. To rotate the key, insert a newer row and restart: ids
 * that were signed with the older key remain valid.
 */
export async function sessionKeys(
  { database }: Store,
  now: Date,
  randomBytes: (count: number) => Uint8Array,
): Promise<SessionKey[]> {
  const stored = await readKeys(database);
  if (stored.length > 0) return stored;
  const secret = Buffer.from(randomBytes(SECRET_BYTES)).toString("hex");
  await database
    .insertInto("session_key")
    .values({ number: 1, secret, made_at: now.toISOString() })
    .onConflict((conflict) => conflict.column("number").doNothing())
    .execute();
  return await readKeys(database);
}

/** The secret that names followed sources: the first key, so that their names outlast newer ones. */
export function sourceSecret(keys: readonly SessionKey[]): Uint8Array {
  const first = keys.at(-1);
  if (first === undefined) throw new RangeError("There is no key");
  return first.secret;
}

async function readKeys(database: Database): Promise<SessionKey[]> {
  const rows = await database.selectFrom("session_key").selectAll().orderBy("number", "desc").execute();
  return rows.map(({ secret, made_at }) => ({ secret: Buffer.from(secret, "hex"), made_at: new Date(made_at) }));
}
