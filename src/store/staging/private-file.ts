/** A temporary file that no other program can open, and that is gone when it is closed or the program ends. */
import { randomUUID } from "node:crypto";
import { closeSync, openSync, readSync, rmSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** A file without a name, in the first of the folders that may be written to. */
function openUnnamed(folders: readonly string[]): number {
  const reasons: unknown[] = [];
  for (const folder of folders) {
    const path = join(folder, `goodword-${randomUUID()}`);
    let file: number | undefined;
    try {
      file = openSync(path, "wx+", 0o600);
      rmSync(path);
      return file;
    } catch (error) {
      if (file !== undefined) closeSync(file);
      reasons.push(error);
    }
  }
  const message = `No temporary file can be made in ${folders.join(", ")}. Set TMPDIR to a folder that may be written to, and try again`;
  throw new AggregateError(reasons, message);
}

export interface PrivateFile {
  /** Adds bytes at the end, and returns where they begin. */
  append(bytes: Uint8Array): number;
  /** Fills the bytes with those that begin there. */
  read(bytes: Uint8Array, start: number): void;
  close(): void;
}

/**
 * Where a file is tried to be made, in this order: the folder that TMPDIR names, and then as SQLite does, which prefers one
 * that is no memory.
 */
function foldersToTry(): string[] {
  const named = tmpdir();
  return [...(named === "/tmp" ? [] : [named]), "/var/tmp", "/tmp", "."];
}

/** Opens an empty file, whose name is taken away at once. @throws Error when none can be made. */
export function openPrivateFile(folders: readonly string[] = foldersToTry()): PrivateFile {
  const file = openUnnamed(folders);
  let end = 0;
  return {
    append(bytes) {
      const start = end;
      for (let written = 0; written < bytes.length; ) {
        written += writeSync(file, bytes, written, bytes.length - written, start + written);
      }
      end += bytes.length;
      return start;
    },
    read(bytes, start) {
      for (let had = 0; had < bytes.length; ) {
        const more = readSync(file, bytes, had, bytes.length - had, start + had);
        if (more === 0) throw new Error("A temporary file is shorter than what was written to it");
        had += more;
      }
    },
    close: () => closeSync(file),
  };
}
