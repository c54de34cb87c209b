/** An import's report as text for the terminal: files, outcomes, and what to do next. */
import { SHOWN_COUNTS } from "../../import/import-report.ts";
import type { ImportReport, ReviewChange } from "../../import/importer.ts";
import { joinedReadings, type ReadFrom } from "../../import/review/read-from.ts";
import { DESK_ENGLISH } from "../../page/text/desk-words-en.ts";
import { fill } from "../../page/text/words.ts";
import { exampleLines, readingLine } from "./reading-line.ts";
import { plural, terminalText } from "./terminal-text.ts";

/** Above this number, files of one format and skipped files are only counted. */
const MAX_FILES_NAMED = 5;
const MAX_CHANGES_NAMED = 200;

/** The report's lines. `isDry`: nothing was written; `notes` precede the last line. */
export function reportLines(
  report: ImportReport,
  { isDry, notes = [] }: { readonly isDry: boolean; readonly notes?: readonly string[] },
): string[] {
  const end = isDry ? "Nothing was written." : report.revised ? revisionLine(report) : "Nothing changed.";
  return [
    ...fileLines(report.files),
    ...report.sources.flatMap((each) => sourceLine(each, report)),
    ...passedOverLines(report.passed_over),
    ...report.issues.map(({ message }) => `refused: ${message}`),
    ...report.warnings.map((warning) => `warning: ${warning}`),
    ...changeLines(report.changes ?? []),
    ...countLines(report),
    ...(report.business === null ? [] : [`business   ${report.business.padStart(9)}  (${report.business_file})`]),
    ...report.business_changes.map((change) => `           ${change}`),
    `Reviews are read by the taxonomy ${report.taxonomy.name}, because ${report.taxonomy.reason}.`,
    ...notes,
    end,
  ].map(terminalText);
}

/** The counts; none for a business file alone, where all are zero. */
function countLines(report: ImportReport): string[] {
  if (report.business !== null && SHOWN_COUNTS.every((name) => report[name] === 0)) return [];
  const shown = SHOWN_COUNTS.filter((name) => !(name === "left_out" || name === "other_places") || report[name] > 0);
  return shown.map((name) => `${name.replace("_", " ")}${String(report[name]).padStart(20 - name.length)}`);
}

/** The new revision. Where all counts are zero, it says what has changed. */
function revisionLine({ added, changed, withdrawn, business, revision }: ImportReport): string {
  const isBusinessOnly = added + changed + withdrawn === 0 && business !== null && business !== "unchanged";
  return `${isBusinessOnly ? `The business was ${business}. ` : ""}Revision ${revision}.`;
}

/** Lines such as `takeout.zip!a.json: Google Takeout, 20 records`. Many files of one format share a line. */
function fileLines(files: ImportReport["files"]): string[] {
  return [...Map.groupBy(files, ({ format }) => format)].flatMap(([format, group]) => {
    if (group.length <= MAX_FILES_NAMED) {
      let before = "";
      return group.flatMap((file) => {
        const { name, records, read_from } = file;
        const lines = readingLines(read_from, [file]);
        const isKnown = lines[0] === before;
        before = lines[0] ?? "";
        return [`${name}: ${format}, ${plural(records, "record")}`, ...lines.slice(isKnown ? 1 : 0)];
      });
    }
    const records = group.reduce((sum, file) => sum + file.records, 0);
    const places = new Set(group.map(({ name }) => name.split("!")[0]));
    const [place] = places;
    const folder = commonFolder([...places]);
    const where =
      places.size === 1
        ? `${place}: ${group.length} files`
        : `${group.length} files${folder === "" ? "" : ` in ${folder}`}`;
    const reading = joinedReadings(group.map(({ read_from }) => read_from));
    return [`${where}, ${format}, ${plural(records, "record")}`, ...readingLines(reading, group)];
  });
}

/** From where the fields of the reviews in these files were read, and some of them as examples. */
function readingLines(readFrom: ReadFrom, files: ImportReport["files"]): string[] {
  const line = readingLine(readFrom, WORDS);
  return [...(line === "" ? [] : [line]), ...exampleLines(files, WORDS)].map((each) => `  ${each}`);
}

const WORDS = DESK_ENGLISH.importing.reading;

/** The folder that all paths lie in; empty without one. */
function commonFolder(paths: readonly (string | undefined)[]): string {
  const [first = [], ...others] = paths.map((path) => (path ?? "").split(/[\\/]/).slice(0, -1));
  const length = first.findIndex((part, at) => others.some((other) => other[at] !== part));
  return first.slice(0, length === -1 ? undefined : length).join("/");
}

/** Where reviews were written, and who says so. Where nobody does, a warning tells it if they are not published. */
function sourceLine(
  { source, records, said_by }: ImportReport["sources"][number],
  { withheld_sources }: ImportReport,
): string[] {
  const values = { source, records: plural(records, "record") };
  if (said_by !== "nobody") return [fill(DESK_ENGLISH.importing.origins[said_by], values)];
  return source in withheld_sources
    ? []
    : [
        `Nothing says where these reviews were written (${values.records}), so they count as ${source}: given to you directly by your customers. If they were written elsewhere, say so with --source.`,
      ];
}

/** Lists a few skipped files by name, and many as a count per extension, in which single files keep their names. */
function passedOverLines(names: readonly string[]): string[] {
  if (names.length <= MAX_FILES_NAMED) return names.map((name) => `passed over: ${name}`);
  const endings = Map.groupBy(names, (name) => /\.[^./\\!]{1,10}$/.exec(name)?.[0].toLowerCase() ?? name);
  const parts = [...endings].map(([ending, group]) => (group.length === 1 ? group[0] : `${group.length} ${ending}`));
  return [`passed over: ${names.length} files that hold no reviews (${parts.join(", ")}); --json names them all`];
}

function changeLines(changes: readonly ReviewChange[]): string[] {
  const lines = changes.slice(0, MAX_CHANGES_NAMED).map(({ change, id, date, author, source, fields }) => {
    const what = fields === undefined ? "" : `: ${fields.join(", ")}`;
    return `${change} ${id} ${date} ${author} (${source})${what}`;
  });
  const more = changes.length - lines.length;
  return more > 0 ? [...lines, `and ${more} more; --json lists them`] : lines;
}
