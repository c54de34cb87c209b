/**
 * The pattern language for taxonomies. A pattern is a sequence of words, which match in any inflection:
 *
 *     show up [right] on time        words in brackets are optional
 *     (tech|he|she) be late          alternatives, each of one or more words
 *     {crew} * leave {mess}          a class of the taxonomy; `*` is a gap of up to three words, `*6` of up to six
 *     call ** =left message          `**` is a gap that may cross sentences; `=` requires the exact form
 *     #num #clock #money #percent    built-in kinds of words
 */

import type { Language } from "./language-words.ts";
import { tokenise } from "./tokens.ts";
import { stem } from "./word-stem.ts";

/** An element of a pattern. */
export type Element =
  | { readonly kind: "word"; readonly key: string }
  | { readonly kind: "class"; readonly name: string }
  | { readonly kind: "group" | "optional"; readonly sequences: readonly Sequence[] }
  | { readonly kind: "gap"; readonly most: number; readonly crossing: boolean };
export type Sequence = readonly Element[];

/** Kinds of words that cannot be listed in full. */
const KINDS = ["num", "clock", "money", "percent"] as const;

const MAX_GAP_WORDS = 12;
const PART = /^(\{[a-z_]+\}|#[a-z]+|\*\*?\d*|=?[\p{L}\p{M}\p{N}$%'’:./-]+)$/u;

/**
 * Parses a pattern in a language.
 * @throws Error with a message that describes the fault.
 */
export function parsePattern(pattern: string, language: Language): Sequence {
  const parts = partsOf(pattern);
  let at = 0;

  function sequences(closing: string | undefined): Sequence[] {
    const rows: Element[][] = [[]];
    for (; ; at++) {
      const part = parts[at];
      if (part === undefined || part === "]" || part === ")") {
        if (part === closing) return rows;
        throw new Error(part === undefined ? `"${closing}" is missing` : `"${part}" closes nothing`);
      }
      if (part === "|") {
        if (closing === undefined) throw new Error('"|" is outside a group');
        rows.push([]);
      } else if (part === "(" || part === "[") {
        at++;
        rows.at(-1)?.push(elementOf(part === "(" ? "group" : "optional", sequences(part === "(" ? ")" : "]")));
      } else rows.at(-1)?.push(...elementsOf(part, language));
    }
  }

  const sequence = sequences(undefined)[0] ?? [];
  checkSequence(sequence);
  return sequence;
}

/** Splits at blanks, and before and after brackets and bars. */
function partsOf(pattern: string): string[] {
  const parts: string[] = [];
  let start = -1;
  for (let at = 0; at <= pattern.length; at++) {
    const sign = pattern.charAt(at);
    const isBracket = sign === "(" || sign === ")" || sign === "|" || sign === "[" || sign === "]";
    if (!isBracket && sign.trim() !== "") {
      if (start < 0) start = at;
      continue;
    }
    if (start >= 0) parts.push(pattern.slice(start, at));
    start = -1;
    if (isBracket) parts.push(sign);
  }
  return parts;
}

/** Replaces a group of one element with that element. */
function elementOf(kind: "group" | "optional", sequences: readonly Sequence[]): Element {
  const only = sequences.length === 1 ? sequences[0] : undefined;
  return kind === "group" && only?.length === 1 && only[0] !== undefined ? only[0] : { kind, sequences };
}

function elementsOf(part: string, language: Language): readonly Element[] {
  if (!PART.test(part)) throw new Error(`it is invalid from "${part}" on`);
  if (part.startsWith("{")) return [{ kind: "class", name: part.slice(1, -1) }];
  if (part.startsWith("#")) {
    if (!(KINDS as readonly string[]).includes(part.slice(1))) throw new Error(`${part} is not a kind of word`);
    return [{ kind: "word", key: part }];
  }
  if (part.startsWith("*")) {
    const crossing = part.startsWith("**");
    const most = Number(part.replaceAll("*", "") || (crossing ? 6 : 3));
    if (most < 1 || most > MAX_GAP_WORDS) throw new Error(`a gap is 1 to ${MAX_GAP_WORDS} words long, not ${most}`);
    return [{ kind: "gap", most, crossing }];
  }
  if (part.startsWith("=")) return [{ kind: "word", key: `=${part.slice(1).toLowerCase()}` }];
  if (part === "'s" || part === "'d") return [{ kind: "word", key: part }];
  return tokenise(part, language).forms.map((form) => ({ kind: "word", key: stem(form, language) }));
}

function checkSequence(sequence: Sequence): void {
  if (sequence.every(({ kind }) => kind === "optional")) throw new Error("it can match nothing");
  if (sequence[0]?.kind === "gap" || sequence.at(-1)?.kind === "gap") throw new Error("it begins or ends with a gap");
  for (const [index, element] of sequence.entries()) {
    const next = sequence[index + 1];
    if (element.kind === "gap" && next?.kind === "gap") throw new Error("a gap follows a gap");
    if (element.kind === "gap" && sequence.slice(index + 1).every(({ kind }) => kind === "optional"))
      throw new Error("only optional parts follow a gap");
    if (element.kind === "group" || element.kind === "optional")
      for (const inner of element.sequences) checkSequence(inner);
  }
}
