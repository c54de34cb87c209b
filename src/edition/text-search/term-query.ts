/** Finds the reviews whose terms allow them to contain a query, and where a query is one term, exactly those that do. */
import { lowerBound } from "../../lib/lower-bound.ts";
import { makeNeedle } from "./byte-search.ts";
import { bitmapLength, openSegment, reviewsWith } from "./segment.ts";
import type { Dictionary } from "./term-table.ts";
import { segmentOf, type TextSegments } from "./text-segments.ts";
import { termEnd, termStart } from "./text-terms.ts";

/** The most terms of a query that are looked up, the longest first. More would exclude few further reviews. */
const MOST_LOOKED_UP = 8;

/** So many terms are found, at most, before a search can give way. One letter is in most terms of a dictionary. */
const STEP_TERMS = 2_048;

/** A term of a query. A query can begin and end within a word. */
interface SoughtTerm {
  readonly bytes: Buffer;
  readonly beginsWord: boolean;
  readonly endsWord: boolean;
}

export interface TermQuery {
  /** Whether the candidates are exactly the reviews that contain the query. */
  readonly isExact: boolean;
  /** One bit for each review of a segment that may contain the query. */
  candidatesIn(segment: number): Uint8Array;
}

/** Prepares the search for folded words: looks for their terms in the dictionary, in steps as a search has them. */
export function* termQuerySteps(words: Buffer, index: TextSegments): Generator<undefined, TermQuery> {
  const sought = soughtTerms(words);
  const longest = sought.toSorted((one, other) => other.bytes.length - one.bytes.length).slice(0, MOST_LOOKED_UP);
  const lists: number[][] = [];
  for (const term of longest) {
    const list: number[] = [];
    for (const found of termsWith(term, index)) if (list.push(found) % STEP_TERMS === 0) yield;
    lists.push(list);
  }
  return {
    isExact: sought[0]?.bytes.length === words.length,
    candidatesIn(number) {
      const count = (index.segmentStarts[number + 1] ?? 0) - (index.segmentStarts[number] ?? 0);
      const segment = openSegment(segmentOf(index, number));
      const [first, ...others] = lists;
      const candidates = new Uint8Array(bitmapLength(count));
      if (first === undefined) return candidates.fill(0xff);
      reviewsWith(first, segment, candidates);
      for (const list of others) {
        const also = new Uint8Array(candidates.length);
        reviewsWith(list, segment, also);
        for (let byte = 0; byte < also.length; byte++) {
          candidates[byte] = (candidates[byte] as number) & (also[byte] as number);
        }
      }
      return candidates;
    },
  };
}

function soughtTerms(words: Buffer): SoughtTerm[] {
  const terms: SoughtTerm[] = [];
  let at = termStart(words, 0, words.length);
  while (at < words.length) {
    const end = termEnd(words, at, words.length);
    terms.push({ bytes: words.subarray(at, end), beginsWord: at > 0, endsWord: end < words.length });
    at = termStart(words, end, words.length);
  }
  return terms;
}

/** The terms of the dictionary that a term of the query can stand for, in ascending order. */
function* termsWith({ bytes, beginsWord, endsWord }: SoughtTerm, { terms, termStarts }: Dictionary): Generator<number> {
  const dictionary = Buffer.from(terms.buffer, terms.byteOffset, terms.byteLength);
  let term = 0;
  /** Where the next term after a place begins. Places are asked for in ascending order. */
  const endOf = (at: number): number => {
    let step = 1;
    while ((termStarts[term + step] ?? Infinity) <= at) {
      term += step;
      step *= 2;
    }
    const low = term;
    term += lowerBound(step - 1, (ahead) => (termStarts[low + ahead + 1] ?? Infinity) > at);
    return termStarts[term + 1] as number;
  };
  const needle = makeNeedle(bytes, endOf);
  for (let at = needle.findIn(dictionary, 0); at !== -1; ) {
    const end = endOf(at);
    const start = termStarts[term] as number;
    const last = end - 1 - bytes.length; // where the term of the query stands if both end together
    const begins = !beginsWord || at === start;
    const ends = !endsWord || (last >= start && dictionary.compare(bytes, 0, bytes.length, last, end - 1) === 0);
    if (begins && ends && !(beginsWord && endsWord && last !== start)) yield term;
    at = end < dictionary.length ? needle.findIn(dictionary, end) : -1;
  }
}
