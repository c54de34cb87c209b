/** Analyses one review's text and stars: sentiment, aspects with evidence, problems, and words for themes. */
import { hash } from "node:crypto";
import type { AspectMention, Sentiment } from "../insights-document.ts";
import { isWords } from "../review.ts";
import { aspectMentions } from "./mentions/aspect-mentions.ts";
import { withPlainMentions } from "./mentions/plain-mentions.ts";
import { type Findings, findings } from "./reading/findings.ts";
import { type Frame, frameOf } from "./sentiment/polarity.ts";
import { overallSentiment } from "./sentiment/sentiment.ts";
import { inLanguage, type Taxonomy } from "./taxonomy/taxonomy.ts";
import { isReadLanguage, languageOf } from "./text/language.ts";
import { languageNamed } from "./text/language-words.ts";
import { type Tokens, tokenise } from "./text/tokens.ts";
import { makeToneAt, type ScoredClause } from "./theme/theme-tone.ts";
import { themeWords } from "./theme/theme-words.ts";

/** The analyser's name in insights; its number is raised with every change to the results. */
export const ANALYSER = "goodword-16";

/** An analysis, which depends only on the review's text and stars and on the taxonomy. */
export interface TextAnalysis {
  /** The language of the text (`languageOf`); null without text. */
  readonly language: string | null;
  /** Null if the text is not read. */
  readonly sentiment: Sentiment | null;
  /** -1 (worst) to 1 (best), two decimals; null if the text is not read. */
  readonly score: number | null;
  readonly aspects: AspectMention[];
  readonly problems: string[];
  /** The words that may name themes (`themeWords`). */
  readonly theme_words: string;
}

/**
 * Analyses a review with `rating` stars. Without text, the analysis follows from the stars alone. A text in a language
 * that is not read gives none (interface §6). `correct` may replace the aspects that are found.
 */
export function analyseText(
  text: string | null,
  rating: number,
  taxonomy: Taxonomy,
  correct = (aspects: AspectMention[]) => aspects,
): TextAnalysis {
  if (!isWords(text)) {
    return { language: null, ...overallSentiment(rating, undefined, []), ...nothingFound() };
  }
  const english = tokenise(text);
  const language = languageOf(text, english);
  const own = isReadLanguage(language) ? inLanguage(taxonomy, languageNamed(language)) : undefined;
  if (own === undefined) return { language, sentiment: null, score: null, ...nothingFound() };
  const tokens = own.language === english.vocabulary.language ? english : tokenise(text, own.language);
  const { frame, found } = readText(tokens, own);
  const scored: ScoredClause[] = [];
  const read = aspectMentions({ frame, found: found.aspects, rating }, own, ({ from, to }, polarity) => {
    scored.push({ from, to, polarity });
  });
  const mentions = withPlainMentions(read, { frame, rating, found: found.plain }, own);
  const published = mentions.map(({ id, sentiment, evidence }) => ({ id, sentiment, evidence }));
  const aspects = correct(published);
  const { sentiment, score } = overallSentiment(rating, frame, aspects);
  const theme_words = themeWords(
    frame.tokens,
    makeToneAt(frame, { found: found.aspects, scored, read: published, aspects }),
  );
  return { language, sentiment, score, aspects, problems: found.problems, theme_words };
}

function nothingFound() {
  return { aspects: [], problems: [], theme_words: "" };
}

/** A text's words with names masked, and their pattern matches. */
function readText(tokens: Tokens, taxonomy: Taxonomy): { readonly frame: Frame; readonly found: Findings } {
  const frame = frameOf(taxonomy.maskNames?.(tokens) ?? tokens);
  return { frame, found: findings(frame, taxonomy) };
}

/** The cache key for an analysis. It depends on text, stars, analyser and taxonomy. */
export function analysisKey(text: string | null, rating: number, taxonomy: Taxonomy): string {
  const content = `${ANALYSER}\0${taxonomy.fingerprint}\0${rating}\0${text === null ? "" : `\0${text}`}`;
  return hash("sha256", content);
}
