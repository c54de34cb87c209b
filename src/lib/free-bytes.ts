/** How much room is left on the disk of a file. */
import { statfs } from "node:fs/promises";
import { dirname } from "node:path";

/** The bytes that a user without privileges may still write beside a file. */
export async function freeBytes(file: string): Promise<number> {
  const { bavail, bsize } = await statfs(dirname(file));
  return bavail * bsize;
}
