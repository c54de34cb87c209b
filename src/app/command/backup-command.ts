/** `goodword backup`: writes a consistent copy of the SQLite store, which may be in use. */
import { existsSync } from "node:fs";
import { backupStore, openStore } from "../../store/store.ts";

/** Writes the copy to `file`. @throws Error when there is such a file already, or the store is not embedded. */
export async function backupCommand(databaseUrl: string, file: string): Promise<void> {
  if (existsSync(file)) throw new Error(`Cannot write the backup to ${JSON.stringify(file)}: it exists already`);
  const store = await openStore(databaseUrl);
  try {
    await backupStore(store, file);
    process.stdout.write(`Wrote a copy of the store to ${file}\n`);
  } finally {
    await store.close();
  }
}
