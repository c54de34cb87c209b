/** The results of the benches: figures and how they were measured (`RESULTS.json`), and the table of them (`RESULTS.md`). */
import { COLUMNS, type Figure, rowOf } from "./figures.ts";

/** The last run of a bench. */
export interface Measurement {
  readonly day: string;
  readonly commit: string;
  /** The load average of the machine before and after. */
  readonly load: readonly [before: number, after: number];
  readonly seconds: number;
  readonly figures: readonly Figure[];
  /** Why figures are missing. */
  readonly failure?: string;
}

export interface Results {
  readonly machine: string;
  /** The benches by name, in the order of the table. */
  readonly benches: Readonly<Record<string, Measurement>>;
}

const ABOUT =
  "Each figure stands beside its peer from the same run. It is the median of the samples or what the row says; least, " +
  "most and number of the samples are in parentheses.";

/** The page of the results. */
export function renderResults({ machine, benches }: Results): string {
  const measurements = Object.entries(benches);
  const runs = measurements.map(([name, { day, commit, load, seconds }]) =>
    lineOf([name, day, commit, load.join("–"), `${seconds} s`]),
  );
  const { table, summary } = tableOf(Object.values(benches));
  const head = ["bench", "day", "commit", "load", "took"];
  return `# Results

Made by \`npm run bench\` on ${machine}.

${ABOUT} ${summary}

${table}

## Runs

${[lineOf(head), ruleOf(head), ...runs].join("\n")}
`;
}

/** The table of all figures, and how many do not hold. A bench that failed has a row that does not hold. */
export function tableOf(measurements: readonly Measurement[]): {
  readonly table: string;
  readonly summary: string;
  readonly missed: number;
} {
  const rows = measurements.flatMap(({ figures, failure }) => [
    ...figures.map(rowOf),
    ...(failure === undefined ? [] : [{ cells: ["the rest", "", "", "", `no: ${failure}`], holds: false }]),
  ]);
  const missed = rows.filter(({ holds }) => holds === false).length;
  const limited = rows.filter(({ holds }) => holds !== undefined).length;
  return {
    table: [lineOf(COLUMNS), ruleOf(COLUMNS), ...rows.map(({ cells }) => lineOf(cells))].join("\n"),
    summary: `${limited - missed} of ${limited} rows hold.`,
    missed,
  };
}

function lineOf(cells: readonly string[]): string {
  return `| ${cells.join(" | ")} |`;
}

function ruleOf(cells: readonly string[]): string {
  return `|${"---|".repeat(cells.length)}`;
}
