/**
 * Notes in a site's folder of the work that its desks have under way. One that a killed desk has left tells the next one
 * what to say. It names no review: what was taken out may be named nowhere. Somebody else may have put it there, so that
 * nothing is written anew for it.
 */
import { lstatSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { readSmallFile } from "../../lib/small-file.ts";

/** The most that are read, since somebody else may have put them there. */
const MAX_NOTES = 5;
const MAX_NAME_LENGTH = 100;
const MARKS_AND_CONTROLS = /["“”„\p{C}]/gu;

/** The name of a file, which is said between quotation marks. */
const nameSchema = z.string().transform((name) => name.slice(0, MAX_NAME_LENGTH).replace(MARKS_AND_CONTROLS, "_"));

const noteSchema = z.object({
  kind: z.enum(["import", "remove", "undo", "restore", "export"]),
  /** When it began, which is also when the history says that it changed the store. */
  at: z.iso.datetime(),
  files: z
    .array(nameSchema)
    .default([])
    .transform((names) => names.slice(0, MAX_NOTES)),
  /** The number of the change that is undone. */
  number: z.int().optional(),
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

/**
 * The notes of this user's desks that have ended, the oldest first. Called before this process writes one there. What
 * another user or a link has put in their place stays.
 */
export function leftNotes(folder: string, user = process.getuid?.()): LeftNotes {
  const found: { readonly path: string; readonly note: WorkNote | undefined }[] = [];
  for (const name of readNames(folder)) {
    const pid = Number(NAME.exec(name)?.[1]);
    const path = join(folder, name);
    if ((pid !== process.pid && isRunning(pid)) || !isOwnFile(path, user)) continue;
    found.push({ path, note: readNote(path) });
    if (found.length === MAX_NOTES) break;
  }
  const notes = found.flatMap(({ note }) => note ?? []);
  return {
    notes: notes.toSorted((a, b) => a.at.localeCompare(b.at)),
    remove() {
      for (const { path } of found) removeNote(path);
    },
  };
}

export interface LeftNotes {
  readonly notes: readonly WorkNote[];
  /** Takes them away. */
  remove(): void;
}

/** Whether there is a plain file of the user. Where users have no number, any is. One that cannot be looked at is none. */
function isOwnFile(path: string, user: number | undefined): boolean {
  try {
    const found = lstatSync(path);
    return found.isFile() && (user === undefined || found.uid === user);
  } catch {
    return false;
  }
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

/** Whether a process of this machine has the id. One that has ended keeps it until its parent looks, which some never do. */
export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return !hasEnded(pid);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== "ESRCH";
  }
}

/** Whether a process has ended and its parent has not looked, as Linux tells it (proc_pid_stat(5), state `Z`). */
function hasEnded(pid: number): boolean {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
    return stat.startsWith("Z", stat.lastIndexOf(")") + 2);
  } catch {
    return false;
  }
}
