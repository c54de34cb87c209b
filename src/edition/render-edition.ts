/** Renders an edition's documents from a snapshot of the store. Pure; runs off the request thread. */

import { modelAnalysisKey, readerTag } from "../analysis/language-model/model-cache-key.ts";
import { type Business, type BusinessFile, publishedBusiness, UNNAMED_BUSINESS } from "../business.ts";
import { buildInsights } from "../insight/insights-builder.ts";
import { mentionFinder } from "../insight/mentions/mentions.ts";
import type { Taxonomy } from "../insight/taxonomy/taxonomy.ts";
import { analyseText, analysisKey, MODEL, type TextAnalysis } from "../insight/text-analysis.ts";
import type { Analysis, Insights } from "../insights.ts";
import type { Review } from "../review.ts";
import type { Snapshot } from "../store/store.ts";
import { type AggregateRating, aggregateRating } from "./aggregate-rating.ts";
import { renderAtomFeed } from "./atom-feed.ts";
import { type Document, JSON_TYPE, makeDocument } from "./document.ts";
import { FEED_LENGTH, feedItem } from "./feed-item.ts";
import { renderJsonFeed } from "./json-feed.ts";
import { analysisSlice, makeReviewIndex, type ReviewIndex } from "./review-index.ts";

const ATOM_TYPE = "application/atom+xml";

/** Insights without the entries of single reviews, which are in the review index. */
type InsightsHead = Omit<Insights, "per_review">;

/** A rendered edition: plain data that can be passed between threads. */
export interface RenderedEdition {
  readonly revision: number;
  /** When the data was committed: the Last-Modified of all documents. */
  readonly revisedAt: Date;
  readonly baseUrl: string;
  /** Whether this is the bundled sample. */
  readonly sample: boolean;
  readonly language: string;
  readonly business: Business;
  /** The accent colour of the pages, `#rrggbb`. */
  readonly color: string | undefined;
  readonly aggregateRating: AggregateRating;
  readonly insights: InsightsHead;
  readonly reviewIndex: ReviewIndex;
  readonly documents: readonly Document[];
  /** The ids of removed reviews. */
  readonly removed: readonly string[];
}

export interface RenderSettings {
  readonly baseUrl: string;
  readonly sample: boolean;
  readonly taxonomy: Taxonomy;
  /** The language model whose stored analyses take precedence over the program's own. */
  readonly model?: string | undefined;
  /** A cache of analyses by key. Analyses that this edition needs are added to it. */
  readonly kept: Map<string, TextAnalysis>;
}

/** Renders the edition of a snapshot, without content codings. */
export function renderEdition(snapshot: Snapshot, settings: RenderSettings): RenderedEdition {
  const { baseUrl, sample, taxonomy } = settings;
  const file = snapshot.business ?? UNNAMED_BUSINESS;
  const { reviews } = snapshot;
  const business = publishedBusiness(file);
  const { analyses, model } = analyseAll(reviews, file, snapshot.analyses, settings);
  const generatedAt = snapshot.revision.revised_at;
  const { per_review: _perReview, ...insights } = buildInsights({
    business: file,
    taxonomy,
    reviews,
    analyses,
    generatedAt,
    model,
  });
  const aggregate = aggregateRating(reviews);
  const made = makeReviewIndex(reviews, analyses);
  const reviewsData = reviewsDataset(business, aggregate, made);
  const insightsData = insightsDataset(insights, reviews, made);
  const reviewIndex = { ...made, ...reviewsData.columns, ...insightsData.columns };
  const items = reviews
    .slice(0, FEED_LENGTH)
    .map((review, position) => feedItem(review, analyses[position]?.services ?? [], business, baseUrl));
  const { language, color } = file;
  const documents = [
    makeDocument("/reviews.json", JSON_TYPE, reviewsData.bytes),
    makeDocument("/insights.json", JSON_TYPE, insightsData.bytes),
    makeDocument("/api/feed.json", JSON_TYPE, renderJsonFeed(business, language, items, baseUrl)),
    makeDocument(
      "/feed.xml",
      ATOM_TYPE,
      renderAtomFeed(business, items, { baseUrl, language, emptySince: generatedAt }),
    ),
  ];
  const { number: revision } = snapshot.revision;
  return {
    revision,
    revisedAt: generatedAt,
    baseUrl,
    sample,
    language,
    business,
    color,
    aggregateRating: aggregate,
    insights,
    reviewIndex,
    documents,
    removed: snapshot.removed,
  };
}

