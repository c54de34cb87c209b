/** Messages for faults that end a command: what happened, why, and what to do next. */
import { Invalid, type Issue } from "../issue.ts";
import { errorCode, type OwnWords, ownWords } from "../lib/own-words.ts";
import { explainDatabaseFault } from "../store/engine/database-fault.ts";
import { isDatabaseAway } from "../store/engine/database-outage.ts";

/** Describes a fault in one or more lines. */
export function faultLines(error: unknown): string[] {
  if (error instanceof Invalid) {
    const isOfRecords = error.issues.some(({ code }) => code === "field" || code === "record");
    return [...error.issues.map(({ message }) => message), ...(isOfRecords ? [ALL_OR_NOTHING] : [])];
  }
  return [systemFault(error) ?? (error instanceof Error ? error.message : String(error))];
}

const ALL_OR_NOTHING =
  "Nothing is imported while a record is refused. Correct it in the file, or import the others with --skip-invalid";

interface SystemError {
  readonly code?: string;
  readonly syscall?: string;
  readonly port?: number;
  /** The setting that holds the port, if it is not PORT. */
  readonly setting?: string;
  readonly address?: string;
  readonly path?: string;
  readonly errcode?: number;
  /** The permission refused by Node's permission model, and the resource. */
  readonly permission?: string;
  readonly resource?: string;
}

/** SQLite's primary result codes, contained in the low byte of `errcode`. */
const SQLITE_BUSY = 5;
const SQLITE_READONLY = 8;
const SQLITE_IOERR = 10;
const SQLITE_CORRUPT = 11;
const SQLITE_FULL = 13;
const SQLITE_CANTOPEN = 14;
const SQLITE_NOTADB = 26;

const STORE_FAULTS: Readonly<Record<number, OwnWords>> = {
  [SQLITE_BUSY]: ownWords`Another command is writing to the store. Try again when it has ended`,
  [SQLITE_READONLY]: ownWords`The store may not be written: check the rights of its file and folder, and whether the disk is read-only. Nothing was changed`,
  [SQLITE_CORRUPT]: ownWords`The file of the store is damaged. Put a backup in its place`,
  [SQLITE_IOERR]: ownWords`The disk of the store cannot be read or written: it may be full, its quota reached, or it is failing. Nothing was changed. Make room, or move the store to another disk, then try again`,
  [SQLITE_FULL]: ownWords`The disk is full. Nothing was changed. Make room, then try again`,
  [SQLITE_CANTOPEN]: ownWords`The file of the store cannot be opened: this user may not write its folder, the disk is read-only, or DATABASE_URL names another place than you mean. Nothing was changed`,
  [SQLITE_NOTADB]: ownWords`The file of the store is not a store of goodword. Put a backup in its place, or correct DATABASE_URL`,
};

/** The issues of a refused import, or the fault that ended it as one. */
export function issuesOfFault(error: unknown): readonly Issue[] {
  if (error instanceof Invalid) return error.issues;
  return [{ code: "failed", path: [], message: faultLines(error).join(". "), plain: plainFault(error) }];
}

/** Describes a fault without a word of what was imported, for the log of a server. */
function plainFault(error: unknown): OwnWords {
  const { errcode = 0 } = error as SystemError;
  const store = STORE_FAULTS[errcode & 0xff];
  if (store !== undefined) return store;
  if (isDatabaseAway(error)) return ownWords`The database does not answer`;
  const code = errorCode(error);
  return code === undefined ? ownWords`The import ended with an error` : ownWords`The import ended with ${code}`;
}

/** Wraps an error that followed a committed change: the message names both. */
export function faultAfter(done: string, error: unknown): Error {
  const reason = explainDatabaseFault(error) ?? (error instanceof Error ? error.message : String(error));
  return new Error(`${done}, but then: ${reason}`, { cause: error });
}

/** Explains an error of the operating system or the store's engine; undefined for any other. */
function systemFault(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  const { code, syscall, port, setting = "PORT", address, path, errcode, permission, resource } = error as SystemError;
  const store = errcode === undefined ? undefined : STORE_FAULTS[errcode & 0xff];
  if (store !== undefined) return `${store}. (${error.message})`;
  if (code === "ERR_ACCESS_DENIED")
    return `Node was started with --permission, which does not allow this: ${permission} of ${resource || "what it names"}. docs/operators.md shows the options that the program needs`;
  const ofDatabase = explainDatabaseFault(error, "Nothing was changed.");
  if (ofDatabase !== undefined) return ofDatabase;
  const isListening = syscall === "listen" || syscall === "bind";
  if (isListening && code === "EADDRINUSE")
    return `Cannot listen: another program already uses port ${port} (EADDRINUSE). Stop that program, or choose another port: ${setting}=${Number(port) + 1} npm start, or the line ${setting}=${Number(port) + 1} in goodword.env`;
  if (isListening && code === "EACCES")
    return `Cannot listen on port ${port}: this user may not (EACCES). Choose a port from 1024 on`;
  if (isListening && code === "EADDRNOTAVAIL")
    return `Cannot listen on ${address}: this machine has no such address (EADDRNOTAVAIL). Check the setting HOST`;
  if (code === "ENOENT" && syscall === "mkdir")
    return `The folder ${path} cannot be made: this user may not write where it would be, or the disk is read-only. Run the command in a folder of your own, or choose another place`;
  if (code === "ENOSPC") return "The disk is full (ENOSPC). Make room, then try again";
  if ((code === "EACCES" || code === "EPERM" || code === "EROFS") && path !== undefined)
    return `This user may not read or write ${path} (${code}). Choose another place, or change its rights`;
  return undefined;
}
