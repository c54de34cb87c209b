/** Temporary folders of the desk: making one, and removing those that killed desks have left. */
import { lstat, mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isRunning } from "./work-notes.ts";

const PRIVATE_FOLDER = /^goodword-desk-(\d+)-/;

/** Removes the folders that desks have left which were killed. What others have put there could change meanwhile. */
export async function removeLeftFolders(user = process.getuid?.()): Promise<void> {
  for (const name of await readdir(tmpdir())) {
    const pid = PRIVATE_FOLDER.exec(name)?.[1];
    if (pid === undefined || isRunning(Number(pid))) continue;
    const path = join(tmpdir(), name);
    const found = await lstat(path).catch(() => undefined);
    if (found?.isDirectory() !== true || (user !== undefined && found.uid !== user)) continue;
    await rm(path, { recursive: true, force: true }).catch(() => {});
  }
}

/** A new folder that only this user may enter. */
export async function privateFolder(): Promise<string> {
  return await mkdtemp(join(tmpdir(), `goodword-desk-${process.pid}-`));
}
