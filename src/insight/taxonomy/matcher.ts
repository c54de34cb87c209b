/**
 * Finds many patterns in a text at once. The patterns are laid into one automaton; the states in which it stands after
 * a word are remembered, so that words that were met before in the same state cost one look-up (a lazily built DFA).
 * A text costs time in proportion to its length: no start is followed further than the longest pattern.
 */

import { BREAK, type Tokens } from "../text/tokens.ts";
import { keysOf } from "../text/word-keys.ts";
import { type Element, parsePattern, type Sequence } from "./pattern.ts";

/** A pattern found: its number in the list given, and the words `from` to `to` (exclusive) that it covers. */
export interface Match {
  readonly pattern: number;
  readonly from: number;
  readonly to: number;
}

export interface Matcher {
  /** Every pattern found, by where it starts; of one pattern at one place the longest only. */
  find(tokens: Tokens): Match[];
}

/** A place in the patterns: where words lead from here. */
interface Node {
  readonly id: number;
  /** Whether the next word may open another sentence. */
  readonly crossing: boolean;
  readonly words: Map<string, Node>;
  readonly classes: Map<number, Node>;
  /** Where any word leads. */
  readonly any: Node[];
  /** Where one is without a word. */
  readonly skips: Node[];
  readonly gaps: Map<string, Node>;
  readonly ends: number[];
}

/** All places in which the patterns stand at once, and the states to which words led from there. */
interface State {
  readonly nodes: readonly Node[];
  readonly ends: readonly number[];
  readonly next: Map<number, State | null>;
}

interface Word {
  readonly id: number;
  readonly keys: readonly string[];
  readonly classes: ReadonlySet<number>;
}

/** Words and moves remembered at most; then the memory starts anew, so that strange texts cannot fill it. */
const MOST_WORDS = 100_000;
const MOST_MOVES = 300_000;

/**
 * A matcher of `patterns`, in which `{name}` stands for a class of `classes`.
 * @throws Error when a pattern or a class cannot be read; parse them first to name the place.
 */
export function compileMatcher(
  patterns: readonly string[],
  classes: Readonly<Record<string, readonly string[]>>,
): Matcher {
  const { root, literals, classesOf } = lay(patterns, classes);
  const start: State = { nodes: [root], ends: [], next: new Map() };
  const states = new Map<string, State>();
  const words = new Map<string, Word>();
  /** Words by what of them the patterns ask for: all words of which they ask nothing are one. */
  const kinds = new Map<string, Word>();
  let moves = 0;
  return { find };

  function find({ forms, breaks }: Tokens): Match[] {
    const matches: Match[] = [];
    const longest = new Map<number, number>();
    const row = forms.map(wordOf);
    for (let from = 0; from < row.length; from++) {
      let state: State | null = start;
      longest.clear();
      for (let at = from; at < row.length; at++) {
        const word = row[at] as Word;
        const isCrossing = at > from && breaks[at] === BREAK.sentence;
        state = move(state, word, isCrossing);
        if (state === null) break;
        for (const pattern of state.ends) longest.set(pattern, at + 1);
      }
      for (const [pattern, to] of longest) matches.push({ pattern, from, to });
    }
    return matches;
  }

  function move(state: State, word: Word, isCrossing: boolean): State | null {
    const key = word.id * 2 + (isCrossing ? 1 : 0);
    const known = state.next.get(key);
    if (known !== undefined) return known;
    if (++moves > MOST_MOVES) forget();
    const next = stateOf(reached(state.nodes, word, isCrossing));
    state.next.set(key, next);
    return next;
  }

  function stateOf(nodes: readonly Node[]): State | null {
    if (nodes.length === 0) return null;
    const key = nodes.map(({ id }) => id).join();
    let state = states.get(key);
    if (state === undefined) {
      state = { nodes, ends: [...new Set(nodes.flatMap(({ ends }) => ends))], next: new Map() };
      states.set(key, state);
    }
    return state;
  }

  function forget(): void {
    for (const state of states.values()) state.next.clear();
    states.clear();
    start.next.clear();
    moves = 0;
  }

  function wordOf(form: string): Word {
    const known = words.get(form);
    if (known !== undefined) return known;
    if (words.size >= MOST_WORDS) words.clear();
    const keys = keysOf(form).filter((key) => literals.has(key) || classesOf.has(key));
    const kind = keys.join(" ");
    let word = kinds.get(kind);
    if (word === undefined) {
      word = { id: kinds.size, keys, classes: new Set(keys.flatMap((key) => classesOf.get(key) ?? [])) };
      kinds.set(kind, word);
    }
    words.set(form, word);
    return word;
  }
}

