/** The revision of an embedded store, read at once by a start that has not opened the store yet. */
import { DatabaseSync } from "node:sqlite";
import { storeFileOf } from "./store-url.ts";

/** The number of the store's revision; undefined if it cannot be read without waiting or changing anything. */
export function storedRevision(url: string): number | undefined {
  const path = storeFileOf(url);
  if (path === undefined) return undefined;
  try {
    const database = new DatabaseSync(path, { readOnly: true, timeout: 0 });
    try {
      return Number(database.prepare("select number from revision").get()?.["number"]);
    } finally {
      database.close();
    }
  } catch {
    return undefined; // a store of another version, or none: opening it says what is wrong
  }
}
