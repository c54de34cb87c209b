/** The bundled sample business, as a snapshot: what a newcomer sees before importing anything. */
import { fileURLToPath } from "node:url";
import { importPaths } from "../import/importer.ts";
import { openStore, readSnapshot, type Snapshot } from "../store/store.ts";

export const SAMPLE_FOLDER = fileURLToPath(new URL("../../sample", import.meta.url));

/** When the sample was written: a fixed time, so that its documents have the same tags and dates everywhere. */
const WRITTEN_AT = new Date("2026-11-01T12:00:00Z");

/** Imports the sample folder into a store in memory and reads it. Its revision is 0: any real import is newer. */
export async function readSample(): Promise<Snapshot> {
  const store = await openStore("sqlite::memory:");
  try {
    await importPaths(store, [SAMPLE_FOLDER], { now: WRITTEN_AT });
    const snapshot = await readSnapshot(store);
    return { ...snapshot, revision: { ...snapshot.revision, number: 0 } };
  } finally {
    await store.close();
  }
}
