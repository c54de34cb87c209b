/** Makes the columns of analyses that figures are made from. Those of reviews that stayed the same are copied. */
import {
  type AnalysisColumns,
  type MarkKind,
  MENTIONED,
  nameOfMark,
  SENTIMENTS,
} from "../../insight/figures/analysed-reviews.ts";
import { sharedBytes, sharedDecimals, sharedNumbers } from "./shared-memory.ts";
import type { AnalysisToPublish } from "./stored-analysis.ts";

export interface AnalysisColumnsWriter {
  /** Appends the columns of some consecutive analyses of the edition before. */
  keep(from: number, to: number): void;
  add(analysis: AnalysisToPublish): void;
  /** The columns. Nothing may be appended afterwards. */
  finish(): AnalysisColumns;
}

/** Opens a writer for the columns of so many analyses. */
export function openAnalysisColumns(count: number, before?: AnalysisColumns): AnalysisColumnsWriter {
  const scores = sharedDecimals(count);
  const sentiments = sharedBytes(count);
  const markStarts = sharedNumbers(count + 1);
  let marks = new Uint32Array((before?.marks.length ?? 0) + 8);
  let [at, end] = [0, 0];
  const names = [...(before?.markNames ?? [])];
  const numbers = new Map<MarkKind, Map<string, number>>();
  for (const [number, name] of names.entries()) {
    const border = name.indexOf("\n");
    numbersOf(name.slice(0, border) as MarkKind).set(name.slice(border + 1), number);
  }

  function numbersOf(kind: MarkKind): Map<string, number> {
    return numbers.getOrInsertComputed(kind, () => new Map());
  }

  function reserve(length: number): void {
    if (end + length <= marks.length) return;
    const larger = new Uint32Array(2 * (end + length));
    larger.set(marks.subarray(0, end));
    marks = larger;
  }

  function mark(kind: MarkKind, id: string): void {
    const ofKind = numbersOf(kind);
    let number = ofKind.get(id);
    if (number === undefined) {
      number = names.push(nameOfMark(kind, id)) - 1;
      ofKind.set(id, number);
    }
    reserve(1);
    marks[end++] = number;
  }

  return {
    keep(from, to) {
      if (before === undefined) throw new Error("There is no edition before to keep anything of");
      const [first, last] = [before.markStarts[from] as number, before.markStarts[to] as number];
      scores.set(before.scores.subarray(from, to), at);
      sentiments.set(before.sentiments.subarray(from, to), at);
      reserve(last - first);
      marks.set(before.marks.subarray(first, last), end);
      for (let next = from + 1; next <= to; next++) {
        markStarts[++at] = (before.markStarts[next] as number) - first + end;
      }
      end += last - first;
    },
    add(analysis) {
      const { aspects } = analysis;
      scores[at] = analysis.score;
      sentiments[at] = SENTIMENTS.indexOf(analysis.sentiment);
      for (let place = 0; place < aspects.length; place++) {
        const { id, sentiment } = aspects[place] as AnalysisToPublish["aspects"][number];
        let first = 0;
        while (aspects[first]?.id !== id) first++;
        mark(first === place ? sentiment : `more ${sentiment}`, id);
      }
      for (const kind of MENTIONED) for (const id of analysis[kind]) mark(kind, id);
      markStarts[++at] = end;
    },
    finish() {
      const shared = sharedNumbers(end);
      shared.set(marks.subarray(0, end));
      return { scores, sentiments, marks: shared, markStarts, markNames: inOrder(shared, names) };
    },
  };
}

/** The names that occur among the marks, in order, as whose places the marks are from now on. */
function inOrder(marks: Uint32Array, names: readonly string[]): string[] {
  const isUsed = new Uint8Array(names.length);
  for (let at = 0; at < marks.length; at++) isUsed[marks[at] as number] = 1;
  const used = names.filter((_, number) => isUsed[number] === 1).sort();
  if (used.every((name, number) => name === names[number])) return used;
  const places = new Map(used.map((name, place) => [name, place]));
  const placeOf = Uint32Array.from(names, (name) => places.get(name) ?? 0);
  for (let at = 0; at < marks.length; at++) marks[at] = placeOf[marks[at] as number] as number;
  return used;
}
