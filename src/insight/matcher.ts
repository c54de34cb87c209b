/**
 * Finds many patterns in a text at once: the patterns are laid into one trie, which is entered at every word.
 * The work at a word is bounded by the patterns, so a text costs time in proportion to its length.
 */
import { type Element, parsePattern, type Sequence } from "./pattern.ts";
import { BREAK, type Tokens } from "./tokens.ts";
import { stem } from "./word-stem.ts";

/** A pattern found: its number in the list given, and the words `from` to `to` (exclusive) that it covers. */
export interface Match {
  readonly pattern: number;
  readonly from: number;
  readonly to: number;
}

/** What the matcher knows of a form: its stem and the classes that hold it or begin with it. */
export interface Word {
  readonly keys: readonly string[];
  readonly simple: readonly number[];
  readonly complex: readonly number[];
}

export interface Matcher {
  /** The words as the matcher sees them, for `find` and for whoever asks about single words. */
  words(tokens: Tokens): Word[];
  /** Every pattern found, by where it starts; of one pattern at one place the longest only. */
  find(tokens: Tokens, words?: readonly Word[]): Match[];
}

interface Node {
  readonly words: Map<string, Node>;
  readonly classes: Map<number, Node>;
  readonly gaps: { most: number; crossing: boolean; node: Node }[];
  /** Nodes that are reached from here without a word. */
  readonly skips: Node[];
  readonly ends: number[];
}

interface WordClass {
  /** Keys of the words it holds, when all of it are single words. */
  readonly simple: ReadonlySet<string> | undefined;
  readonly root: Node;
  /** Keys with which it can begin. */
  readonly first: ReadonlySet<string>;
}

/** Forms remembered at most; then the memory starts anew, so that strange texts cannot fill it. */
const MOST_WORDS = 100_000;
const NUMBER_WORDS = new Set(
  "one two three four five six seven eight nine ten eleven twelve fifteen twenty thirty forty fifty sixty hundred thousand couple few several dozen".split(
    " ",
  ),
);

/**
 * A matcher of `patterns`, in which `{name}` stands for a class of `classes`.
 * @throws Error when a pattern or a class cannot be read; parse them first to name the place.
 */
