/** Imports a followed source's content, with messages that fit an address instead of a file. */
import type { FileHandle } from "node:fs/promises";
import type { NamedSource, SourceReport } from "../follow/follower.ts";
import { nameText } from "../follow/shown-source.ts";
import { UNCONFIRMED } from "../import/importer.ts";
import { COLUMNS_ADVICE } from "../import/intake.ts";
import { Invalid, type Issue } from "../issue.ts";
import { ownWords } from "../lib/own-words.ts";
import type { Config } from "./config.ts";
import { runImport } from "./import-worker.ts";

/**
 * Imports a fetched file, which this takes over.
 * @throws Invalid with the import's issues, in which the name of the source stands for the file.
 */
export async function importSource(
  config: Config,
  file: FileHandle,
  { name, source, complete }: NamedSource,
  signal: AbortSignal,
): Promise<SourceReport> {
  const options = { complete, ...(source === undefined ? {} : { source }) };
  const outcome = await runImport({ config, path: nameText(name), file, options }, signal);
  if ("report" in outcome) {
    const { added, changed, withdrawn, read, withheld, warnings } = outcome.report;
    return { added, changed, withdrawn, read, withheld, warnings: warnings.map(followedAdvice) };
  }
  const { issues } = outcome;
  if (issues.some(({ code, path }) => code === UNCONFIRMED && path[0] === "complete"))
    throw new Invalid([TOO_MANY_GONE]);
  throw new Invalid(issues.map((issue) => ({ ...issue, message: followedAdvice(issue.message) })));
}

const MANY_GONE = ownWords`it lacks more than a fifth of the reviews that are published. If they are really gone there, download it and import it by hand, with --complete --yes. If it is not everything, take complete: true out of business.yaml`;
const TOO_MANY_GONE: Issue = { code: UNCONFIRMED, path: [], message: MANY_GONE, plain: MANY_GONE };

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
    .replace(/Import this file with --source (\S+) next time\./, 'Add "source: $1" to this address in business.yaml.')
    .replace(
      /: --source (\S+) is for reviews whose file names none\. Only if the file is wrong: --override-source \S+\./,
      ": the source $1 in business.yaml is for reviews that name none.",
    );
  if (adapted !== message) return adapted;
  return /--(columns|dates|encoding|skip-invalid|yes)\b/.test(message)
    ? `${message} (a followed source has no such options: correct it where it is made, or download it and import it by hand)`
    : message;
}
