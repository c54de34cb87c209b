/** Printing: from one reading of the store to the edition's documents. Pure; runs off the request thread. */
import { type Business, type BusinessFile, publishedBusiness, UNNAMED_BUSINESS } from "../business.ts";
import { composeInsights } from "../insight/composition.ts";
import { mentionFinder } from "../insight/mentions.ts";
import type { Taxonomy } from "../insight/taxonomy.ts";
import { analyseText, analysisKey, MODEL, type TextAnalysis } from "../insight/text-analysis.ts";
import type { Analysis, Insights } from "../insights.ts";
import type { Review } from "../review.ts";
import type { Snapshot } from "../store/store.ts";
import { type AggregateRating, aggregateRating } from "./aggregate-rating.ts";
import { renderAtomFeed } from "./atom-feed.ts";
import { type Document, makeDocument } from "./document.ts";
import { FEED_LENGTH, feedItem } from "./feed-item.ts";
import { renderJsonFeed } from "./json-feed.ts";
import { renderOpenapi } from "./openapi.ts";
import { analysisSlice, makeShelf, type Shelf } from "./shelf.ts";

export const JSON_TYPE = "application/json";
export const ATOM_TYPE = "application/atom+xml";

/** Insights without the entry for each review: those stand on the shelf. */
export type InsightsHead = Omit<Insights, "per_review">;

/** A printed edition: plain data that crosses threads as it is. */
export interface Printing {
  readonly revision: number;
  readonly revisedAt: Date;
  readonly baseUrl: string;
  /** Whether this is the bundled sample, and no business's own reviews. */
  readonly sample: boolean;
  readonly language: string;
  readonly business: Business;
  readonly aggregateRating: AggregateRating;
  readonly insights: InsightsHead;
  readonly shelf: Shelf;
  readonly documents: readonly Document[];
}

export interface PrintSettings {
  readonly baseUrl: string;
  readonly sample: boolean;
  readonly taxonomy: Taxonomy;
  /** Analyses of texts made for earlier editions, by key. Those that this edition needs are added. */
  readonly kept: Map<string, TextAnalysis>;
}

/** Prints the edition of a snapshot, without content codings. */
export function printEdition(snapshot: Snapshot, settings: PrintSettings): Printing {
  const { baseUrl, sample, taxonomy } = settings;
  const file = snapshot.business ?? UNNAMED_BUSINESS;
  const { reviews } = snapshot;
  const business = publishedBusiness(file);
  const analyses = analyseAll(reviews, file, snapshot.analyses, settings);
  const generatedAt = snapshot.revision.revised_at;
  const { per_review: _perReview, ...insights } = composeInsights({
    business: file,
    taxonomy,
    reviews,
    analyses,
    generatedAt,
    model: MODEL,
  });
  const aggregate = aggregateRating(reviews);
  const shelf = makeShelf(reviews, analyses);
  const items = reviews
    .slice(0, FEED_LENGTH)
    .map((review, position) => feedItem(review, analyses[position]?.services ?? [], business, baseUrl));
  const { language } = file;
  const documents = [
    makeDocument("/reviews.json", JSON_TYPE, reviewsDataset(business, aggregate, shelf)),
    makeDocument("/insights.json", JSON_TYPE, insightsDataset(insights, reviews, shelf)),
    makeDocument("/api/feed.json", JSON_TYPE, renderJsonFeed(business, language, items, baseUrl)),
    makeDocument(
      "/feed.xml",
      ATOM_TYPE,
      renderAtomFeed(business, items, { baseUrl, language, emptySince: generatedAt }),
    ),
    makeDocument("/.well-known/openapi.json", JSON_TYPE, renderOpenapi(business, baseUrl)),
  ];
  const { number: revision } = snapshot.revision;
  return {
    revision,
    revisedAt: generatedAt,
    baseUrl,
    sample,
    language,
    business,
    aggregateRating: aggregate,
    insights,
    shelf,
    documents,
  };
}

/** The analysis of every review: what its words say, kept from before where possible, and whom it names. */
function analyseAll(
  reviews: readonly Review[],
  file: BusinessFile,
  stored: ReadonlyMap<string, string>,
  { taxonomy, kept }: PrintSettings,
): Analysis[] {
  const find = mentionFinder(file, taxonomy);
  const needed = new Map<string, TextAnalysis>();
  const analyses = reviews.map((review) => {
    const key = analysisKey(review.text, review.rating, taxonomy);
    const analysis =
      needed.get(key) ??
      kept.get(key) ??
      fromStore(stored.get(key)) ??
      analyseText(review.text, review.rating, taxonomy);
    needed.set(key, analysis);
    const { sentiment, score, aspects, problems, topics } = analysis;
    const { technicians, services, service_areas } = find(review.text);
    return { sentiment, score, aspects, technicians, services, problems, service_areas, topics };
  });
  kept.clear();
  for (const [key, analysis] of needed) kept.set(key, analysis);
  return analyses;
}

function fromStore(body: string | undefined): TextAnalysis | undefined {
  return body === undefined ? undefined : (JSON.parse(body) as TextAnalysis);
}

function reviewsDataset(business: Business, aggregate: AggregateRating, shelf: Shelf): Uint8Array {
  const head = `{"business":${JSON.stringify(business)},"aggregate_rating":${JSON.stringify(aggregate)},"reviews":[`;
  return Buffer.concat([Buffer.from(head), shelf.records, Buffer.from("]}")]);
}

/** Insights in the order of the contract, the entries for each review taken from the shelf as they stand there. */
function insightsDataset(insights: InsightsHead, reviews: readonly Review[], shelf: Shelf): Uint8Array {
  const { faq, summary, pull_quote, ...front } = insights;
  const parts: Uint8Array[] = [Buffer.from(`${JSON.stringify(front).slice(0, -1)},"per_review":{`)];
  for (const [position, { id }] of reviews.entries()) {
    parts.push(Buffer.from(`${position === 0 ? "" : ","}"${id}":`));
    parts.push(analysisSlice(shelf, position));
  }
  parts.push(Buffer.from(`},${JSON.stringify({ faq, summary, pull_quote }).slice(1)}`));
  return Buffer.concat(parts);
}
