/**
 * Scores how clearly a review's words show each counted mention. A mention may be based on the stars or on a single
 * hint; examples, phrases and quotations need words whose meaning is clear without other context.
 */
import type { Sentiment } from "../../insights-document.ts";
import type { Span } from "../../lib/span.ts";
import type { Finding } from "../engine/clause-features.ts";
import { aspectMentions } from "../mentions/aspect-mentions.ts";
import { findings } from "../reading/findings.ts";
import { type Frame, frameOf, isNegated } from "../sentiment/polarity.ts";
import { isWished } from "../sentiment/tone.ts";
import { valenceOf } from "../sentiment/valence.ts";
import { inLanguage, type Taxonomy } from "../taxonomy/taxonomy.ts";
import { languageNamed, perLanguage, wordSet } from "../text/language-words.ts";
import { isSmall } from "../text/phrase-cut.ts";
import { type Tokens, tokenise } from "../text/tokens.ts";
import { stem } from "../text/word-stem.ts";
import { type AnalysedReviews, exampleScore } from "./analysed-reviews.ts";
import { type AspectMentionAt, newestMentions } from "./aspect-positions.ts";

/** Maximum number of mentions scored per aspect and sentiment, newest first, so that recent ones are shown. */
const MAX_SCORED = 120;
/** Star ratings that contradict each sentiment: words that keep the sentiment under them express it by themselves. */
const OTHER_STARS = { positive: 3, neutral: 5, negative: 4 } as const;
/** A star rating that is neither good nor bad. */
const NEUTRAL_STARS = 3;
const SIGNS = { positive: 1, neutral: 0, negative: -1, open: Number.NaN } as const;
const [MIN_WORDS, MAX_WORDS] = [3, 22];

/** The first mention of an aspect in a review, with the clarity of its evidence. */
export interface MentionClarity {
  /** The review's position. */
  readonly position: number;
  readonly sentiment: Sentiment;
  /** The words on which the mention is based, as tokens; `text` is verbatim. */
  readonly evidence: Tokens;
  /** How well the review serves as an example. */
  readonly asExample: number;
  /** About -3 (the evidence barely shows the mention) to 6 (beyond doubt). */
  readonly clarity: number;
  /** Pattern matches in the evidence that express the mention's sentiment by themselves, as spans of its words. */
  readonly matches: readonly Span[];
}

/** The newest mentions per sentiment, by aspect id, newest first. */
export function mentionClarity(analysed: AnalysedReviews, taxonomy: Taxonomy): Map<string, MentionClarity[]> {
  return new Map(taxonomy.aspects.map(({ id }, aspect) => [id, mentionsOf(analysed, aspect, taxonomy)]));
}

/**
 * Pattern matches in a text that express `sentiment` about the aspect, the number of matches that contradict it, and
 * all matches (`found`).
 */
export function expressions(
  frame: Frame,
  said: { readonly aspect: number; readonly sentiment: Sentiment },
  taxonomy: Taxonomy,
): { matches: Finding[]; against: number; found: readonly Finding[] } {
  const found = findings(frame, taxonomy).aspects;
  const fixed = found.filter(({ aspect, stance }) => aspect === said.aspect && stance !== "open");
  const matches = fixed.filter((finding) => signOf(frame, finding) === SIGNS[said.sentiment]);
  return { matches, against: fixed.length - matches.length, found };
}

/** For words that are shown without their review. */
const MIN_PROBABILITY = 0.7;

/**
 * Whether these words alone, without their review and its stars, express this sentiment about the aspect more clearly
 * than about any other.
 */
export function isSelfContained(
  words: string,
  said: { readonly aspect: number; readonly sentiment: Sentiment },
  taxonomy: Taxonomy,
): boolean {
  const frame = frameOf(tokenise(words, taxonomy.language));
  const found = findings(frame, taxonomy).aspects;
  const mentions = aspectMentions({ frame, found, rating: NEUTRAL_STARS }, taxonomy);
  const most = Math.max(...mentions.map(({ chance }) => chance));
  const id = taxonomy.aspects[said.aspect]?.id;
  return mentions.some(
    (mention) =>
      mention.id === id && mention.sentiment === said.sentiment && mention.chance >= Math.max(MIN_PROBABILITY, most),
  );
}

/** Stems of the words in an aspect's label, question, `praised_for` and `blamed_for`. */
export function ownStems({ aspects, language }: Taxonomy, aspect: number): Set<string> {
  const { label, question, praised_for, blamed_for } = aspects[aspect] as Taxonomy["aspects"][number];
  const { forms } = tokenise(`${label}. ${question} ${praised_for}. ${blamed_for}`, language);
  const common = commonWords(language);
  return new Set(forms.filter((form) => form.length > 3 && !common.has(form)).map((form) => stem(form, language)));
}

const commonWords = perLanguage(({ common }) => wordSet(common));

