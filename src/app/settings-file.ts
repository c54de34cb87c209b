/** `goodword.env`: a file of settings, so that the server and every command in a folder use the same ones. */
import { join } from "node:path";
import { parseEnv } from "node:util";
import { KEY_SETTING } from "../business.ts";
import { Invalid, type Issue, quote } from "../issue.ts";
import { ownWords } from "../lib/own-words.ts";
import { readSmallFile } from "../lib/small-file.ts";
import { withoutPassword } from "../store/engine/store-url.ts";
import { SETTINGS } from "./config.ts";

export const SETTINGS_FILE = "goodword.env";

/** A settings file that was read, and the settings that took effect: those that the environment does not set. */
export interface SettingsFile {
  readonly path: string;
  /** Whose settings they are: those of a site win over the environment. */
  readonly of: "process" | "site";
  readonly names: readonly string[];
  /** Names that are no settings of the program, or none that a site has, and were passed over. */
  readonly passedOver: readonly string[];
}

/**
 * Secrets, with the settings that say where they are sent. The store says to which address a followed source's key goes,
 * and a proxy sees it if that is not https. PostgreSQL's client reads its own variables.
 */
const SENT_TO = [
  { secret: /^ANALYZER_KEY$/, addresses: ["ANALYZER_URL"] },
  { secret: /^PG(PASSWORD|PASSFILE|SSLKEY)$/, addresses: ["DATABASE_URL"] },
  { secret: KEY_SETTING, addresses: ["DATABASE_URL", "SOURCES_PROXY", "HUB_PROXY"] },
] as const;

/**
 * Adds the settings of the folder's `goodword.env` to the environment. The environment wins over the file. Without such
 * a file, or under a permission model that does not let it be read, nothing changes. The folder may be somebody else's
 * export: only settings of the program and `KEY_` ones count, and a key from elsewhere is not sent where the file says.
 * @throws Invalid naming each line that sets nothing, and each setting that says where a key from elsewhere is sent.
 */
export function loadSettingsFile(folder: string, environment: NodeJS.ProcessEnv): SettingsFile | undefined {
  const path = join(folder, SETTINGS_FILE);
  const text = textOf(path);
  if (text === undefined) return undefined;
  const issues = faultsIn(path, text);
  const values = Object.entries(parseEnv(text)).filter(([name]) => environment[name] === undefined);
  for (const { secret, addresses } of SENT_TO) {
    const key = Object.keys(environment).find((name) => secret.test(name));
    const address = addresses.find((each) => values.some(([name]) => name === each));
    if (key === undefined || address === undefined) continue;
    const message = `${path} sets ${address}, but ${key} is set outside of the file, and could be sent there: set both in one place`;
    issues.push({ code: "settings", path: [path], message });
  }
  if (issues.length > 0) throw new Invalid(issues);
  const isOurs = (name: string) => Object.hasOwn(SETTINGS, name) || KEY_SETTING.test(name);
  const own = values.filter(([name]) => isOurs(name));
  for (const [name, value] of own) environment[name] = value;
  const passedOver = values.map(([name]) => name).filter((name) => !isOurs(name));
  return { path, of: "process", names: own.map(([name]) => name), passedOver };
}

/** The settings in a site's file; none without one. @throws Invalid naming each line that sets nothing. */
export function readSettingsFile(folder: string): NodeJS.Dict<string> {
  const path = join(folder, SETTINGS_FILE);
  const text = textOf(path, folder) ?? "";
  const issues = faultsIn(path, text);
  if (issues.length > 0) throw new Invalid(issues);
  return parseEnv(text);
}

/** Somebody else's file may have half a million lines that set nothing. */
const MAX_FAULTS = 20;

function faultsIn(path: string, text: string): Issue[] {
  const wrong = [...text.split(/\r?\n/).entries()].filter(([, line]) => !SETS_SOMETHING.test(line));
  const further = wrong.length - MAX_FAULTS;
  const issues = wrong.slice(0, MAX_FAULTS).map(([index, line]): Issue => {
    const message = `${path}:${index + 1}: ${quote(shownLine(line.trim()))} sets nothing. Write a setting as NAME=value, such as PORT=8080, and # before a remark`;
    const plain = ownWords`line ${index + 1} of its settings sets nothing`;
    return { code: "settings", path: [path, index + 1], message, plain };
  });
  if (further <= 0) return issues;
  const message = `${path} has ${further} more ${further === 1 ? "line that sets" : "lines that set"} nothing`;
  return [...issues, { code: "settings", path: [path], message }];
}

/** A setting, a remark or an empty line. */
const SETS_SOMETHING = /^\s*(#|$)|^\s*(export\s+)?[A-Za-z_]\w*\s*=/;

/** Names of settings whose values are secret, in whatever letters. */
const SECRET_NAME = /key|secret|pass|token|credential/i;
const MAX_SHOWN_CHARACTERS = 20;

/** A line for a message, without what may be a secret: the value after such a name, or a line in the midst of one. */
function shownLine(line: string): string {
  const [, name = "", rest = ""] = /^(?:export\s+)?([\w.-]*)(.*)$/s.exec(line) ?? [];
  if (rest !== "" && SECRET_NAME.test(name)) return `${name}…`;
  if (Object.hasOwn(SETTINGS, name)) return withoutPassword(line);
  return line.length > MAX_SHOWN_CHARACTERS ? `${line.slice(0, MAX_SHOWN_CHARACTERS / 2)}…` : line;
}

function textOf(path: string, within?: string): string | undefined {
  try {
    return readSmallFile(path, within);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ERR_ACCESS_DENIED") return undefined;
    if (code === undefined) throw error;
    throw new Error(
      `The settings in ${path} cannot be read (${code ?? String(error)}). Make the file readable, or remove it`,
      {
        cause: error,
      },
    );
  }
}
