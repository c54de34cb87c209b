/** Writes the columns of analyses from which statistics are computed. Those of unchanged reviews are copied. */
import { type AnalysisColumns, marksOf, SENTIMENTS, UNREAD } from "../insight/statistics/analysed-reviews.ts";
import type { Analysis } from "../insights-document.ts";
import { sharedBytes, sharedDecimals, sharedNumbers } from "../lib/shared-memory.ts";
import type { Span } from "../lib/span.ts";

export interface AnalysisColumnsWriter {
  add(analysis: Analysis): void;
  /** Appends the columns of a span of the last edition. */
  copy(last: AnalysisColumns, span: Span): void;
  /** The columns. Nothing may be appended afterwards. */
  finish(): AnalysisColumns;
}

/** Opens a writer for the columns of `count` analyses. All spans to copy are of the `last` columns. */
export function openAnalysisColumns(count: number, last?: AnalysisColumns): AnalysisColumnsWriter {
  const scores = sharedDecimals(count);
  const sentiments = sharedBytes(count);
  const markStarts = sharedNumbers(count + 1);
  const marks: number[] = [];
  const names = [...(last?.markNames ?? [])];
  const numbers = new Map(names.map((name, number) => [name, number]));
  let position = 0;

  return {
    add(analysis) {
      const { score, sentiment } = analysis;
      scores[position] = score ?? Number.NaN;
      sentiments[position] = sentiment === null ? UNREAD : SENTIMENTS.indexOf(sentiment);
      for (const name of marksOf(analysis)) marks.push(numbers.getOrInsertComputed(name, () => names.push(name) - 1));
      markStarts[++position] = marks.length;
    },
    copy(columns, { from, to }) {
      scores.set(columns.scores.subarray(from, to), position);
      sentiments.set(columns.sentiments.subarray(from, to), position);
      const [first, end] = [columns.markStarts[from] as number, columns.markStarts[to] as number];
      const shift = marks.length - first;
      for (let at = first; at < end; at++) marks.push(columns.marks[at] as number);
      for (let next = from + 1; next <= to; next++) {
        markStarts[++position] = (columns.markStarts[next] as number) + shift;
      }
    },
    finish: () => ({ scores, sentiments, markStarts, ...inOrder(marks, names) }),
  };
}

/** Replaces each mark by its index in the sorted list of names, without those that no longer occur. */
function inOrder(marks: readonly number[], names: readonly string[]): Pick<AnalysisColumns, "marks" | "markNames"> {
  const isUsed = new Uint8Array(names.length);
  for (const mark of marks) isUsed[mark] = 1;
  const markNames = names.filter((_, number) => isUsed[number] === 1).sort();
  const numbers = new Map(markNames.map((name, number) => [name, number]));
  const renumbered = names.map((name) => numbers.get(name) ?? 0);
  const ordered = sharedNumbers(marks.length);
  for (const [at, mark] of marks.entries()) ordered[at] = renumbered[mark] as number;
  return { marks: ordered, markNames };
}
