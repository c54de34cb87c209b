/** `goodword vanished`: the reviews that a platform dropped, as a list, as data and as the text of an appeal. */
import { UNNAMED_BUSINESS } from "../../business.ts";
import { listVanished, type VanishedEntry } from "../../maintenance/vanished.ts";
import { appealText } from "../../page/text/appeal.ts";
import { readBusiness } from "../../store/store.ts";
import { baseUrlOf, type Config } from "../config.ts";
import { localTime, plural, terminalText } from "../terminal/terminal-text.ts";
import { asTyped } from "../terminal/typed-command.ts";
import { withExistingStore } from "./existing-store.ts";

export interface VanishedFlags {
  readonly json?: boolean;
  readonly csv?: boolean;
  readonly appeal?: boolean;
}

/** Prints those that are not back as JSON, CSV or an appeal; otherwise a list, with those that are back at its end. */
export async function vanishedCommand(config: Config, { json, csv, appeal }: VanishedFlags): Promise<void> {
  await withExistingStore(config.DATABASE_URL, async ({ database }) => {
    const all = await listVanished(database, { baseUrl: baseUrlOf(config, config.PORT) });
    const gone = all.filter(({ returned_at }) => returned_at === null);
    const evidence = gone.map(({ returned_at: _, ...each }) => each);
    if (json === true) return void process.stdout.write(`${JSON.stringify(evidence)}\n`);
    if (csv === true) return void process.stdout.write(tableOf(gone));
    if (appeal === true) {
      const business = (await readBusiness(database)) ?? UNNAMED_BUSINESS;
      return void process.stdout.write(gone.length === 0 ? "" : printable(appealText(gone, business)));
    }
    const back = all.filter(({ returned_at }) => returned_at !== null);
    process.stdout.write(asTyped(`${listOf(gone, back)}\n`));
  });
}

const NONE =
  "No review has vanished. Reviews are compared when a whole Takeout is imported, or files that you declare to be everything with --complete.";

function listOf(gone: readonly VanishedEntry[], back: readonly VanishedEntry[]): string {
  const head =
    gone.length === 0
      ? NONE
      : `${plural(gone.length, "review")} had been imported, and ${gone.length === 1 ? "is" : "are"} missing from a later import of all reviews:`;
  const advice =
    gone.length === 0
      ? []
      : ["goodword vanished --appeal writes an appeal with all of it; --csv and --json are for programs."];
  const returned = back.length === 0 ? [] : [`Vanished once, and back:\n\n${back.map(described).join("\n\n")}`];
  return [head, ...gone.map(described), ...advice, ...returned].join("\n\n");
}

function described(entry: VanishedEntry): string {
  const { id, author, rating, date, text, source, source_url, url, had_last_at, lacked_first_at, returned_at } = entry;
  const back = returned_at === null ? "" : `; back in that of ${localTime(returned_at)}`;
  return [
    `${date}  ${plural(rating, "star")}  ${terminalText(author ?? "(withdrawn)")}  ${source}  ${id}`,
    ...(text === null ? [] : [`  ${terminalText(text)}`]),
    `  last there in the import of ${localTime(had_last_at)}, missing in that of ${localTime(lacked_first_at)}${back}`,
    ...(url === null ? ["  not published"] : [`  ${url}`]),
    ...(source_url === null ? [] : [`  ${terminalText(source_url)}`]),
  ].join("\n");
}

const COLUMNS: readonly (keyof VanishedEntry)[] = [
  "id",
  "url",
  "source",
  "source_url",
  "author",
  "rating",
  "date",
  "text",
  "had_last_at",
  "lacked_first_at",
];

/** A table (RFC 4180) in which no spreadsheet takes a customer's words for a formula. */
function tableOf(entries: readonly VanishedEntry[]): string {
  const cell = (value: unknown) => {
    const text = String(value ?? "");
    return `"${(/^[=+\-@\t\r]/.test(text) ? `'${text}` : text).replaceAll('"', '""')}"`;
  };
  const rows = entries.map((entry) => COLUMNS.map((name) => cell(entry[name])).join(","));
  return [COLUMNS.join(","), ...rows, ""].join("\r\n");
}

/** Text for a terminal, in lines. */
function printable(text: string): string {
  return text.split("\n").map(terminalText).join("\n");
}
