/**
 * Notes in a site's folder of the work that its desks have under way. One that a killed desk has left tells the next one
 * what to finish and to say. It names no review: what was taken out may be named nowhere.
 */
import { readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { readSmallFile } from "../../lib/small-file.ts";

const noteSchema = z.object({
  kind: z.enum(["import", "remove", "undo", "restore", "export"]),
  /** When it began, which is also when the history says that it changed the store. */
  at: z.iso.datetime(),
  files: z.array(z.string()).default([]),
  /** The number of the change that is undone. */
  number: z.int().optional(),
  /** The address that the folder is written for. */
  address: z.url().optional(),
});

export type WorkNote = Readonly<z.infer<typeof noteSchema>>;

const NAME = /^\.goodword-desk-(\d+)-\d+$/;

/** Writes a note, and returns what takes it away. A folder that may not be written gets none. */
export function writeNote(folder: string, note: z.input<typeof noteSchema>): () => void {
  const path = join(folder, `.goodword-desk-${process.pid}-${Date.parse(note.at)}`);
  try {
    writeFileSync(path, JSON.stringify(note), { flag: "wx", mode: 0o600 });
  } catch {
    return () => {};
  }
  return () => removeNote(path);
}

/** What cannot be taken away is told again by the next desk, and ends nothing. */
function removeNote(path: string): void {
  try {
    rmSync(path, { force: true });
  } catch {
    // the folder may not be written any more
  }
}

/** The notes of desks that have ended, the oldest first. Called before this process writes one there. */
export function leftNotes(folder: string): { readonly notes: readonly WorkNote[]; remove(): void } {
  const found = readNames(folder).flatMap((name) => {
    const pid = Number(NAME.exec(name)?.[1]);
    const path = join(folder, name);
    return pid !== process.pid && isRunning(pid) ? [] : [{ path, note: readNote(path) }];
  });
  const notes = found.flatMap(({ note }) => note ?? []);
  return {
    notes: notes.toSorted((a, b) => a.at.localeCompare(b.at)),
    remove() {
      for (const { path } of found) removeNote(path);
    },
  };
}

function readNames(folder: string): readonly string[] {
  try {
    return readdirSync(folder).filter((name) => NAME.test(name));
  } catch {
    return [];
  }
}

function readNote(path: string): WorkNote | undefined {
  try {
    return noteSchema.parse(JSON.parse(readSmallFile(path) ?? ""));
  } catch {
    return undefined; // the desk was killed while it wrote the note, before it began
  }
}

/** Whether a process of this machine has the id. */
export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== "ESRCH";
  }
}
