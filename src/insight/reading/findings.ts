/** Pattern matches in a text before classification: per aspect only the longest, without excepted phrases. */

import type { Span } from "../../lib/span.ts";
import type { Finding } from "../engine/clause-features.ts";
import type { Match } from "../engine/matcher.ts";
import { type Frame, isNegated } from "../sentiment/polarity.ts";
import { isWished } from "../sentiment/tone.ts";
import type { Taxonomy } from "../taxonomy/taxonomy.ts";
import { perLanguage, wordSet } from "../text/language-words.ts";
import type { Tokens } from "../text/tokens.ts";

export interface Findings {
  readonly aspects: readonly Finding[];
  /** What is said of aspects outright, in the order of the text. */
  readonly plain: readonly PlainFinding[];
  readonly problems: string[];
}

/** Words that praise or blame an aspect whatever stands around them, but for a negation or a wish: "very clean". */
export interface PlainFinding extends Span {
  readonly aspect: number;
  readonly sentiment: "positive" | "negative";
}

const rivalWordsOf = perLanguage(({ rivals }) => ({
  /** Words with which a sentence returns from another company to this one. */
  own: wordSet(rivals.own),
  compared: wordSet(rivals.compared),
  turning: wordSet(rivals.turning),
}));

/** A match of an excepted phrase, for one aspect or for all. */
interface Exception {
  readonly match: Match;
  readonly aspect: number | undefined;
}

/** Matches the taxonomy's patterns against a text. */
export function findings(frame: Frame, taxonomy: Taxonomy): Findings {
  const matches = taxonomy.matcher.find(frame.tokens);
  const { meanings } = taxonomy;
  const rivals: Match[] = [];
  const exceptions: Exception[] = [];
  for (const match of matches) {
    const meaning = meanings[match.pattern];
    if (meaning?.kind === "rival") rivals.push(match);
    if (meaning?.kind === "ignore") exceptions.push({ match, aspect: undefined });
    if (meaning?.kind === "except") exceptions.push({ match, aspect: meaning.index });
  }
  const rivalWords = rivals.length === 0 ? undefined : rivalPlaces(frame, rivals);
  const aspects: Finding[] = [];
  const plain: PlainFinding[] = [];
  const problems: number[] = [];
  for (const match of matches) {
    const meaning = meanings[match.pattern];
    if (meaning === undefined || !("index" in meaning) || meaning.kind === "except") continue;
    if (isExcepted(match, meaning.kind === "problem" ? undefined : meaning.index, exceptions)) continue;
    const { from, to } = match;
    const ofRival = rivalWords?.has(from) ?? false;
    if (meaning.kind === "aspect") {
      const { index: aspect, stance, ownNegation } = meaning;
      aspects.push({ aspect, stance, ownNegation, from, to, ofRival });
    } else if (ofRival || isNegated(frame, from, to)) continue;
    else if (meaning.kind !== "plain") problems.push(meaning.index);
    else if (!isWished(frame, from)) plain.push({ aspect: meaning.index, sentiment: meaning.sentiment, from, to });
  }
  return {
    aspects: aspects.length < 2 ? aspects : longest(aspects),
    plain,
    problems: idsOf(problems, taxonomy.problems),
  };
}

function isExcepted({ from, to }: Match, aspect: number | undefined, exceptions: readonly Exception[]): boolean {
  for (const { match, aspect: ofAspect } of exceptions) {
    if ((ofAspect === undefined || ofAspect === aspect) && match.from <= from && to <= match.to) return true;
  }
  return false;
}

/** The ids of the entries with these indexes, each once, in the order of the entries. */
function idsOf(indexes: readonly number[], entries: readonly { readonly id: string }[]): string[] {
  if (indexes.length === 0) return [];
  return entries.filter((_, index) => indexes.includes(index)).map(({ id }) => id);
}

/** Drops matches inside a longer match for the same aspect. */
function longest(found: Finding[]): Finding[] {
  found.sort((a, b) => a.aspect - b.aspect || a.from - b.from || b.to - a.to);
  const outermost: Finding[] = [];
  for (const finding of found) {
    const last = outermost.at(-1);
    if (last !== undefined && last.aspect === finding.aspect && finding.to <= last.to) {
      const same = last.from === finding.from && last.to === finding.to;
      if (!same || last.stance !== "open" || finding.stance === "open") continue;
      outermost.pop();
    }
    outermost.push(finding);
  }
  return outermost.sort((a, b) => a.from - b.from || a.aspect - b.aspect);
}

/**
 * Positions of words about another company: from the start of the clause that names it to the end of the sentence or to
 * a change of subject.
 */
function rivalPlaces({ tokens, clauses }: Frame, rivals: readonly Match[]): Set<number> {
  const places = new Set<number>();
  for (const { from, to } of rivals) {
    if (isCompared(tokens, from)) continue;
    const sentence = clauses.sentence[from];
    const clause = clauses.clause[from];
    for (let at = from; at >= 0 && clauses.clause[at] === clause; at--) places.add(at);
    for (let at = from; at < tokens.forms.length && clauses.sentence[at] === sentence; at++) {
      if (at >= to && clauses.clause[at] !== clauses.clause[at - 1] && turns(tokens, at)) break;
      places.add(at);
    }
  }
  return places;
}

/** Whether the other company is mentioned only for comparison: "more than at other places". */
function isCompared({ forms, vocabulary: { language } }: Tokens, from: number): boolean {
  const { compared } = rivalWordsOf(language);
  return forms.slice(Math.max(0, from - 3), from).some((form) => compared.has(form));
}

function turns({ forms, vocabulary: { language } }: Tokens, at: number): boolean {
  const { own, turning } = rivalWordsOf(language);
  const form = forms[at] ?? "";
  return turning.has(form) || own.has(form) || own.has(forms[at + 1] ?? "");
}
