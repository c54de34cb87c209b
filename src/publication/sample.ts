/** The bundled sample business as a snapshot, which is served before anything is imported. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { importPaths } from "../import/importer.ts";
import { PROGRAM_FOLDER } from "../program-folder.ts";
import { keepAnalyses } from "../store/analysis-rows.ts";
import { openStore, readSnapshot, type Snapshot } from "../store/store.ts";

export const SAMPLE_FOLDER = join(PROGRAM_FOLDER, "sample");

/**
 * The analyses of the sample's reviews, one `{key, body}` per line, so that a first start need not analyse 240 texts.
 * The key covers the text, the stars and the analyser's version, so an outdated line is never used. `npm run sample`
 * regenerates the file.
 */
export const SAMPLE_ANALYSES = join(PROGRAM_FOLDER, "models", "sample-analyses.jsonl");

/** The sample's date: a fixed time, so that its documents have the same tags and dates everywhere. */
const WRITTEN_AT = new Date("2026-11-01T12:00:00Z");

/** Imports the sample folder into an in-memory store and reads it. Its revision is 0, so any real import is newer. */
export async function readSample(analyses = readAnalyses()): Promise<Snapshot> {
  await using store = await openStore("sqlite::memory:");
  await keepAnalyses(store.database, analyses);
  await importPaths(store, [SAMPLE_FOLDER], { now: WRITTEN_AT });
  const snapshot = await readSnapshot(store);
  const sequence = { ...snapshot.sequence, ends: snapshot.sequence.ends.map((end) => ({ ...end, key: "sample" })) };
  return { ...snapshot, revision: { ...snapshot.revision, number: 0 }, sequence };
}

function readAnalyses(): { readonly key: string; readonly body: string }[] {
  return readFileSync(SAMPLE_ANALYSES, "utf8")
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as { key: string; body: string });
}
