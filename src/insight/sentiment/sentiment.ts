/** A review's overall sentiment: the stars determine it, the text adjusts the score. */
import type { AspectMention, Sentiment } from "../../insights-document.ts";
import type { Frame } from "./polarity.ts";

const STARS = [-1, -0.6, 0, 0.6, 1];
const WORDS_SHARE = 0.25;

/**
 * The sentiment and its score, -1 to 1. Four and five stars are positive, three neutral, one and two negative, with or
 * without text: the stars are the customer's own verdict. The text moves the score within its class.
 */
export function overallSentiment(
  rating: number,
  frame: Frame | undefined,
  aspects: readonly AspectMention[],
): { sentiment: Sentiment; score: number } {
  const stars = STARS[Math.min(5, Math.max(1, Math.round(rating))) - 1] ?? 0;
  const words = frame === undefined ? stars : wordsScore(frame, aspects, stars);
  const score = Math.round((stars * (1 - WORDS_SHARE) + words * WORDS_SHARE) * 100) / 100;
  const sentiment = rating >= 4 ? "positive" : rating <= 2 ? "negative" : "neutral";
  return { sentiment, score: score === 0 ? 0 : score };
}

/** The text's score, -1 to 1: half from the aspects, half from the word valences. */
function wordsScore(frame: Frame, aspects: readonly AspectMention[], stars: number): number {
  const valence = frame.valences.reduce((sum, value) => sum + value, 0);
  const tone = valence === 0 ? stars : valence / Math.sqrt(valence * valence + 15);
  if (aspects.length === 0) return (tone + stars) / 2;
  const signs = aspects.map(
    ({ sentiment }) => (sentiment === "positive" ? 1 : sentiment === "negative" ? -1 : 0) as number,
  );
  return (tone + signs.reduce((sum, sign) => sum + sign, 0) / signs.length) / 2;
}
