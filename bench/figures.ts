/** Figures: a bench prints each on a line of its own, and `run.ts` makes one table of them. */

/** A figure, its peer and its limit. */
export interface Figure {
  readonly work: string;
  /** The peer of the same run and its figure. */
  readonly peer: string;
  readonly unit: string;
  readonly samples: readonly number[];
  /** The figure, if it is not the median of the samples. */
  readonly value?: number;
  /** The plural noun of a sample, and remarks; "rounds" unless given. */
  readonly of?: string;
  readonly atMost?: number;
  readonly atLeast?: number;
}

/** A row of the table. */
export interface Row {
  readonly cells: readonly string[];
  /** Whether the limit holds; undefined without one. */
  readonly holds: boolean | undefined;
}

export const COLUMNS = ["work", "peer of the same run", "goodword", "wanted", "holds?"];

const MARK = "figure: ";

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const [low = Number.NaN, high = low] = sorted.slice((sorted.length - 1) >> 1, (sorted.length >> 1) + 1);
  return (low + high) / 2;
}

/** The least value that is not exceeded by `part` (such as 0.99) of the values. */
export function percentile(values: readonly number[], part: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(sorted.length * part) - 1)] ?? Number.NaN;
}

/** Prints a figure for the table. @throws Error if it was not measured. */
export function report(figure: Figure): void {
  console.log(lineOf(figure));
}

/** The line of a figure. @throws Error on NaN, which JSON turns into null: the limit would seem to hold. */
export function lineOf(figure: Figure): string {
  const { samples, value, atMost, atLeast } = figure;
  const numbers = [...samples, value, atMost, atLeast].filter((number) => number !== undefined);
  if (samples.length === 0 || !numbers.every(Number.isFinite)) throw new Error(`${figure.work}: not measured`);
  return `${MARK}${JSON.stringify(figure)}`;
}

/** Reads the figure of a printed line; undefined if it is none. */
export function parseFigure(line: string): Figure | undefined {
  return line.startsWith(MARK) ? (JSON.parse(line.slice(MARK.length)) as Figure) : undefined;
}

/** A number with three significant digits, and its unit. */
export function shown(value: number, unit = ""): string {
  const digits = Math.abs(value) < 1000 ? { maximumSignificantDigits: 3 } : { maximumFractionDigits: 0 };
  return `${new Intl.NumberFormat("en", digits).format(value)} ${unit}`.trim();
}

export function rowOf({ work, peer, unit, samples, of = "rounds", value = median(samples), ...wanted }: Figure): Row {
  const spread = samples.length > 1 ? `${shown(Math.min(...samples))}–${shown(Math.max(...samples))}; ` : "";
  const count = `${shown(samples.length)} ${samples.length === 1 && of === "rounds" ? "round" : of}`;
  const { limit, holds, missed } = verdict(value, wanted);
  const cells = [work, peer, `${shown(value, unit)} (${spread}${count})`, limit && `${limit} ${unit}`.trim(), missed];
  return { cells, holds };
}

/** The limit, whether the value holds it, and in words by how much it misses. */
function verdict(value: number, { atMost, atLeast }: Pick<Figure, "atMost" | "atLeast">) {
  const limit = atMost ?? atLeast;
  if (limit === undefined) return { limit: "", holds: undefined, missed: "no limit" };
  const holds = atMost === undefined ? value >= limit : value <= limit;
  const percent = shown((Math.abs(value - limit) / limit) * 100, "%");
  return {
    limit: `${atMost === undefined ? "≥" : "≤"} ${shown(limit)}`,
    holds,
    missed: holds ? "yes" : `no: ${percent} too ${atMost === undefined ? "little" : "much"}`,
  };
}
