/** `goodword.env`: a file of settings, so that the server and every command in a folder use the same ones. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parseEnv } from "node:util";
import { Invalid, type Issue, quote } from "../issue.ts";
import { withoutPassword } from "../store/engine/store-url.ts";

export const SETTINGS_FILE = "goodword.env";

/** A settings file that was read, and the settings that took effect: those that the environment does not set. */
export interface SettingsFile {
  readonly path: string;
  readonly names: readonly string[];
}

/**
 * Adds the settings of the folder's `goodword.env` to the environment. The environment wins over the file. Without such
 * a file, or under a permission model that does not let it be read, nothing changes.
 * @throws Invalid naming each line that sets nothing.
 */
export function loadSettingsFile(folder: string, environment: NodeJS.ProcessEnv): SettingsFile | undefined {
  const path = join(folder, SETTINGS_FILE);
  const text = textOf(path);
  if (text === undefined) return undefined;
  const issues = text.split(/\r?\n/).flatMap((line, index): Issue[] => {
    if (/^\s*(#|$)|^\s*(export\s+)?[A-Za-z_]\w*\s*=/.test(line)) return [];
    const message = `${path}:${index + 1}: ${quote(withoutPassword(line.trim()))} sets nothing. Write a setting as NAME=value, such as PORT=8080, and # before a remark`;
    return [{ code: "settings", path: [path, index + 1], message }];
  });
  if (issues.length > 0) throw new Invalid(issues);
  const names: string[] = [];
  for (const [name, value] of Object.entries(parseEnv(text))) {
    if (environment[name] !== undefined) continue;
    environment[name] = value;
    names.push(name);
  }
  return { path, names };
}

function textOf(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8").replace(/^\uFEFF/, "");
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOENT" || code === "ERR_ACCESS_DENIED") return undefined;
    throw new Error(
      `The settings in ${path} cannot be read (${code ?? String(error)}). Make the file readable, or remove it`,
      {
        cause: error,
      },
    );
  }
}
