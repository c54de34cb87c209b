/** Describes the store that a command uses, and warns if it is probably not the intended one. */
import { existsSync, readdirSync, statfsSync, statSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { PROGRAM_FOLDER } from "../../program-folder.ts";
import { withoutPassword } from "../../store/engine/store-url.ts";

const MAX_FOLDERS_UP = 20;

/** A store's description for people. */
export interface StoreNote {
  /** The absolute path of a SQLite store, or another store's address without its password. */
  readonly location: string;
  /** Whether this command creates the store. */
  readonly isNew: boolean;
  /** Why the store's location may be a mistake; undefined if nothing suggests that. */
  readonly warning: string | undefined;
  /**
   * The reason for the warning, if a new store would be created although another store or a business file is nearby.
   */
  readonly nearby?: "another store" | "a business file" | undefined;
}

/** Describes the store at an address before it is opened. Relative paths start at `folder`. */
export function describeStore(databaseUrl: string, folder: string = process.cwd()): StoreNote {
  const path = /^sqlite:(?!:memory:)(.+)$/.exec(databaseUrl)?.[1];
  if (path === undefined) return { location: withoutPassword(databaseUrl), isNew: false, warning: undefined };
  const location = resolve(folder, path);
  const networkDisk = networkDiskWarning(location);
  if (existsSync(location)) return { location, isNew: false, warning: networkDisk };
  return {
    location,
    isNew: true,
    ...(networkDisk === undefined ? nearbyWarning(location, folder) : { warning: networkDisk }),
  };
}

/** Network file systems by their Linux numbers (statfs(2), <linux/magic.h>). */
const NETWORK_DISKS: ReadonlyMap<number, string> = new Map([
  [0x6969, "NFS"],
  [0x517b, "SMB"],
  [0xff534d42, "SMB"],
  [0xfe534d42, "SMB"],
  [0x5346414f, "AFS"],
  [0x00c36400, "Ceph"],
  [0x0bd00bd0, "Lustre"],
  [0x47504653, "GPFS"],
]);

/**
 * Warns about a SQLite store on a network disk, where its locks and shared memory do not work, so that two machines
 * would damage it; undefined for other disks.
 */
export function networkDiskWarning(
  location: string,
  kindOf: (folder: string) => number = (folder) => statfsSync(folder).type,
): string | undefined {
  let folder = dirname(location);
  while (!existsSync(folder) && dirname(folder) !== folder) folder = dirname(folder);
  try {
    const name = NETWORK_DISKS.get(kindOf(folder) >>> 0);
    if (name === undefined) return undefined;
    return `The store ${location} lies on a network disk (${name}). Its locks may not hold there, and two machines that open it damage it. Put it on a local disk, or set DATABASE_URL to a PostgreSQL database.`;
  } catch {
    return undefined; // opening the store reports the error
  }
}

/** A command's line about its store. `isCreating`: the command creates a missing one. */
export function storeLine({ location, isNew }: StoreNote, { isCreating = true } = {}): string {
  return `Store: ${location}${isNew ? (isCreating ? " (new: there was none)" : " (there is none yet)") : ""}`;
}

function nearbyWarning(location: string, folder: string): Pick<StoreNote, "warning" | "nearby"> {
  const begin = `There is no store at ${location} yet, so a new, empty one is made.`;
  const [other] = storesNear(folder).filter((path) => path !== location);
  if (other !== undefined) {
    const advice = `if your reviews are in that, set DATABASE_URL=sqlite:${other}, or run goodword in the folder where you ran it before.`;
    return { nearby: "another store", warning: `${begin} There is another one at ${other}: ${advice}` };
  }
  if (sizeOf(join(folder, "business.yaml")) === 0) return { warning: undefined };
  const advice = `bring it in with "goodword import business.yaml", together with your reviews.`;
  return { nearby: "a business file", warning: `${begin} There is a business.yaml in this folder: ${advice}` };
}

/** Files that may be the intended store: in the folder, in its parent folders, and in the program folder. */
function storesNear(folder: string): string[] {
  const above: string[] = [];
  for (let at = folder; above.length < MAX_FOLDERS_UP; at = dirname(at)) {
    above.push(join(at, "data", "goodword.db"));
    if (dirname(at) === at) break;
  }
  const here = [folder, join(folder, "data")].flatMap(databaseFiles);
  const candidates = [...here, ...above, join(PROGRAM_FOLDER, "data", "goodword.db")];
  return candidates.filter((path) => sizeOf(path) > 0);
}

/** A file's size; 0 if it does not exist or is not accessible. */
function sizeOf(path: string): number {
  try {
    return statSync(path).size;
  } catch {
    return 0;
  }
}

function databaseFiles(folder: string): string[] {
  try {
    return readdirSync(folder)
      .filter((name) => name.endsWith(".db"))
      .map((name) => join(folder, name));
  } catch {
    return [];
  }
}