/** The nodes to which a word leads from `nodes`, with those that follow without a word, in the order of their ids. */
function reached(nodes: readonly Node[], word: Word, isCrossing: boolean): Node[] {
  const found = new Set<Node>();
  const add = (node: Node | undefined) => {
    if (node === undefined || found.has(node)) return;
    found.add(node);
    for (const skip of node.skips) add(skip);
  };
  for (const node of nodes) {
    if (isCrossing && !node.crossing) continue;
    for (const key of word.keys) add(node.words.get(key));
    if (node.classes.size <= word.classes.size) {
      for (const [index, target] of node.classes) if (word.classes.has(index)) add(target);
    } else {
      for (const index of word.classes) add(node.classes.get(index));
    }
    for (const target of node.any) add(target);
  }
  return [...found].sort((a, b) => a.id - b.id);
}

interface Layout {
  readonly root: Node;
  /** Keys that stand in patterns as they are. */
  readonly literals: ReadonlySet<string>;
  /** Of a word's key the classes that hold it. */
  readonly classesOf: ReadonlyMap<string, readonly number[]>;
}

/** Lays patterns into an automaton. Groups of single words become classes, other groups are written out. */
function lay(patterns: readonly string[], classes: Readonly<Record<string, readonly string[]>>): Layout {
  let nodes = 0;
  const numbers = new Map<string, number>();
  const literals = new Set<string>();
  const classesOf = new Map<string, number[]>();
  const named = new Map(Object.entries(classes).map(([name, members]) => [name, members.map(parsePattern)]));
  const root = node(false);
  for (const [index, pattern] of patterns.entries()) {
    for (const end of chain([root], parsePattern(pattern))) if (!end.ends.includes(index)) end.ends.push(index);
  }
  return { root, literals, classesOf };

  function node(crossing: boolean): Node {
    return {
      id: nodes++,
      crossing,
      words: new Map(),
      classes: new Map(),
      any: [],
      skips: [],
      gaps: new Map(),
      ends: [],
    };
  }

  /** Lays a sequence from each of `heads`; they are several as long as what stood before may be missing. */
  function chain(heads: readonly Node[], sequence: Sequence): Node[] {
    let current = [...heads];
    for (const element of sequence) {
      const after = current.flatMap((head) => follow(head, element));
      if (element.kind !== "optional") current = after;
      // The root keeps no skips, so that a start is not followed into every pattern that may begin later.
      else if (current.includes(root)) current = [...current, ...after];
      else current = [joined(current, after)];
    }
    return current;
  }

  function follow(head: Node, element: Element): Node[] {
    switch (element.kind) {
      case "word":
        literals.add(element.key);
        return [grown(head.words, element.key)];
      case "class":
        return alternatives(head, named.get(element.name) ?? unknown(element.name));
      case "group":
      case "optional":
        return alternatives(head, element.sequences);
      case "gap":
        return [gap(head, element.most, element.crossing)];
    }
  }

  function alternatives(head: Node, sequences: readonly Sequence[]): Node[] {
    const single = sequences.flatMap((sequence) => keyOf(sequence) ?? []);
    const longer = sequences.filter((sequence) => keyOf(sequence) === undefined);
    const ends = longer.flatMap((sequence) => chain([head], sequence));
    if (single.length > 0) ends.push(grown(head.classes, classNumber(single)));
    return ends.length > 1 && head !== root ? [joined([], ends)] : ends;
  }

  /** One node that is reached from all of `ends` without a word. */
  function joined(heads: readonly Node[], ends: readonly Node[]): Node {
    const all = [...heads, ...ends];
    const after = node(all.some(({ crossing }) => crossing));
    for (const end of all) end.skips.push(after);
    return after;
  }

  function gap(head: Node, most: number, crossing: boolean): Node {
    const key = `${most}${crossing}`;
    const known = head.gaps.get(key);
    if (known !== undefined) return known;
    const after = node(crossing);
    head.gaps.set(key, after);
    // A node of its own, because only inside of the gap the next word may open another sentence.
    let last = node(crossing);
    head.skips.push(last);
    last.skips.push(after);
    for (let count = 0; count < most; count++) {
      const next = node(crossing);
      last.any.push(next);
      next.skips.push(after);
      last = next;
    }
    return after;
  }

  function classNumber(keys: readonly string[]): number {
    const id = [...new Set(keys)].sort().join(" ");
    let number = numbers.get(id);
    if (number === undefined) {
      number = numbers.size;
      numbers.set(id, number);
      for (const key of new Set(keys)) classesOf.set(key, [...(classesOf.get(key) ?? []), number]);
    }
    return number;
  }

  function grown<Key>(children: Map<Key, Node>, key: Key): Node {
    let child = children.get(key);
    if (child === undefined) {
      child = node(false);
      children.set(key, child);
    }
    return child;
  }
}

/** The key of a sequence of one word. */
function keyOf(sequence: Sequence): string | undefined {
  const [first, ...rest] = sequence;
  return rest.length === 0 && first?.kind === "word" ? first.key : undefined;
}

function unknown(name: string): never {
  throw new Error(`{${name}} is no class`);
}