/** The analyses of all reviews with their mentions, and the description of the analysers that made them. */
function analyseAll(
  reviews: readonly Review[],
  file: BusinessFile,
  stored: ReadonlyMap<string, string>,
  { taxonomy, model, kept }: RenderSettings,
): { analyses: Analysis[]; model: string } {
  const find = mentionFinder(file, taxonomy);
  const tag = model === undefined ? undefined : readerTag(model, taxonomy);
  const needed = new Map<string, TextAnalysis>();
  const known = (key: string) => needed.get(key) ?? kept.get(key) ?? fromStore(stored.get(key));
  let [texts, read] = [0, 0];
  const analyses = reviews.map(({ text, rating }) => {
    const hasWords = text !== null && text.trim() !== "";
    const modelKey = hasWords && tag !== undefined ? modelAnalysisKey(text, rating, tag) : undefined;
    // Only analyses that are in the store now are used, so that all processes render the same documents.
    const byModel = modelKey !== undefined && stored.has(modelKey) ? known(modelKey) : undefined;
    const key = byModel === undefined || modelKey === undefined ? analysisKey(text, rating, taxonomy) : modelKey;
    const analysis = byModel ?? known(key) ?? analyseText(text, rating, taxonomy);
    needed.set(key, analysis);
    if (hasWords) texts++;
    if (byModel !== undefined) read++;
    const { sentiment, score, aspects, problems, topics } = analysis;
    const { technicians, services, service_areas } = find(text);
    return { sentiment, score, aspects, technicians, services, problems, service_areas, topics };
  });
  kept.clear();
  for (const [key, analysis] of needed) kept.set(key, analysis);
  return { analyses, model: read === 0 ? MODEL : `${model} (${read} of ${texts} texts), ${MODEL}` };
}

function fromStore(body: string | undefined): TextAnalysis | undefined {
  return body === undefined ? undefined : (JSON.parse(body) as TextAnalysis);
}

/** A dataset, and the columns of the index that are views of it, so that their bytes are in memory once. */
interface Dataset<Column extends keyof ReviewIndex> {
  readonly bytes: Uint8Array;
  readonly columns: Pick<ReviewIndex, Column>;
}

function reviewsDataset(business: Business, aggregate: AggregateRating, index: ReviewIndex): Dataset<"records"> {
  const head = Buffer.from(
    `{"business":${JSON.stringify(business)},"aggregate_rating":${JSON.stringify(aggregate)},"reviews":[`,
  );
  const bytes = ownBytes([head, index.records, Buffer.from("]}")]);
  return { bytes, columns: { records: bytes.subarray(head.byteLength, head.byteLength + index.records.byteLength) } };
}

/** The insights in the order of the interface, with the analysis of each review by id. */
function insightsDataset(
  insights: InsightsHead,
  reviews: readonly Review[],
  index: ReviewIndex,
): Dataset<"analyses" | "analysisStarts" | "analysisGap"> {
  const { faq, summary, pull_quote, ...front } = insights;
  const parts: Uint8Array[] = [Buffer.from(`${JSON.stringify(front).slice(0, -1)},"per_review":{`)];
  const analysisStarts = new Uint32Array(reviews.length + 1);
  let end = parts[0]?.byteLength ?? 0;
  let gap = 0;
  for (const [position, { id }] of reviews.entries()) {
    const key = Buffer.from(`${position === 0 ? "" : ","}"${id}":`, "latin1");
    const analysis = analysisSlice(index, position);
    parts.push(key, analysis);
    analysisStarts[position] = end + key.byteLength;
    end += key.byteLength + analysis.byteLength;
    if (position > 0) gap = key.byteLength;
  }
  analysisStarts[reviews.length] = end + gap;
  parts.push(Buffer.from(`},${JSON.stringify({ faq, summary, pull_quote }).slice(1)}`));
  const bytes = ownBytes(parts);
  return { bytes, columns: { analyses: bytes, analysisStarts, analysisGap: gap } };
}

/**
 * Concatenates parts in a new buffer. A small Buffer is part of a pool, which cannot be transferred to another thread.
 */
function ownBytes(parts: readonly Uint8Array[]): Uint8Array {
  const bytes = new Uint8Array(parts.reduce((sum, { byteLength }) => sum + byteLength, 0));
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.byteLength;
  }
  return bytes;
}
