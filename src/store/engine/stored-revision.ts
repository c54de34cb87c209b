/** The revision of an embedded store, for a start that has not opened the store yet. */
import { DatabaseSync } from "node:sqlite";
import { requireStoreFile } from "./store-files.ts";
import { storeFileOf } from "./store-url.ts";

/** Reads the store's revision; undefined if that is not possible without waiting or changing anything. */
export function storedRevision(url: string): { readonly number: number; readonly revised_at: Date } | undefined {
  const path = storeFileOf(url);
  if (path === undefined) return undefined;
  try {
    requireStoreFile(path);
    const database = new DatabaseSync(path, { readOnly: true, timeout: 0 });
    try {
      const row = database.prepare("select number, revised_at from revision").get();
      return row && { number: Number(row.number), revised_at: new Date(String(row.revised_at)) };
    } finally {
      database.close();
    }
  } catch {
    return undefined; // a store of another version, or none: opening it says what is wrong
  }
}
