/**
 * The figures of a bench in the form that `bench/run.ts` makes one table of. A bench prints each on a line of its own,
 * among whatever else it prints for people.
 */

/** A figure, what it is measured against, and what is wanted of it. */
export interface Figure {
  readonly work: string;
  /** The peer of the same run and its figure, or why there is none. */
  readonly peer: string;
  readonly unit: string;
  /** What was measured: of several samples the median, unless `value` is of all of them together. */
  readonly samples: readonly number[];
  readonly value?: number;
  /** What one sample is, where it is not simply a round. */
  readonly of?: string;
  readonly atMost?: number;
  readonly atLeast?: number;
}

/** A row of the table: the cells, and whether what is wanted holds; undefined where nothing is. */
export interface Row {
  readonly cells: readonly string[];
  readonly holds: boolean | undefined;
}

export const COLUMNS = ["work", "peer of the same run", "goodword", "wanted", "holds?"];

const MARK = "figure: ";

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const [low = Number.NaN, high = low] = sorted.slice((sorted.length - 1) >> 1, (sorted.length >> 1) + 1);
  return (low + high) / 2;
}

/** The value that a part of the values, such as 0.99 of them, do not exceed. */
export function percentile(values: readonly number[], part: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(sorted.length * part) - 1)] ?? Number.NaN;
}

/** Hands a figure to the run. */
export function report(figure: Figure): void {
  console.log(lineOf(figure));
}

/** The line of a figure. JSON has no NaN, which would come back as something that holds. */
export function lineOf(figure: Figure): string {
  const { samples, value, atMost, atLeast } = figure;
  const numbers = [...samples, value, atMost, atLeast].filter((number) => number !== undefined);
  if (samples.length === 0 || !numbers.every(Number.isFinite)) throw new Error(`${figure.work}: not measured`);
  return `${MARK}${JSON.stringify(figure)}`;
}

export function isFigure(line: string): boolean {
  return line.startsWith(MARK);
}

/** Takes the figures out of what a bench has printed. */
export function figuresIn(printed: string): { readonly figures: readonly Figure[]; readonly rest: string } {
  const lines = printed.split("\n");
  const figures = lines.filter(isFigure).map((line) => JSON.parse(line.slice(MARK.length)) as Figure);
  return { figures, rest: lines.filter((line) => !isFigure(line)).join("\n") };
}

/** A number with three digits that count, and its unit. */
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

/** What is wanted, whether the value holds it, and in words: by how much it misses. */
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
