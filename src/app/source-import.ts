/** Imports a followed source's content, with messages that fit an address instead of a file. */
import type { FileHandle } from "node:fs/promises";
import type { FollowedSource } from "../business.ts";
import { type SourceReport, shownUrl } from "../follow/follower.ts";
import { UNCONFIRMED } from "../import/importer.ts";
import { COLUMNS_ADVICE } from "../import/intake.ts";
import type { Config } from "./config.ts";
import { runImport } from "./import-worker.ts";

const MAX_FAULTS = 5;

/**
 * Imports a fetched file, which this takes over.
 * @throws Error with the import's messages, in which the address stands for the file.
 */
export async function importSource(
  config: Config,
  file: FileHandle,
  { url, source, complete }: FollowedSource,
  signal: AbortSignal,
): Promise<SourceReport> {
  const options = { reviewsOnly: true, complete, ...(source === undefined ? {} : { source }) };
  const outcome = await runImport({ config, path: shownUrl(url), file, options }, signal);
  if ("report" in outcome) {
    const { added, changed, withdrawn, read, warnings } = outcome.report;
    return { added, changed, withdrawn, read, warnings: warnings.map(followedAdvice) };
  }
  const { issues, faults } = outcome;
  if (issues.length > 0 && issues.every(({ code }) => code === UNCONFIRMED)) throw new Error(TOO_MANY_GONE);
  const more = faults.length > MAX_FAULTS ? ` (and ${faults.length - MAX_FAULTS} more)` : "";
  const reasons = faults.slice(0, MAX_FAULTS).map(followedAdvice).join(". ");
  throw new Error(`Its content was not imported: ${reasons}${more}`);
}

const TOO_MANY_GONE =
  "Its content was not imported: it lacks more than a fifth of the reviews that are published. If they are really gone there, download it and import it by hand, with --complete --yes. If it is not everything, take complete: true out of business.yaml";

/** The message with advice that an owner can follow: a followed source is imported without options for its table. */
function followedAdvice(message: string): string {
  const [fault, mapping] = message.split(COLUMNS_ADVICE);
  if (mapping !== undefined)
    return `${fault}Give its columns the names rating, date, author and text where it is made, or download it and import it by hand.`;
  const adapted = message
    .replace(
      /import it again with --source (\S+?)\./,
      'add "source: $1" to this address in business.yaml and import that file.',
    )
    .replace(/Import this file with --source (\S+) next time\./, 'Add "source: $1" to this address in business.yaml.');
  if (adapted !== message) return adapted;
  return /--(columns|dates|encoding|skip-invalid)\b/.test(message)
    ? `${message} (a followed source has no such options: correct it where it is made, or download it and import it by hand)`
    : message;
}
