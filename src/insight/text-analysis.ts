/** What one review's words and stars say: sentiment, aspects with their evidence, problems and topics. */
import { createHash } from "node:crypto";
import type { AspectMention, Sentiment } from "../insights-document.ts";
import { aspectMentions } from "./mentions/aspect-mentions.ts";
import { type Findings, findings } from "./reading/findings.ts";
import { type Frame, frameOf } from "./sentiment/polarity.ts";
import { overallSentiment } from "./sentiment/sentiment.ts";
import type { Taxonomy } from "./taxonomy/taxonomy.ts";
import { tokenise } from "./text/tokens.ts";

/** Names the analyser in insights; raised with every change of what it finds. */
export const MODEL = "goodword-3";

/** What depends on a review's words and stars and on the taxonomy, and on nothing else. */
export interface TextAnalysis {
  readonly sentiment: Sentiment;
  /** -1 (worst) to 1 (best), two decimals. */
  readonly score: number;
  readonly aspects: AspectMention[];
  readonly problems: string[];
  readonly topics: string[];
}

/** Analyses a review of `rating` stars. Words beyond the stars are read only where there are any. */
export function analyseText(text: string | null, rating: number, taxonomy: Taxonomy): TextAnalysis {
  if (text === null || text.trim() === "") {
    return { ...overallSentiment(rating, undefined, []), aspects: [], problems: [], topics: [] };
  }
  const { frame, found } = readText(text, taxonomy);
  const aspects = aspectMentions({ frame, found: found.aspects, rating }, taxonomy).map(
    ({ id, sentiment, evidence }): AspectMention => ({ id, sentiment, evidence }),
  );
  return { ...overallSentiment(rating, frame, aspects), aspects, problems: found.problems, topics: found.topics };
}

/** The words of a text with names masked, and what the taxonomy's patterns find in them. */
function readText(text: string, taxonomy: Taxonomy): { readonly frame: Frame; readonly found: Findings } {
  const tokens = tokenise(text);
  const frame = frameOf(taxonomy.maskNames?.(tokens) ?? tokens);
  return { frame, found: findings(frame, taxonomy) };
}

/** The key under which an analysis can be kept: it changes with text, stars, analyser and taxonomy. */
export function analysisKey(text: string | null, rating: number, taxonomy: Taxonomy): string {
  const content = `${MODEL}\0${taxonomy.fingerprint}\0${rating}\0${text === null ? "" : `\0${text}`}`;
  return createHash("sha256").update(content, "utf8").digest("hex");
}
