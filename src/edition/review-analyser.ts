/** Gives the analysis of a published review: from the store or from its text, with the owner's corrections. */
import { analyserId, modelAnalysisKey } from "../analysis/language-model/model-cache-key.ts";
import type { BusinessFile } from "../business.ts";
import { mentionFinder } from "../insight/mentions/mentions.ts";
import type { Taxonomy } from "../insight/taxonomy/taxonomy.ts";
import { ANALYSER, analyseText, analysisKey, type TextAnalysis } from "../insight/text-analysis.ts";
import type { AspectMention } from "../insights-document.ts";
import { isWords, type Review } from "../review.ts";
import type { CorrectionInForce } from "../store/correction-rows.ts";
import type { Snapshot } from "../store/store.ts";
import type { ReviewAnalysis } from "./review-index-writer.ts";

export interface AnalyserSettings {
  readonly taxonomy: Taxonomy;
  /** The language model whose stored analyses take precedence over the program's own. */
  readonly model?: string | undefined;
}

export interface ReviewAnalyser {
  readonly analyse: (review: Review) => ReviewAnalysis;
  /** Which analyser made the analyses so far. */
  readonly description: () => string;
}

/** The keys under which the analysis of a review may be stored. */
export function analysisKeysOf({ text, rating }: Review, { taxonomy, model }: AnalyserSettings): string[] {
  const ofModel =
    model === undefined || !isWords(text) ? [] : [modelAnalysisKey(text, rating, analyserId(model, taxonomy))];
  return [...ofModel, analysisKey(text, rating, taxonomy)];
}

/** Opens an analyser with stored analyses. Names are found in the texts, as the business file has them now. */
export function openReviewAnalyser(
  { analyses: stored, corrections }: Pick<Snapshot, "analyses" | "corrections">,
  file: BusinessFile,
  { taxonomy, model }: AnalyserSettings,
): ReviewAnalyser {
  const find = mentionFinder(file, taxonomy);
  const analyser = model === undefined ? undefined : analyserId(model, taxonomy);
  const isKnown = ({ aspect }: CorrectionInForce) => taxonomy.aspects.some(({ id }) => id === aspect);
  const correctionsOf = Map.groupBy(corrections.filter(isKnown), ({ id }) => id);
  let [texts, byModel] = [0, 0];

  /** The language model's analysis; only one that is in the store, so that all processes render the same documents. */
  function modelAnalysis({ text, rating }: Review): string | undefined {
    if (analyser === undefined || !isWords(text)) return undefined;
    texts++;
    const body = stored.get(modelAnalysisKey(text, rating, analyser));
    if (body !== undefined) byModel++;
    return body;
  }

  function found(review: Review): TextAnalysis {
    const { text, rating } = review;
    const body = modelAnalysis(review) ?? stored.get(analysisKey(text, rating, taxonomy));
    return body === undefined ? analyseText(text, rating, taxonomy) : (JSON.parse(body) as TextAnalysis);
  }

  /** A score that follows from the aspects found moves with them. In a text that is not read nothing can be corrected. */
  function corrected(analysis: TextAnalysis, { id, text, rating }: Review): TextAnalysis {
    const corrections = correctionsOf.get(id);
    if (corrections === undefined || analysis.sentiment === null) return analysis;
    const correct = (aspects: AspectMention[]) => corrections.reduce(correctMention, aspects);
    const isOfAspects = analysis.score === analyseText(text, rating, taxonomy).score;
    const again = analyseText(text, rating, taxonomy, correct);
    const score = isOfAspects ? again.score : analysis.score;
    return { ...analysis, score, aspects: correct(analysis.aspects), theme_words: again.theme_words };
  }

  return {
    analyse(review) {
      const { language, sentiment, score, aspects, problems, theme_words } = corrected(found(review), review);
      const { technicians, services, service_areas } = find(sentiment === null ? null : review.text, language);
      const topics: string[] = []; // they are known when all reviews are
      return {
        analysis: { language, sentiment, score, aspects, technicians, services, problems, service_areas, topics },
        themeWords: theme_words,
      };
    },
    description: () => (byModel === 0 ? ANALYSER : `${model} (${byModel} of ${texts} texts), ${ANALYSER}`),
  };
}

/** Replaces the mention of an aspect, whether the analyser still finds it or not, or takes it out. */
function correctMention(aspects: AspectMention[], { aspect: id, is, evidence }: CorrectionInForce): AspectMention[] {
  const others = aspects.filter((mention) => mention.id !== id);
  if (is === "none") return others;
  const place = aspects.findIndex((mention) => mention.id === id);
  return others.toSpliced(place < 0 ? others.length : place, 0, { id, sentiment: is, evidence, corrected: true });
}
