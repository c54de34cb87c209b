/**
 * The language in which a taxonomy writes what customers say. A pattern is a row of words that match in any inflection:
 *
 *     show up [right] on time        words in brackets may be missing
 *     (tech|he|she) be late          one of several, each of one or more words
 *     {crew} * leave {mess}          a class of the taxonomy; `*` is a gap of up to three words, `*6` of up to six
 *     call ** =left message          `**` is a gap that may cross sentences; `=` asks for the very form
 *     #num #clock #money #gone       built-in kinds of words
 */

import { tokenise } from "./tokens.ts";
import { stem } from "./word-stem.ts";

/** One place of a pattern. */
export type Element =
  | { readonly kind: "word"; readonly key: string }
  | { readonly kind: "class"; readonly name: string }
  | { readonly kind: "group"; readonly sequences: readonly Sequence[] }
  | { readonly kind: "gap"; readonly most: number; readonly crossing: boolean };
export type Sequence = readonly Element[];

/** Kinds of words that no list can hold. */
export const KINDS = ["num", "clock", "money", "percent"] as const;

/** Most sequences that one pattern may stand for, and most words of one gap. */
const MOST_SEQUENCES = 64;
const LONGEST_GAP = 12;
const PART = /\s*(\[|\]|\(|\)|\||\{[a-z_]+\}|#[a-z]+|\*\*?\d*|=?[\p{L}\p{M}\p{N}$%'’:./-]+)/uy;

/**
 * The sequences that a pattern stands for: brackets are written out, groups stay.
 * @throws Error with a sentence that says what is wrong with the pattern.
 */
export function parsePattern(pattern: string): Sequence[] {
  const parts = partsOf(pattern);
  let at = 0;

  function sequences(closing: string | undefined): Sequence[] {
    const options: Sequence[] = [];
    let rows: Element[][] = [[]];
    for (; ; at++) {
      const part = parts[at];
      if (part === undefined || part === "]" || part === ")") {
        if (part !== closing)
          throw new Error(part === undefined ? `"${closing}" is missing` : `"${part}" closes nothing`);
        return [...options, ...rows];
      }
      if (part === "|") {
        if (closing === undefined) throw new Error('"|" stands outside of a group');
        options.push(...rows);
        rows = [[]];
      } else if (part === "(" || part === "[") {
        at++;
        const inner = sequences(part === "(" ? ")" : "]");
        const group = elementOf(inner);
        rows = part === "(" ? append(rows, [group]) : [...append(rows, [group]), ...rows];
      } else {
        rows = append(rows, elementsOf(part));
      }
      if (rows.length > MOST_SEQUENCES) throw new Error(`it has more than ${MOST_SEQUENCES} readings`);
    }
  }

  const found = sequences(undefined);
  for (const sequence of found) checkSequence(sequence);
  return found;
}

function partsOf(pattern: string): string[] {
  const parts: string[] = [];
  PART.lastIndex = 0;
  let end = 0;
  for (let match = PART.exec(pattern); match !== null; match = PART.exec(pattern)) {
    parts.push(match[1] ?? "");
    end = PART.lastIndex;
  }
  if (pattern.slice(end).trim() !== "") throw new Error(`it cannot be read from "${pattern.slice(end).trim()}" on`);
  return parts;
}

function append(rows: Element[][], elements: readonly Element[]): Element[][] {
  return rows.map((row) => [...row, ...elements]);
}

function elementOf(sequences: readonly Sequence[]): Element {
  const only = sequences.length === 1 ? sequences[0] : undefined;
  return only?.length === 1 && only[0] !== undefined ? only[0] : { kind: "group", sequences };
}

function elementsOf(part: string): Element[] {
  if (part.startsWith("{")) return [{ kind: "class", name: part.slice(1, -1) }];
  if (part.startsWith("#")) {
    if (!(KINDS as readonly string[]).includes(part.slice(1))) throw new Error(`${part} is no kind of word`);
    return [{ kind: "word", key: part }];
  }
  if (part.startsWith("*")) {
    const crossing = part.startsWith("**");
    const most = Number(part.replaceAll("*", "") || (crossing ? 6 : 3));
    if (most < 1 || most > LONGEST_GAP) throw new Error(`a gap is 1 to ${LONGEST_GAP} words long, not ${most}`);
    return [{ kind: "gap", most, crossing }];
  }
  if (part.startsWith("=")) return [{ kind: "word", key: `=${part.slice(1).toLowerCase()}` }];
  return tokenise(part).forms.map((form) => ({ kind: "word", key: stem(form) }));
}

function checkSequence(sequence: Sequence): void {
  const first = sequence[0];
  if (first === undefined) throw new Error("it can be empty");
  if (first.kind === "gap" || sequence.at(-1)?.kind === "gap") throw new Error("a gap stands at its edge");
  sequence.forEach((element, index) => {
    if (element.kind === "gap" && sequence[index + 1]?.kind === "gap") throw new Error("a gap follows a gap");
    if (element.kind === "group") for (const inner of element.sequences) checkSequence(inner);
  });
}
