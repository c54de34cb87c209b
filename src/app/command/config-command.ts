/** `goodword config`: lists every setting with its value and meaning. Secrets are hidden. */
import { SETTINGS } from "../config.ts";
import { withoutPassword } from "../terminal/store-note.ts";

/** Prints the settings as a table, or as JSON. */
export function configCommand(environment: Readonly<Record<string, string | undefined>>, json: boolean): void {
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

/** A secret in printable form: only whether it is set, or an address without its password. */
function hidden(text: string, secret: "password" | "whole"): string {
  if (secret === "whole") return text === "" ? "" : "•••";
  return withoutPassword(text);
}
