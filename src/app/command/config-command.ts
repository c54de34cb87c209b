/** `goodword config`: lists every setting with its value and meaning, and says where it is from. Secrets are hidden. */
import { withoutPassword } from "../../store/engine/store-url.ts";
import { SETTINGS } from "../config.ts";
import { SETTINGS_FILE, type SettingsFile } from "../settings-file.ts";

/** Prints the settings as a table, or as JSON; on stderr, which of them settings files set. */
export function configCommand(
  environment: Readonly<Record<string, string | undefined>>,
  { json, settings }: { readonly json: boolean; readonly settings: readonly SettingsFile[] },
): void {
  for (const line of originLines(settings)) process.stderr.write(`${line}\n`);
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

function originLines(files: readonly SettingsFile[]): string[] {
  if (files.length === 0)
    return [
      `Settings: from the environment of this terminal; there is no ${SETTINGS_FILE} in this folder, which a server here would share`,
    ];
  return files.map(({ path, of, names, passedOver }) => {
    const none = of === "site" ? "it sets none" : "it sets none that the environment does not";
    const from = names.length === 0 ? none : `it sets ${names.join(", ")}`;
    const others = of === "site" ? "settings of a site" : "settings of this program";
    const also = passedOver.length === 0 ? "" : `; ${passedOver.join(", ")} in it are not ${others}`;
    return `Settings: ${path}, ${from}${also}. ${of === "site" ? "It wins over the environment" : "The environment wins over it"}`;
  });
}

/** A secret in printable form: only whether it is set, or an address without its password. */
function hidden(text: string, secret: "password" | "whole"): string {
  if (secret === "whole") return text === "" ? "" : "•••";
  return withoutPassword(text);
}
