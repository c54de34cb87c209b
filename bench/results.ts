/**
 * `bench/RESULTS.md`: one table with the figures of all benches, then what each has printed. A bench that is not run keeps
 * its rows and its section, both with the day, the commit and the load of the machine with which they were measured.
 */
import { COLUMNS, figuresIn, type Row, rowOf } from "./figures.ts";

/** What is kept of a bench. */
export interface Part {
  /** Its lines of the table. */
  readonly lines: readonly string[];
  /** Its section, without the heading. */
  readonly section: string;
}

/** The benches by their headings, in the order of the file. */
export type Parts = ReadonlyMap<string, Part>;

/** Runs of half an hour, which are written by hand and kept. */
const LONG_RUNS = "Long runs";
/** Where the column that tells whether a row holds is, of all cells of a line. */
const HOLDS = COLUMNS.length;

/** What a bench has printed, and whether it came to its end: the figures that it could not report are missing then. */
export interface Printed {
  readonly text: string;
  /** When, of which commit, and beside how much else. */
  readonly measured: string;
  readonly took: string;
  readonly failure?: string | undefined;
}

/** Makes the lines and the section of a bench. */
export function partOf(heading: string, { text, measured, took, failure }: Printed): Part {
  const { figures, rest } = figuresIn(text);
  const rows: Row[] = figures.map(rowOf);
  if (failure !== undefined)
    rows.push({ cells: [`the rest of “${heading}”`, "", "", "", `no: ${failure}`], holds: false });
  const link = `${measured}, [details](#${anchorOf(heading)})`;
  return {
    lines: rows.map(({ cells }) => lineOf([...cells, link])),
    section: ["```", rest.trimEnd(), "```", "", failure === undefined ? took : `${took} ${failure}.`].join("\n"),
  };
}

/** The parts of the file as it is, those of the headings, and what follows them. */
export function readResults(file: string, headings: readonly string[]): { parts: Map<string, Part>; longRuns: string } {
  const start = file.indexOf(`\n## ${LONG_RUNS}\n`);
  const [own, longRuns] = start === -1 ? [file, ""] : [file.slice(0, start), file.slice(start + 1)];
  const [head = "", ...sections] = own.split("\n## ");
  const lines = head.split("\n");
  const parts = new Map<string, Part>();
  for (const section of sections) {
    const heading = section.slice(0, section.indexOf("\n"));
    if (!headings.includes(heading)) continue;
    const link = `(#${anchorOf(heading)}) |`;
    parts.set(heading, {
      lines: lines.filter((line) => line.endsWith(link)),
      section: section.slice(heading.length).trim(),
    });
  }
  return { parts, longRuns };
}

/** The table of the parts, and how many of its rows hold. */
export function tableOf(parts: Parts): { readonly table: string; readonly summary: string; readonly missed: number } {
  const lines = [...parts.values()].flatMap((part) => part.lines);
  const holds = lines.map((line) => line.split(" | ")[HOLDS - 1] ?? "");
  const missed = holds.filter((cell) => cell.startsWith("no:")).length;
  const held = holds.filter((cell) => cell === "yes").length;
  return {
    table: [lineOf([...COLUMNS, "measured"]), `|${"---|".repeat(COLUMNS.length + 1)}`, ...lines].join("\n"),
    summary: `${held} of ${held + missed} rows hold.`,
    missed,
  };
}

/** The whole file. */
export function resultsOf(run: string, parts: Parts, longRuns: string): string {
  const { table, summary } = tableOf(parts);
  const sections = [...parts].map(([heading, { section }]) => `## ${heading}\n\n${section}\n`);
  const about =
    "Every figure stands beside its peer of the same run. It is a median, with the least and the most of it and the " +
    "number of samples in parentheses, or what the row says; whether a row holds is computed from it.";
  return [
    "# Results\n",
    `Made by \`npm run bench\`: ${run}.\n`,
    `${about} ${summary}\n`,
    `${table}\n`,
    ...sections,
    longRuns,
  ]
    .filter((part) => part !== "")
    .join("\n");
}

function lineOf(cells: readonly string[]): string {
  return `| ${cells.join(" | ")} |`;
}

/** The anchor of a heading, as pages of Markdown have them. */
function anchorOf(heading: string): string {
  return heading
    .toLowerCase()
    .replaceAll(/[^\w -]/g, "")
    .replaceAll(" ", "-");
}
