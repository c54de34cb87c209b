/** Temporary folders that only this user may enter, called after the process, so that what a killed one has left is found. */
import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** The name of such a folder, with the number of its process. */
export const PRIVATE_FOLDER = /^goodword-private-(\d+)-/;

export async function privateFolder(): Promise<string> {
  return await mkdtemp(join(tmpdir(), `goodword-private-${process.pid}-`));
}
