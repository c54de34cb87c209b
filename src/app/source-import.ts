/** Imports a followed source's content, with messages that fit an address instead of a file. */
import type { FollowedSource } from "../business.ts";
import { type SourceReport, shownUrl } from "../follow/follower.ts";
import { UNCONFIRMED } from "../import/importer.ts";
import { COLUMNS_ADVICE } from "../import/intake.ts";
import type { Issue } from "../issue.ts";
import { runImport } from "./import-process.ts";

const MAX_FAULTS = 5;

/**
 * Runs `goodword import` for a file.
 * @throws Error with the import's messages, in which the address replaces the file name.
 */
export async function importSource(
  file: string,
  { url, source, complete }: FollowedSource,
  signal: AbortSignal,
): Promise<SourceReport> {
  const name = shownUrl(url);
  const options = [...(source === undefined ? [] : ["--source", source]), ...(complete ? ["--complete"] : [])];
  const { isImported, stdout, faults } = await runImport(file, ["--as", name, "--reviews-only", ...options], signal);
  const reworded = (message: string) => followedAdvice(message.replaceAll(file, name));
  if (!isImported) {
    const issues = refusalsIn(stdout);
    if (issues.length > 0 && issues.every(({ code }) => code === UNCONFIRMED)) throw new Error(TOO_MANY_GONE);
    const reasons = faults.slice(0, MAX_FAULTS).map((line) => reworded(line.slice("error: ".length)));
    const more = faults.length > MAX_FAULTS ? ` (and ${faults.length - MAX_FAULTS} more)` : "";
    throw new Error(`Its content was not imported: ${reasons.join(". ") || "the import ended early"}${more}`);
  }
  const { added, changed, withdrawn, read, warnings } = JSON.parse(stdout) as SourceReport;
  return { added, changed, withdrawn, read, warnings: warnings.map(reworded) };
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
    .replace(/Import this file with --source (\S+) next time\./, 'Add "source: $1" to this address in business.yaml.')
    .replace(
      /: --source (\S+) is for reviews whose file names none\. Only if the file is wrong: --override-source \S+\./,
      ": the source $1 in business.yaml is for reviews that name none.",
    );
  if (adapted !== message) return adapted;
  return /--(columns|dates|encoding|skip-invalid)\b/.test(message)
    ? `${message} (a followed source has no such options: correct it where it is made, or download it and import it by hand)`
    : message;
}

/** The issues of a refused import, from its JSON output. */
function refusalsIn(stdout: string): readonly Issue[] {
  try {
    return (JSON.parse(stdout) as { issues?: readonly Issue[] }).issues ?? [];
  } catch {
    return []; // no output
  }
}
