/** Chooses the review sentence that an owner would put on the page: warm, about the work, and clear by itself. */
import type { Analysis } from "../../insights-document.ts";
import { frameOf, isNegated } from "../sentiment/polarity.ts";
import { isIronic, isWished } from "../sentiment/tone.ts";
import { valenceOf } from "../sentiment/valence.ts";
import { type AnalysedReviews, hasReadWordsAt } from "../statistics/analysed-reviews.ts";
import type { MentionClarity } from "../statistics/mention-clarity.ts";
import { isContrast } from "../text/clauses.ts";
import { ENGLISH, type Language, languageNamed, perLanguage, wordSet } from "../text/language-words.ts";
import { BREAK, tokenise } from "../text/tokens.ts";

/** Maximum number of reviews considered, newest first. */
const MAX_CONSIDERED = 300;
const MIN_STARS = 4;
const [MIN_WORDS, MAX_WORDS] = [6, 30];
/**
 * Enough for any sentence of thirty words. The limit is for scripts without spaces, in which words cannot be counted.
 */
const MAX_CHARACTERS = 240;
const openings = perLanguage(({ pull_quotes: words }) => ({
  /** Opening words that make a sentence depend on the one before it, and second words that do so a little. */
  leaning: wordSet(words.leaning),
  pointing: wordSet(words.pointing),
  doubting: wordSet(words.doubting),
}));
/** With this many capitals or more, a sentence without closing punctuation is a title or several sentences. */
const MANY_CAPITALS = 4;

/**
 * A verbatim sentence without blame from a review with four or five stars; null if there is none. Sentences of six to
 * thirty words that praise an aspect are preferred.
 */
export function pullQuote(
  analysed: AnalysedReviews,
  clear: ReadonlyMap<string, readonly MentionClarity[]>,
): string | null {
  const praise = praiseOf(clear);
  const blamed = analysed.themes.filter(({ praising, criticising }) => criticising.length > praising.length);
  let chosen: string | null = null;
  let best = Number.NEGATIVE_INFINITY;
  for (let position = 0, considered = 0; position < analysed.count && considered < MAX_CONSIDERED; position++) {
    const rating = analysed.ratings[position] as number;
    if (rating < MIN_STARS || !hasReadWordsAt(analysed, position)) continue;
    considered++;
    const ofReview = praise.get(position) ?? [];
    const ofStars = rating === 5 ? 0.5 : 0;
    const ofPraise = praiseWeight(ofReview);
    if (MAX_QUOTABILITY + ofPraise + ofStars <= best) continue; // no sentence of this review can win, so its text is not read
    const language = languageNamed(analysed.analysis(position).language);
    for (const sentence of sentences(analysed.review(position).text ?? "", language)) {
      const score = quotability(sentence, language);
      if (score + ofPraise + ofStars <= best || isCorrected(sentence, analysed.analysis(position))) continue;
      if (blamed.some(({ label }) => isNamed(label, sentence))) continue;
      const shown = ofReview.filter(({ evidence }) => sentence.includes(evidence.text));
      const total = score + praiseWeight(shown) + ofStars;
      if (total <= best) continue;
      chosen = sentence;
      best = total;
    }
  }
  return chosen;
}

/** Whether a sentence names what more reviews criticise than praise: as a quote, it would stand for the others. */
function isNamed(label: string, sentence: string): boolean {
  const inWords = ` ${sentence.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, " ")} `;
  return inWords.includes(
    ` ${label
      .toLowerCase()
      .replace(/[^\p{L}\p{N}]+/gu, " ")
      .trim()} `,
  );
}

/** Whether the owner has corrected what a sentence says to criticism. */
function isCorrected(sentence: string, { aspects }: Analysis): boolean {
  return aspects.some(({ corrected, sentiment, evidence }) => {
    return corrected === true && sentiment === "negative" && sentence.includes(evidence);
  });
}

/** Splits a text into sentences, verbatim, with their closing punctuation. A text without words is one sentence. */
export function sentences(text: string, language: Language = ENGLISH): string[] {
  const { starts, ends, breaks } = tokenise(text, language);
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

/** Clear praise, by the position of its review. */
function praiseOf(clear: ReadonlyMap<string, readonly MentionClarity[]>): Map<number, MentionClarity[]> {
  const praising = [...clear.values()]
    .flat()
    .filter(({ sentiment, clarity }) => sentiment === "positive" && clarity >= 3);
  return Map.groupBy(praising, ({ position }) => position);
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
const MAX_QUOTABILITY = Object.values(FOR).reduce((sum, most) => sum + most, 0);

/** Rates a sentence as a quote by its length and warmth; minus infinity if it contains blame or is unsuitable. */
function quotability(sentence: string, language: Language): number {
  if (sentence.length > MAX_CHARACTERS || /[<>]/.test(sentence) || !/\p{L}/u.test(sentence))
    return Number.NEGATIVE_INFINITY;
  const frame = frameOf(tokenise(sentence, language));
  const { leaning, pointing, doubting } = openings(language);
  const { forms } = frame.tokens;
  if (forms.length > MAX_WORDS) return Number.NEGATIVE_INFINITY;
  const values = forms.map((form, at) => valenceOf(form, language) * (isNegated(frame, at) ? -1 : 1));
  if (values.some((value) => value < -0.5) || forms.some((form) => isContrast(form, language)) || /\?/.test(sentence))
    return Number.NEGATIVE_INFINITY;
  if (isIronic(frame, 0, forms.length) || isWished(frame, forms.length - 1)) return Number.NEGATIVE_INFINITY;
  const warmth = values.reduce((sum, value) => sum + Math.min(3, value), 0);
  const fits = forms.length >= MIN_WORDS && forms.length <= MAX_WORDS;
  const isSentence = /^["“]?\p{Lu}\p{Ll}*[\s,'’]/u.test(sentence) && /[.!]["”')]?$/.test(sentence);
  return (
    Math.min(FOR.warmth, warmth * 1.25) +
    (fits ? FOR.fits : 0) +
    (isSentence ? FOR.isSentence : 0) +
    (forms.length >= 9 && forms.length <= 20 ? FOR.goodLength : 0) -
    (!isSentence && capitals(sentence) >= MANY_CAPITALS ? 5 : 0) -
    (leaning.has(forms[0] ?? "") ? 3 : 0) -
    (pointing.has(forms[1] ?? "") ? 1.5 : 0) -
    (forms.some((form) => doubting.has(form)) ? 3 : 0) -
    (/\d|\p{Lu}{4,}|[:;(]/u.test(sentence) ? 1.5 : 0)
  );
}
