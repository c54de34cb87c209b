/** Makes models/sample-snapshot.json: the sample as an import of it leaves the store, with the analyses as they are made now. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { importPaths } from "../src/import/importer.ts";
import { PROGRAM_FOLDER } from "../src/program-folder.ts";
import { SAMPLE_SNAPSHOT } from "../src/publication/sample.ts";
import { openStore, readSnapshot, type Snapshot } from "../src/store/store.ts";

export const SAMPLE_FOLDER = join(PROGRAM_FOLDER, "sample");

/** The sample's date: a fixed time, so that its documents have the same tags and dates everywhere. */
const WRITTEN_AT = new Date("2026-11-01T12:00:00Z");

/** Imports the sample folder into an in-memory store and reads it. Its revision is 0, so any real import is newer. */
export async function importSample(): Promise<Snapshot> {
  await using store = await openStore("sqlite::memory:");
  await importPaths(store, [SAMPLE_FOLDER], { now: WRITTEN_AT });
  const snapshot = await readSnapshot(store);
  const sequence = { ...snapshot.sequence, ends: snapshot.sequence.ends.map((end) => ({ ...end, key: "sample" })) };
  const analyses = new Map([...snapshot.analyses].toSorted(([a], [b]) => (a < b ? -1 : 1)));
  return { ...snapshot, analyses, revision: { ...snapshot.revision, number: 0 }, sequence };
}

/** A snapshot as JSON, which `readSample` reads. */
export function encodeSnapshot(snapshot: Snapshot): string {
  function replacer(this: Record<string, unknown>, name: string, value: unknown): unknown {
    const own = this[name]; // of a time, `value` is its text
    return own instanceof Map ? { $map: [...own] } : own instanceof Date ? { $time: value } : value;
  }
  return `${JSON.stringify(snapshot, replacer, 1)}\n`;
}

if (import.meta.main) writeFileSync(SAMPLE_SNAPSHOT, encodeSnapshot(await importSample()));
