/** The bundled sample business as a snapshot, which is served before anything is imported. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { PROGRAM_FOLDER } from "../program-folder.ts";
import type { Snapshot } from "../store/store.ts";

/**
 * The sample as it was imported and analysed, so that a first start does neither, nor loads what does. The key of an
 * analysis covers the text, the stars and the analyser's version, so an outdated one is never used. `npm run compile`
 * makes the file again: JSON, in which maps and times are objects with one member.
 */
export const SAMPLE_SNAPSHOT = join(PROGRAM_FOLDER, "models", "sample-snapshot.json");

export function readSample(): Snapshot {
  const reviver = (_: string, value: unknown) => {
    const { $map: map, $time: time } = (value ?? {}) as {
      readonly $map?: [unknown, unknown][];
      readonly $time?: string;
    };
    return map !== undefined ? new Map(map) : time !== undefined ? new Date(time) : value;
  };
  return JSON.parse(readFileSync(SAMPLE_SNAPSHOT, "utf8"), reviver) as Snapshot;
}
