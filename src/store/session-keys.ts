/** The keys by which MCP session ids are signed: in the store, so that every process and every restart agrees. */
import type { Store } from "./store.ts";
import type { Database } from "./tables.ts";

export interface SessionKey {
  /** 256 random bits. */
  readonly secret: Uint8Array;
  readonly made_at: Date;
}

const SECRET_BYTES = 32;

/**
 * All keys, newest first; the first is made when there is none. Processes that start together agree on it: only one
 * of them writes the row that all then read. To replace a key, insert a newer row and restart: the older one still
 * verifies the ids that it signed.
 */
export async function sessionKeys(
  { database }: Store,
  now: Date,
  randomBytes: (count: number) => Uint8Array,
): Promise<SessionKey[]> {
  const known = await readKeys(database);
  if (known.length > 0) return known;
  const secret = Buffer.from(randomBytes(SECRET_BYTES)).toString("hex");
  await database
    .insertInto("session_key")
    .values({ number: 1, secret, made_at: now.toISOString() })
    .onConflict((conflict) => conflict.column("number").doNothing())
    .execute();
  return await readKeys(database);
}

async function readKeys(database: Database): Promise<SessionKey[]> {
  const rows = await database.selectFrom("session_key").selectAll().orderBy("number", "desc").execute();
  return rows.map(({ secret, made_at }) => ({ secret: Buffer.from(secret, "hex"), made_at: new Date(made_at) }));
}