function mentionsOf(analysed: AnalysedReviews, aspect: number, taxonomy: Taxonomy): MentionClarity[] {
  const id = taxonomy.aspects[aspect]?.id;
  if (id === undefined) return [];
  const scaleOf = perLanguage((_, language): Scale | undefined => {
    const own = inLanguage(taxonomy, language);
    return own && { aspect, own: ownStems(own, aspect), taxonomy: own };
  });
  const mentions = newestMentions(analysed, id, MAX_SCORED).flatMap((mention) => {
    const scale = scaleOf(languageNamed(analysed.analysis(mention.position).language));
    return scale === undefined ? [] : [scoreMention(analysed, mention, scale)];
  });
  return raiseRecurring(mentions);
}

interface Scale {
  readonly aspect: number;
  readonly own: ReadonlySet<string>;
  /** In the language of the review. */
  readonly taxonomy: Taxonomy;
}

/** Scores a mention by itself. */
function scoreMention(
  analysed: AnalysedReviews,
  { position, sentiment }: AspectMentionAt,
  { aspect, own, taxonomy }: Scale,
): MentionClarity {
  const id = taxonomy.aspects[aspect]?.id;
  const isOfAspect = (mention: { readonly id: string }) => mention.id === id;
  const evidence = tokenise(analysed.analysis(position).aspects.find(isOfAspect)?.evidence ?? "", taxonomy.language);
  const frame = frameOf(evidence);
  const { matches, against, found } = expressions(frame, { aspect, sentiment }, taxonomy);
  const alone = aspectMentions({ frame, found, rating: OTHER_STARS[sentiment] }, taxonomy).find(isOfAspect);
  const longest = matches.reduce((most, { from, to }) => Math.max(most, to - from), 0);
  const size = evidence.forms.length;
  const clarity =
    (matches.length > 0 ? 1.5 + Math.min(2, matches.length - 1) * 0.5 + (longest >= 3 ? 0.5 : 0) : 0) -
    against * 1.5 -
    (matches.length > 0 && matches.every((match) => isThin(evidence, match, own)) ? 1 : 0) -
    (longest === 1 ? 0.5 : 0) +
    toneAgrees(evidence, sentiment) +
    (alone?.sentiment === sentiment ? 1 : -1) +
    starsAgree(analysed.ratings[position] ?? 0, sentiment) +
    (size >= MIN_WORDS && size <= MAX_WORDS ? 0.5 : -0.5) +
    (evidence.forms.some((form) => own.has(stem(form, taxonomy.language))) ? 0.75 : 0) -
    (new Set(found.map((finding) => finding.aspect)).size - 1) * 0.3 -
    (isAsked(analysed.review(position).text ?? "", evidence.text) ? 1.5 : 0);
  return { position, sentiment, evidence, matches, clarity, asExample: exampleScore(analysed, position) };
}

/** Raises the clarity of mentions whose wording recurs: frequent wording is typical of the aspect. */
function raiseRecurring(mentions: readonly MentionClarity[]): MentionClarity[] {
  const wordings = mentions.map(({ sentiment, evidence, matches }) =>
    matches.map(({ from, to }) => [sentiment, ...stemsOf(evidence, from, to)].join(" ")),
  );
  const counts = new Map<string, number>();
  for (const wording of wordings.flat()) counts.set(wording, (counts.get(wording) ?? 0) + 1);
  return mentions.map((mention, index) => {
    const most = (wordings[index] ?? []).reduce((high, wording) => Math.max(high, counts.get(wording) ?? 1), 1);
    return { ...mention, clarity: mention.clarity + Math.min(1, Math.log2(most) * 0.35) };
  });
}

function signOf(frame: Frame, { stance, ownNegation, from, to, ofRival }: Finding): number {
  if (ofRival || (stance === "positive" && isWished(frame, from))) return Number.NaN;
  const sign = SIGNS[stance];
  return !ownNegation && sign !== 0 && isNegated(frame, from, to) ? -sign : sign;
}

function starsAgree(rating: number, sentiment: Sentiment): number {
  if (sentiment === "neutral") return rating === 3 ? 1 : 0;
  const stars = Math.sign(rating - 3);
  return sentiment === "positive" ? stars : -stars;
}

/** Whether a match has fewer than two content words and none of the aspect's own words: "over a weekend". */
function isThin(tokens: Tokens, { from, to }: Span, own: ReadonlySet<string>): boolean {
  const { language } = tokens.vocabulary;
  const content = tokens.forms.slice(from, to).filter((form) => !isSmall(form, language));
  return content.length < 2 && !stemsOf(tokens, from, to).some((word) => own.has(word));
}

function stemsOf({ forms, vocabulary: { language } }: Tokens, from: number, to: number): string[] {
  return forms.slice(from, to).map((form) => stem(form, language));
}

function toneAgrees({ forms, vocabulary: { language } }: Tokens, sentiment: Sentiment): number {
  const tone = forms.reduce((sum, form) => sum + valenceOf(form, language), 0) * (SIGNS[sentiment] / 4);
  return Math.max(-0.5, Math.min(0.5, tone));
}

/** Whether the words are part of a question. */
function isAsked(text: string, evidence: string): boolean {
  const after = text.indexOf(evidence) + evidence.length;
  return /^[^.!?\n]{0,80}\?/.test(text.slice(after, after + 81));
}
