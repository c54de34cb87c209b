/**
 * Opens a backup: a SQLite file of unknown origin, which may be damaged or hostile. A process that can be killed copies its
 * rows, and only that copy is opened here.
 */
import { fork } from "node:child_process";
import { once } from "node:events";
import { rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { entryFile } from "../../lib/entry-file.ts";
import { privateFolder } from "../../lib/private-folder.ts";
import { openSqlite } from "../engine/sqlite.ts";
import { migrate } from "../migrations.ts";
import { type Store, storeOver } from "../store.ts";
import type { Database, Tables } from "../tables.ts";
import { type BackupFault, type BackupOrder, copyStoreRows, DAMAGED } from "./backup-copy.ts";
import { requireOwnRows } from "./backup-rows.ts";

/**
 * Opens a private, migrated copy of what a restore reads from a backup. It is deleted when closed. `name`: the file's
 * name for messages. `isTrusted`: whether SQLite is trusted to come to an end with it.
 * @throws Error when the file is not a backup of a store, is damaged, was written by a newer program, or holds what
 * goodword does not write.
 */
export async function openBackup(file: string, name: string, isTrusted: boolean): Promise<Store> {
  const database = openSqlite<Tables>("");
  try {
    await (isTrusted ? copyStoreRows : loadBackup)(database, file);
    await migrate(database);
    await requireOwnRows(database);
  } catch (error) {
    await database.destroy();
    throw new Error(explainBackupFault(name, error), { cause: error });
  }
  return storeOver(database);
}

/** Copies the rows into an empty database, by another process and from its copy. */
async function loadBackup(database: Database, file: string): Promise<void> {
  // Node's permission model may allow no other process. Whoever runs the command can end it.
  if (process.permission?.has("child") === false) return await copyStoreRows(database, file);
  const folder = await privateFolder();
  try {
    const copy = join(folder, "copy.db");
    await copyByProcess(file, copy, await secondsFor(file));
    await copyStoreRows(database, copy);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** How long a backup may be read, for any and for its size: on a slow disk, so that an honest one is never given up. */
const [MIN_SECONDS, BYTES_A_SECOND] = [30, 5_000_000];
const MAX_HEAP_MB = 200;

async function secondsFor(file: string): Promise<number> {
  return MIN_SECONDS + Math.ceil((await stat(file)).size / BYTES_A_SECOND);
}

/**
 * Copies a backup by another process, which ends after so many seconds.
 * @throws Error as `copyStoreRows` does, or when SQLite did not come to an end with it.
 */
export async function copyByProcess(file: string, copy: string, seconds: number): Promise<void> {
  const child = fork(entryFile("backup-process", import.meta.url), {
    execArgv: [`--max-old-space-size=${MAX_HEAP_MB}`],
    stdio: ["ignore", "ignore", "ignore", "ipc"],
  });
  child.send({ file, copy, seconds } satisfies BackupOrder);
  let fault: BackupFault | null | undefined;
  child.once("message", (message: BackupFault | null) => {
    fault = message;
  });
  const [, signal] = await once(child, "exit");
  if (signal === "SIGKILL")
    throw new Error(`it was not read to its end within ${seconds} seconds: it is damaged, or its disk is slow`);
  if (fault === undefined) throw new Error(DAMAGED);
  if (fault !== null) throw Object.assign(new Error(fault.message), { errcode: fault.errcode });
}

/** Explains to the owner why a backup cannot be read. */
function explainBackupFault(name: string, error: unknown): string {
  const own = Number((error as { errcode?: number }).errcode ?? 0) & 0xff;
  const isUnopened = own !== CORRUPT && (error as Error).message.startsWith("unable to open");
  const code = isUnopened ? CANNOT_OPEN : own;
  const isOfSqlite = code !== 0 || /too large to be represented/.test((error as Error).message);
  const reason = FILE_FAULTS[code] ?? (isOfSqlite ? DAMAGED : (error as Error).message).replace(/\.$/, "");
  return `Cannot restore ${JSON.stringify(name)}: ${reason}. The store is as it was.`;
}

const [CORRUPT, NO_MEMORY, FULL, CANNOT_OPEN] = [11, 7, 13, 14];

/** Explanations of SQLite's result codes for a file that it cannot read. */
const FILE_FAULTS: Readonly<Record<number, string>> = {
  [CORRUPT]: DAMAGED,
  [NO_MEMORY]: DAMAGED,
  [FULL]: "there is no room for a copy of it, or it is damaged; make room, or take an older backup",
  [CANNOT_OPEN]: "it cannot be opened, or is a folder; name the file that goodword backup wrote",
  26: "it is not a database; name the file that goodword backup wrote",
};
