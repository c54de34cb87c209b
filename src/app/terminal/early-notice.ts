/**
 * The notice that an import will change the store, given before the command itself is loaded: `bin/goodword.js` imports
 * this file first. A server gains a tenth of a second to prepare for the change.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parseEnv } from "node:util";
import { announceChange } from "../publishing/change-notice.ts";
import { DEFAULT_STORE_URL, SETTINGS_FILE } from "../setting-names.ts";
import { explainInterruption } from "./interruption.ts";

/** Options with which an import changes nothing. */
const HARMLESS = new Set(["--dry-run", "--help", "-h"]);

/**
 * Announces a change of the store that the settings name, if the command line is an import, until it is disposed of or
 * the program ends, also by a stop signal. Faults in the command line or the settings are left to the command.
 */
export function announceEarly(
  [command, ...options]: readonly string[],
  { folder, environment }: { readonly folder: string; readonly environment: NodeJS.ProcessEnv },
): Disposable | undefined {
  if (command !== "import" || options.some((option) => HARMLESS.has(option))) return undefined;
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

function urlFromFile(path: string): string | undefined {
  try {
    return parseEnv(readFileSync(path, "utf8").replace(/^\uFEFF/, "")).DATABASE_URL;
  } catch {
    return undefined; // there is none, or it cannot be read
  }
}
