/** The phrases in which customers speak of an aspect most often, as they wrote them. */
import type { AspectMention } from "../insights.ts";
import type { Taxonomy } from "./taxonomy.ts";
import { BREAK, type Tokens, tokenise } from "./tokens.ts";
import { stem } from "./word-stem.ts";

const MOST = 5;
const WEIGHED = 400;
const LONGEST = 6;

/** Words at whose side no phrase begins or ends. */
const EDGES = new Set(
  `a an the and or but so of to in on at by for with from as is was were are be been am it its this that these those i we you
  he she they them him her us me my our your his their 's 'd will would has have had do did does who which what when where
  if than then too very just also all because about after before until while there here into out up off over some any
  told said not no never again his anyone anybody someone somebody still minutes minute hour hours day days years year`.split(
    /\s+/,
  ),
);
/** Words that may stand before a single word to make it a phrase: "very professional". */
const DEGREES = new Set(
  "very really so super extremely incredibly always highly completely truly absolutely totally too not never quite".split(
    " ",
  ),
);
/** Words that close a phrase well although they are small: "showed up", "hauled off", "called back". */
const CLOSERS = new Set(["up", "off", "out", "back", "again", "time", "here", "them", "us"]);

/** Up to five phrases, the most frequent first. `mentions` come with the newest and the prevailing first. */
export function topPhrases(mentions: readonly AspectMention[], aspect: number, taxonomy: Taxonomy): string[] {
  const seen = new Map<string, { phrase: string; stems: Set<string>; count: number; order: number }>();
  for (const { evidence } of mentions.slice(0, WEIGHED)) {
    for (const phrase of phrasesOf(evidence, aspect, taxonomy)) {
      const stems = tokenise(phrase).forms.map(stem);
      const key = stems.join(" ");
      const known = seen.get(key);
      if (known === undefined) seen.set(key, { phrase, stems: new Set(stems), count: 1, order: seen.size });
      else known.count++;
    }
  }
  const ranked = [...seen.values()].sort(
    (a, b) => b.count - a.count || fit(b.stems.size) - fit(a.stems.size) || a.order - b.order,
  );
  const chosen: typeof ranked = [];
  for (const candidate of ranked) {
    if (chosen.length === MOST) break;
    if (!chosen.some((other) => isAlike(candidate.stems, other.stems))) chosen.push(candidate);
  }
  return chosen.map(({ phrase }) => phrase);
}

/** Phrases of two to six words in a span of evidence: what the patterns of the aspect cover there. */
function phrasesOf(evidence: string, aspect: number, taxonomy: Taxonomy): string[] {
  const tokens = tokenise(evidence);
  const phrases: string[] = [];
  for (const { pattern, from, to } of taxonomy.matcher.find(tokens)) {
    const meaning = taxonomy.meanings[pattern];
    if (meaning?.kind !== "aspect" || meaning.index !== aspect) continue;
    const phrase = spanOf(tokens, from, to);
    if (phrase !== undefined) phrases.push(phrase);
  }
  return phrases;
}

/** The words `from` to `to` without small words at the edges, a single word with the one before it; or undefined. */
function spanOf(tokens: Tokens, from: number, to: number): string | undefined {
  const { forms, starts, ends, text } = tokens;
  let first = from;
  let last = to - 1;
  while (first < last && EDGES.has(forms[first] ?? "")) first++;
  while (last > first && EDGES.has(forms[last] ?? "") && !CLOSERS.has(forms[last] ?? "")) last--;
  if (first === last && tokens.breaks[first] === BREAK.none && DEGREES.has(forms[first - 1] ?? "")) first--;
  const count = last - first + 1;
  if (count < 2 || count > LONGEST) return undefined;
  if (forms.slice(first, last + 1).every((form) => /^[$\d]/.test(form) || EDGES.has(form) || CLOSERS.has(form)))
    return undefined;
  // "n't know" and "the neighbor" of "the neighbor's" are no phrases: they begin or end inside of a word.
  if (/\p{L}/u.test(text.charAt((starts[first] ?? 0) - 1)) || /['’\p{L}]/u.test(text.charAt(ends[last] ?? 0)))
    return undefined;
  const phrase = text.slice(starts[first], ends[last]);
  return /^[\p{L}\p{N}$'’%-]+(?: [\p{L}\p{N}$'’%-]+)+$/u.test(phrase) ? phrase : undefined;
}

/** Three or four words read best. */
function fit(words: number): number {
  return words === 3 ? 3 : words === 4 ? 2 : words === 2 ? 1 : 0;
}

function isAlike(a: ReadonlySet<string>, b: ReadonlySet<string>): boolean {
  const shared = [...a].filter((word) => b.has(word) && !EDGES.has(word)).length;
  return shared * 2 >= Math.min(a.size, b.size);
}
