/** `goodword config`: lists every setting with its value and meaning, and says where it is from. Secrets are hidden. */
import { withoutPassword } from "../../store/engine/store-url.ts";
import { SETTINGS } from "../config.ts";
import { SETTINGS_FILE, type SettingsFile } from "../settings-file.ts";

/** Prints the settings as a table, or as JSON; on stderr, which of them a settings file sets. */
export function configCommand(
  environment: Readonly<Record<string, string | undefined>>,
  { json, settings }: { readonly json: boolean; readonly settings: SettingsFile | undefined },
): void {
  process.stderr.write(`${originLine(settings)}\n`);
  const rows = Object.entries(SETTINGS).map(([name, { meaning, fallback, secret }]) => {
    const text = environment[name]?.trim() || fallback;
    return { name, value: secret === undefined ? text : hidden(text, secret), meaning };
  });
  if (json) {
    const values = Object.fromEntries(rows.map(({ name, value, meaning }) => [name, { value, meaning }]));
    return void process.stdout.write(`${JSON.stringify(values)}\n`);
  }
  const width = Math.max(...rows.map(({ name, value }) => name.length + value.length)) + 1;
  const lines = rows.map(({ name, value, meaning }) => `${`${name}=${value}`.padEnd(width)}  # ${meaning}`);
  process.stdout.write(`${lines.join("\n")}\n`);
}

function originLine(settings: SettingsFile | undefined): string {
  if (settings === undefined)
    return `Settings: from the environment of this terminal; there is no ${SETTINGS_FILE} in this folder, which a server here would share`;
  const { names: own, passedOver: others } = settings;
  const from = own.length === 0 ? "it sets none that the environment does not" : `it sets ${own.join(", ")}`;
  const also = others.length === 0 ? "" : `; ${others.join(", ")} in it are not settings of this program`;
  return `Settings: ${settings.path}, ${from}${also}. The environment wins over it`;
}

/** A secret in printable form: only whether it is set, or an address without its password. */
function hidden(text: string, secret: "password" | "whole"): string {
  if (secret === "whole") return text === "" ? "" : "•••";
  return withoutPassword(text);
}
