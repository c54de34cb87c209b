/** Chooses the review sentence that an owner would put on the page: warm, about the work, and clear by itself. */

import { type AnalysedReviews, saysSomethingAt } from "../figures/analysed-reviews.ts";
import type { MentionClarity } from "../figures/mention-clarity.ts";
import { frameOf, isNegated } from "../sentiment/polarity.ts";
import { isIronic, isWished } from "../sentiment/tone.ts";
import { valenceOf } from "../sentiment/valence.ts";
import { isContrast } from "../text/clauses.ts";
import { BREAK, tokenise } from "../text/tokens.ts";

/** Maximum number of reviews considered, newest first. */
const WEIGHED = 300;
const FEWEST_STARS = 4;
const [SHORTEST, LONGEST] = [6, 30];
/**
 * Enough for any sentence of thirty words. The limit is for scripts without spaces, in which words cannot be counted.
 */
const MOST_CHARACTERS = 240;
/** Opening words that make a sentence depend on the one before it. */
const LEANING = new Set(
  `and but so or nor because which who that this these those it he him his she her then also plus still yet now though although
  however otherwise instead if when unless while`.split(/\s+/),
);
/** From so many capitals on, a sentence without closing punctuation is no sentence by itself. */
const MOST_CAPITALS = 4;
const DOUBTING = new Set("if wish hope hopefully maybe might unless would should supposed almost".split(" "));

/** By the position of a review, the most that a sentence of it has besides its praise: `quotability`. */
export type KnownQuotes = ReadonlyMap<number, number>;

/** What is known of an earlier edition's reviews, and where it has a review with the same text. */
export interface QuotesBefore {
  readonly known: KnownQuotes;
  readonly positionOf: (position: number) => number | undefined;
}

export interface ChosenQuote {
  /** The sentence; null if there is none. */
  readonly quote: string | null;
  /** What is known of the reviews that were read, for the next edition. */
  readonly known: KnownQuotes;
}

/**
 * A verbatim sentence without blame from a review with four or five stars. Sentences of six to thirty words that praise
 * an aspect are preferred. A review whose sentences are known and cannot win is not read.
 */
export function pullQuote(
  analysed: AnalysedReviews,
  clear: ReadonlyMap<string, readonly MentionClarity[]>,
  before?: QuotesBefore,
): ChosenQuote {
  const praise = praiseOf(clear);
  const known = new Map<number, number>();
  let chosen: string | null = null;
  let weight = Number.NEGATIVE_INFINITY;
  for (let position = 0, weighed = 0; position < analysed.count && weighed < WEIGHED; position++) {
    const rating = analysed.ratings[position] as number;
    if (rating < FEWEST_STARS || !saysSomethingAt(analysed, position)) continue;
    weighed++;
    const ofReview = praise.get(position) ?? [];
    const ofStars = rating === 5 ? 0.5 : 0;
    const at = before?.positionOf(position);
    const mostBefore = at === undefined ? undefined : before?.known.get(at);
    if (mostBefore !== undefined) known.set(position, mostBefore);
    if ((mostBefore ?? HIGHEST) + praiseWeight(ofReview) + ofStars <= weight) continue; // then its text is not read
    let most = Number.NEGATIVE_INFINITY;
    for (const sentence of sentences(analysed.at(position).review.text ?? "")) {
      const rated = quotability(sentence);
      most = Math.max(most, rated);
      if (rated + praiseWeight(ofReview) + ofStars <= weight) continue;
      const shown = ofReview.filter(({ mention }) => sentence.includes(mention.evidence));
      const worth = rated + praiseWeight(shown) + ofStars;
      if (worth <= weight) continue;
      chosen = sentence;
      weight = worth;
    }
    known.set(position, most);
  }
  return { quote: chosen, known };
}

/** Splits a text into sentences, verbatim, with their closing punctuation. A text without words is one sentence. */
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

/** Words after the first that begin with a capital letter: many of them are a title, or sentences without a stop between. */
function capitals(sentence: string): number {
  return sentence.match(/\s\p{Lu}/gu)?.length ?? 0;
}

/** Clear praise by the position of its review. */
function praiseOf(clear: ReadonlyMap<string, readonly MentionClarity[]>): Map<number, MentionClarity[]> {
  const praising = [...clear.values()]
    .flat()
    .filter(({ mention, clarity }) => mention.sentiment === "positive" && clarity >= 3);
  return Map.groupBy(praising, ({ entry }) => entry.position);
}

/** The weight of the clear praise in a sentence: its two clearest mentions count. */
function praiseWeight(shown: readonly MentionClarity[]): number {
  if (shown.length === 0) return 0;
  const [first = 0, second = 0] = shown.map(({ clarity }) => Math.min(4, clarity)).toSorted((a, b) => b - a);
  return 3 + (first + second) / 2;
}

/** All that speaks for a sentence besides the praise in it, with the most that each adds. The rest only takes away. */
const FOR = { warmth: 10, fits: 8, isSentence: 4, goodLength: 1 } as const;
/** The most that {@link quotability} can give. */
const HIGHEST = Object.values(FOR).reduce((sum, most) => sum + most, 0);

/** Rates a sentence as a quote by its length and warmth; minus infinity if it contains blame or is unsuitable. */
function quotability(sentence: string): number {
  if (sentence.length > MOST_CHARACTERS || /[<>]/.test(sentence) || !/\p{L}/u.test(sentence))
    return Number.NEGATIVE_INFINITY;
  const frame = frameOf(tokenise(sentence));
  const { forms } = frame.tokens;
  if (forms.length > LONGEST) return Number.NEGATIVE_INFINITY;
  const values = forms.map((form, at) => valenceOf(form) * (isNegated(frame, at) ? -1 : 1));
  if (values.some((value) => value < -0.5) || forms.some(isContrast) || /\?/.test(sentence))
    return Number.NEGATIVE_INFINITY;
  if (isIronic(frame, 0, forms.length) || isWished(frame, forms.length - 1)) return Number.NEGATIVE_INFINITY;
  const warmth = values.reduce((sum, value) => sum + Math.min(3, value), 0);
  const fits = forms.length >= SHORTEST && forms.length <= LONGEST;
  const isSentence = /^["“]?\p{Lu}\p{Ll}*[\s,'’]/u.test(sentence) && /[.!]["”')]?$/.test(sentence);
  return (
    Math.min(FOR.warmth, warmth * 1.25) +
    (fits ? FOR.fits : 0) +
    (isSentence ? FOR.isSentence : 0) +
    (forms.length >= 9 && forms.length <= 20 ? FOR.goodLength : 0) -
    (!isSentence && capitals(sentence) >= MOST_CAPITALS ? 5 : 0) -
    (LEANING.has(forms[0] ?? "") ? 3 : 0) -
    (/^(he|she|him|her|it)$/.test(forms[1] ?? "") ? 1.5 : 0) -
    (forms.some((form) => DOUBTING.has(form)) ? 3 : 0) -
    (/\d|\p{Lu}{4,}|[:;(]/u.test(sentence) ? 1.5 : 0)
  );
}
