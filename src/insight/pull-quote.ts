/** The one sentence of a review that stands for the others. */

import { isContrast } from "./clauses.ts";
import { BREAK, tokenise } from "./tokens.ts";
import type { Analysed } from "./trend.ts";
import { valenceOf } from "./valence.ts";

const WEIGHED = 300;
const SHORTEST = 30;
const LONGEST = 180;

/** A verbatim sentence of the best-starred reviews that have words; null when none has. */
export function pullQuote(analysed: readonly Analysed[]): string | null {
  const withWords = analysed.filter(({ review }) => review.text !== null && review.text.trim() !== "");
  const highest = Math.max(...withWords.map(({ review }) => review.rating));
  let chosen: string | null = null;
  let weight = Number.NEGATIVE_INFINITY;
  for (const { review } of withWords.filter(({ review }) => review.rating === highest).slice(0, WEIGHED)) {
    for (const sentence of sentences(review.text ?? "")) {
      const weighed = quotability(sentence);
      if (weighed <= weight) continue;
      chosen = sentence;
      weight = weighed;
    }
  }
  return chosen;
}

/** The sentences of a text, verbatim, with what closes them. A text without words is one sentence. */
export function sentences(text: string): string[] {
  const { starts, ends, breaks } = tokenise(text);
  const found: string[] = [];
  for (let at = 0; at < starts.length; at++) {
    const start = starts[at] ?? 0;
    while (at + 1 < starts.length && breaks[at + 1] !== BREAK.sentence) at++;
    const end = ends[at] ?? start;
    const closing = /^[.!?…"”')\]]{1,4}/.exec(text.slice(end, end + 4))?.[0] ?? "";
    found.push(text.slice(start, end + closing.length));
  }
  return found.length > 0 ? found : [text.trim()];
}

/** A whole sentence of quotable length that praises warmly. */
function quotability(sentence: string): number {
  const { forms } = tokenise(sentence);
  const praise = forms.reduce((sum, form) => sum + Math.max(-3, Math.min(3, valenceOf(form))), 0);
  const size = sentence.length >= SHORTEST && sentence.length <= LONGEST ? 4 : sentence.length > LONGEST ? -6 : -2;
  const turns = forms.filter(isContrast).length * 3;
  const whole = /^[\p{Lu}"“]/u.test(sentence) && /[.!]["”')]?$/.test(sentence) ? 2 : 0;
  return Math.min(praise, 8) + size + whole - turns;
}
