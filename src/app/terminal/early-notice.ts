/**
 * What an import does before the command itself is loaded: it gives way to a server on the same machine, and gives notice
 * that it will change the store. `bin/goodword.js` imports this file first. A server gains a tenth of a second to prepare
 * for the change.
 */
import { readFileSync, statSync } from "node:fs";
import { join, resolve } from "node:path";
import { parseEnv } from "node:util";
import { lowerProcessPriority } from "../../analysis/low-priority.ts";
import { announceChange } from "../publishing/change-notice.ts";
import { DEFAULT_STORE_URL, SETTINGS_FILE } from "../setting-names.ts";
import { explainInterruption } from "./interruption.ts";

/** Files of so many bytes together are written in a moment, also by a thread that gives way: few wait for the store. */
const SMALL_BYTES = 1_000_000;

/** Options with which an import changes nothing. */
const HARMLESS = new Set(["--dry-run", "--help", "-h"]);

/**
 * Gives way, and announces a change of the store that the settings name, if the command line is an import. The notice
 * stands until it is disposed of or the program ends, also by a stop signal. Faults in the command line or the settings
 * are left to the command.
 */
export function announceEarly(
  [command, ...options]: readonly string[],
  { folder, environment }: { readonly folder: string; readonly environment: NodeJS.ProcessEnv },
): Disposable | undefined {
  if (command !== "import") return undefined;
  lowerProcessPriority({ first: isSmall(options, folder) });
  if (options.some((option) => HARMLESS.has(option))) return undefined;
  const url = environment.DATABASE_URL ?? urlFromFile(join(folder, SETTINGS_FILE));
  const interruption = explainInterruption();
  const notice = announceChange(url?.trim() || DEFAULT_STORE_URL);
  return {
    [Symbol.dispose]: () => {
      notice[Symbol.dispose]();
      interruption[Symbol.dispose]();
    },
  };
}

/** Whether what the options name are small files. Folders may hold anything. */
function isSmall(options: readonly string[], folder: string): boolean {
  try {
    const found = options.flatMap((option) => statSync(resolve(folder, option), { throwIfNoEntry: false }) ?? []);
    const bytes = found.reduce((sum, { size }) => sum + size, 0);
    return found.length > 0 && found.every((path) => path.isFile()) && bytes <= SMALL_BYTES;
  } catch {
    return false; // the command says what is wrong
  }
}

function urlFromFile(path: string): string | undefined {
  try {
    return parseEnv(readFileSync(path, "utf8").replace(/^\uFEFF/, "")).DATABASE_URL;
  } catch {
    return undefined; // there is none, or it cannot be read
  }
}
