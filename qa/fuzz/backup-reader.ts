/** A process that restores backups one after another, each as `goodword restore` does, and tells what came of it. */
import { createHash } from "node:crypto";
import { openBackup } from "../../src/store/history/backup-file.ts";
import { RESTORED_TABLES } from "../../src/store/history/backup-parts.ts";
import { openStore, type Store } from "../../src/store/store.ts";
import { restoreBackup } from "../../test/support/restoring.ts";

/** Hashes of the rows by table, and the words of what refused the backup when it was opened, or when it was restored. */
export interface Reading {
  readonly tables?: Readonly<Record<string, readonly string[]>>;
  readonly refusal?: string;
  readonly fault?: string;
}

process.on("message", async (file: string) => process.send?.(await read(file)));
process.on("disconnect", () => process.exit());

async function read(file: string): Promise<Reading> {
  const opened = await openBackup(file, "backup.db", false).catch((error: Error) => error);
  if (opened instanceof Error) return { refusal: opened.message };
  const tables = await rowsOf(opened).finally(() => opened.close());
  try {
    await using store = await openStore("sqlite:");
    await restoreBackup(store, file, new Date("2026-02-03T04:05:06Z"));
    return { tables };
  } catch (error) {
    return { tables, fault: String((error as Error).stack) };
  }
}

async function rowsOf({ database }: Store): Promise<Record<string, readonly string[]>> {
  const tables: Record<string, readonly string[]> = {};
  for (const table of RESTORED_TABLES) {
    const rows = await database.selectFrom(table).selectAll().execute();
    tables[table] = rows.map((row) => createHash("sha1").update(JSON.stringify(row)).digest("base64url")).toSorted();
  }
  return tables;
}
