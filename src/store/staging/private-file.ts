/** A temporary file that no other program can open, and that is gone when it is closed or the program ends. */
import { randomUUID } from "node:crypto";
import { closeSync, openSync, readSync, rmSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

export interface PrivateFile {
  /** Adds bytes at the end, and returns where they begin. */
  append(bytes: Uint8Array): number;
  /** Fills the bytes with those that begin there. */
  read(bytes: Uint8Array, start: number): void;
  close(): void;
}

/** Opens an empty file, whose name is taken away at once. @throws Error when none can be made. */
export function openPrivateFile(): PrivateFile {
  const path = join(tmpdir(), `goodword-${randomUUID()}`);
  const file = openSync(path, "wx+", 0o600);
  rmSync(path);
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
