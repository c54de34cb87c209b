/** Removes the temporary folders that killed programs have left. */
import { lstat, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PRIVATE_FOLDER } from "../../lib/private-folder.ts";
import { isRunning } from "./work-notes.ts";

/** Removes the folders that desks and restores have left which were killed. What others have put there could change meanwhile. */
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
