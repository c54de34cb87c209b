/** `goodword notices`: lists the addresses that are told what is new, and sends each a test with `--test`. */
import { UNNAMED_BUSINESS } from "../../business.ts";
import { openStore, readBusiness } from "../../store/store.ts";
import type { Config } from "../config.ts";
import { type AddressLine, listNotices, sendTests } from "../owner/notice-listing.ts";
import { localTime, plural } from "../terminal/terminal-text.ts";
import { asTyped } from "../terminal/typed-command.ts";

/**
 * Prints a few lines per address, or the list as JSON.
 * @throws Error if a test was not accepted.
 */
export async function noticesCommand(
  config: Config,
  { test = false, json = false }: { readonly test?: boolean; readonly json?: boolean },
): Promise<void> {
  await using store = await openStore(config.DATABASE_URL);
  const business = (await readBusiness(store.database)) ?? UNNAMED_BUSINESS;
  const keySetting = (name: string) => process.env[name];
  const failed = test ? await sendTests(config, store, { business, keySetting }) : 0;
  const lines = await listNotices(store, business);
  if (json) process.stdout.write(`${JSON.stringify(lines)}\n`);
  else for (const line of lines) process.stdout.write(asTyped(textOf(line)));
  if (lines.length === 0 && !json)
    process.stdout.write(
      "Nobody is told what is new. Name addresses under notices in business.yaml, and import that file.\n",
    );
  if (failed > 0)
    throw new Error(`${plural(failed, "address", "addresses")} did not accept the test, for the reason above.`);
}

function textOf(line: AddressLine): string {
  const { last_at, last_type, outcome, next_at, next_digest_at } = line;
  const last = last_at === null ? "none yet" : `${localTime(last_at)}, ${last_type}, ${outcome}`;
  const next = next_at === null ? "nothing waits" : `${localTime(next_at)}, if a server runs; ${line.waiting} waiting`;
  const rows = [
    ["key", line.key],
    ["told of", [...line.when, ...(line.digest === null ? [] : [`${line.digest} digest`])].join(", ") || "nothing"],
    ["last", last],
    ["next try", next],
    ...(next_digest_at === null ? [] : [["digest", `${localTime(next_digest_at)}, if a server runs`]]),
  ];
  const head = line.format === null || line.format === "json" ? line.to : `${line.to} (${line.format})`;
  return `${head}\n${rows.map(([name = "", value]) => `  ${name.padEnd(10)}${value}\n`).join("")}`;
}