export function compileMatcher(
  patterns: readonly string[],
  classes: Readonly<Record<string, readonly string[]>>,
): Matcher {
  const compiled: WordClass[] = [];
  const numbers = new Map<string, number>();
  const root = emptyNode();
  for (const [index, pattern] of patterns.entries()) {
    insert(root, parsePattern(pattern), index);
  }
  const simpleOf = new Map<string, number[]>();
  const complexOf = new Map<string, number[]>();
  for (const [index, { simple, first }] of compiled.entries()) {
    for (const key of simple ?? first) {
      const map = simple === undefined ? complexOf : simpleOf;
      const list = map.get(key);
      if (list === undefined) map.set(key, [index]);
      else list.push(index);
    }
  }
  const known = new Map<string, Word>();
  return { words: (tokens) => tokens.forms.map(wordOf), find };

  /** Lays a sequence into the trie. What may be missing at its head is written out, so that the root has no skips. */
  function insert(start: Node, sequence: Sequence, index: number): void {
    let heads = [start];
    let at = 0;
    for (; sequence[at]?.kind === "optional"; at++) {
      const element = sequence[at] as Element & { kind: "optional" };
      heads = [...heads, ...heads.map((head) => next(head, { ...element, kind: "group" }))];
    }
    for (const head of heads) {
      let node = head;
      for (const element of sequence.slice(at)) node = next(node, element);
      if (!node.ends.includes(index)) node.ends.push(index);
    }
  }

  function next(node: Node, element: Element): Node {
    switch (element.kind) {
      case "word":
        return grown(node.words, element.key);
      case "class":
        return grown(
          node.classes,
          classNumber(`{${element.name}}`, () => classSequences(element.name)),
        );
      case "group":
        return grown(
          node.classes,
          classNumber(JSON.stringify(element.sequences), () => element.sequences),
        );
      case "optional": {
        const after = emptyNode();
        next(node, { ...element, kind: "group" }).skips.push(after);
        node.skips.push(after);
        return after;
      }
      case "gap": {
        const same = node.gaps.find(({ most, crossing }) => most === element.most && crossing === element.crossing);
        if (same !== undefined) return same.node;
        const gap = { most: element.most, crossing: element.crossing, node: emptyNode() };
        node.gaps.push(gap);
        return gap.node;
      }
    }
  }

  function classSequences(name: string): Sequence[] {
    const members = classes[name];
    if (members === undefined) throw new Error(`{${name}} is no class`);
    return members.map(parsePattern);
  }

  function classNumber(id: string, sequencesOf: () => readonly Sequence[]): number {
    const existing = numbers.get(id);
    if (existing === -1) throw new Error(`${id} holds itself`);
    if (existing !== undefined) return existing;
    numbers.set(id, -1);
    const sequences = sequencesOf();
    const classRoot = emptyNode();
    for (const sequence of sequences) insert(classRoot, sequence, 0);
    const first = firstKeys(classRoot);
    const isSimple = sequences.every((sequence) => sequence.length === 1);
    const inner = [...classRoot.classes.keys()].every((index) => compiled[index]?.simple !== undefined);
    const number = compiled.length;
    compiled.push({ simple: isSimple && inner ? first : undefined, root: classRoot, first });
    numbers.set(id, number);
    return number;
  }

  function firstKeys(node: Node): Set<string> {
    const keys = new Set(node.words.keys());
    for (const index of node.classes.keys()) for (const key of compiled[index]?.first ?? []) keys.add(key);
    return keys;
  }

  function wordOf(form: string): Word {
    const existing = known.get(form);
    if (existing !== undefined) return existing;
    if (known.size >= MOST_WORDS) known.clear();
    const keys = keysOf(form);
    const word = { keys, simple: unique(keys, simpleOf), complex: unique(keys, complexOf) };
    known.set(form, word);
    return word;
  }

  function find(tokens: Tokens, words: readonly Word[] = tokens.forms.map(wordOf)): Match[] {
    const matches: Match[] = [];
    const longest = new Map<number, number>();
    const keep = (node: Node, to: number) => {
      for (const pattern of node.ends) if ((longest.get(pattern) ?? 0) < to) longest.set(pattern, to);
    };
    for (const [from, word] of words.entries()) {
      longest.clear();
      step(root, word, from, keep);
      for (const [pattern, to] of longest) matches.push({ pattern, from, to });
    }
    return matches;

    function walk(node: Node, at: number, reached: (node: Node, at: number) => void): void {
      if (node.ends.length > 0) reached(node, at);
      for (const after of node.skips) walk(after, at, reached);
      const word = words[at];
      if (word === undefined) return;
      if (tokens.breaks[at] !== BREAK.sentence) step(node, word, at, reached);
      for (const gap of node.gaps) {
        for (let to = at; to <= at + gap.most && to < words.length; to++) {
          const target = words[to];
          if (target === undefined || (!gap.crossing && tokens.breaks[to] === BREAK.sentence)) break;
          stepOn(gap.node, target, to, reached);
        }
      }
    }

    /** A step from a node or from one that is reached from it without a word. */
    function stepOn(node: Node, word: Word, at: number, reached: (node: Node, at: number) => void): void {
      step(node, word, at, reached);
      for (const after of node.skips) stepOn(after, word, at, reached);
    }

    function step(node: Node, word: Word, at: number, reached: (node: Node, at: number) => void): void {
      if (node.words.size > 0) {
        for (const key of word.keys) {
          const target = node.words.get(key);
          if (target !== undefined) walk(target, at + 1, reached);
        }
      }
      if (node.classes.size === 0) return;
      for (const index of word.simple) {
        const target = node.classes.get(index);
        if (target !== undefined) walk(target, at + 1, reached);
      }
      for (const index of word.complex) {
        const target = node.classes.get(index);
        if (target === undefined) continue;
        const inner = compiled[index]?.root;
        if (inner === undefined) continue;
        const ends = new Set<number>();
        step(inner, word, at, (node, end) => {
          if (node.ends.length > 0) ends.add(end);
        });
        for (const end of ends) walk(target, end, reached);
      }
    }
  }
}

function emptyNode(): Node {
  return { words: new Map(), classes: new Map(), gaps: [], skips: [], ends: [] };
}

function grown<Key>(children: Map<Key, Node>, key: Key): Node {
  let child = children.get(key);
  if (child === undefined) {
    child = emptyNode();
    children.set(key, child);
  }
  return child;
}

function unique(keys: readonly string[], of: ReadonlyMap<string, readonly number[]>): number[] {
  return [...new Set(keys.flatMap((key) => of.get(key) ?? []))];
}

/** Under which keys a form is found: its stem, its very form, and the kinds it is of. */
function keysOf(form: string): string[] {
  const keys = [stem(form), `=${form}`];
  if (/^[$£€]/.test(form)) return [...keys, "#money"];
  if (form.endsWith("%")) return [...keys, "#percent"];
  if (/^\d[\d.,:/]*(k|st|nd|rd|th|hrs?|min)?$/.test(form) || NUMBER_WORDS.has(form)) keys.push("#num");
  if (/^([1-9]|1[0-2])([:.][0-5]\d)?(am|pm|a|p|ish|oclock)?$/.test(form) || CLOCK_WORDS.has(form)) keys.push("#clock");
  return keys;
}

const CLOCK_WORDS = new Set("noon midnight one two three four five six seven eight nine ten eleven twelve".split(" "));
